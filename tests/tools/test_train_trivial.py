"""The trainer of the model of small talk: the same data give the same file."""

import gzip
import json
from pathlib import Path

import pytest

import train_trivial

SMALL = {"greeting": "hey you there", "thank_you": "much obliged to you", "yes": "oh yes it is"}


@pytest.fixture
def data(tmp_path: Path) -> list[str]:
    """A tiny set of intents, and one of talks."""
    rows = [[text, intent] for intent, text in SMALL.items() for _ in range(3)]
    rows += [[f"pay bill number {n}", "pay_bill"] for n in range(30)]
    splits = {"train": rows, "val": rows, "oos_train": [["odd one", "oos"]], "oos_val": []}
    intents = tmp_path / "intents.json.gz"
    intents.write_bytes(gzip.compress(json.dumps(splits).encode()))
    talk = "user: I moved to Porto last year. Thanks!\nassistant: How nice.\nuser: My cat is ill."
    slice_ = {
        "queries": [{"gold": ["gold"]}],
        "documents": [{"id": "a", "text": talk}, {"id": "gold", "text": "user: a secret answer"}],
    }
    talks = tmp_path / "talks.json"
    talks.write_text(json.dumps(slice_), encoding="utf-8")
    return [str(intents), str(talks)]


@pytest.mark.long
def test_the_same_data_give_the_same_weights(
    data: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two runs write the same bytes: a header, the classes, and features with their weights."""
    monkeypatch.setattr(train_trivial, "EPOCHS", 2)
    first, second = tmp_path / "one.txt", tmp_path / "two.txt"
    for out in (first, second):
        assert train_trivial.main([*data, "--out", str(out)]) == 0
    assert first.read_bytes() == second.read_bytes()
    lines = first.read_text(encoding="utf-8").splitlines()
    assert lines[2] == "classes\t" + " ".join(train_trivial.INTENTS)
    assert all(len(line.split("\t")[1].split()) == len(train_trivial.INTENTS) for line in lines[3:])
    assert any(line.startswith("much obliged\t") for line in lines)


def test_users_talk_without_small_talk_and_gold_is_learned(data: list[str]) -> None:
    """Of the talks only what users say counts, but for thanks and for sessions that are gold."""
    said = [" ".join(one.words) for one in train_trivial.talks(Path(data[1]))]
    assert said == ["i moved to porto last year", "my cat is ill"]

"""The trainer of the model of changes: what it reads, and the form of what it writes."""

import json
import random
from pathlib import Path

import numpy as np

import succession_pairs
import train_succession

KINDS = 3


def test_every_written_pair_can_be_read() -> None:
    """Each row has two different texts short enough to count, whether the old one is over, and a
    kind; there are pairs of both sorts in both languages, and none stands there twice."""
    seen: set[tuple[str, str]] = set()
    for path in sorted(succession_pairs.PAIRS.glob("*.jsonl")):
        assert path.stem[:2] in {"en", "tr"}
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            assert row["y"] in {0, 1}, line
            assert row["kind"], line
            assert row["new"].strip(), line
            assert row["old"].strip(), line
            assert (row["new"], row["old"]) not in seen, line
            seen.add((row["new"], row["old"]))
    pairs = succession_pairs.written_pairs(random.Random(1))
    assert len(pairs) == len(seen)
    assert {(one.group, one.over) for one in pairs} == {
        (group, over) for group in ("en", "tr") for over in (True, False)
    }
    assert all(one.just for one in pairs if one.kind == "correction")


def test_the_file_has_the_form_that_is_read(tmp_path: Path) -> None:
    """Units, traits and words, in this order; a word of next to no weight is left out."""
    model = train_succession.Model(
        ["one", "two"],
        np.array([0.5, 0.25]),
        np.array([1.0, 2.0]),
        [np.ones((2, KINDS)), np.zeros(KINDS), np.ones(KINDS), np.ones(2), np.array([0.125])],
        np.array([1.0, 0.01]),
        {"n:moved": 0, "n:the": 1},
    )
    lines = [line.split("\t") for line in train_succession.written(model).splitlines()[2:]]
    assert [line[0] for line in lines] == ["units"] * 3 + ["trait"] * 2 + ["word"]
    assert [len(line[1].split()) for line in lines[:3]] == [1, KINDS, KINDS]
    assert [line[1] for line in lines[3:]] == ["one", "two", "n:moved"]
    assert all(len(line[2].split()) == 3 + KINDS for line in lines[3:5])
    assert lines[5][2] == str(train_succession.SCALE)

"""`engraphy bench --peer`: other stores are asked the same questions in the same run."""

import json
import os
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.benchmarks import tiny

from engraphy.benchmarks import peers
from engraphy.benchmarks.peer_endpoint import environment, served
from engraphy.cli import main
from engraphy.providers.static import StaticEmbedder


@pytest.fixture
def dialogue(tmp_path: Path) -> Path:
    return tiny.written(tmp_path / "tiny.json", tiny.locomo())


def told(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(main, ["bench", *arguments, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    printed: dict[str, Any] = json.loads(result.stdout)
    return printed


def test_a_peer_answers_the_same_questions(dialogue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The questions, their gold and the names of the figures are those of our own rows."""
    monkeypatch.setitem(peers.Peers, "toy", ("tests.benchmarks.toy_peer", "opened", "pytest"))
    found = told("locomo", "--data", str(dialogue), "--no-embed", "--peer", "toy")
    other = found["peers"]["measured"]["toy"]
    same = ("id", "case", "category", "gold")
    assert [[row[key] for key in same] for row in other["rows"]] == [
        [row[key] for key in same] for row in found["rows"]
    ]
    assert other["metrics"].keys() == found["metrics"].keys()
    assert other["intervals_95"].keys() == other["metrics"].keys()
    assert other["version"] == pytest.__version__
    assert found["peers"]["left_out"] == {}


def test_a_peers_turns_are_ranked_as_it_gave_them(
    dialogue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the peer puts first is what the figures are of."""
    monkeypatch.setitem(peers.Peers, "toy", ("tests.benchmarks.toy_peer", "opened", "pytest"))
    found = told("locomo", "--data", str(dialogue), "--no-embed", "--peer", "toy")
    rows = found["peers"]["measured"]["toy"]["rows"]
    for row in rows:
        first = next((n for n, one in enumerate(row["top"], 1) if one in row["gold"]), None)
        assert first is not None
        assert row["turn.mrr"] == pytest.approx(1 / first)


def test_what_is_not_installed_is_named_and_left_out(
    dialogue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run goes on without it, and says why."""
    missing = ("tests.benchmarks.no_such_peer", "opened", "pytest")
    monkeypatch.setitem(peers.Peers, "gone", missing)
    found = told("locomo", "--data", str(dialogue), "--no-embed", "--peer", "gone")
    assert found["peers"]["measured"] == {}
    assert "no_such_peer" in found["peers"]["left_out"]["gone"]
    assert found["questions"] == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("locomo", "--peer", "nobody"), "langgraph"), (("precision", "--peer", "chroma"), "peers")],
)
def test_an_unknown_peer_is_refused(dialogue: Path, arguments: tuple[str, ...], said: str) -> None:
    """With the names that are known; and where there are none to compare with, so."""
    result = CliRunner().invoke(main, ["bench", *arguments, "--data", str(dialogue)])
    assert result.exit_code != 0
    assert said in result.output


@pytest.mark.long
def test_an_embedder_behind_an_address_gives_its_own_vectors() -> None:
    """What a peer gets over the loopback is what the embedder gives, for one text or several."""
    embedder: Any = StaticEmbedder()
    with served(embedder) as address:
        for given in ("a red kite", ["a red kite", "the harbour"]):
            body = json.dumps({"model": "x", "input": given}).encode()
            request = urllib.request.Request(
                f"{address}/embeddings", body, {"Content-Type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=10) as answer:
                rows = json.load(answer)["data"]
            wanted = embedder.embed_documents([given] if isinstance(given, str) else given)
            assert [row["index"] for row in rows] == list(range(len(wanted)))
            for row, vector in zip(rows, wanted, strict=True):
                assert row["embedding"] == pytest.approx(list(map(float, vector)))


def test_the_environment_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables set for a peer are gone afterwards, and those that were there are back."""
    monkeypatch.setenv("ENGRAPHY_TEST_KEPT", "before")
    with environment({"ENGRAPHY_TEST_KEPT": "during", "ENGRAPHY_TEST_NEW": "1"}):
        assert os.environ["ENGRAPHY_TEST_KEPT"] == "during"
    assert os.environ["ENGRAPHY_TEST_KEPT"] == "before"
    assert "ENGRAPHY_TEST_NEW" not in os.environ

"""`engraphy bench` from the command line: what it prints, writes and refuses."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.benchmarks import tiny

from engraphy.cli import main

KEYS = {
    "benchmark",
    "data_sha256",
    "engine",
    "embedder",
    "profile",
    "questions",
    "metrics",
    "latency_ms",
    "rows",
}


@pytest.fixture
def dialogue(tmp_path: Path) -> Path:
    return tiny.written(tmp_path / "tiny.json", tiny.locomo())


def told(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(main, ["bench", *arguments, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    printed: dict[str, Any] = json.loads(result.stdout)
    return printed


@pytest.mark.spec("D-75")
def test_the_object_has_the_promised_keys(dialogue: Path) -> None:
    """`bench locomo --json` prints one object with the keys of the public surface, figures in
    [0, 1], and the hash of the file."""
    found = told("locomo", "--data", str(dialogue))
    assert found.keys() >= KEYS
    assert found["benchmark"] == "locomo"
    assert found["data_sha256"] == hashlib.sha256(dialogue.read_bytes()).hexdigest()
    assert found["data"] == "not a known file"
    assert (found["engine"], found["profile"], found["questions"]) == ("sqlite", "default", 3)
    assert found["embedder"].startswith("static")
    names = ("turn.rec@5", "turn.rec@10", "turn.mrr", "session.hit@1", "session.hit@5")
    assert all(0.0 <= found["metrics"][name] <= 1.0 for name in names)
    assert found["latency_ms"].keys() == {"p50", "p95", "p99"}
    assert found["groups"]["conv-1"]["questions"] == 3
    assert found["intervals_95"].keys() == found["metrics"].keys()


def test_rows_carry_ids_and_numbers_only(dialogue: Path) -> None:
    """No text of the data stands in a result unless --texts asks for it."""
    plain = told("locomo", "--data", str(dialogue), "--no-embed")
    assert plain["embedder"] == "none"
    assert [row["gold"] for row in plain["rows"]] == [["D1:1"], ["D1:2", "D2:2"], ["D2:1"]]
    assert "Pixel" not in json.dumps(plain)
    assert not any("query" in row for row in plain["rows"])
    asked = told("locomo", "--data", str(dialogue), "--no-embed", "--texts")
    assert asked["rows"][0]["query"] == "What is Ana's cat called?"


@pytest.mark.spec("D-75")
def test_the_right_turn_is_found(dialogue: Path) -> None:
    """With five turns in the memory, the first question finds its evidence."""
    found = told("locomo", "--data", str(dialogue), "--no-embed")
    assert found["rows"][0]["top"][0] == "D1:1"
    assert found["rows"][0]["turn.rec@5"] == 1.0


@pytest.mark.parametrize(
    ("name", "value"),
    [("longmemeval", tiny.pooled()), ("longmemeval", tiny.haystacks()), ("beam", tiny.beam())],
)
def test_the_other_benchmarks_print_the_same_object(name: str, value: Any, tmp_path: Path) -> None:
    """LongMemEval in both formats and BEAM print the same keys."""
    file = tiny.written(tmp_path / "data.json", value)
    found = told(name, "--data", str(file), "--no-embed")
    assert found.keys() >= KEYS
    assert found["benchmark"] == name
    assert found["questions"] >= 1


def test_precision_prints_the_same_object(tmp_path: Path) -> None:
    """`bench precision` prints the same keys, and the passes by type."""
    found = told("precision", "--data", str(tiny.precision(tmp_path)), "--no-embed")
    assert found.keys() >= KEYS
    assert found["passes"].keys() == {"active", "structural", "trivially_empty", "all"}
    assert {"case.precision", "case.recall", "case.pass"} <= found["metrics"].keys()


def test_people_read_it_at_80_columns(dialogue: Path, tmp_path: Path) -> None:
    """Without --json the figures are a table of at most 80 columns; --out still writes JSON."""
    out = tmp_path / "result.json"
    arguments = ["bench", "locomo", "--data", str(dialogue), "--no-embed", "--out", str(out)]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert "rec@10" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert json.loads(out.read_text(encoding="utf-8")).keys() >= KEYS


def test_wrong_data_are_one_line_and_an_exit_code(tmp_path: Path) -> None:
    """Data in another format cannot be read, code 1; data without a usable question are no value
    for --data, code 2. Both say why."""
    other = tiny.written(tmp_path / "other.json", {"a": 1})
    empty = tiny.written(tmp_path / "empty.json", [])
    refused = ((other, 1, "not in the format of LoCoMo"), (empty, 2, "without questions"))
    for file, code, reason in refused:
        result = CliRunner().invoke(main, ["bench", "locomo", "--data", str(file)])
        assert result.exit_code == code
        assert reason in result.stderr


@pytest.mark.parametrize("sizes", ["", "ten", "1000;2000", "5", "-1000", "1e4"])
def test_sizes_are_whole_numbers(sizes: str) -> None:
    """`bench perf --sizes` refuses what is no list of whole numbers from 100 on."""
    result = CliRunner().invoke(main, ["bench", "perf", "--sizes", sizes])
    assert result.exit_code == 2


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--kill"]])
def test_load_tells_what_was_answered_and_what_was_lost(tmp_path: Path, options: list[str]) -> None:
    """`bench load` ends with a table for people: waits, requests a second, errors, and how many
    acknowledged writes are gone, which are none, also where the server was killed."""
    small = ["--size", "100", "--clients", "4", "--seconds", "4", "--no-embed"]
    asked = ["bench", "load", *small, "--folder", str(tmp_path), *options]
    result = CliRunner().invoke(main, asked, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    for said in ("recall", "write", "requests a second", "0 errors", "acknowledged writes 0 lost"):
        assert said in result.stdout

"""`engraphy tune`: from labelled questions to a profile's file, on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.tuning.labels import LOUD, RANGES, filled, noted, rows, written

from engraphy.cli import main

Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """`engraphy tune` on the small store under the profile that answers badly."""
    store, data = filled(tmp_path), written(tmp_path / "q.jsonl", rows())
    words = ["--db", str(store), "--no-embed", "-u", "ada"]
    loud = ["--profile", str(noted(tmp_path / "loud.toml", LOUD))]
    ranges = ["--ranges", str(noted(tmp_path / "ranges.toml", RANGES))]

    def call(*more: str, code: int = 0) -> Any:
        asked = ["tune", "--data", str(data), *words, *loud, *ranges, *more]
        result = CliRunner().invoke(main, asked, catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result

    return call


@pytest.mark.long
def test_the_file_is_used_as_the_command_says(run: Run, tmp_path: Path) -> None:
    """Before and after are printed, and how to use the file; --profile takes it."""
    file = str(tmp_path / "tuned.toml")
    told = run("--objective", "hit@1", "--out", file)
    assert "score.weights.importance  1 to 0" in told.stdout
    assert f"--profile {file}" in told.stdout.replace("\n", "")
    assert "trial 1: mrr" in told.stderr
    asked = ["recall", "Where is the kayak kept?", "--profile", file, "--json"]
    store = ["--db", str(tmp_path / "m.db"), "--no-embed", "-u", "ada"]
    found = json.loads(CliRunner().invoke(main, [*asked, *store]).stdout)
    assert found["hits"][0]["content"] == "The kayak is kept in the boathouse"


@pytest.mark.long
def test_noise_is_not_written(run: Run, tmp_path: Path) -> None:
    """Where the search finds nothing the command fails and writes no file, but by force."""
    file = tmp_path / "tuned.toml"
    told = run("--trials", "1", "--out", str(file), "--json", code=1)
    assert json.loads(told.stdout)["written"] is None
    assert json.loads(told.stderr)["error"] == "GainTooSmallError"
    assert not file.exists()
    told = run("--trials", "1", "--out", str(file), "--force", "--json")
    assert json.loads(told.stdout)["above_noise"] is False
    assert file.exists()


@pytest.mark.long
def test_without_a_file_it_only_tells(run: Run, tmp_path: Path) -> None:
    """What --force and a missing folder would come to is told before the search."""
    assert "--out FILE writes" in run("--objective", "hit@1").stdout
    assert "--force needs --out" in run("--force", code=2).stderr
    assert "folder does not exist" in run("--out", str(tmp_path / "no/t.toml"), code=2).stderr

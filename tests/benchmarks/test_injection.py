"""`engraphy bench injection`: what a dialogue's questions and foreign prompts bring in."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.benchmarks import tiny

from engraphy.cli import main


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with one small dialogue, and prompts in CLINC's format."""
    tiny.written(tmp_path / "locomo" / "tiny.json", tiny.locomo())
    splits = {"test": [["play the next song", "music"], ["is my flight late", "flight"]]}
    tiny.written(tmp_path / "clinc" / "data_full.json.gz", splits)
    return tmp_path


def told(data: Path, *more: str) -> dict[str, Any]:
    """The object that the command prints."""
    arguments = ["bench", "injection", "--data", str(data), "--no-embed", "--json", *more]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    printed: dict[str, Any] = json.loads(result.stdout)
    return printed


def test_both_sides_are_measured(data: Path) -> None:
    """Prompts about something else bring nothing, questions their evidence, nothing overruns;
    what is shared of the value without a cut-off stands beside it."""
    found = told(data)
    assert found["benchmark"] == "injection"
    assert found["questions"] == 5
    assert found["metrics"]["off.nothing"] == 1.0
    assert found["metrics"]["block.overrun"] == 0.0
    assert 0.0 < found["metrics"]["on.hit@5"] <= found["metrics"]["free.hit@5"] <= 1.0
    assert found["kept"]["all"] == pytest.approx(
        found["metrics"]["on.hit@5"] / found["metrics"]["free.hit@5"]
    )
    assert 0 < found["tokens"]["most"] <= 1_000
    assert found["groups"]["not tuned on"]["questions"] == 5
    assert found["categories"]["off-topic"]["questions"] == 2


def test_no_text_of_the_data_stands_in_a_result(data: Path) -> None:
    """Rows carry ids and numbers."""
    assert "cat called" not in json.dumps(told(data)["rows"])


def test_it_is_shown_to_people(data: Path) -> None:
    """The share kept and the tokens stand below the table."""
    arguments = ["bench", "injection", "--data", str(data), "--no-embed"]
    shown = CliRunner().invoke(main, arguments, catch_exceptions=False).output
    assert "kept of its value without a cut-off" in shown
    assert "tokens of a question's block" in shown


def test_a_folder_without_the_data_is_refused(tmp_path: Path) -> None:
    """The error names what is missing."""
    result = CliRunner().invoke(main, ["bench", "injection", "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "locomo" in result.output

"""`engraphy bench advice`: preferences that bear on what advice is asked about."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.benchmarks import tiny

from engraphy.cli import main

_CLOTHES = (
    ("I avoid leather and wool.", "Can you recommend a warm coat for me?"),
    ("I never wear floral prints.", "What dress would you suggest for my party?"),
    ("I prefer flat shoes to high heels.", "Which shoes should I buy for a wedding?"),
)
_FILMS = (
    ("I dislike animated movies.", "Can you suggest a film for tonight?"),
    ("I have no interest in superheroes.", "Which movie should I watch on Sunday?"),
    ("I prefer short series to long films.", "What should I watch on Netflix, could you say?"),
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with two topics in PrefEval's format, and one small dialogue."""
    for name, pairs in (("clothes", _CLOTHES), ("films", _FILMS)):
        rows = [{"preference": held, "question": asked} for held, asked in pairs]
        tiny.written(tmp_path / "prefeval" / f"{name}.json", rows)
    tiny.written(tmp_path / "locomo" / "tiny.json", tiny.locomo())
    return tmp_path


def test_what_bears_on_the_advice_is_counted(data: Path) -> None:
    """Each question is asked once, of all that its user said; halves stand apart, and rows carry no
    text of the data."""
    arguments = ["bench", "advice", "--data", str(data), "--no-embed", "--json"]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    found = json.loads(result.stdout)
    assert (found["benchmark"], found["questions"]) == ("advice", 6)
    figures = found["metrics"]
    assert 0.0 < figures["on.hit@1"] <= figures["on.hit@5"] <= figures["on.hit@10"] <= 1.0
    assert figures["on.hit@block"] > 0.0
    assert {name: row["questions"] for name, row in found["groups"].items()} == {
        "reporting": 3.0,
        "tuning": 3.0,
    }
    assert "leather" not in json.dumps(found["rows"])


def test_a_folder_without_the_data_is_refused(tmp_path: Path) -> None:
    """The error names what is missing."""
    result = CliRunner().invoke(main, ["bench", "advice", "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "prefeval" in result.output

"""`engraphy timeline-of`: the course of one subject from the command line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from engraphy.cli import main


@pytest.mark.spec("D-14")
def test_a_course_is_shown_with_what_took_whose_place(tmp_path: Path) -> None:
    """One line per text, oldest first, its time and what superseded it below; JSON holds all."""
    runner = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "200", "ENGRAPHY_HOME": str(tmp_path)})

    def run(*words: str) -> str:
        result = runner.invoke(main, [*words, "--no-embed"], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    run("remember", "I live in Berlin", "--at", "2026-01-10")
    run("remember", "I moved to Porto", "--at", "2026-03-01")
    value = json.loads(run("timeline-of", "Berlin", "--json"))
    old, new = value["entries"]
    assert (old["content"], old["since"][:10], old["until"][:10]) == (
        "I live in Berlin",
        "2026-01-10",
        "2026-03-01",
    )
    assert old["superseded_by"] == new["memory_id"]
    shown = " ".join(run("timeline-of", "Berlin").split())
    assert shown.startswith("2026-01-10 to 2026-03-01 I live in Berlin")
    first, _, second = shown.partition("2026-03-01 to now I moved to Porto")
    assert f"superseded by {new['memory_id']}" in first
    assert f"in place of {old['memory_id']}" in second
    assert "Nothing was told" in run("timeline-of", "Lisbon")

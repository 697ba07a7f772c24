"""`engraphy bench life`: what a year of nights costs, on stories of a few lines."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.benchmarks import tiny

from engraphy.benchmarks.life_course import DAY, course
from engraphy.benchmarks.life_stories import shelf
from engraphy.cli import main

WHEN = ("along the way", "at the end", "fresh")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    tiny.written(tmp_path / "locomo" / "locomo.json", tiny.locomo())
    persona = tmp_path / "cri"
    persona.mkdir()
    rows = [
        (1, "user", "I live in New York City and work as an architect.", "2025-05-15T09:12:00"),
        (2, "assistant", "What an interesting life that must be.", "2025-05-15T09:13:00"),
        (3, "user", "I no longer live in New York City, I live in Austin.", "2025-08-08T09:12:00"),
    ]
    lines = [
        {"message_id": key, "role": role, "content": text, "timestamp": at, "session_id": at[:10]}
        for key, role, text, at in rows
    ]
    told = "\n".join(map(json.dumps, lines))
    (persona / "conversations.jsonl").write_text(told, encoding="utf-8")
    change = {"fact": "city", "query_topic": "current location"}
    truth = {
        "changes": [change | {"key_messages": [1]}, change | {"key_messages": [3]}],
        "conflicts": [],
        "signal_examples": [{"text": rows[0][2], "target_fact": "occupation: architect"}],
    }
    tiny.written(persona / "ground_truth.json", truth)
    return tmp_path


def told(data: Path, *arguments: str) -> dict[str, Any]:
    command = ["bench", "life", "--data", str(data), "--no-embed", "--processes", "1"]
    result = CliRunner().invoke(main, [*command, *arguments, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    printed: dict[str, Any] = json.loads(result.stdout)
    return printed


@pytest.mark.long
def test_both_lives_are_compared_question_by_question(data: Path) -> None:
    """Each question is asked of a memory that dreams and of one that does not; where
    nothing is small talk nothing is lost."""
    found = told(data, "--only", "locomo", "--nights-every", "90")
    [profile] = found["profiles"]
    group, rest = profile["groups"]
    assert (group["group"], rest["group"]) == ("locomo, reporting", "all, reporting")
    for when in WHEN:
        assert group["recall"][when]["rec@10"]["difference"] == 0.0
    assert group["recall"]["at the end"]["questions"] == 3
    assert group["nights"]["dreams"] >= 4
    assert {bar["name"] for bar in profile["bars"]} >= {"share of active rows less"}
    assert all(isinstance(bar["met"], bool) for bar in profile["bars"])


@pytest.mark.slow
def test_a_changed_value_is_watched_from_its_end(data: Path) -> None:
    """The old value is found again and again, month by month; superseded, it does not grow."""
    found = told(data, "--only", "cri", "--nights-every", "90")
    [group, _] = found["profiles"][0]["groups"]
    assert group["stale"]["changes"] == 1
    assert group["stale"]["superseded"] == group["stale"]["old_memories"] == 1
    assert group["stale"]["strengthened"] == 0
    assert group["recall"]["along the way"]["questions"] > 3


def test_what_is_asked_for_by_name_must_be_there(data: Path) -> None:
    """A story nobody has is refused, with those that there are."""
    command = ["bench", "life", "--data", str(data), "--only", "conv-99"]
    result = CliRunner().invoke(main, command)
    assert result.exit_code != 0
    assert "conv-1" in result.output


def test_a_year_has_its_nights_and_evenings(data: Path) -> None:
    """After each day with something to tell there is a night, else every so many; a question comes
    no sooner than what it asks about; the end is a year after the first turn."""
    [story] = shelf(data, ["locomo"]).stories
    first = story.case.turns[0].at // DAY
    for every in (1, 7, 365):
        events = list(course(story.case.turns, every))
        assert [one.at for one in events] == sorted(one.at for one in events)
        assert events[-1].what == "end"
        assert events[-1].at // DAY == first + 365
        assert sum(one.what == "month" for one in events) == 12
        assert [one.turn for one in events if one.turn] == list(story.case.turns)
        nights = [one.at // DAY for one in events if one.what == "night"]
        assert {turn.at // DAY + 1 for turn in story.case.turns} <= set(nights)
        assert max(b - a for a, b in pairwise(nights)) <= every

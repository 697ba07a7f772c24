"""Deleting by an id, purging and condensing on the command line, for people and as JSON."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.cli.test_commands import Run, run, told
from tests.stores.letsgo_file import OLD, SAID, written

__all__ = ["run"]


@pytest.fixture
def long_ago() -> str:
    """A moment two months back."""
    return (datetime.now(UTC) - timedelta(days=60)).isoformat()


def test_delete_takes_exactly_one(run: Run) -> None:
    """An id erases its memory; words are nobody's id."""
    key = told(run, "The gateway listens on port 8443")
    assert "No memory" in run("delete", "gateway", code=3).output
    assert run("delete", key, "--json")["erased"] == 1
    assert run("list", "--json") == {"memories": []}


def test_a_fact_is_deleted_by_its_id(run: Run) -> None:
    """The triple is gone, and a second time there is none."""
    key = run("fact", "Ada", "city", "Bern", "--json")["id"]
    assert "deleted" in run("delete-fact", key).output
    assert run("facts", "--json") == {"facts": []}
    run("delete-fact", key, code=3)


@pytest.mark.long
def test_a_user_is_forgotten_once_it_is_confirmed(run: Run) -> None:
    """Without a word more it only counts; the token, or --yes, erases."""
    told(run, "The heron nests by the lake", "--user", "ada")
    counted = run("forget-user", "ada").output
    assert "would erase ada: 1 memories" in " ".join(counted.split())
    token = run("forget-user", "ada", "--json")["confirm"]
    assert token in counted
    assert "nothing was forgotten" in run("forget-user", "ada", "--confirm", "0", code=1).output
    assert run("forget-user", "ada", "--confirm", token, "--json")["erased"]
    told(run, "The otter lives by the river", "--user", "ada")
    assert "erased ada: 1 memories" in run("forget-user", "ada", "--yes").output
    assert run("list", "--user", "ada", "--json") == {"memories": []}
    assert "nothing is held" in run("forget-user", "ada", "--yes").output
    run("forget-user", "", code=2)


def test_purging_says_what_went(run: Run) -> None:
    """Nothing where nothing is over."""
    told(run, "The gateway listens on port 8443", "--ttl-days", "9")
    assert run("purge-expired", "--json") == {
        "ids": [], "erased": 0, "confirm": None, "previews": [],
    }  # fmt: skip
    assert "nothing was over" in run("purge-expired").output


@pytest.mark.long
def test_condensing_shows_summaries(run: Run, long_ago: str) -> None:
    """The categories, how many memories, and the ids of what took their place."""
    for number in range(4):
        fields = ("--category", "lab", "--at", long_ago)
        told(run, f"Sensor {number} reads {number * 7} volts", *fields)
    assert "nothing was old enough" in run("summarize-old").output
    done = run("summarize-old", "--above", "3", "--json")
    assert (done["categories"], done["condensed"]) == (["lab"], 4)
    shown = run("get", done["summaries"][0], "--json")
    assert "Sensor 3 reads 21 volts" in shown["content"]
    for number in range(4):
        told(run, f"Motor {number} turns {number * 9} times", "--category", "hall")
    told_to_people = run("summarize-old", "--above", "3", "--older-than-days", "0").output
    assert "condensed 4 of hall" in told_to_people
    assert "above is 0" in run("summarize-old", "--above", "0", code=2).output


def test_a_least_score_cuts_off(run: Run) -> None:
    """Nothing that scores less comes back; a score is from 0 to 1."""
    told(run, "The gateway listens on port 8443")
    assert len(run("recall", "gateway", "--json")["hits"]) == 1
    assert run("recall", "gateway", "--min-score", "1", "--json")["hits"] == []
    assert "min_score is 2" in run("recall", "gateway", "--min-score", "2", code=2).output


def test_a_letsgo_file_is_opened_as_a_store(run: Run, tmp_path: Path) -> None:
    """A command on such a file upgrades it first."""
    rows = [{"id": "m1", "content": "Herons nest near the lake", **SAID}]
    path = written(tmp_path / "old.db", OLD, memories=rows)
    hits = run("recall", "herons", "--db", str(path), "--json")["hits"]
    assert [hit["id"] for hit in hits] == ["m1"]

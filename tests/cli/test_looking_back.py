"""Undoing, history, audit, snapshots and the copy of the journal on the command line."""

from pathlib import Path

import pytest
from tests.cli.test_commands import Run, run, told

__all__ = ["run"]


def test_an_edit_is_seen_and_undone(run: Run) -> None:
    """`history` shows from what to what, `undo` takes it back by the number shown."""
    key = told(run, "The gateway listens on port 8443")
    run("update", key, "--content", "The gateway listens on port 9000")
    entries = run("history", key, "--json")["entries"]
    assert [one["op"] for one in entries] == ["insert", "update"]
    edit = {one["field"]: (one["old"], one["new"]) for one in entries[1]["fields"]}
    assert edit["content"][0] == "The gateway listens on port 8443"
    assert "8443" in run("history", key).output
    line = str(entries[1]["line"])
    assert "would be changed 1" in run("undo", "--change", line, "--dry-run").output
    done = run("undo", "--change", line, "--json")
    assert (done["changed"], done["left"]) == ([key], [])
    assert run("get", key, "--json")["content"] == "The gateway listens on port 8443"
    assert "undo" in run("history", key).output
    again = run("undo", "--change", line).output
    assert "it was changed again since" in again
    run("history", "nobody", code=3)


def test_a_moment_that_changed_is_shown_as_one(run: Run) -> None:
    """`history` tells when something ended as people read it, and no number of microseconds."""
    key = told(run, "I live in Graz", "--at", "2026-03-01")
    told(run, "I moved to Vienna", "--at", "2026-05-01")
    shown = run("history", key).output
    assert "valid_until: none -> 2026-05-01T00:00:00" in shown
    assert "superseded_by: none" in shown


def test_undo_says_what_is_wrong(run: Run) -> None:
    """Where there is nothing of it, and for two at once."""
    told(run, "The gateway listens on port 8443")
    for arguments in (["--last", "dream"], ["--change", "999"], ["--run", "x"], [],
                      ["--change", "1", "--run", "x"], ["--last", "night"]):  # fmt: skip
        run("undo", *arguments, code=2)


def test_a_dream_is_undone_by_its_run(run: Run) -> None:
    """And by being the last one."""
    told(run, "The gateway listens on port 8443", "--ttl-days", "1e-10")
    report = run("dream", "--json")
    assert report["changed"] == 1
    assert run("undo", "--json")["what"] == f"dream {report['run']}"
    assert "nothing to do" in run("undo", "--run", report["run"]).output
    assert run("undo", "--last", "undo", "--json")["changed"]


def test_an_audit_is_shown(run: Run) -> None:
    """Who did what, filtered, and whether the journal is whole."""
    told(run, "The gateway listens on port 8443")
    key = told(run, "Herons nest by the lake")
    shown = run("audit").output
    assert "the journal is as it was written" in shown
    assert key in shown
    found = run("audit", "--op", "insert", "--limit", "1", "--json")
    assert (found["whole"], len(found["entries"])) == (True, 1)
    assert run("audit", "--target", key, "--json")["entries"][0]["target"] == key
    assert run("audit", "--actor", "dream", "--json")["entries"] == []
    run("audit", "--op", "sing", code=2)


def test_two_moments_are_compared(run: Run) -> None:
    """`snapshot` names one, `diff` tells what came, went and changed since."""
    key = told(run, "Herons nest by the lake")
    assert run("snapshot").output.strip() == "No snapshots yet."
    assert run("snapshot", "before", "--json")["snapshots"][0]["name"] == "before"
    assert "No difference." in run("diff", "before").output
    told(run, "The owl sleeps by day")
    run("update", key, "--content", "Herons nest by the river")
    run("snapshot", "after")
    found = run("diff", "before", "after", "--json")
    assert [row["content"] for row in found["added"]] == ["The owl sleeps by day"]
    assert found["changed"][0]["memory"]["id"] == key
    shown = run("diff", "before").output
    assert "+ " in shown
    assert "lake" in shown
    assert "before" in run("snapshot").output
    run("snapshot", "before", code=2)
    run("diff", "nobody", code=2)


@pytest.mark.spec("A-09")
def test_the_copy_of_the_journal_is_looked_at_and_written_anew(run: Run, tmp_path: Path) -> None:
    """`journal` says whether it tells all of it; a profile without one says so."""
    store = ("--db", str(tmp_path / "own" / "memory.db"), "--profile", "letsgo")
    (tmp_path / "own").mkdir()
    told(run, "Herons nest by the lake", *store)
    assert "all of it" in run("journal", *store).output
    file = tmp_path / "own" / "logs" / "memory-journal.jsonl"
    file.write_text("something else\n", encoding="utf-8")
    assert run("journal", *store, "--json")["whole"] is False
    assert "--rebuild" in run("journal", *store).output
    assert run("journal", "--rebuild", *store, "--json")["whole"] is True
    assert "files.journal" in run("journal", code=2).output


def test_pruning_shows_what_would_go(run: Run) -> None:
    """Nothing where nothing is too old or too many."""
    told(run, "Herons nest by the lake")
    assert "nothing is too old" in run("prune").output
    assert run("prune", "--dry-run", "--json")["ids"] == []

"""Reminders on the command line: what waits, putting one off, having done it."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.cli.test_commands import Run, run, told

__all__ = ["run"]


@pytest.mark.spec("D-76")
def test_what_waits_is_listed_put_off_and_done(run: Run) -> None:
    """`engraphy reminders` says when, of what and under which id; `update --remind-at` puts it off,
    `report` ends it; `--told` shows what is over, `--json` all of it."""
    assert "Nothing waits" in run("reminders").output
    key = told(run, "remind me to renew the passport tomorrow")
    told(run, "Remind me when we talk about the deploy to check the migrations")
    shown = run("reminders").output
    assert "waiting" in shown
    assert "renew the passport" in shown
    assert "when it is about deploy" in " ".join(shown.split())
    later = datetime.now(UTC) + timedelta(days=40)
    run("update", key, "--remind-at", later.isoformat())
    first, second = run("reminders", "--json")["reminders"]
    assert {first["status"], second["status"]} == {"waiting"}
    assert first["at"][:10] == later.date().isoformat()
    assert (second["at"], second["topic"]) == (None, "deploy")
    assert "[reminder, when it is about deploy]" in run("context", "The deploy failed").output
    run("report", key)
    assert run("reminders", "--json")["reminders"] == []
    assert [one["status"] for one in run("reminders", "--told", "--json")["reminders"]] == [
        "told",
        "told",
    ]


def test_a_reminder_is_given_by_its_options(run: Run) -> None:
    """--remind-at and --remind-when of `remember`; a moment that is none is a usage error."""
    run("remember", "Pay the rent", "--remind-at", "2020-01-01", code=0)
    run("remember", "Ask for the slides", "--remind-when", "quarterly review")
    listed = run("reminders", "--json")["reminders"]
    assert [one["topic"] for one in listed] == ["quarterly review"]
    assert "remind_at" in run("remember", "Pay it", "--remind-at", "soon", code=2).output

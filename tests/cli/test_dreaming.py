"""`engraphy dream` where it is woken by others, and where it stays."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner
from tests.engine.making import DAY, START, Ticks, opened

from engraphy.cli import main
from engraphy.engine.nightly import Nightly
from engraphy.errors import AlreadyDreamingError, StoreBusyError, StoreFullError
from engraphy.model import DreamReport

ENGRAPHY = [sys.executable, "-m", "engraphy.cli"]
SECOND = 1_000_000


def run(store: Path, *words: str) -> Any:
    return CliRunner().invoke(main, ["dream", "--db", str(store), "--no-embed", *words])


@pytest.mark.spec("D-52")
def test_what_is_not_due_says_nothing(tmp_path: Path) -> None:
    """A command for cron dreams where a cycle is due; else it says nothing, and succeeds."""
    store = tmp_path / "store.db"
    first, second = run(store, "--due"), run(store, "--due")
    assert (first.exit_code, "changed" in first.output) == (0, True)
    assert (second.exit_code, second.output) == (0, "")
    assert not json.loads(run(store, "--due", "--json").output)["due"]
    assert "changed" in run(store).output


def test_every_moment_is_told_as_one(tmp_path: Path) -> None:
    """In JSON each moment of a cycle is ISO 8601 text, as everywhere."""
    store = tmp_path / "m.db"
    opened(store).close()
    told = json.loads(run(store, "--json").output)
    moments = {name: value for name, value in told.items() if name.endswith("_at")}
    assert set(moments) == {"started_at", "finished_at", "next_due_at"}
    assert all(value.endswith("Z") for value in moments.values()), moments


def test_watching_and_trying_exclude_each_other(tmp_path: Path) -> None:
    """A dry run changes nothing, so that it would be due for ever."""
    assert run(tmp_path / "store.db", "--watch", "--dry-run").exit_code == 2


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="there is no SIGTERM here")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_watching_dreams_and_ends_when_it_is_told_to(tmp_path: Path, number: int) -> None:
    """It dreams what is due, waits for the next time, and ends at once and well on a signal."""
    command = [*ENGRAPHY, "dream", "--watch", "--db", str(tmp_path / "store.db"), "--no-embed"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        assert any("changed" in line for line in lines)
        process.send_signal(number)
        assert process.wait(30) == 0
    assert run(tmp_path / "store.db", "--due").output == ""


@dataclass
class Script:
    """Cycles as they come, errors among them; then the loop is stopped."""

    cycles: list[DreamReport | StoreBusyError | StoreFullError]
    clock: Ticks = field(default_factory=Ticks)
    told: list[DreamReport] = field(default_factory=list)
    failed: list[Exception] = field(default_factory=list)

    def loop(self) -> Nightly:
        return Nightly(
            dream=self.dream, clock=self.clock, told=self.told.append, failed=self.failed.append
        )

    def dream(self) -> DreamReport:
        cycle = self.cycles.pop(0)
        if isinstance(cycle, DreamReport):
            return cycle
        raise cycle


def report(**more: Any) -> DreamReport:
    return DreamReport(dry_run=False, steps=(), changed=0, **more)


PAUSES: list[tuple[Any, float]] = [
    (report(finished_at=START, next_due_at=START + 1 + 60 * SECOND), 59.0),
    (report(finished_at=START, next_due_at=START + DAY), 900.0),
    (report(finished_at=START, next_due_at=START - 25 * 365 * DAY), 1.0),
    (report(finished_at=START), 900.0),
    (report(finished_at=None, next_due_at=START + DAY), 60.0),
    (report(due=False, next_due_at=START + 1 + 31 * SECOND), 30.0),
    (AlreadyDreamingError(path="x"), 60.0),
    (StoreBusyError(path="x", seconds=5), 60.0),
    (StoreFullError(path="x"), 60.0),
]


@pytest.mark.parametrize(("cycle", "pause"), PAUSES)
def test_how_long_it_waits(cycle: Any, pause: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the next cycle is due, a quarter of an hour at most, as clocks jump and others dream; a
    minute where a cycle was not finished, or could not be begun."""
    script = Script([cycle])
    loop, waited = script.loop(), list[float]()

    def wait(seconds: float) -> bool:
        waited.append(round(seconds, 1))
        loop.stop()
        return True

    monkeypatch.setattr(loop._stopping, "wait", wait)  # noqa: SLF001 - the only time in it
    loop.run()
    assert waited == [pause]
    assert bool(script.told) == (isinstance(cycle, DreamReport) and cycle.due)
    assert bool(script.failed) == (type(cycle) in (StoreBusyError, StoreFullError))


def test_it_is_stopped_from_another_thread(tmp_path: Path) -> None:
    """A server stops it from where it likes, and it serves any memory."""
    with opened(tmp_path / "store.db") as memory:
        told: list[DreamReport] = []
        loop = Nightly(
            dream=lambda: memory.dream(due=True), clock=Ticks(), told=told.append, failed=print
        )
        thread = Thread(target=loop.run)
        thread.start()
        until(lambda: bool(told))
        loop.stop()
        thread.join(10)
        assert not thread.is_alive()
    assert len(told) == 1


def until(done: Callable[[], bool]) -> None:
    """Wait until something has come about."""
    for _ in range(1_000):
        if done():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come about")

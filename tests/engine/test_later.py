"""Extraction in the background (C-01): it delays nothing, fails nothing, and loses nothing."""

import logging
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, TOKEN, Ticks, opened, texts
from tests.processes import forked
from tests.raw import raw

from engraphy import Memory
from engraphy.errors import InvalidInputError, NotFoundError

TALK = [
    {"role": "user", "content": "I prefer Python for scripting"},
    {"role": "assistant", "content": "Noted. This API uses JWT authentication on port 3000."},
]
LISTENS = "The service listens on port 4001"
KILLED = """
import os, sys, time
from engraphy import Memory
memory = Memory(sys.argv[1], embedder="none", overrides={"judge": {"near_limit": 1}})
for number in range(80):
    memory.observe_later(f"The service number {number} listens on port {4000 + number}", user="ada")
store = memory._engine.store
def waiting():
    return len(store.session_states(memory.tenant, "pending:", now=0, limit=1000))
while waiting() + len(memory.list(user="ada", limit=1000)) < 80:
    time.sleep(0.01)
os.kill(os.getpid(), 9)
"""
HOLDING = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], isolation_level=None)
other.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.spec("C-01")
def test_both_sides_of_an_answer_are_extracted(opening: Opening) -> None:
    """After an answer, what the user and the assistant said is found, without anyone's waiting."""
    memory = opening(profile="titans")
    assert memory.observe_later(TALK, session="s1") is None
    assert memory.flush()
    held = {row.content: row.origin for row in memory.list(session="s1")}
    assert held == {TALK[0]["content"]: "user", TALK[1]["content"]: "agent"}


@pytest.mark.spec("C-01")
def test_a_busy_store_delays_nobody(tmp_path: Path) -> None:
    """While another writer holds the file, handing over returns at once; the messages come in
    when the file is free."""
    file = tmp_path / "store.db"
    with opened(file) as memory:
        memory.remember("something to begin with")
        command = [sys.executable, "-c", HOLDING, str(file)]
        other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        memory.observe_later(TALK)
        assert not memory.flush(0.2)
        assert texts(memory.list()) == ["something to begin with"]
        other.communicate(timeout=30)
        assert memory.flush()
        assert len(memory.list()) == 3


@pytest.mark.spec("C-01")
def test_a_broken_store_fails_nobody(opening: Opening, caplog: pytest.LogCaptureFixture) -> None:
    """What goes wrong is logged by its name, without a word of the messages, and never raised."""
    memory = opening(profile="titans")
    memory.remember("something to begin with")
    broken = raw(memory.path)
    broken.execute(
        "CREATE TRIGGER no BEFORE INSERT ON memories BEGIN SELECT raise(ABORT, 'x'); END"
    )
    with caplog.at_level(logging.WARNING, logger="engraphy"):
        memory.observe_later(TALK)
        assert memory.flush()
    assert "messages were not extracted" in caplog.text
    assert "Python" not in caplog.text
    broken.execute("DROP TRIGGER no")
    broken.close()
    assert len(memory.recall("something to begin with")) == 1


@pytest.mark.long
def test_closing_extracts_what_waits(tmp_path: Path) -> None:
    """What was handed over before `close` is there afterwards, in its order."""
    said = [f"The build {number} runs on host alpha{number}" for number in range(40)]
    with opened(tmp_path / "store.db") as memory:
        for one in said:
            memory.observe_later(one, user="ada")
    with opened(tmp_path / "store.db") as memory:
        rows = memory.list(user="ada", limit=100, order="oldest")
        assert texts(rows) == said


@pytest.mark.long
@pytest.mark.spec("C-01")
def test_a_crash_loses_nothing_that_stands_in_the_store(tmp_path: Path) -> None:
    """What stands in the file when a process is killed is taken up by the next one, once."""
    file = tmp_path / "store.db"
    assert forked(KILLED, file).returncode == -signal.SIGKILL
    later = Ticks(time.time_ns() // 1000 + 3_600_000_000)
    with opened(file, later) as memory:
        before = len(memory.list(user="ada", limit=1000))
        assert memory.flush(60)
        rows = memory.list(user="ada", limit=1000)
    assert 0 < len(rows) - before <= 80
    assert len(rows) == len({row.content for row in rows}) == 80
    with opened(file, later) as memory:
        assert memory.flush()
        assert len(memory.list(user="ada", limit=1000)) == 80


def test_no_secret_and_no_injected_block_waits_in_the_file(tmp_path: Path) -> None:
    """What waits is redacted and stripped before it touches the disk (P-14, R-10)."""
    file = tmp_path / "store.db"
    with opened(file) as memory:
        block = "<memory-context>zebra</memory-context>"
        memory.observe_later(f"{block} my key is {TOKEN} and I prefer Go", user="ada")
    stored = b"".join(one.read_bytes() for one in tmp_path.iterdir())
    assert TOKEN.encode() not in stored
    assert b"zebra" not in stored
    assert b"prefer Go" in stored


def test_what_is_no_message_is_refused_at_once(memory: Memory) -> None:
    """The caller's own mistakes are told to the caller, and nothing is queued."""
    with pytest.raises(InvalidInputError, match=r"messages\[0\]"):
        memory.observe_later([{"role": "user", "text": "x"}])
    with pytest.raises(InvalidInputError, match="seconds"):
        memory.flush(-1)
    assert memory.flush()
    assert memory.list() == []


@pytest.mark.long
def test_an_idle_memory_keeps_no_process_alive(tmp_path: Path) -> None:
    """A program that never closes its memory still ends by itself, with everything extracted."""
    program = (
        "import sys; from engraphy import Memory; m = Memory(sys.argv[1], embedder='none');"
        "m.observe_later('I always deploy on Tuesdays')"
    )
    file = tmp_path / "store.db"
    assert forked(program, file).returncode == 0
    with opened(file) as memory:
        assert texts(memory.list()) == ["I always deploy on Tuesdays"]


DEADLY = """
import os, sys, time
from engraphy import Memory
def deadly(prompt):
    os.kill(os.getpid(), 9)
ahead = int(sys.argv[2]) * 3_600_000_000
memory = Memory(sys.argv[1], embedder="none", model=deadly,
    overrides={"model": {"skills": ["formation"]}}, clock=lambda: time.time_ns() // 1000 + ahead)
if not ahead:
    memory.observe_later("The service listens on port 4001", user="ada")
memory.flush(60)
"""


@pytest.mark.long
@pytest.mark.spec("C-01")
def test_a_job_that_ends_its_process_is_set_aside(tmp_path: Path) -> None:
    """An attempt is counted before it is made: after three that killed their process the messages
    are tried no more, listed with the reason, told by stats and doctor, and not lost."""
    file = tmp_path / "store.db"
    for hour in range(3):
        assert forked(DEADLY, file, hour).returncode == -signal.SIGKILL
        with opened(file) as looking:
            (job,) = looking.jobs(user="ada")
            assert (job.attempts, job.failed) == (hour + 1, False)
    with opened(file, Ticks(time.time_ns() // 1000 + DAY)) as memory:
        assert memory.flush(60)
        (job,) = memory.jobs(user="ada")
        assert (job.attempts, job.failed, job.messages[0].content) == (3, True, LISTENS)
        assert "process" in job.why
        assert memory.jobs(user="ben") == []
        stats = memory.stats(user="ada")
        assert (stats.jobs_waiting, stats.jobs_failed) == (0, 1)
        assert any(one.detail == "1 jobs set aside" and one.advice for one in memory.doctor())
        with pytest.raises(NotFoundError):
            memory.retry_job(job.id, user="ben")
        assert not memory.retry_job(job.id, user="ada").failed
        assert memory.flush(60)
        assert texts(memory.list(user="ada")) == [LISTENS]
        assert memory.jobs(user="ada") == []


def test_what_fails_three_times_is_set_aside_and_may_be_dropped(tmp_path: Path) -> None:
    """A store that refuses the rows is no reason to try for ever; who drops a job gives it up."""
    file = tmp_path / "store.db"
    clock = Ticks()
    opened(file, clock).close()
    broken = raw(file)
    broken.execute(
        "CREATE TRIGGER no BEFORE INSERT ON memories BEGIN SELECT raise(ABORT, 'x'); END"
    )
    for attempt in range(3):
        with opened(file, clock) as memory:
            if not attempt:
                memory.observe_later(LISTENS, user="ada")
            assert memory.flush()
            (job,) = memory.jobs(user="ada")
            assert (job.attempts, job.failed) == (attempt + 1, attempt == 2)
        clock.pass_days(1)
    with opened(file, clock) as memory:
        assert memory.flush()
        (job,) = memory.jobs(user="ada")
        assert job.why.endswith("Error")
        assert memory.drop_job(job.id, user="ada").id == job.id
        assert memory.jobs(user="ada") == []
        with pytest.raises(NotFoundError):
            memory.drop_job(job.id, user="ada")
    broken.close()


@pytest.mark.parametrize("since", ["", "My name is Bea and I live in Lisbon."])
def test_what_a_broken_attempt_wrote_is_not_written_again(tmp_path: Path, since: str) -> None:
    """An attempt that wrote some of its messages and then broke off is made again for the rest: no
    text stands twice or counts as said twice, and what was said since holds."""
    file, clock = tmp_path / "store.db", Ticks()
    opened(file, clock).close()
    _run(
        file,
        "CREATE TRIGGER no BEFORE INSERT ON memories WHEN new.content LIKE '%4001%'"
        " BEGIN SELECT raise(ABORT, 'x'); END",
    )
    said = ["My name is Ada and I live in Izmir.", LISTENS]
    with opened(file, clock) as memory:
        memory.observe_later([{"role": "user", "content": one} for one in said], user="ada")
        assert memory.flush()
        assert texts(memory.list(user="ada")) == said[:1]
    _run(file, "DROP TRIGGER no")
    clock.pass_days(1)
    with opened(file, clock) as memory:
        if since:
            memory.observe(since, user="ada")
        assert memory.flush()
        rows = memory.list(user="ada", include=["superseded"])
        assert sorted(texts(rows)) == sorted([*said, *filter(None, [since])])
        assert [row.reinforcement_count for row in rows] == [0] * len(rows)
        assert {one.object for one in memory.facts(user="ada", predicate="name")} == {
            "bea" if since else "ada"
        }
        assert memory.jobs(user="ada") == []


def test_a_job_that_somebody_else_has_by_now_brings_nothing_in(tmp_path: Path) -> None:
    """Who stands still until the lease is out, and wakes when another process has the job, adds
    nothing to what that one wrote."""
    file, held, begun, clock = tmp_path / "store.db", Event(), Event(), Still()

    def slow(prompt: str) -> str:
        begun.set()
        held.wait(30)
        return '{"statements": []}'

    def reading(model: Callable[[str], str], lease: float) -> Memory:
        knobs = {"model": {"skills": ["formation"]}, "write": {"background_lease_seconds": lease}}
        return Memory(file, embedder="none", model=model, overrides=knobs, clock=clock)

    with reading(slow, 3_600) as first, reading(lambda _: '{"statements": []}', 1) as second:
        first.observe_later(LISTENS, user="ada")
        assert begun.wait(30)
        clock.now += 10_000_000
        assert second.flush(30)
        assert texts(second.list(user="ada")) == [LISTENS]
        held.set()
        assert first.flush(30)
        (row,) = second.list(user="ada")
        assert (row.content, row.reinforcement_count, row.version) == (LISTENS, 0, 1)
        assert second.jobs(user="ada") == []


def _run(file: Path, statement: str) -> None:
    """A statement on a file that nobody has open."""
    with closing(raw(file)) as other:
        other.execute(statement)


class Still:
    """A clock that stands until it is moved, and counts how often it is read."""

    def __init__(self) -> None:
        self.now, self.read = Ticks().now, 0

    def __call__(self) -> int:
        self.read += 1
        return self.now


@pytest.mark.long
@pytest.mark.spec("C-01")
def test_a_job_that_takes_long_is_taken_up_by_nobody_else(tmp_path: Path) -> None:
    """While a job is under way its owner says so again and again: however long it takes, another
    process leaves it alone."""
    knobs = {"model": {"skills": ["formation"]}, "write": {"background_lease_seconds": 0.3}}
    asked: list[str] = []
    held, clock = Event(), Still()

    def slow(prompt: str) -> str:
        asked.append(prompt)
        held.wait(30)
        return '{"statements": []}'

    both = [
        Memory(tmp_path / "store.db", embedder="none", model=slow, overrides=knobs, clock=clock)
        for _ in range(2)
    ]
    first, second = both
    first.observe_later(LISTENS, user="ada")
    until = time.monotonic() + 10
    while not asked:
        time.sleep(0.01)
    for _ in range(3):
        clock.now += 10_000_000
        before = clock.read
        while clock.read < before + 2 and time.monotonic() < until:
            time.sleep(0.01)
    assert second.flush(5)
    held.set()
    assert first.flush()
    assert len(asked) == 1
    assert texts(second.list(user="ada")) == [LISTENS]
    assert second.jobs(user="ada") == []
    for memory in both:
        memory.close()

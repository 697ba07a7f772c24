"""What is handed over with a receipt: it is in the store before the call ends, and can be asked."""

import time
from pathlib import Path

import pytest
from tests.processes import forked

from engraphy import Memory
from engraphy.errors import InvalidInputError, UnknownJobError
from engraphy.model import Job

SAID = [{"role": "user", "content": "I prefer tea over coffee in the morning."}]
LEASE = 0.1
KNOBS = {"write": {"background_lease_seconds": LEASE}}


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.db", embedder="none")


def test_what_came_of_it_can_be_asked(memory: Memory) -> None:
    """A job waits, then it is done, and names what it made; its messages are gone by then."""
    job = memory.enqueue(SAID, user="ada")
    assert memory.job(job.id).id == job.id
    assert memory.flush()
    done = memory.job(job.id, user="ada")
    assert done.done
    assert not done.messages
    ((action, made),) = done.results
    assert action == "created"
    assert "tea" in memory.get(made, user="ada").content
    assert memory.jobs(user="ada") == []
    assert memory.queue() == [done]


def test_walls_hold_for_jobs(memory: Memory) -> None:
    """A job behind other walls does not exist for who asks, by its id or in the queue."""
    job = memory.enqueue(SAID, user="ada", project="kitchen")
    assert memory.flush()
    assert memory.queue(project="kitchen")[0].id == job.id
    assert memory.queue(user="bob") == []
    with pytest.raises(UnknownJobError):
        memory.job(job.id, user="bob")
    with pytest.raises(UnknownJobError):
        memory.job("nothing")
    with pytest.raises(UnknownJobError):
        memory.job("")
    with pytest.raises(InvalidInputError):
        memory.queue(session="s")  # type: ignore[call-arg]


@pytest.mark.long
def test_a_crash_right_after_loses_nothing(tmp_path: Path) -> None:
    """Once the call has ended the messages are safe: a process that dies that moment loses none."""
    file = tmp_path / "memory.db"
    code = (
        "import os, sys; from engraphy import Memory; "
        f"m = Memory({str(file)!r}, embedder='none', overrides={KNOBS!r}); "
        "job = m.enqueue('I always deploy on Tuesdays', user='ada'); "
        "print(job.id, flush=True); os._exit(9)"
    )
    told = forked(code).stdout.strip()
    time.sleep(2 * LEASE)
    with Memory(file, embedder="none", overrides=KNOBS) as memory:
        assert isinstance(memory.job(told), Job)
        assert memory.flush()
        assert memory.job(told).done
        assert memory.recall("deploy", user="ada")

"""What is answered while somebody else writes, and for how long that is waited for."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import apsw
import pytest

from engraphy import Memory
from engraphy.stores.locks import LOCK_SUFFIX, SideLock


@contextmanager
def by_ours(path: str) -> Iterator[None]:
    """Another program of ours holds the store."""
    with SideLock(path + LOCK_SUFFIX, path).held(0.0):
        yield


@contextmanager
def by_foreign(path: str) -> Iterator[None]:
    """A shell of SQLite was left inside a transaction."""
    other = apsw.Connection(path)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


@pytest.mark.long
@pytest.mark.parametrize("held", [by_ours, by_foreign])
@pytest.mark.parametrize("verb", ["recall", "context"])
def test_a_question_does_not_wait_as_long_as_a_change(
    tmp_path: Path, held: Callable[[str], AbstractContextManager[None]], verb: str
) -> None:
    """Where somebody else holds the store, a question that came after a change is answered before
    that change has waited long enough, and is not counted."""
    path = str(tmp_path / "m.db")
    with Memory(path, embedder="none") as memory:
        kept = memory.remember("The spare key lies under the blue pot").memory
        assert kept is not None
        memory.recall("key")
        before = memory.get(kept.id, touch=False).access_count
        done = list[str]()

        def change() -> None:
            memory.remember("The gate is painted green")
            done.append("changed")

        with held(path):
            writer = threading.Thread(target=change)
            writer.start()
            assert "blue pot" in str(getattr(memory, verb)("where is the spare key?"))
            done.append("answered")
        writer.join()
        assert done == ["answered", "changed"]
        assert memory.get(kept.id, touch=False).access_count == before

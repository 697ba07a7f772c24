"""LangGraph's own store tests, run on ours: `SqliteStore` in them is replaced by a shim.

Given the folder of the unpacked sdist of `langgraph-checkpoint-sqlite`. The tests are not changed;
only the name that they import is another class. What is expected to fail stands in EXPECTED, each
with its reason; anything else that fails, or that passes against expectation, is an error.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from langgraph.store import sqlite
from langgraph.store.sqlite import aio
from suite import run

from engraphy.adapters.langgraph import EngraphyStore

EXPECTED = {
    "test_vector_store_initialization": "reads the tables of SqliteStore's own schema",
    "test_nonnull_migrations": "reads SqliteStore.MIGRATIONS",
    "test_no_running_loop": "ours may be called from a running loop as well; theirs must refuse",
    "test_ttl_sweeper": "there is no sweeper to start: nothing shows what has expired",
    "test_async_ttl_sweeper": "there is no sweeper to start: nothing shows what has expired",
    "test_ttl_override_default": "an item of 5 s is read after 2 s, which renews it "
    "(refresh_on_read is the default), so that it is still there after 6 s",
}


class Shim(EngraphyStore):
    """Ours, by the names that the tests call."""

    @classmethod
    @contextmanager
    def from_conn_string(cls, conn_string: str, **given: Any) -> Iterator["Shim"]:
        """A new file for ":memory:"."""
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/memory.db" if conn_string == ":memory:" else conn_string

            store = cls(path, **given)
            try:
                yield store
            finally:
                store.memory.close()


class AsyncShim(Shim):
    """The same, with what `AsyncSqliteStore` has to be awaited."""

    @classmethod
    @asynccontextmanager
    async def from_conn_string(cls, conn_string: str, **given: Any) -> Any:
        """As `Shim.from_conn_string`."""
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/memory.db" if conn_string == ":memory:" else conn_string
            store = cls(path, **given)
            try:
                yield store
            finally:
                store.memory.close()

    async def setup(self) -> None:
        """Nothing to do."""

    async def sweep_ttl(self) -> int:
        """As `EngraphyStore.sweep_ttl`."""
        return await asyncio.to_thread(super().sweep_ttl)


def main() -> int:
    """Run them; 1 where anything is not as expected."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sdist", type=Path)
    parser.add_argument(
        "files",
        nargs="*",
        default=["tests/test_store.py", "tests/test_async_store.py", "tests/test_ttl.py"],
    )
    parser.add_argument("-k", default="")
    given = parser.parse_args()
    sqlite.SqliteStore = Shim
    sqlite.AsyncSqliteStore = aio.AsyncSqliteStore = AsyncShim
    files = [str(given.sdist / one) for one in given.files]
    options = ["-o", "addopts=", "--rootdir", str(given.sdist), *files]
    if given.k:
        options += ["-k", given.k]
    return run("langgraph store tests", options, EXPECTED)


if __name__ == "__main__":
    sys.exit(main())

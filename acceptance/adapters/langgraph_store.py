"""LangGraph's own store tests, run on ours: `SqliteStore` in them is replaced by a shim.

Given the folder of the unpacked sdist of `langgraph-checkpoint-sqlite`. The tests are not changed;
only the name that they import is another class. What is expected to fail stands in EXPECTED, each
with its reason; anything else that fails, or that passes against expectation, is an error.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from langgraph.store import sqlite
from langgraph.store.sqlite import aio

from engraphy.adapters.langgraph import EngraphyStore

EXPECTED = {
    "test_vector_store_initialization": "reads the tables of SqliteStore's own schema",
    "test_nonnull_migrations": "reads SqliteStore.MIGRATIONS",
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
    """The same, awaited."""

    @classmethod
    @asynccontextmanager
    async def from_conn_string(cls, conn_string: str, **given: Any) -> Any:
        """As `Shim.from_conn_string`."""
        with Shim.from_conn_string(conn_string, **given) as store:
            yield store


class Counted:
    """Counts what passed and failed, by name."""

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """The worst of a test's phases counts."""
        if report.when == "call" or report.failed:
            name = report.nodeid.rpartition("::")[2]
            if self.outcomes.get(name) != "failed":
                self.outcomes[name] = report.outcome


def main() -> int:
    """Run them; 1 where anything is not as expected."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sdist", type=Path)
    parser.add_argument("files", nargs="*", default=["tests/test_store.py"])
    parser.add_argument("-k", default="")
    given = parser.parse_args()
    sqlite.SqliteStore = Shim
    aio.AsyncSqliteStore = AsyncShim
    counted = Counted()
    files = [str(given.sdist / one) for one in given.files]
    options = [
        "-q",
        "--tb=short",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=",
        "--rootdir",
        str(given.sdist),
    ]
    if given.k:
        options += ["-k", given.k]
    pytest.main([*options, *files], plugins=[counted])
    failed = sorted(name for name, out in counted.outcomes.items() if out == "failed")
    unexpected = [name for name in failed if name.partition("[")[0] not in EXPECTED]
    counts = Counter(counted.outcomes.values())
    print(f"langgraph store tests: {dict(counts)}")
    for name in failed:
        print(f"  fails: {name}: {EXPECTED.get(name.partition('[')[0], 'NOT EXPECTED')}")
    return int(bool(unexpected) or not counts["passed"])


if __name__ == "__main__":
    sys.exit(main())

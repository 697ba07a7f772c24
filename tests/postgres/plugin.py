"""`pytest --engine postgres`: the tests that open a memory at a path have it in a database of a
real PostgreSQL instead, one database for each path. What looks into the SQLite file is left out by
name (`apart.txt`), with the reason. Nothing of PostgreSQL is loaded where nobody asks for it."""

from collections.abc import Iterator
from contextlib import ExitStack
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engraphy import opening
from engraphy.settings import is_server
from engraphy.stores import sqlite

_APART = Path(__file__).with_name("apart.txt")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that chooses the engine."""
    parser.addoption("--engine", choices=["sqlite", "postgres"], default="sqlite")


def pytest_configure(config: pytest.Config) -> None:
    """The one redirection there is: from a file to a database."""
    if config.getoption("--engine") == "postgres":
        config.pluginmanager.register(_OnPostgres(), "engraphy-postgres")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is about the file."""
    if config.getoption("--engine") != "postgres":
        return
    apart = dict(_apart())
    for item in items:
        reason = next((why for name, why in apart.items() if fnmatch(item.nodeid, name)), None)
        if reason is not None:
            item.add_marker(pytest.mark.skip(reason=reason))


def _apart() -> Iterator[tuple[str, str]]:
    """(pattern of test ids, why they are about SQLite)."""
    for line in _APART.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            pattern, _, why = line.partition("  ")
            yield pattern.strip(), why.strip()


class _OnPostgres:
    """Databases by the path that they stand for, and the server they are on."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        # Now, and not inside a test: properties that are defined there count as nested in it.
        self._servers: Any = import_module("tests.postgres.server")
        self._server: Any = None
        self._places: dict[str, str] = {}
        self._shown: dict[str, str] = {}
        self._file, self._open = opening._file, sqlite.open_store  # noqa: SLF001
        opening._file = self._place  # noqa: SLF001 - the seam between a path and a store
        sqlite.open_store = self._opened  # type: ignore[assignment]

    def pytest_unconfigure(self) -> None:
        """The server ends with the run."""
        self._stack.close()

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        """What the tests of a file wrote goes with the last of them."""
        if nextitem is not None and nextitem.path == item.path:
            return
        for path, url in list(self._places.items()):
            # What a session of tests shares is still open.
            if self._server.drop(url):
                del self._places[path]

    def _place(self, path: Any, *rest: Any) -> str:
        file = self._file(path, *rest)
        if is_server(file):
            return self._shown.get(file, file)
        if file not in self._places:
            self._places[file] = self._made()
        return self._places[file]

    def _made(self) -> str:
        if self._server is None:
            self._server = self._stack.enter_context(self._servers.running(**self._servers.QUICK))
        url: str = self._server.fresh_url(partitions=0)
        self._shown[_shown(url)] = url
        return url

    def _opened(self, path: str, **how: Any) -> Any:
        """The store that a test looks at beside its memory."""
        url = self._shown.get(path) or self._places.get(path)
        if url is None:
            return self._open(path, **how)
        return import_module("engraphy.stores.postgres").open_store(url)


def _shown(url: str) -> str:
    told: str = import_module("engraphy.stores.postgres.store").shown(url)
    return told

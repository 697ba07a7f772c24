"""LangGraph's store on SQLite (sqlite-vec), with the same index."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from engraphy.benchmarks.peer_langgraph import Store, index
from engraphy.ports import Embed

sqlite = import_module("langgraph.store.sqlite")
if not hasattr(sqlite3.Connection, "enable_load_extension"):
    raise ImportError("this Python's sqlite3 loads no extensions, and sqlite-vec is one")


@contextmanager
def in_sqlite(folder: Path, embedder: Embed) -> Iterator[Store]:
    """SqliteStore in a file of its own."""
    with sqlite.SqliteStore.from_conn_string(str(folder / "s.db"), index=index(embedder)) as store:
        store.setup()
        yield Store(store)

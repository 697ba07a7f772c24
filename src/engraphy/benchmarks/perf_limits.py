"""What the machine could do at best, measured beside the product in the same run.

A recall must at least read the sign bits of its scope and count the postings of its words; a
durable add must wait for one fsync. The file is opened here only while no engraphy store has it
open in this process: closing it would drop SQLite's locks.
"""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from io import FileIO
from pathlib import Path

from engraphy.benchmarks.perf_meter import Times
from engraphy.text.analyser import query_terms

ADD_CPU = 0.5
"""Milliseconds of CPU that a durable add may cost beside its fsync (storage.md, decision 8)."""
_COUNT = "SELECT count(*) FROM memories_fts WHERE memories_fts MATCH ?"


def sign_bits(rows: int, dim: int, runs: int = 50) -> Times:
    """Copying as many bytes as the sign bits of so many vectors have."""
    held = memoryview(bytearray(os.urandom(4_096)) * (rows * dim // 8 // 4_096 + 1))
    times = Times()
    for _ in range(runs):
        times.call(bytes, held)
    return times


def postings(file: Path, queries: Sequence[tuple[str, str]]) -> Times:
    """Counting, inside the user's scope, the rows that hold any word of each (query, user)."""
    times = Times()
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        scopes = dict(connection.execute("SELECT user, id FROM scopes"))
        for query, user in queries:
            words = " OR ".join(f'"{term.term}"' for term in query_terms(query))
            match = f'({words}) AND wall : "w{scopes[user]}"'
            times.call(_counted, connection, match)
    return times


def fsyncs(folder: Path, size: int, runs: int) -> Times:
    """Appending `size` bytes to a file of the folder and waiting until they are on the disk."""
    times = Times()
    block = os.urandom(size)
    file = folder / "fsync.bin"
    with file.open("wb", buffering=0) as target:
        for _ in range(runs):
            times.call(_appended, target, block)
    file.unlink()
    return times


def _counted(connection: sqlite3.Connection, match: str) -> None:
    connection.execute(_COUNT, (match,)).fetchone()


def _appended(target: FileIO, block: bytes) -> None:
    target.write(block)
    os.fsync(target.fileno())

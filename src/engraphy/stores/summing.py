"""Checksums of pages: a file layer of SQLite's own (`cksumvfs`), which APSW's wheels bring.

Whatever is written into a file gets a checksum at the end of its page, and what is read from there
has it or fails with SQLITE_IOERR_DATA; in the log, each page has one of the log's. Only a file that
keeps 8 bytes of each page free has them, which is told before its first table is made.
"""

import os
from contextlib import closing
from functools import cache

import apsw

LAYER, RESERVED = "cksmvfs", 8
FAILED = apsw.SQLITE_IOERR_DATA
_EXTENSION, _ENDINGS = "cksumvfs", (".so", ".dylib", ".dll")
_RESERVED_AT = 20
"""Where the header of every SQLite file has the bytes that each page keeps free."""


@cache
def layer() -> str | None:
    """The name of the layer, loaded once in a process; None where it is not installed."""
    if (place := _place()) is None:
        return None
    usual = apsw.vfs_names()[0]
    try:
        with closing(apsw.Connection(":memory:")) as connection:
            connection.enable_load_extension(True)
            connection.load_extension(place)
    except apsw.Error:
        return None
    finally:
        # It makes itself the usual one: what else this process opens is not ours to change.
        apsw.set_default_vfs(usual)
    return LAYER


def _place() -> str | None:
    # Where `apsw.sqlite_extra` looks: that costs 40 ms to import, which a hook does not have.
    folder = os.path.join(os.path.dirname(apsw.__file__), "sqlite_extra_binaries")  # noqa: PTH118, PTH120
    names = (os.path.join(folder, f"{_EXTENSION}{one}") for one in _ENDINGS)  # noqa: PTH118
    return next(filter(os.path.exists, names), None)


def is_layered(connection: apsw.Connection) -> bool:
    """Whether the layer is somewhere under a connection: only it knows that setting."""
    return connection.execute("PRAGMA checksum_verification").fetchone() is not None


def begin(connection: apsw.Connection) -> None:
    """Give a file that has no pages yet its checksums, where the layer is there to make them."""
    if is_layered(connection):
        connection.reserve_bytes("main", RESERVED)


def has_sums(header: bytes) -> bool:
    """Whether the pages of a file in the clear that begins like this have checksums."""
    return len(header) > _RESERVED_AT and header[_RESERVED_AT] == RESERVED


def are_there(connection: apsw.Connection) -> bool:
    """Whether the pages of an open file have checksums."""
    return connection.reserve_bytes("main") == RESERVED


def is_cut(connection: apsw.Connection) -> str:
    """How many bytes the last page of an open file lacks, in words: SQLite reads zeros in their
    place, and no checksum of them. Empty where it is whole."""
    if not connection.filename:
        return ""
    size = connection.pragma("page_size")
    short = -os.stat(connection.filename).st_size % size  # noqa: PTH116 - as `_place`
    return f"the file was cut off: its last page lacks {short} bytes" if short else ""


def is_wrong(problem: apsw.Error) -> bool:
    """Whether a page was not what its checksum says."""
    return getattr(problem, "extendedresult", 0) == FAILED

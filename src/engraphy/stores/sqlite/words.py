"""The full-text index of SQLite: one segment of it, without a word of what was taken out."""

import apsw

from engraphy.stores.relational.indexing import rebuild
from engraphy.stores.sqlite.sql import own

_NEWER = b"\xff\x00\x00\x01"


def merge(connection: apsw.Connection) -> None:
    """Make the index one segment, without a word of what was taken out: where the index counts
    older levels than the one it merged into, it has kept the deleted words with their marks, and
    is made anew."""
    connection.execute(own("merge_text"))
    found = connection.execute(own("text_structure")).get
    if found is not None and not _is_oldest(bytes(found)):
        rebuild(connection)


def _is_oldest(record: bytes) -> bool:
    """Whether the one segment of an index, by its structure record, is of its last level (the
    format of fts5_index.c: a cookie, a mark of newer files, then numbers of variable length)."""
    place = 8 if record[4:8] == _NEWER else 4
    levels, place = _number(record, place)
    segments, place = _number(record, place)
    _, place = _number(record, place)
    for level in range(levels):
        _, place = _number(record, place)
        held, place = _number(record, place)
        if held:
            return segments == held == 1 and level == levels - 1
    return True


def _number(record: bytes, place: int) -> tuple[int, int]:
    number = 0
    while True:
        byte = record[place]
        number, place = (number << 7) | (byte & 0x7F), place + 1
        if not byte & 0x80:
            return number, place

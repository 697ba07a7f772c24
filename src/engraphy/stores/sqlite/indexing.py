"""What stands in the full-text index of a memory, and how it gets in and out."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import apsw

from engraphy.stores.sqlite.scopes import wall
from engraphy.stores.sqlite.sql import query
from engraphy.text.analyser import analyse
from engraphy.text.imprint import Imprint, imprint

INDEXED = frozenset(
    {"scope_id", "sensitivity", "content", "title", "subtitle", "context", "tags", "concepts"}
    | {"scope_globs", "speaker"}
)
"""The columns of `memories` that the index is made from."""


_NEWER = b"\xff\x00\x00\x01"


class Entry(NamedTuple):
    """One row of `memories_fts`: index tokens joined by spaces, how many there are, and the
    imprint of what was said by whom."""

    content: str
    title: str
    subtitle: str
    context: str
    tags: str
    wall: str
    tokens: int
    imprint: Imprint


def entry(row: Mapping[str, Any]) -> Entry:
    """The index entry of a row of `memories`; the same row always gives the same entry."""
    lists = (row[name] for name in ("tags", "concepts", "scope_globs"))
    labels = " ".join(word for text in lists if text != "[]" for word in json.loads(text))
    # A title made of the content's own words tells nothing new.
    title = "" if row["title"] in row["content"] else row["title"]
    context = " ".join(text for text in (row["speaker"], row["context"]) if text)
    texts = (row["content"], title, row["subtitle"], context, labels)
    tokens = [analyse(text) if text else [] for text in texts]
    size = sum(len(words) for words in tokens)
    token = wall(row["scope_id"], row["sensitivity"])
    seen = imprint(row["content"], [word for words in tokens for word in words])
    content, title, subtitle, context, labels = (" ".join(words) for words in tokens)
    return Entry(content, title, subtitle, context, labels, token, size, seen)


def add(connection: apsw.Connection, seq: int, row: Mapping[str, Any]) -> None:
    """Put a row into the index."""
    made = entry(row)
    connection.execute(query("insert_text"), (seq, *made[:6]))
    connection.execute(query("insert_imprint"), (seq, *made.imprint))
    connection.execute(query("count_text_in"), (made.wall, made.tokens))


def remove(connection: apsw.Connection, seq: int, row: Mapping[str, Any]) -> None:
    """Take a row out again; `row` must be as it was when it was added."""
    made = entry(row)
    connection.execute(query("delete_text"), (seq, *made[:6]))
    connection.execute(query("delete_imprint"), (seq,))
    connection.execute(query("count_text_out"), (made.tokens, made.wall))


def merge(connection: apsw.Connection) -> None:
    """Make the index one segment, without a word of what was taken out: where the index counts
    older levels than the one it merged into, it has kept the deleted words with their marks, and
    is made anew."""
    connection.execute(query("merge_text"))
    found = connection.execute(query("text_structure")).get
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


def rebuild(connection: apsw.Connection) -> None:
    """Make the whole index anew from the rows, inside the caller's transaction."""
    connection.execute(query("clear_text"))
    connection.execute(query("clear_imprints"))
    connection.execute(query("clear_walls"))
    names = sorted(INDEXED)
    rows = connection.cursor().execute(query("all_texts", columns=", ".join(names)))
    for seq, *values in rows:
        add(connection, seq, dict(zip(names, values, strict=True)))

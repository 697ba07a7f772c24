"""What stands in the full-text index of a memory, and how it gets in and out."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import apsw

from engraphy.stores.sqlite.scopes import wall
from engraphy.stores.sqlite.sql import query
from engraphy.text.analyser import analyse

INDEXED = frozenset(
    {"scope_id", "sensitivity", "content", "title", "subtitle", "context", "tags", "concepts"}
    | {"scope_globs"}
)
"""The columns of `memories` that the index is made from."""


class Entry(NamedTuple):
    """One row of `memories_fts`: index tokens joined by spaces, and how many there are."""

    content: str
    title: str
    subtitle: str
    context: str
    tags: str
    wall: str
    tokens: int


def entry(row: Mapping[str, Any]) -> Entry:
    """The index entry of a row of `memories`; the same row always gives the same entry."""
    lists = (row[name] for name in ("tags", "concepts", "scope_globs"))
    labels = " ".join(word for text in lists if text != "[]" for word in json.loads(text))
    texts = (row["content"], row["title"], row["subtitle"], row["context"], labels)
    tokens = [analyse(text) if text else [] for text in texts]
    content, title, subtitle, context, tags = (" ".join(words) for words in tokens)
    size = sum(len(words) for words in tokens)
    token = wall(row["scope_id"], row["sensitivity"])
    return Entry(content, title, subtitle, context, tags, token, size)


def add(connection: apsw.Connection, seq: int, row: Mapping[str, Any]) -> None:
    """Put a row into the index."""
    made = entry(row)
    connection.execute(query("insert_text"), (seq, *made[:6]))
    connection.execute(query("count_text_in"), (made.wall, made.tokens))


def remove(connection: apsw.Connection, seq: int, row: Mapping[str, Any]) -> None:
    """Take a row out again; `row` must be as it was when it was added."""
    made = entry(row)
    connection.execute(query("delete_text"), (seq, *made[:6]))
    connection.execute(query("count_text_out"), (made.tokens, made.wall))


def rebuild(connection: apsw.Connection) -> None:
    """Make the whole index anew from the rows, inside the caller's transaction."""
    connection.execute(query("clear_text"))
    connection.execute(query("clear_walls"))
    names = sorted(INDEXED)
    rows = connection.cursor().execute(query("all_texts", columns=", ".join(names)))
    for seq, *values in rows:
        add(connection, seq, dict(zip(names, values, strict=True)))

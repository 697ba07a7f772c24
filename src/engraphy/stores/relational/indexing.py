"""What stands in the full-text index of a memory, and how it gets in and out."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from engraphy.stores.relational.scopes import wall
from engraphy.stores.relational.sql import Connection, every, query
from engraphy.text.analyser import analyse
from engraphy.text.imprint import Imprint, imprint

INDEXED = frozenset(
    {"scope_id", "sensitivity", "content", "title", "subtitle", "context", "tags", "concepts"}
    | {"scope_globs", "speaker"}
)
"""The columns of `memories` that the index is made from."""


_PAGE = 1_000
"""Rows that are indexed anew at once."""
_TEXTS = ("content", "title", "subtitle", "context", "tags", "wall")


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


def behind(made: Entry, row: Mapping[str, Any]) -> Entry:
    """An entry behind the wall of its row."""
    return made._replace(wall=wall(row["scope_id"], row["sensitivity"]))


def add(
    connection: Connection, seq: int, row: Mapping[str, Any], made: Entry | None = None
) -> None:
    """Put a row into the index; `made`: its entry, if it is made."""
    made = made or entry(row)
    connection.execute(query("insert_text"), _texts(seq, made))
    connection.execute(query("insert_imprint"), (seq, *made.imprint))
    connection.execute(query("count_text_in"), (made.wall, made.tokens))


def remove(connection: Connection, seq: int, row: Mapping[str, Any]) -> None:
    """Take a row out again; `row` must be as it was when it was added."""
    made = entry(row)
    connection.execute(query("delete_text"), _texts(seq, made))
    connection.execute(query("delete_imprint"), (seq,))
    connection.execute(query("count_text_out"), (made.tokens, made.wall))


def _texts(seq: int, made: Entry) -> dict[str, Any]:
    return {"seq": seq, **dict(zip(_TEXTS, made, strict=False))}


def rebuild(connection: Connection) -> None:
    """Make the whole index anew from the rows, inside the caller's transaction."""
    connection.execute(query("clear_text"))
    connection.execute(query("clear_imprints"))
    connection.execute(query("clear_walls"))
    names, after = sorted(INDEXED), 0
    while True:
        bound = {"after": after, "limit": _PAGE}
        rows = every(connection, query("all_texts", columns=", ".join(names)), bound)
        for after, *values in rows:
            add(connection, after, dict(zip(names, values, strict=True)))
        if len(rows) < _PAGE:
            return

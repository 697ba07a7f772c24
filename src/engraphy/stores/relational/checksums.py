"""Checksums of rows that stand: of older stores, and after statements that count in SQL."""

from typing import Any

from engraphy.stores.relational import rows
from engraphy.stores.relational.batch import Batch, Stored
from engraphy.stores.relational.sql import Connection, every, first, query

_BATCH = 2_000
_COLUMNS = ", ".join(rows.CHECKED)


def fill(connection: Connection, without: int = 0) -> None:
    """Give one to every row that has `without` instead."""
    after = 0
    bound: dict[str, Any] = {"without": without, "limit": _BATCH}
    text = query("without_checksum", columns=_COLUMNS)
    while found := every(connection, text, bound | {"after": after}):
        made = [{"seq": seq, "checksum": _of(values)} for seq, *values in found]
        connection.executemany(query("put_checksum"), made)
        after = found[-1][0]


def follow(batch: Batch, stored: Stored) -> None:
    """Give a row its own, once a statement has counted in it: `stored` is the row before it, which
    was read whole and so was right."""
    text = query("to_be_checked", columns=_COLUMNS)
    seq, *values = first(batch.connection, text, {"seq": stored.seq})
    batch.run("put_checksum", {"seq": seq, "checksum": _of(values)})


def _of(values: list[Any]) -> int:
    return rows.checksum(dict(zip(rows.CHECKED, values, strict=True)))

"""Memories out of a damaged file that are not what their checksum says: what the journal tells of
them comes back where it has that checksum, or where it is all that the row says as well."""

import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import apsw

from engraphy.model.memory import Memory
from engraphy.model.past import Replayed
from engraphy.model.records import JournalEntry
from engraphy.stores.relational import rows
from engraphy.stores.relational.journal import payload_hash, unpacked
from engraphy.stores.relational.replay import follow
from engraphy.stores.sqlite.pages import Value
from engraphy.stores.sqlite.shapes import Table
from engraphy.stores.sqlite.witnesses import Entries

_LINES = """SELECT j.seq, j.at, j.tenant, j.op, j.target_id, j.actor, j.reason, j.payload_hash,
j.hash, t.salt, t.payload
FROM memory_journal AS j LEFT JOIN journal_texts AS t ON t.journal_seq = j.seq ORDER BY j.seq"""
_PUT = "INSERT INTO memories ({columns}) VALUES ({values})"


def is_checked(table: Table) -> bool:
    """Whether rows of a table have checksums: those of older stores have none."""
    return any(column.name == "checksum" for column in table.columns)


def is_right(told: dict[str, Value]) -> bool:
    """Whether a row is what its checksum says."""
    try:
        return rows.is_right(told)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return False


def recovered(fresh: apsw.Connection, doubtful: list[dict[str, Value]], entries: Entries) -> int:
    """Bring back of these rows what can be; how many."""
    held = _held(fresh) if doubtful else {}
    return sum(_is_back(fresh, told, held, entries) for told in doubtful)


def _is_back(
    fresh: apsw.Connection, told: dict[str, Value], held: dict[str, Memory], entries: Entries
) -> bool:
    for row in _candidates(told, held, entries):
        names = ", ".join(row)
        places = ", ".join(f":{name}" for name in row)
        with suppress(apsw.ConstraintError):
            fresh.execute(_PUT.format(columns=names, values=places), row)
            return True
    return False


def _candidates(
    told: dict[str, Value], held: dict[str, Memory], entries: Entries
) -> Iterator[dict[str, Any]]:
    """What the row can have been, and where that cannot stand, with the counts of the journal."""
    number = told["seq"]
    known = entries.ids.get(number, set()) if isinstance(number, int) else set()
    for name in {told.get("id"), *known} & held.keys():
        row: dict[str, Any] = rows.to_row(held[str(name)], 0)
        row |= {"seq": number, "scope_id": told.get("scope_id")}
        if row["checksum"] == told.get("checksum") or _says(told, row):
            yield row | {one: told[one] for one in rows.UNCHECKED if one in told}
            yield row


def _says(told: dict[str, Value], row: dict[str, Any]) -> bool:
    names = ("content", *rows.CHECKED)
    return all(name in told and told[name] == row[name] for name in names)


def _held(fresh: apsw.Connection) -> dict[str, Memory]:
    """What the journal says there is: by what of its lines is whole."""
    tenants = defaultdict[str, Replayed](Replayed)
    for *line, covered, own, salt, payload in fresh.execute(_LINES):
        seq, at, tenant, op, target, actor, reason = line
        text = None
        if payload is not None:
            if covered != payload_hash(salt, payload):
                continue
            with suppress(ValueError, zlib.error):
                text = unpacked(payload)
        entry = JournalEntry(
            seq=seq,
            at=at,
            tenant=tenant,
            op=op,
            target_id=target,
            actor=actor,
            reason=reason,
            payload_hash=covered.hex(),
            previous_hash="",
            hash=own.hex(),
            payload=text,
        )
        # A line that counts on one that is lost tells nothing.
        with suppress(AttributeError, KeyError, TypeError, ValueError):
            follow(tenants[tenant], [entry])
    return {one.id: one for told in tenants.values() for one in told.memories.values()}

"""Memories out of a damaged file that are not what their checksum says: what the journal tells of
them comes back where it has that checksum, or where it is all that the row says as well."""

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import apsw
from msgspec import Struct, field

from engraphy.model.memory import Memory
from engraphy.model.past import Replayed
from engraphy.model.records import JournalEntry
from engraphy.stores.relational import rows
from engraphy.stores.relational.damage import DamagedValueError
from engraphy.stores.relational.journal import broken_line, payload_hash, unpacked
from engraphy.stores.relational.replay import follow
from engraphy.stores.relational.sql import every
from engraphy.stores.sqlite import beside
from engraphy.stores.sqlite.pages import Value
from engraphy.stores.sqlite.shapes import Table
from engraphy.stores.sqlite.witnesses import Entries

_LINES = """SELECT j.seq, j.at, j.tenant, j.op, j.target_id, j.actor, j.reason, j.payload_hash,
j.hash, t.salt, t.payload
FROM memory_journal AS j LEFT JOIN journal_texts AS t ON t.journal_seq = j.seq ORDER BY j.seq"""
_TEXT = """SELECT j.payload_hash, t.salt, t.payload FROM journal_texts AS t
INNER JOIN memory_journal AS j ON j.seq = t.journal_seq WHERE t.journal_seq = ?"""
_PUT = "INSERT INTO memories ({columns}) VALUES ({values})"
UNTOLD = beside.UNTOLD


def is_checked(table: Table) -> bool:
    """Whether rows of a table have checksums: those of older stores have none."""
    return any(column.name == "checksum" for column in table.columns)


def is_right(told: dict[str, Value]) -> bool:
    """Whether a row is what its checksum says."""
    try:
        return rows.is_right(told)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return False


class Doubts(Struct):
    """What has to be asked of the journal: memories that are not what their checksum says; those
    that are, on pages that are not, by their numbers: nothing covers their counts; rows beside
    memories, with their tables, and lines that keep texts, on such pages. `trusting`: rows that
    nothing tells of are taken as they stand."""

    trusting: bool = False
    memories: list[dict[str, Value]] = field(default_factory=list)
    counted: dict[Value, dict[str, Value]] = field(default_factory=dict)
    beside: list[tuple[str, dict[str, Value]]] = field(default_factory=list)
    texts: list[Value] = field(default_factory=list)

    def takes(self, table: str, told: dict[str, Value]) -> bool:
        """Take a row on a page that is not what was written; whether it is not to be written as
        it is."""
        if table == "journal_texts":
            self.texts.append(told["journal_seq"])
        if table in beside.KEYS:
            self.beside.append((table, told))
            return True
        return not self.trusting and beside.is_lost(table, told)


def recovered(
    fresh: apsw.Connection, doubts: Doubts, entries: Entries, lost: Counter[str], *, whole: bool
) -> None:
    """Bring back of these rows what can be; what was counted as `lost` before is no more. `whole`:
    no line of the journal can have gone."""
    _without_wrong_texts(fresh, doubts.texts, lost)
    if not (doubts.memories or doubts.counted or doubts.beside):
        return
    tenants = _held(fresh)
    held = {one.id: one for told in tenants for one in told.memories.values()}
    whole = whole and _is_whole(fresh, lost)
    for told in doubts.memories:
        lost["memories"] -= _is_back(fresh, told, held, entries, whole=whole)
    for number, told in doubts.counted.items():
        counts = _counts(told, held.get(str(told["id"])), whole=whole)
        moved = ", ".join(f"{one} = :{one}" for one in counts)
        bound = counts | {"seq": number, "id": told["id"]}
        fresh.execute(f"UPDATE memories SET {moved} WHERE seq = :seq AND id = :id", bound)
    lost.subtract(beside.recovered(fresh, doubts.beside, tenants, whole=whole))


def _is_whole(fresh: apsw.Connection, lost: Counter[str]) -> bool:
    """Whether no line of the journal is known to be lost, or to be another than was written."""
    if lost["memory_journal"] or lost["journal_texts"]:
        return False
    try:
        return broken_line(fresh) is None
    except DamagedValueError:
        return False


def _counts(told: dict[str, Value], held: Memory | None, *, whole: bool) -> dict[str, Any]:
    """What deliveries moved of a row, as the journal tells it. Where lines may be missing it tells
    too little, unless the row says the same: then it is as it was at first."""
    row = rows.DEFAULTS if held is None else rows.to_row(held, 0)
    counts = {name: row[name] for name in sorted(rows.UNCHECKED)}
    if whole or all(told.get(name) == value for name, value in counts.items()):
        return counts
    return {name: rows.DEFAULTS[name] for name in counts}


def _without_wrong_texts(fresh: apsw.Connection, numbers: list[Value], lost: Counter[str]) -> None:
    for number in numbers:
        for covered, salt, payload in every(fresh, _TEXT, (number,)):
            if covered != payload_hash(salt, payload):
                fresh.execute("DELETE FROM journal_texts WHERE journal_seq = ?", (number,))
                lost["journal_texts"] += 1


def _is_back(
    fresh: apsw.Connection,
    told: dict[str, Value],
    held: dict[str, Memory],
    entries: Entries,
    *,
    whole: bool,
) -> bool:
    for row in _candidates(told, held, entries, whole=whole):
        names = ", ".join(row)
        places = ", ".join(f":{name}" for name in row)
        with suppress(apsw.ConstraintError):
            fresh.execute(_PUT.format(columns=names, values=places), row)
            return True
    return False


def _candidates(
    told: dict[str, Value], held: dict[str, Memory], entries: Entries, *, whole: bool
) -> Iterator[dict[str, Any]]:
    """What the row can have been, and where that cannot stand, with the counts of the journal."""
    number = told["seq"]
    known = entries.ids.get(number, set()) if isinstance(number, int) else set()
    for name in {told.get("id"), *known} & held.keys():
        row: dict[str, Any] = rows.to_row(held[str(name)], 0)
        row |= {"seq": number, "scope_id": told.get("scope_id")}
        if row["checksum"] == told.get("checksum") or _says(told, row):
            yield row | {one: told[one] for one in rows.UNCHECKED if one in told}
            yield row | _counts(told, held[str(name)], whole=whole)


def _says(told: dict[str, Value], row: dict[str, Any]) -> bool:
    names = ("content", *rows.CHECKED)
    return all(name in told and told[name] == row[name] for name in names)


def _held(fresh: apsw.Connection) -> list[Replayed]:
    """What the journal says there is, of each tenant: by what of its lines is whole."""
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
    return list(tenants.values())

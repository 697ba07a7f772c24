"""LetsGo's tables (documents 000 and 001), row by row as records of ours: nothing is lost.

What has no place of its own, or could not be taken as it was, stands in the memory's metadata.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engraphy.errors import InvalidInputError
from engraphy.model.change import Insert, PutFact
from engraphy.model.draft import Draft
from engraphy.model.kinds import (
    DataSource,
    Kind,
    ORIGIN_TRUST,
    Origin,
    Sensitivity,
    State,
    WriteSource,
)
from engraphy.model.memory import Memory
from engraphy.model.records import Fact, JournalOp
from engraphy.model.scope import Scope, Tenant
from engraphy.stores.relational.journal import Line
from engraphy.text.clean import clean
from engraphy.text.moments import microseconds
from engraphy.text.paths import normal_path
from engraphy.text.rewrite import title
from engraphy.text.secrets import secret_in_name
from engraphy.write.intake import storable, storable_pair
from engraphy.write.quarantine import quarantined

Row = Mapping[str, Any]

_ORIGIN = Origin.AGENT
_LONGEST_NAME = 512
_NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,9})?")
_SUMMARIES = frozenset({"session_summary", "compressed_summary"})
_OPS: Mapping[str, JournalOp] = {
    "insert": "insert",
    "update": "update",
    "delete": "delete",
    "dedup_refresh": "dedup_refresh",
}
_TAKEN = frozenset(
    {
        "id", "content", "content_hash", "category", "importance", "trust", "sensitivity", "tags",
        "created_at", "updated_at", "expires_at", "title", "subtitle", "type", "concepts",
        "files_read", "files_modified", "session_id", "project", "accessed_count",
        "discovery_tokens",
    }
)  # fmt: skip


def told_apart(rows: Sequence[Row]) -> list[Row]:
    """Rows, each with an id of its own: the first of several keeps the one they share."""
    taken = {_text(row, "id") for row in rows}
    seen: set[str] = {""}
    made: list[Row] = []
    for number, row in enumerate(rows, start=1):
        own = _text(row, "id")
        while own in seen or (own in taken and own != _text(row, "id")):
            own = f"{own or 'row'}-{number}"
        seen.add(own)
        made.append({**row, "id": own})
    return made


def memories(rows: Iterable[Row], tenant: Tenant, now: int) -> list[Memory]:
    """Every row as a memory, see `settled`."""
    return settled(_memory(row, tenant, now) for row in rows)


def settled(rows: Iterable[Memory]) -> list[Memory]:
    """Memories, oldest first. Of equal texts behind one wall the latest is current, and the others
    are history that it took the place of."""
    made = sorted(rows, key=lambda one: one.recorded_at)
    latest: dict[tuple[Scope, Sensitivity, str], Memory] = {}
    for one in made:
        held = latest.get(_same(one))
        if held is None or one.updated_at >= held.updated_at:
            latest[_same(one)] = one
    return [_beside(one, latest[_same(one)]) for one in made]


def _same(one: Memory) -> tuple[Scope, Sensitivity, str]:
    digest = hashlib.sha256(one.content.encode()).hexdigest()
    return replace(one.scope, session=None), one.sensitivity, digest


def _beside(one: Memory, latest: Memory) -> Memory:
    if one.id == latest.id:
        return one
    ends = max(one.valid_from, latest.valid_from)
    return replace(one, state=State.SUPERSEDED, superseded_by=latest.id, valid_until=ends)


def _memory(row: Row, tenant: Tenant, now: int) -> Memory:
    kept = {name: value for name, value in row.items() if name not in _TAKEN}
    updated = _moment(row, "updated_at", kept, None)
    created = _moment(row, "created_at", kept, now if updated is None else updated) or now
    content = storable(_text(row, "content"))
    content = content if content.strip() else storable(_text(row, "title")).strip() or "(no text)"
    memory = Memory(
        id=str(row["id"]),
        scope=Scope(
            tenant=tenant,
            project=wall(row, "project", kept),
            session=wall(row, "session_id", kept),
        ),
        content=content,
        kind=_kind(row, kept),
        title=storable(_text(row, "title")) or title(content),
        subtitle=storable(_text(row, "subtitle")),
        category=storable(_text(row, "category")),
        tags=_list(row, "tags"),
        concepts=_list(row, "concepts"),
        files_read=_files(row, "files_read"),
        files_modified=_files(row, "files_modified"),
        discovery_tokens=_count(row, "discovery_tokens"),
        origin=_ORIGIN,
        write_source=WriteSource.IMPORT,
        data_source=DataSource.IMPORT,
        trust=_trust(row, kept),
        sensitivity=_sensitivity(row, kept),
        importance=_share(row, "importance", 0.5),
        valid_from=created,
        recorded_at=created,
        updated_at=created if updated is None else updated,
        expires_at=_moment(row, "expires_at", kept, None),
        access_count=_count(row, "accessed_count"),
    )
    told = [storable_pair(name, str(v)) for name, v in kept.items() if v not in (None, "")]
    memory = replace(memory, metadata=tuple(told))
    return quarantined(Draft(memory=memory, explicit=True)).memory


def facts(rows: Iterable[Row], tenant: Tenant, held: Mapping[str, Memory], now: int) -> list[Fact]:
    """Every triple, behind the walls of its source where that is held; over where its source is
    quarantined."""
    made = []
    for row in rows:
        named = _text(row, "source_entry_id") or _text(row, "source_id")
        source = held.get(named)
        kept: dict[str, Any] = {}
        created = _moment(row, "created_at", kept, now) or now
        walls = Scope(tenant=tenant) if source is None else source.scope
        made.append(
            Fact(
                id=str(row["id"]),
                scope=replace(walls, session=None),
                subject=storable(_text(row, "subject")),
                predicate=storable(_text(row, "predicate")),
                object=storable(_text(row, "object")),
                confidence=_share(row, "confidence", 1.0),
                source_id=None if source is None else source.id,
                valid_from=created,
                valid_until=created if _instructs(source) else None,
                recorded_at=created,
                updated_at=_moment(row, "updated_at", kept, created) or created,
            )
        )
    return sorted(made, key=lambda fact: fact.updated_at)


def _instructs(source: Memory | None) -> bool:
    return source is not None and source.state is State.QUARANTINED


def lines(rows: Iterable[Row], now: int, actor: str) -> Iterator[tuple[int, Line]]:
    """The lines of the old journal with their moments. What a line tells in words goes with the
    memory when that is forgotten; it changes nothing in a replay."""
    for row in rows:
        key, operation = _text(row, "memory_id"), _text(row, "operation")
        at = _moment(row, "timestamp", {}, now) or now
        told = {"old": {name: storable(str(value)) for name, value in row.items()}}
        op = _OPS.get(operation, "maintenance")
        yield at, Line(op, key, f"{actor}: {operation}"[:200], key, told)


def changes(made: Iterable[Memory | Fact], actor: str) -> list[Insert | PutFact]:
    """What writes these records."""
    reason = f"upgrade of a {actor} file"
    return [
        PutFact(fact=one, reason=reason)
        if isinstance(one, Fact)
        else Insert(memory=one, reason=reason, op="import")
        for one in made
    ]


def _kind(row: Row, kept: dict[str, Any]) -> Kind:
    named = _text(row, "type") or Kind.CHANGE.value
    known = {kind.value: kind for kind in Kind}
    if named not in known:
        kept["type"] = named
    otherwise = Kind.SUMMARY if named in _SUMMARIES else Kind.CHANGE
    return known.get(named, otherwise)


def _sensitivity(row: Row, kept: dict[str, Any]) -> Sensitivity:
    """Its level; a level that nobody knows is shown to nobody without leave (A-06)."""
    named = (_text(row, "sensitivity") or "public").lower()
    known = {level.value: level for level in Sensitivity}
    if named not in known:
        kept["sensitivity"] = named
    return known.get(named, Sensitivity.SECRET)


def _trust(row: Row, kept: dict[str, Any]) -> float:
    told = _share(row, "trust", 0.5)
    if told > ORIGIN_TRUST[_ORIGIN]:
        kept["trust"] = told
    return min(told, ORIGIN_TRUST[_ORIGIN])


def _moment(row: Row, name: str, kept: dict[str, Any], otherwise: int | None) -> int | None:
    """A moment as LetsGo writes it: ISO 8601, or seconds since 1970."""
    told = _text(row, name)
    if not told:
        return otherwise
    try:
        return _seconds(float(told)) if _NUMBER.fullmatch(told) else microseconds(told)
    except InvalidInputError:
        kept[name] = told
        return otherwise


def _seconds(value: float) -> int:
    return microseconds(round(value * 1_000_000))


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    return "" if value is None else str(value)


def wall(row: Row, name: str, kept: dict[str, Any]) -> str | None:
    """A name of a scope, unchanged; one that no caller can give has its digest instead, so that no
    two become one and nobody else's row becomes everybody's (P-08)."""
    told = _text(row, name)
    if not told:
        return None
    if len(told) <= _LONGEST_NAME and clean(told) == told and not secret_in_name(told):
        return told
    kept[name] = told
    return f"unnamed-{hashlib.sha256(told.encode()).hexdigest()[:32]}"


def _list(row: Row, name: str) -> tuple[str, ...]:
    """A list as JSON, or as words between commas."""
    told = _text(row, name).strip()
    try:
        items = json.loads(told) if told.startswith("[") else told.split(",")
    except (ValueError, RecursionError):
        items = told.split(",")
    found = (storable(str(item)).strip() for item in items)
    return tuple(dict.fromkeys(item for item in found if item))


def _files(row: Row, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(normal_path(path) for path in _list(row, name)))


def _share(row: Row, name: str, otherwise: float) -> float:
    value = row.get(name)
    fits = isinstance(value, int | float) and math.isfinite(value)
    return min(1.0, max(0.0, float(value))) if fits and value is not None else otherwise


def _count(row: Row, name: str) -> int:
    value = row.get(name)
    return max(0, value) if isinstance(value, int) else 0

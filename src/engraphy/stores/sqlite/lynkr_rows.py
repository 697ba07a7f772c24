"""The one table of Lynkr (document 003), row by row as memories of ours: nothing is lost."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from engraphy.model.draft import Draft
from engraphy.model.kinds import DataSource, Kind, ORIGIN_TRUST, Origin, WriteSource
from engraphy.model.memory import Memory
from engraphy.model.scope import Scope, Tenant
from engraphy.stores.sqlite.letsgo_rows import settled, wall
from engraphy.text.rewrite import title
from engraphy.write.intake import storable, storable_pair
from engraphy.write.quarantine import quarantined

Row = Mapping[str, Any]

_ORIGIN = Origin.AGENT
_MILLISECONDS_FROM = 100_000_000_000
"""A moment from here on (the year 5138 in seconds) is told in milliseconds."""
_MOST = 1e15
_UNKNOWN = 0.5
"""How important a memory is whose importance no row tells."""
_TAKEN = frozenset(
    {
        "id", "session_id", "memory_type", "content", "context", "importance", "created_at",
        "last_accessed", "access_count",
    }
)  # fmt: skip


def _memory(row: Row, tenant: Tenant, now: int) -> Memory:
    """A row as a memory: behind the wall of its session, or global (C-04, C-12)."""
    kept = {name: value for name, value in row.items() if name not in _TAKEN}
    session = wall(row, "session_id", kept)
    content = storable(_text(row, "content"))
    content = content if content.strip() else "(no text)"
    created = _moment(row, "created_at") or now
    known = {kind.value: kind for kind in Kind}
    named = _text(row, "memory_type") or Kind.FACT.value
    if named not in known:
        kept["memory_type"] = named
    made = Memory(
        id=str(row["id"]),
        scope=Scope(tenant=tenant, session=session, conversation=session),
        content=content,
        title=title(content),
        kind=known.get(named, Kind.FACT),
        context=storable(_text(row, "context")),
        origin=_ORIGIN,
        write_source=WriteSource.IMPORT,
        data_source=DataSource.IMPORT,
        trust=ORIGIN_TRUST[_ORIGIN],
        importance=_share(row, kept),
        valid_from=created,
        recorded_at=created,
        updated_at=created,
        last_accessed_at=_moment(row, "last_accessed"),
        access_count=max(0, _number(row.get("access_count"))),
    )
    told = [storable_pair(name, str(v)) for name, v in kept.items() if v not in (None, "")]
    made = replace(made, metadata=tuple(told))
    return quarantined(Draft(memory=made, explicit=True)).memory


def memories(rows: Iterable[Row], tenant: Tenant, now: int) -> list[Memory]:
    """Every row as a memory, see `settled`."""
    return settled(_memory(row, tenant, now) for row in rows)


def _moment(row: Row, name: str) -> int | None:
    """Seconds or milliseconds since 1970; None where it tells no moment."""
    value = _number(row.get(name))
    if value <= 0:
        return None
    return value * 1_000 if value >= _MILLISECONDS_FROM else value * 1_000_000


def _number(value: object) -> int:
    return int(value) if isinstance(value, int | float) and abs(value) < _MOST else 0


def _share(row: Row, kept: dict[str, Any]) -> float:
    value = row.get("importance")
    if isinstance(value, int | float) and 0.0 <= value <= 1.0:
        return float(value)
    kept["importance"] = value
    return _UNKNOWN


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    return "" if value is None else str(value)

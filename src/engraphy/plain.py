"""A result as JSON: what every door that speaks it shows."""

from dataclasses import is_dataclass
from typing import Any

import msgspec

from engraphy.model import (
    Altered,
    Audit,
    Context,
    Difference,
    EntityHub,
    Explanation,
    HeldBack,
    Hit,
    Injection,
    Outcome,
    SessionReport,
    Timeline,
)
from engraphy.model.granting import Granted
from engraphy.model.reminding import Reminder
from engraphy.record import Record, names
from engraphy.text.moments import iso

_TIMES = frozenset({"valid_from", "valid_until", "oldest", "newest", "since", "until", "at"})
_TIME = "_at"
"""How every other moment's name ends."""

_MADE_OF = (
    Altered,
    Audit,
    Context,
    Difference,
    EntityHub,
    Explanation,
    Granted,
    Injection,
    Outcome,
    Reminder,
    SessionReport,
    Timeline,
)


def plain(value: Any) -> Any:
    """A result as JSON values; moments become ISO 8601 text, hits carry id and content first."""
    if isinstance(value, Hit):
        return _hit(value)
    if isinstance(value, HeldBack):
        return {"id": value.memory.id, "why": value.why, **plain(value.memory)}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, _MADE_OF):
        return _dated({name: plain(getattr(value, name)) for name in names(value)})
    if isinstance(value, Record) or is_dataclass(value):
        return _dated(msgspec.to_builtins(value))
    return value


def _hit(hit: Hit) -> dict[str, Any]:
    row = plain(hit.memory)
    first = {"id": hit.memory.id, "content": hit.memory.content, "score": round(hit.score, 6)}
    rest = {key: value for key, value in row.items() if key not in first}
    return {
        **first,
        "why": hit.why,
        "confidence": round(hit.confidence, 6),
        "newer": list(hit.newer),
        **({"outcome": hit.outcome} if hit.outcome else {}),
        **rest,
    }


def _dated(row: dict[str, Any]) -> dict[str, Any]:
    return {key: iso(value) if _is_moment(key) else value for key, value in row.items()}


def _is_moment(name: str) -> bool:
    return name in _TIMES or name.endswith(_TIME)

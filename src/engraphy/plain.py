"""A result as JSON: what every door that speaks it shows."""

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
from engraphy.text.moments import iso

_TIMES = frozenset(
    {
        "valid_from",
        "valid_until",
        "expires_at",
        "recorded_at",
        "updated_at",
        "last_accessed_at",
        "last_decayed_at",
        "last_reinforced_at",
        "last_rehearsed_at",
        "last_strengthened_at",
        "last_drifted_at",
        "created_at",
        "replaced_at",
        "started_at",
        "first_at",
        "last_at",
        "ended_at",
        "oldest",
        "newest",
        "since",
        "until",
        "said_at",
        "at",
        "added_at",
        "told_at",
        "ends_at",
        "revoked_at",
        "arrived_at",
        "due_at",
        "last_used_at",
    }
)


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
        names = value.__dataclass_fields__
        return _dated({name: plain(getattr(value, name)) for name in names})
    if hasattr(value, "__dataclass_fields__"):
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
    return {key: iso(value) if key in _TIMES else value for key, value in row.items()}

"""What mem0 calls things: its ids are UUIDs, its entities our walls and the session."""

from collections.abc import Mapping

from engraphy.errors import InvalidInputError
from engraphy.model.scope import Scope

WALLS: Mapping[str, str] = {"user_id": "user", "agent_id": "agent", "app_id": "project"}
"""mem0's name of each wall."""
RUN = "run_id"
ENTITIES = (*WALLS, RUN)
TYPES: Mapping[str, str] = {"user": "user_id", "agent": "agent_id", "app": "app_id", "run": RUN}
"""The types of entities, and where each is named."""
ANY = "*"
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH = 26
_GROUPS = (8, 4, 4, 4, 12)
_BITS = 128


def shown(known: str) -> str:
    """An id of ours as a UUID: both are 128 bits. One that an import brought along stays."""
    value = _value(known)
    if value is None:
        return known
    digits, parts = f"{value:032x}", []
    for length in _GROUPS:
        parts.append(digits[:length])
        digits = digits[length:]
    return "-".join(parts)


def meant(told: str) -> tuple[str, ...]:
    """What an id that a client tells may be: one of ours, shown as a UUID, or one that an import
    brought along."""
    digits = told.replace("-", "").lower()
    is_uuid = len(told) == 36 and len(digits) == 32 and set(digits) <= set("0123456789abcdef")
    return (_encoded(int(digits, 16)), told) if is_uuid else (told,)


def named(given: Mapping[str, object]) -> dict[str, str]:
    """The entities that a request names, by mem0's names. Raises InvalidInputError."""
    found = {}
    for name in ENTITIES:
        value = given.get(name)
        if value is None or value == "":
            continue
        found[name] = spelled(name, value)
    return found


def spelled(field: str, value: object) -> str:
    """The name of an entity; a number is one too. Raises InvalidInputError."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise InvalidInputError(field=field, got=repr(value)[:60], allowed="a name")
    return value


def entities(scope: Scope, session: str | None) -> dict[str, str | None]:
    """Where a memory stands, in mem0's names."""
    walls = {name: getattr(scope, wall) for name, wall in WALLS.items()}
    return {**walls, RUN: session}


def _value(known: str) -> int | None:
    if len(known) != _LENGTH or not set(known) <= set(_ALPHABET):
        return None
    value = 0
    for sign in known:
        value = value << 5 | _ALPHABET.index(sign)
    return value if value < 1 << _BITS else None


def _encoded(value: int) -> str:
    return "".join(_ALPHABET[value >> shift & 31] for shift in range(125, -5, -5))

"""A reminder's cue as a memory carries it: named values beside its text."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from engraphy.errors import InvalidInputError
from engraphy.model.memory import Memory
from engraphy.model.reminding import Cue, PENDING, REMINDED
from engraphy.text.moments import microseconds
from engraphy.text.zones import written, zone

_AT, _UNTIL, _WHEN = "remind_at", "remind_until", "remind_when"
_EVERY, ZONE, _TOLD = "remind_every", "timezone", "reminded_at"
_OWN = frozenset({_AT, _UNTIL, _WHEN, _EVERY, _TOLD})

Pairs = tuple[tuple[str, str], ...]


def pending(memory: Memory) -> bool:
    """Whether a memory waits to be told."""
    return PENDING in memory.tags


def reminds(memory: Memory) -> bool:
    """Whether a memory asks to be told, or did until it was."""
    return pending(memory) or REMINDED in memory.tags


def cue_of(memory: Memory) -> Cue | None:
    """The cue that a memory carries; None where it carries none that can be read."""
    told = dict(memory.metadata)
    cue = Cue(
        at=_moment(told.get(_AT)),
        until=_moment(told.get(_UNTIL)),
        topic=told.get(_WHEN, ""),
        every=told.get(_EVERY, ""),
        zone=zone_of(told.items(), "UTC"),
        told_at=_moment(told.get(_TOLD)),
    )
    return cue if cue.at is not None or cue.topic else None


def zone_of(pairs: Iterable[tuple[str, str]], otherwise: str) -> str:
    """The time zone that is told beside a text, where there is such a zone; else the other."""
    named = dict(pairs).get(ZONE, "")
    return named if named and zone(named) is not None else otherwise


def carrying(memory: Memory, cue: Cue, *, waits: bool) -> Memory:
    """The memory with a cue, waiting to be told or done."""
    told = {key: value for key, value in memory.metadata if key not in _OWN}
    told |= {key: value for key, value in _pairs(cue) if value}
    if cue.zone != "UTC":
        told[ZONE] = cue.zone
    tags = [tag for tag in memory.tags if tag not in {PENDING, REMINDED}]
    own = PENDING if waits else REMINDED
    return replace(memory, metadata=tuple(sorted(told.items())), tags=(*tags, own))


def without(memory: Memory) -> Memory:
    """The memory as one that never asked to be told."""
    tags = tuple(tag for tag in memory.tags if tag not in {PENDING, REMINDED})
    kept = tuple(one for one in memory.metadata if one[0] not in _OWN)
    return replace(memory, tags=tags, metadata=kept)


def _pairs(cue: Cue) -> Pairs:
    moments = ((_AT, cue.at), (_UNTIL, cue.until), (_TOLD, cue.told_at))
    told = tuple((key, "" if at is None else written(at, cue.zone)) for key, at in moments)
    return (*told, (_WHEN, cue.topic), (_EVERY, cue.every))


def _moment(text: str | None) -> int | None:
    with suppress(InvalidInputError):
        return None if not text else microseconds(text)
    return None

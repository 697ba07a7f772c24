"""Reminders on the way in, and what becomes of them: asked for, moved, told, done (D-76)."""

from dataclasses import replace

from msgspec import UNSET

from engraphy.errors import InvalidInputError
from engraphy.model import (
    Evidence,
    Kind,
    MICROSECONDS_PER_DAY,
    Memory,
    Origin,
    State,
    TemporalType,
)
from engraphy.model.reminding import Cue, EACH
from engraphy.profile.remind import Remind
from engraphy.text import recurring
from engraphy.text.cues import carrying, cue_of, pending, without, zone_of
from engraphy.text.fold import fold_text
from engraphy.text.reminding import essence, request
from engraphy.write.given import Given, kind_priority

_OWN_NAMES = frozenset({"", "user"})
_HOUR = MICROSECONDS_PER_DAY // 24
_OF_THE_USER = "what the user says (origin user, no other speaker): nobody else's words remind"


def may_remind(memory: Memory) -> bool:
    """Whether a memory is the user's own word (P-10): nothing that others say, and nothing that is
    held back, is ever told unasked."""
    said = fold_text(memory.speaker)
    own = said in _OWN_NAMES | {fold_text(memory.scope.user or "")}
    users = own and memory.origin is Origin.USER
    return users and memory.evidence is Evidence.STATED and memory.state is State.ACTIVE


def reminding(memory: Memory, said: str, knobs: Remind, wanted: Given | None = None) -> Memory:
    """The memory of `said` with its cue, where the user asks to be reminded or a caller gave one.
    Raises InvalidInputError where a caller gave one to what the user did not say."""
    given = wanted is not None and _cued(wanted)
    if given and wanted is not None:
        return recued(memory, wanted, knobs)
    if not knobs.asked or not may_remind(memory):
        return memory
    zone = zone_of(memory.metadata, knobs.timezone)
    asked = request(said, now=memory.valid_from, zone=zone)
    if asked is None:
        return memory
    cue = Cue(at=asked.at, until=asked.until, topic=asked.topic, every=asked.every, zone=zone)
    return _waiting(memory, cue, knobs, wanted)


def recued(memory: Memory, wanted: Given, knobs: Remind) -> Memory:
    """The memory with the cue that a caller gives: put off, made one, or done (`remind_at` None).
    Raises InvalidInputError."""
    if not _cued(wanted):
        return memory
    old = cue_of(memory)
    at = wanted.remind_at if wanted.remind_at is not UNSET else None if old is None else old.at
    topic = wanted.remind_when if wanted.remind_when is not UNSET else old.topic if old else ""
    if at is None and not topic.strip():
        return memory if old is None else done(memory, old)
    if not may_remind(memory):
        raise InvalidInputError(
            field="remind_at", got=f"origin {memory.origin.value}", allowed=_OF_THE_USER
        )
    zone = zone_of(memory.metadata, knobs.timezone)
    base = old or Cue(zone=zone)
    cue = replace(base, at=at, until=at, topic=topic, told_at=None)
    return _waiting(without(memory), cue, knobs, wanted)


def _cued(wanted: Given) -> bool:
    return wanted.remind_at is not UNSET or wanted.remind_when is not UNSET


def _waiting(memory: Memory, cue: Cue, knobs: Remind, wanted: Given | None) -> Memory:
    """A memory that waits to be told: a plan, unless a caller says what it is, until it is over."""
    made = carrying(memory, cue, waits=True)
    if wanted is None or not wanted.ranked:
        made = replace(made, kind=Kind.PLAN, priority=kind_priority(Kind.PLAN))
    if wanted is not None and wanted.valid_until is not UNSET:
        return made
    return replace(
        made, temporal_type=TemporalType.TIME_BOUNDED, valid_until=_end(memory, cue, knobs)
    )


def _end(memory: Memory, cue: Cue, knobs: Remind) -> int | None:
    """When it is over though nobody was reminded: what comes again is never over by itself."""
    if cue.every or (cue.topic and not knobs.wait_days):
        return None
    ends = [_later(cue.until or cue.at, knobs.overdue_days)] if cue.at is not None else []
    ends += [_later(memory.valid_from, knobs.wait_days)] if cue.topic else []
    return max(one for one in ends if one is not None)


def _later(at: int | None, days: float) -> int | None:
    return None if at is None else at + round(days * MICROSECONDS_PER_DAY)


def done(memory: Memory, cue: Cue) -> Memory:
    """A memory that waits to be told no longer."""
    return carrying(memory, cue, waits=False)


def told(memory: Memory, now: int, knobs: Remind) -> Memory:
    """A reminder once it was told: done, or waiting for its next time."""
    cue = cue_of(memory) or Cue()
    heard = replace(cue, told_at=now)
    moved = replace(memory, updated_at=max(now, memory.updated_at + 1))
    following = None if cue.at is None else recurring.next_after(cue.at, cue.every, now, cue.zone)
    if following is not None:
        width = (cue.until or cue.at or 0) - (cue.at or 0)
        again = replace(heard, at=following, until=following + width)
        return carrying(moved, again, waits=True)
    if cue.every == EACH:
        # Its moment, where it has one as well, has come: only the topic comes again.
        return carrying(moved, replace(heard, at=None, until=None), waits=True)
    over = now + round(max(knobs.overdue_days, 1.0) * MICROSECONDS_PER_DAY)
    ends = over if memory.valid_until is None else min(memory.valid_until, over)
    bounded = replace(moved, temporal_type=TemporalType.TIME_BOUNDED, valid_until=max(ends, now))
    return done(bounded, heard)


def finished(memory: Memory, now: int) -> Memory | None:
    """A reminder that its user reports as done before it was told; None where it waits for
    nothing."""
    cue = cue_of(memory)
    if cue is None or not pending(memory):
        return None
    return done(replace(memory, updated_at=max(now, memory.updated_at + 1)), cue)


def same_matter(one: Memory, two: Memory) -> bool:
    """Whether two requests are about the same thing to do, whenever."""
    first, second = _essence(one), _essence(two)
    return bool(first) and first == second


def _essence(memory: Memory) -> str:
    asked = request(memory.content, now=memory.valid_from)
    action = memory.content if asked is None else asked.action
    return essence(action, now=memory.valid_from)

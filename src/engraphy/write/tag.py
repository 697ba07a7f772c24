"""Synaptic tagging and capture (D-11): a strong memory steadies the weak ones of its session.

The tags of a session are one piece of its state in the store, so that every process knows them,
and are written with the memory that made or captured them.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import msgspec

from engraphy.model import Change, Memory, PutSessionState, SessionState, State, Strengthen
from engraphy.profile import Tag

NAME = "synaptic_tags"
_HOUR = 3_600_000_000
_MOST = 500
"""Tags a session keeps; the oldest go first."""


class SynapticTag(msgspec.Struct, frozen=True, kw_only=True):
    """A weak memory that may still be steadied; `tagged_at` in microseconds UTC."""

    memory_id: str
    tagged_at: int
    captured: bool = False


def tags_of(state: SessionState | None, now: int, knobs: Tag) -> tuple[SynapticTag, ...]:
    """The tags that have not ended at `now`, oldest first. One from a clock that has since gone
    back stays as long as it would have, and ends as well where its moment is further ahead."""
    found: Sequence[SynapticTag] = ()
    if state is not None:
        with suppress(msgspec.DecodeError):
            found = msgspec.json.decode(state.value, type=list[SynapticTag])
    lifetime = knobs.hours * _HOUR
    return tuple(one for one in found if abs(now - one.tagged_at) < lifetime)


def tagged(memory: Memory, held: SessionState | None, now: int, knobs: Tag) -> Iterator[Change]:
    """The changes that tag a weak memory, or with which a strong one captures the tags held.

    `held`: the session's state as it was read; whoever was faster makes this a conflict.
    """
    if not wanted(memory, knobs):
        return
    tags = tags_of(held, now, knobs)
    if memory.importance < knobs.below:
        yield _kept(
            memory, held, now, (*tags, SynapticTag(memory_id=memory.id, tagged_at=now)), knobs
        )
        return
    waiting = [one.memory_id for one in tags if not one.captured and one.memory_id != memory.id]
    if waiting:
        yield Strengthen(ids=tuple(waiting), stability_factor=knobs.factor, reason="captured")
        captured = tuple(msgspec.structs.replace(one, captured=True) for one in tags)
        yield _kept(memory, held, now, captured, knobs)


def wanted(memory: Memory, knobs: Tag) -> bool:
    """Whether a memory is weak or strong enough, and of a session."""
    if not knobs.hours or memory.scope.session is None or memory.state is not State.ACTIVE:
        return False
    return memory.importance < knobs.below or memory.importance >= knobs.capture_from


def _kept(
    memory: Memory,
    held: SessionState | None,
    now: int,
    tags: Sequence[SynapticTag],
    knobs: Tag,
) -> PutSessionState:
    kept = tuple(tags)[-_MOST:]
    state = SessionState(
        scope=memory.scope,
        name=NAME,
        value=msgspec.json.encode(kept).decode(),
        updated_at=now,
        expires_at=max(one.tagged_at for one in kept) + round(knobs.hours * _HOUR),
    )
    return PutSessionState(state=state, guarded=True, expected=None if held is None else held.value)

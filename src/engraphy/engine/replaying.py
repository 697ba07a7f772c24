"""Blocks put again where they stood: what was injected into a chat is no part of the next request.

A block is kept under the key of its prompt (`read/prompts.py`), in a row of session state with the
ids of its memories, so that forgetting one of them takes the block along (P-16). It is put again
only for who may see every memory in it.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.engine.session_rows import exact
from engraphy.model import (
    Change,
    Context,
    MICROSECONDS_PER_DAY,
    Placement,
    PutSessionState,
    Scope,
    SessionState,
    State,
    View,
)
from engraphy.read.prompts import Prompt
from engraphy.record import Record

_BLOCK = "inject.block.{key}"
_MOST = 400
_RETRY = 600_000_000
"""Microseconds within which the same prompt, still unanswered, is the same request once more."""


class Kept(msgspec.Struct, array_like=True, frozen=True):
    """A block as it is kept: when it was made, where it goes, its text, and the id and version of
    each memory in it."""

    at: int
    placement: Placement
    text: str
    items: tuple[tuple[str, int], ...]


class Again(Record, frozen=True, kw_only=True):
    """The kept blocks of a chat by their prompts, the newest prompt, and whether it wants a block
    of its own."""

    blocks: tuple[tuple[Prompt, Kept], ...]
    prompt: Prompt | None
    asks: bool

    def given(self, asked: Sequence[Prompt], turns: int) -> dict[str, int]:
        """The memories that the blocks of the last `turns` prompts show, with their versions."""
        last = {one.key for one in asked[-turns - 1 :]} if turns else set()
        shown = [kept for one, kept in self.blocks if one.key in last]
        return dict(one for kept in shown if kept.placement != "system" for one in kept.items)


def again(
    engine: Engine, view: View, asked: Sequence[Prompt], placement: Placement, *, fresh: bool
) -> Again:
    """The blocks that a chat with these prompts was given. `fresh`: nobody answered to the last
    prompt yet; it then wants a new block, unless this is the same request once more."""
    prompt = asked[-1] if asked else None
    # What stands in the system prompt stands there for the newest prompt only.
    looked = asked[-1:] if placement == "system" else asked[-_MOST:]
    rows = _kept(engine, view, looked)
    found = [(one, rows[one.key]) for one in looked if one.key in rows]
    found = [(one, kept) for one, kept in found if one is prompt or kept.placement != "system"]
    stale = [one for one, kept in found if fresh and one is prompt and not _recent(kept, view.now)]
    shown = _visible(engine, view, [kept for _, kept in found])
    blocks = tuple(
        (one, kept)
        for one, kept in found
        if one not in stale and all(known in shown for known, _ in kept.items)
    )
    asks = fresh and prompt is not None and all(one is not prompt for one, _ in blocks)
    return Again(blocks=blocks, prompt=prompt, asks=asks)


def keeping(engine: Engine, scope: Scope, key: str, made: Context) -> Iterator[Change]:
    """The change that keeps a block for its prompt; none for an empty one, which may be more by
    the next time."""
    if not made.text:
        return
    now = made.receipt.at
    items = tuple((line.memory_id, line.version) for line in made.receipt.lines)
    kept = Kept(at=now, placement=made.placement, text=made.text, items=items)
    days = engine.profile.sessions.keep_days
    yield PutSessionState(
        state=SessionState(
            scope=replace(scope, session=None),
            name=_BLOCK.format(key=key),
            value=msgspec.json.encode(kept).decode(),
            updated_at=now,
            expires_at=now + round(days * MICROSECONDS_PER_DAY),
        )
    )


def _kept(engine: Engine, view: View, asked: Sequence[Prompt]) -> Mapping[str, Kept]:
    """The blocks of these prompts, by their keys."""
    walls = replace(view.scope, session=None)
    names = {_BLOCK.format(key=one.key): one.key for one in asked}
    rows = engine.store.session_values(exact(walls, view.now), list(names)) if names else {}
    return {names[name]: msgspec.json.decode(row, type=Kept) for name, row in rows.items()}


def _recent(kept: Kept, now: int) -> bool:
    return abs(now - kept.at) < _RETRY


def _visible(engine: Engine, view: View, kept: Sequence[Kept]) -> Mapping[str, object]:
    """Which of the memories in the blocks may be seen: what was replaced since was said then."""
    ids = list(dict.fromkeys(known for one in kept for known, _ in one.items))
    if not ids:
        return {}
    wide = replace(view, states=frozenset(State), session=None)
    return {row.id: row for row in engine.store.get(wide, ids)}

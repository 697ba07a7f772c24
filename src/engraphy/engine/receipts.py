"""What is kept of injections: a receipt per turn, what a conversation was given, the hot tier.

All of it is session state with an end of its own, so that another process (a hook is one) goes on
where this one stopped. Receipts stand in a ring of rows per walls: the newest push out the oldest,
and one that names a forgotten memory is forgotten with it (P-16).
"""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from engraphy.engine.briefs import brief, read
from engraphy.engine.parts import Engine
from engraphy.engine.session_rows import exact
from engraphy.model import (
    Change,
    Context,
    MICROSECONDS_PER_DAY,
    Memory,
    PutSessionState,
    Receipt,
    Scope,
    Sensitivity,
    SessionState,
    State,
    View,
)

_HEAD = "receipts.head"
SLOTS = "receipt."
_SLOT = SLOTS + "{number}"
_GIVEN = "inject.given"
_MOST_LEFT = 20
_MINUTE = 60_000_000


class Given(msgspec.Struct, frozen=True):
    """What a conversation was given: the turn it is in, and (turn, id, version) of the last
    ones."""

    turn: int = 0
    items: tuple[tuple[int, str, int], ...] = ()


def given(engine: Engine, scope: Scope, now: int) -> Given:
    """What the conversation `scope.session` was given in its last turns."""
    turns = engine.profile.inject.given_turns
    if scope.session is None or not turns:
        return Given()
    row = engine.store.session_state(exact(scope, now), _GIVEN)
    held = Given() if row is None else msgspec.json.decode(row.value, type=Given)
    oldest = held.turn - turns
    return Given(turn=held.turn, items=tuple(one for one in held.items if one[0] > oldest))


def kept(engine: Engine, scope: Scope, made: Context, before: Given) -> Iterator[Change]:
    """The changes that keep the receipt of an injection, and that a conversation was given it."""
    now = made.receipt.at
    if scope.session is not None and engine.profile.inject.given_turns:
        turn = before.turn + 1
        new = tuple((turn, one.memory_id, one.version) for one in made.receipt.lines)
        yield _put(engine, scope, _GIVEN, Given(turn=turn, items=(*before.items, *new)), now)
    size = engine.profile.inject.receipts
    if size:
        walls = replace(scope, session=None)
        raw = _head(engine, walls, now)
        number = int(raw or 0) + 1
        slot = _SLOT.format(number=number % size)
        yield _put(engine, walls, slot, brief(_shortened(made.receipt)), now)
        head = _put(engine, walls, _HEAD, number, now)
        yield replace(head, guarded=True, expected=raw)


def anew(engine: Engine, scope: Scope, now: int) -> Change:
    """The change after which a conversation counts as given nothing: its host condensed it."""
    return _put(engine, scope, _GIVEN, Given(), now)


def receipts(engine: Engine, view: View, limit: int) -> list[Receipt]:
    """The kept receipts of exactly a view's walls, newest first: of its session where it names
    one. What was injected is told as it reads today, as far as the view may see it."""
    walls, size = replace(view.scope, session=None), engine.profile.inject.receipts
    number = int(_head(engine, walls, view.now) or 0) if size else 0
    found: list[Receipt] = []
    for one in range(number, max(0, number - size), -1):
        name = _SLOT.format(number=one % size)
        row = engine.store.session_state(exact(walls, view.now), name)
        if row is None:
            continue
        receipt = read(row.value)
        if view.session in (None, receipt.session):
            found.append(_told(engine, receipt, view))
        if len(found) == limit:
            break
    return found


def _told(engine: Engine, receipt: Receipt, view: View) -> Receipt:
    """A receipt with today's texts, without a word about what is too sensitive for the view, or
    behind the wall of another session (C-12)."""
    ids = [line.memory_id for line in receipt.lines]
    ids += [one.memory_id for one in receipt.skipped]
    everything = frozenset(Sensitivity)
    wide = replace(
        view, states=frozenset(State), session=None, sensitivities=everything, closed_session=False
    )
    rows = {row.id: row for row in engine.store.get(wide, ids)}
    hidden = {one for one, row in rows.items() if not _is_told(row, view)}
    lines = tuple(
        replace(line, content=rows[line.memory_id].content if line.memory_id in rows else "")
        for line in receipt.lines
        if line.memory_id not in hidden
    )
    skipped = tuple(one for one in receipt.skipped if one.memory_id not in hidden)
    return replace(receipt, lines=lines, skipped=skipped)


def _is_told(row: Memory, view: View) -> bool:
    own = not view.closed_session or row.scope.session in (None, view.scope.session)
    return own and row.sensitivity in view.sensitivities


def _shortened(receipt: Receipt) -> Receipt:
    """A receipt as it is kept: without a word of the prompt, which nobody asked to remember."""
    left = receipt.skipped[:_MOST_LEFT]
    more = receipt.more + len(receipt.skipped) - len(left)
    return replace(receipt, query="", skipped=left, more=more)


def hot_ids(engine: Engine, view: View) -> Sequence[str] | None:
    """The hot tier as it was chosen last, while that stands; None where it is to be chosen."""
    if view.session is not None or not engine.profile.hot.cache_minutes:
        return None
    walls = replace(view.scope, session=None)
    row = engine.store.session_state(exact(walls, view.now), _hot(view))
    return None if row is None else msgspec.json.decode(row.value, type=list[str])


def keep_hot(engine: Engine, view: View, ids: Sequence[str]) -> Iterator[Change]:
    """The change that keeps the choice of the hot tier for the profile's minutes (D-30)."""
    minutes = engine.profile.hot.cache_minutes
    if view.session is None and minutes:
        put = _put(engine, replace(view.scope, session=None), _hot(view), ids, view.now)
        ends = view.now + round(minutes * _MINUTE)
        yield replace(put, state=replace(put.state, expires_at=ends))


def _hot(view: View) -> str:
    return f"inject.hot.{'+'.join(sorted(view.sensitivities))}"


def _head(engine: Engine, walls: Scope, now: int) -> str | None:
    row = engine.store.session_state(exact(walls, now), _HEAD)
    return None if row is None else row.value


def _put(engine: Engine, scope: Scope, name: str, value: object, now: int) -> PutSessionState:
    days = engine.profile.sessions.keep_days
    state = SessionState(
        scope=scope,
        name=name,
        value=msgspec.json.encode(value).decode(),
        updated_at=now,
        expires_at=now + round(days * MICROSECONDS_PER_DAY),
    )
    return PutSessionState(state=state)

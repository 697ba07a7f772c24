"""What was forgotten stays forgotten: fingerprints of texts in the rows of state, no word of them.

What was said before something was forgotten, and comes in afterwards (an import of its transcript,
a hook's spool, a queue), is compared with them. A fingerprint is made with a random key of the
store and a function that is slow on purpose, over a text and the walls it stood behind. The key
stands in the same file: it keeps fingerprints that get out without it from telling anything, and
those of two stores from being compared. Who has the whole file can try guesses, slowly; an
encrypted store keeps both from them.
"""

import hmac
import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import pbkdf2_hmac
from itertools import product

from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.engine.session_rows import exact
from engraphy.errors import ConflictError
from engraphy.model import (
    Change,
    MICROSECONDS_PER_DAY,
    Memory,
    PutSessionState,
    Scope,
    Sensitivity,
    SessionState,
    State,
    View,
)
from engraphy.text.fold import fold_text, shape
from engraphy.text.split import sentences

FORGOTTEN = "forgotten earlier"
_KEY, _LAST = "forgotten.key", "forgotten.last"
_TEXT, _USER = "forgotten.text.{mark}", "forgotten.user.{mark}"
_SWEPT = "forgotten.all"
_WALLS = ("user", "agent", "project", "conversation")
_EXACTLY = "="
_OUTER = " \t\n.!?…。！？,;:\"'“”‘’()"
_ROUNDS = 1_000
"""Of PBKDF2: about a millisecond for a text, a thousand times what a plain hash costs a guess."""
_MARK = 32
_SHORTEST = 8
"""Characters of a sentence that is told apart from the text around it."""
_MOST = 64
"""So many sentences of a text that is forgotten get a fingerprint of their own. What comes in is
compared whole: behind them anything may stand that was forgotten by itself."""
_MOST_SWEEPS = 10_000
_SWEPT_DAYS = 40
"""Nothing waits longer: what lies in a spool is gone after a month."""


def marks(engine: Engine, memories: Sequence[Memory], now: int) -> Iterator[Change]:
    """What keeps the texts of these memories, and their earlier ones, from coming back by what was
    said before `now`."""
    key = _key(engine, now) or _new_key(engine, now)
    if key is None or not memories:
        return
    names = {
        _TEXT.format(mark=_mark(key, slow, memory.scope))
        for memory in memories
        for slow in _slowly(key, _told(engine, memory, now))
    }
    for name in sorted(names):
        yield _put(engine, name, _apart(f"{now:x}"), now)
    yield from _later(engine, now)


def user_marks(engine: Engine, user: str, now: int) -> Iterator[Change]:
    """What keeps everything out that waits for a user who was forgotten; without their name."""
    key = _key(engine, now) or _new_key(engine, now)
    if key is not None:
        yield _put(engine, _named(key, user), _apart(f"{now:x}"), now)
        yield from _later(engine, now)


def sweep(engine: Engine, view: View) -> Iterator[Change]:
    """What keeps everything out that waits in a scope that was forgotten as a whole."""
    exactly = "" if view.shared else _EXACTLY
    days = _SWEPT_DAYS * MICROSECONDS_PER_DAY
    state = SessionState(
        scope=replace(view.scope, session=view.session),
        name=_SWEPT,
        value=_apart(f"{view.now:x}") + exactly,
        updated_at=view.now,
        expires_at=view.now + days,
    )
    yield PutSessionState(state=state)
    yield from _later(engine, view.now)


def is_swept(engine: Engine, scope: Scope, said: int, now: int) -> bool:
    """Whether everything of a scope was forgotten after this was said."""
    if _last(_read(engine, [_LAST], now).get(_LAST)) < said:
        return False
    rows = engine.store.session_states(engine.tenant, _SWEPT, now=now, limit=_MOST_SWEEPS)
    if any(_covers(row, scope, said) for row in rows):
        return True
    key = _key(engine, now)
    if key is None or scope.user is None:
        return False
    name = _named(key, scope.user)
    return _moment(_read(engine, [name], now).get(name)) >= said


def remaining(engine: Engine, memory: Memory, now: int) -> str:
    """The text of a memory without what was forgotten since it was said; "" for all of it. What is
    told this moment is told anew: nothing of it is left out."""
    earlier = engine.earlier
    if earlier is None or _last(_read(engine, [_LAST], now).get(_LAST)) < earlier.at:
        return memory.content
    if earlier.waited and is_swept(engine, memory.scope, earlier.at, now):
        return ""
    key = _key(engine, now)
    if key is None:
        return memory.content
    gone = _forgotten(engine, key, memory, now)
    if _plain(memory.content) in gone:
        return ""
    told = sentences(memory.content)
    kept = [one for one in told if _plain(one) not in gone]
    return memory.content if len(kept) == len(told) else " ".join(kept)


def _forgotten(engine: Engine, key: bytes, memory: Memory, now: int) -> set[str]:
    """The pieces of a memory's text, as they are compared, that were forgotten since."""
    said = 0 if engine.earlier is None else engine.earlier.at
    names = {
        _TEXT.format(mark=_mark(key, slow, scope)): piece
        for piece in _pieces(memory.content)
        for slow in _slowly(key, [piece])
        for scope in _within(memory.scope)
    }
    held = _read(engine, list(names), now)
    return {names[name] for name, value in held.items() if _moment(value) >= said}


def watch(engine: Engine, now: int) -> Iterator[Change]:
    """What is written beside a text that was said earlier: a conflict where something is forgotten
    this very moment."""
    if engine.earlier is None:
        return
    held = _read(engine, [_LAST], now).get(_LAST)
    over = None if held is not None else now
    state = SessionState(
        scope=Scope(tenant=engine.tenant),
        name=_LAST,
        value=held or _EXACTLY,
        updated_at=now,
        expires_at=over,
    )
    yield PutSessionState(state=state, guarded=True, expected=held)


def lifted(engine: Engine, memory: Memory, now: int) -> Iterator[Change]:
    """What lets a text in again that the user asks to be remembered."""
    key = _key(engine, now)
    if key is None:
        return
    names = [
        _TEXT.format(mark=_mark(key, slow, scope))
        for slow in _slowly(key, _pieces(memory.content))
        for scope in _within(memory.scope)
    ]
    for name in _read(engine, names, now):
        yield _put(engine, name, _EXACTLY, now, ends=True)


def _told(engine: Engine, memory: Memory, now: int) -> Iterator[str]:
    """A memory's text and its earlier ones, in the pieces that are compared."""
    view = replace(
        exact(replace(memory.scope, session=None), now),
        states=frozenset(State),
        sensitivities=frozenset(Sensitivity),
    )
    yield from _pieces(memory.content, _MOST)
    for version in engine.store.versions(view, memory.id):
        yield from _pieces(version.content, _MOST)


def _pieces(text: str, most: int | None = None) -> list[str]:
    """A text and its sentences, the first `most` (None: all), as they are compared; not those that
    say hardly anything."""
    told = [_plain(one) for one in sentences(text)[:most]]
    return list(dict.fromkeys([_plain(text), *(one for one in told if len(one) >= _SHORTEST)]))


def _plain(text: str) -> str:
    """A text as it is compared: its letters alike, its spaces one, nothing around it."""
    return " ".join(fold_text(shape(text)).split()).strip(_OUTER)


def _slowly(key: bytes, pieces: Iterable[str]) -> Iterator[bytes]:
    for piece in dict.fromkeys(pieces):
        yield pbkdf2_hmac("sha256", piece.encode("utf-8", "surrogatepass"), key, _ROUNDS)


def _mark(key: bytes, slow: bytes, scope: Scope) -> str:
    walls = json.dumps([getattr(scope, wall) for wall in _WALLS]).encode()
    return hmac.new(key, slow + walls, "sha256").hexdigest()[:_MARK]


def _named(key: bytes, user: str) -> str:
    [slow] = _slowly(key, [user])
    return _USER.format(mark=hmac.new(key, slow, "sha256").hexdigest()[:_MARK])


def _within(scope: Scope) -> Iterator[Scope]:
    """The walls of a scope, and every place that they see: what was forgotten there is not told
    here again."""
    for chosen in product(*(dict.fromkeys((getattr(scope, wall), None)) for wall in _WALLS)):
        yield replace(scope, **dict(zip(_WALLS, chosen, strict=True)))


def _covers(row: SessionState, scope: Scope, said: int) -> bool:
    exactly = row.value.endswith(_EXACTLY)
    same = all(getattr(row.scope, wall) == getattr(scope, wall) for wall in _WALLS[:3])
    here = row.scope.session in (None, scope.session) and (same or not exactly)
    return here and row.scope.sees(scope) and _moment(row.value) >= said


def _key(engine: Engine, now: int) -> bytes | None:
    value = _read(engine, [_KEY], now).get(_KEY)
    return None if value is None else value.encode()


def _new_key(engine: Engine, now: int) -> bytes | None:
    if engine.new_secret is None:
        return None
    state = SessionState(
        scope=Scope(tenant=engine.tenant),
        name=_KEY,
        value=_apart(engine.new_secret()),
        updated_at=now,
    )
    made = PutSessionState(state=state, guarded=True)
    try:
        engine.store.apply(engine.tenant, [made], now=now, actor=engine.actor)
    except ConflictError:
        # Somebody else forgets something for the first time as well.
        return _key(engine, now)
    return state.value.encode()


def _later(engine: Engine, now: int) -> Iterator[Change]:
    """When something was forgotten last; never the same twice."""
    chance = "" if engine.new_secret is None else engine.new_secret()[:_SHORTEST]
    yield _put(engine, _LAST, f"{_apart(f'{now:x}')} {_apart(chance)}", now)


def _put(engine: Engine, name: str, value: str, now: int, *, ends: bool = False) -> Change:
    state = SessionState(
        scope=Scope(tenant=engine.tenant),
        name=name,
        value=value,
        updated_at=now,
        expires_at=now if ends else None,
    )
    return PutSessionState(state=state)


def _read(engine: Engine, names: Sequence[str], now: int) -> dict[str, str]:
    return engine.store.session_values(exact(Scope(tenant=engine.tenant), now), names)


def _apart(text: str) -> str:
    """In pairs, as nothing that anybody says stands in it: with a memory goes what state tells of
    its text."""
    return "~".join(text[place : place + 2] for place in range(0, len(text), 2))


def _moment(value: str | None) -> int:
    """The moment of a mark, in microseconds UTC; -1 without one."""
    told = "" if value is None else value.strip(_EXACTLY).replace("~", "")
    return int(told, 16) if told else -1


def _last(value: str | None) -> int:
    return _moment(None if value is None else value.partition(" ")[0])

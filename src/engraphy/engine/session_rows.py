"""The rows in which a session's state stands: read, and put so that no other process is undone.

Hooks are one process per event: nothing of a session is kept anywhere else.
"""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.model import (
    Change,
    MICROSECONDS_PER_DAY,
    PutSessionState,
    Scope,
    Sensitivity,
    SessionState,
    View,
)
from engraphy.record import Record
from engraphy.write.progress import Observation, Progress

_PROGRESS = "session.progress"
_OBSERVATION = "session.observation.{number}"
_SUMMARY = "session.summary"
_OPEN = "sessions.open"
_ROOT = "project.root"
_MOST_OPEN = 500


class Held(Record, frozen=True, kw_only=True):
    """The progress of a session as it is stored; `raw` is what a put is guarded by."""

    progress: Progress | None = None
    raw: str | None = None


def exact(scope: Scope, now: int) -> View:
    """The view of exactly a scope's rows, every sensitivity."""
    return View(scope=scope, now=now, sensitivities=frozenset(Sensitivity), session=scope.session)


def held(engine: Engine, scope: Scope, now: int) -> Held:
    """How far a session has come."""
    row = engine.store.session_state(exact(scope, now), _PROGRESS)
    if row is None:
        return Held()
    return Held(progress=msgspec.json.decode(row.value, type=Progress), raw=row.value)


def segment_marks(engine: Engine, scope: Scope, now: int) -> tuple[tuple[str, str], ...]:
    """What is captured in a session that runs carries the number of its segment (A-14)."""
    if scope.session is None or not engine.profile.sessions.boundaries:
        return ()
    progress = held(engine, scope, now).progress
    if progress is None or progress.ended_at is not None:
        return ()
    return (("segment", str(progress.segment)),)


def observations(
    engine: Engine, scope: Scope, now: int, first: int, last: int
) -> dict[int, Observation]:
    """The observations `first` to `last` (counted from 1) of a session by their numbers; those of
    memories that were forgotten are gone."""
    names = {_OBSERVATION.format(number=one): one for one in range(max(1, first), last + 1)}
    # All at once: over a database each look is a way there and back.
    rows = engine.store.session_values(exact(scope, now), list(names)) if names else {}
    return {
        number: msgspec.json.decode(rows[name], type=Observation)
        for name, number in names.items()
        if name in rows
    }


def put_progress(engine: Engine, scope: Scope, now: int, new: Progress, over: Held) -> Change:
    """Put the progress of a session, unless another process has put one meanwhile."""
    state = _state(engine, scope, _PROGRESS, new, now)
    return PutSessionState(state=state, guarded=True, expected=over.raw)


def put_observation(
    engine: Engine, scope: Scope, now: int, new: Observation, number: int
) -> Change:
    """Put one observation; its number is guarded by the progress that is put with it."""
    name = _OBSERVATION.format(number=number)
    return PutSessionState(state=_state(engine, scope, name, new, now))


def summary_id(engine: Engine, scope: Scope, now: int) -> str | None:
    """The id of a session's summary."""
    row = engine.store.session_state(exact(scope, now), _SUMMARY)
    return None if row is None else str(msgspec.json.decode(row.value, type=str))


def put_summary(engine: Engine, scope: Scope, now: int, id: str) -> Change:
    """Put the id of a session's summary; a row of its own, so that forgetting the summary leaves
    the counters."""
    return PutSessionState(state=_state(engine, scope, _SUMMARY, id, now))


def open_sessions(engine: Engine, scope: Scope, now: int) -> tuple[list[str], str | None]:
    """The sessions of exactly these walls that have not ended, and the row's own text."""
    row = engine.store.session_state(exact(_walls(scope), now), _OPEN)
    if row is None:
        return [], None
    return msgspec.json.decode(row.value, type=list[str]), row.value


def listed(engine: Engine, scope: Scope, now: int, *, opened: bool) -> Iterator[Change]:
    """Put a session on the list of those that run, or take it off; guarded as well."""
    names, raw = open_sessions(engine, scope, now)
    session = str(scope.session)
    if (session in names) == opened:
        return
    kept = [name for name in names if name != session] + ([session] if opened else [])
    state = _state(engine, _walls(scope), _OPEN, kept[-_MOST_OPEN:], now)
    yield PutSessionState(state=replace(state, expires_at=None), guarded=True, expected=raw)


def root(engine: Engine, scope: Scope, now: int) -> str:
    """The folder of the project, as far as a session has told it."""
    row = engine.store.session_state(exact(_walls(scope), now), _ROOT)
    return "" if row is None else str(msgspec.json.decode(row.value, type=str))


def rooted(engine: Engine, scope: Scope, now: int, folder: str) -> Iterator[Change]:
    """Put the folder of the project where it is new."""
    if folder and folder != root(engine, scope, now):
        state = _state(engine, _walls(scope), _ROOT, folder, now)
        yield PutSessionState(state=replace(state, expires_at=None))


def _walls(scope: Scope) -> Scope:
    return replace(scope, session=None)


def _state(engine: Engine, scope: Scope, name: str, value: object, now: int) -> SessionState:
    days = engine.profile.sessions.keep_days
    return SessionState(
        scope=scope,
        name=name,
        value=msgspec.json.encode(value).decode(),
        updated_at=now,
        expires_at=now + round(days * MICROSECONDS_PER_DAY),
    )

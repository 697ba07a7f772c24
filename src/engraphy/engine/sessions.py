"""The life of a session: start, checkpoints, end, and those that never ended (A-16)."""

from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from engraphy.engine import session_rows as rows
from engraphy.engine.capacity import made_room
from engraphy.engine.embedding import forgetting
from engraphy.engine.parts import Engine
from engraphy.engine.session_rest import Rested, rested
from engraphy.engine.session_summary import (
    Gathered,
    gathered,
    made,
    of_observations,
    retold,
    written,
)
from engraphy.engine.working import cleared
from engraphy.errors import ConflictError, UnknownSessionError
from engraphy.model import (
    Action,
    Change,
    MICROSECONDS_PER_DAY,
    Memory,
    Outcome,
    Scope,
    SessionReport,
    SessionStatus,
    State,
)
from engraphy.write.progress import Observation, Progress
from engraphy.write.summary import Heading, done

_ATTEMPTS = 64
_HOURS_PER_DAY = 24.0

Made = Callable[[int], Sequence[Change]]
"""The changes at a moment (microseconds UTC), made of what is stored then."""


def start(engine: Engine, scope: Scope, at: int | None, folder: str) -> SessionStatus:
    """Open a session, or go on with it; one that is long silent and never ended is closed."""
    closed = _abandoned(engine, scope)

    def opened(now: int) -> Sequence[Change]:
        moment = now if at is None else at
        held = rows.held(engine, scope, now)
        old = held.progress or Progress(started_at=moment, last_at=moment)
        last = max(old.last_at, moment)
        new = msgspec.structs.replace(old, last_at=last, ended_at=None, abandoned=False)
        return (
            rows.put_progress(engine, scope, now, new, held),
            *rows.listed(engine, scope, now, opened=True),
            *rows.rooted(engine, scope, now, folder),
        )

    applied(engine, scope, opened)
    return replace(status(engine, scope), closed=tuple(closed))


def status(engine: Engine, scope: Scope) -> SessionStatus:
    """How far a session has come; one that nobody knows has not begun."""
    now = engine.clock()
    return _status(scope, rows.held(engine, scope, now).progress, now)


def checkpoint(engine: Engine, scope: Scope, at: int | None, *, due: bool) -> Memory | None:
    """Write what was done since the last checkpoint (A-16). `due`: only where the profile's count
    of observations is full. None where there is nothing, or it is not due."""
    noted: list[Memory] = []

    def since(now: int) -> Sequence[Change]:
        noted.clear()
        held = rows.held(engine, scope, now)
        progress = held.progress
        if progress is None or not _waiting(engine, progress, due=due):
            return ()
        first, last = progress.checkpointed + 1, progress.observations
        seen = list(rows.observations(engine, scope, now, first, last).values())
        heading = _heading(scope, progress, seen, at)
        found = done(of_observations(engine, scope, now, seen), seen, knobs.listed)
        told = made(engine, found, heading, now, knobs.summary_importance / 2)
        row, changes = written(engine, told, found, now, "checkpoint of a session")
        noted.append(row)
        new = msgspec.structs.replace(
            progress, checkpoints=progress.checkpoints + 1, checkpointed=last
        )
        return (*changes, rows.put_progress(engine, scope, now, new, held))

    knobs = engine.profile.sessions
    applied(engine, scope, since)
    return _with_room(engine, noted[0]) if noted else None


def end(engine: Engine, scope: Scope, at: int | None, *, abandoned: bool = False) -> SessionReport:
    """Close a session with the summary of what was done; one that is closed already stays as it
    is. The vectors kept for it are dropped (D-29), its working memory is emptied whatever happens
    (D-31), and what the profile's maintenance does after a session is done (A-21). Raises
    UnknownSessionError."""
    rest: list[Rested] = []
    begun: list[Scope] = []

    def closed(now: int) -> Sequence[Change]:
        before = gathered(engine, scope, now)
        progress = before.held.progress
        if progress is None or progress.ended_at is not None:
            return ()
        begun.append(scope)
        moment = progress.last_at if abandoned else now if at is None else at
        moment = max(moment, progress.started_at)
        last = max(progress.last_at, moment)
        after = msgspec.structs.replace(
            progress, ended_at=moment, last_at=last, abandoned=abandoned
        )
        return _closing(engine, scope, before, after, now)

    try:
        applied(engine, scope, closed)
    finally:
        cleared(engine, scope)
        rest += [rested(engine, one) for one in begun[:1]]
    if not abandoned:
        forgetting(engine)
    told = report(engine, scope)
    if begun and told.summary is not None:
        _with_room(engine, told.summary)
    return replace(told, rest=rest[0].steps, failed=rest[0].failed) if rest else told


def report(engine: Engine, scope: Scope) -> SessionReport:
    """What was done so far; nothing is written. Raises UnknownSessionError."""
    now = engine.clock()
    there = gathered(engine, scope, now)
    if there.held.progress is None:
        raise UnknownSessionError(session=repr(scope.session))
    found = there.done
    return SessionReport(
        status=_status(scope, there.held.progress, now),
        user=scope.user,
        agent=scope.agent,
        project=scope.project,
        decisions=found.decisions,
        fixes=found.fixes,
        features=found.features,
        changes=found.changes,
        discoveries=found.discoveries,
        told=found.told,
        open=found.open,
        files_modified=found.files_modified,
        files_read=found.files_read,
        tools=found.tools,
        summary=there.summary,
    )


def applied(engine: Engine, scope: Scope, changes: Made) -> None:
    """Write changes in one transaction; where another process was faster, make them anew.
    Raises ConflictError where that never ends."""
    for _ in range(_ATTEMPTS):
        now = engine.clock()
        wanted = changes(now)
        if not wanted:
            return
        try:
            engine.store.apply(scope.tenant, wanted, now=now, actor=engine.actor)
        except ConflictError:
            continue
        return
    raise ConflictError(path=engine.store.path, id=str(scope.session))


def _with_room(engine: Engine, memory: Memory) -> Memory:
    """A memory of a session, after what it made too many was taken out (A-08)."""
    made_room(engine, Outcome(action=Action.CREATED, reason="", memory=memory), engine.clock())
    return memory


def _abandoned(engine: Engine, scope: Scope) -> list[str]:
    """Close the sessions of these walls that are long silent; returns their names."""
    now = engine.clock()
    patience = engine.profile.sessions.abandoned_hours / _HOURS_PER_DAY * MICROSECONDS_PER_DAY
    others = [replace(scope, session=one) for one in rows.open_sessions(engine, scope, now)[0]]
    closed = []
    for other in others:
        progress = rows.held(engine, other, now).progress
        if progress is None:
            applied(engine, other, partial(_unlisted, engine, other))
        elif other != scope and now - progress.last_at >= patience:
            end(engine, other, None, abandoned=True)
            closed.append(str(other.session))
    return closed


def _unlisted(engine: Engine, scope: Scope, now: int) -> Sequence[Change]:
    return tuple(rows.listed(engine, scope, now, opened=False))


def _waiting(engine: Engine, progress: Progress, *, due: bool) -> bool:
    waiting = progress.observations - progress.checkpointed
    return waiting > 0 and (not due or 0 < engine.profile.sessions.checkpoint_every <= waiting)


def _heading(
    scope: Scope, progress: Progress, seen: Sequence[Observation], at: int | None
) -> Heading:
    moments = [one.at for one in seen] or [progress.last_at]
    return Heading(
        scope=scope,
        started_at=min(moments),
        ended_at=max(moments) if at is None else at,
        checkpoint=progress.checkpoints + 1,
    )


def _closing(
    engine: Engine, scope: Scope, before: Gathered, after: Progress, now: int
) -> Sequence[Change]:
    """The changes that end a session: its summary, its progress, the list of those that run."""
    changes: list[Change] = []
    found, old = before.done, before.summary
    if engine.profile.sessions.summary and (found.sources or found.tools or found.open):
        heading = Heading(
            scope=scope,
            started_at=after.started_at,
            ended_at=after.ended_at or after.last_at,
            abandoned=after.abandoned,
        )
        told = made(engine, found, heading, now, engine.profile.sessions.summary_importance)
        if old is None or old.state is not State.ACTIVE or old.immutable:
            row, summary = written(engine, told, found, now, "summary of a session")
            changes += [*summary, rows.put_summary(engine, scope, now, row.id)]
        elif old.content != told.content:
            changes.append(retold(engine, old, told))
    changes.append(rows.put_progress(engine, scope, now, after, before.held))
    changes += rows.listed(engine, scope, now, opened=False)
    return changes


def _status(scope: Scope, progress: Progress | None, now: int) -> SessionStatus:
    if progress is None:
        return SessionStatus(session=str(scope.session), started_at=now, last_at=now)
    return SessionStatus(
        session=str(scope.session),
        started_at=progress.started_at,
        last_at=progress.last_at,
        ended_at=progress.ended_at,
        abandoned=progress.abandoned,
        observations=progress.observations,
        stored=progress.stored,
        segment=progress.segment,
        checkpoints=progress.checkpoints,
    )

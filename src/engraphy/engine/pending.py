"""The rows in which messages wait for their extraction (C-01): whose they are, how often it was
begun, and who has them.

Whoever begins a job counts the attempt in the store first, and keeps its time fresh while it
works: so a job that ends its process is set aside in the end, and one that takes long is taken up
by nobody else. Every put is guarded by what the row held.
"""

import json
import logging
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from engraphy.engine import forgotten
from engraphy.engine.parts import Engine
from engraphy.errors import ConflictError, UnknownJobError
from engraphy.model import (
    Check,
    Job,
    MICROSECONDS_PER_DAY,
    Message,
    Origin,
    Outcome,
    PutSessionState,
    Role,
    Scope,
    SessionState,
    Tenant,
    View,
)
from engraphy.model.granting import Grant, TokenRole
from engraphy.record import Record

PREFIX = "pending:"
FAILED = "failed:"
DONE = "done:"
_MOST = 1_000
_SECOND = 1_000_000
_TOLD_FOR = 7 * MICROSECONDS_PER_DAY
"""So long what came of a job can be asked."""
_ENDED = "the process that worked on it ended"
_log = logging.getLogger("engraphy")


class Pending(Record, frozen=True, kw_only=True):
    """Messages that wait under `name`: `tries`, how often it was begun; `by`, who has them;
    `renewed`, how often that was said again."""

    name: str
    scope: Scope
    messages: tuple[Message, ...]
    at: int
    tries: int = 0
    by: str = ""
    renewed: int = 0
    why: str = ""
    told: bool = False
    """Whether somebody will ask what came of it."""
    results: tuple[tuple[str, str], ...] = ()
    handed: int = 0
    """When they were handed over, in microseconds UTC; 0 where that is not known."""
    held: Grant | None = None
    """On whose behalf: of the grant its id, role and origin are kept with the messages, so that
    whoever extracts them counts them as what they may count as."""

    def state(self, now: int) -> SessionState:
        """The row under which they wait."""
        return SessionState(scope=self.scope, name=self.name, value=_packed(self), updated_at=now)


def put(engine: Engine, jobs: list[Pending]) -> None:
    """Write new jobs. Raises EngraphyError."""
    now = engine.clock()
    rows = [PutSessionState(state=job.state(now)) for job in jobs]
    engine.store.apply(engine.tenant, rows, now=now, actor=engine.actor)


def begun(engine: Engine, job: Pending, by: str, *, known: bool = True) -> Pending | None:
    """The job with one more attempt, which stands in the store; None where somebody else has it.
    Not `known`: it does not stand in the store yet."""
    mine = replace(job, tries=job.tries + 1, by=by, renewed=0)
    return mine if _swapped(engine, job if known else None, mine) else None


def renewed(engine: Engine, job: Pending) -> Pending | None:
    """The job, its time fresh; None where somebody else has it."""
    again = replace(job, renewed=job.renewed + 1)
    return again if _swapped(engine, job, again) else None


def kept(job: Pending, now: int) -> PutSessionState:
    """What is written with each thing that a job brings in: a conflict where somebody else has the
    job by now."""
    return PutSessionState(state=job.state(now), guarded=True, expected=_packed(job))


def ended(engine: Engine, job: Pending, outcomes: Sequence[Outcome] = ()) -> None:
    """The job is done, and where somebody will ask, what came of it is kept, without a word of it;
    one that somebody else has is theirs."""
    now = engine.clock()
    over = replace(job.state(now), expires_at=now)
    changes = [PutSessionState(state=over, guarded=True, expected=_packed(job))]
    if job.told:
        found = tuple((one.action.value, one.memory.id) for one in outcomes if one.memory)
        name = DONE + job.name.removeprefix(PREFIX)
        done = replace(job, name=name, messages=(), results=found).state(now)
        changes.append(PutSessionState(state=replace(done, expires_at=now + _TOLD_FOR)))
    _applied(engine, changes, now)


def set_aside(engine: Engine, job: Pending, why: str) -> None:
    """A job that failed too often waits under another name, until somebody looks at it."""
    now = engine.clock()
    over = replace(job.state(now), expires_at=now)
    gone = PutSessionState(state=over, guarded=True, expected=_packed(job))
    name = FAILED + job.name.removeprefix(PREFIX)
    kept = PutSessionState(state=replace(job, name=name, why=why).state(now))
    if _applied(engine, [gone, kept], now):
        _log.warning("messages were set aside after %d attempts: %s", job.tries, why)


def left_behind(engine: Engine, by: str) -> Iterator[Pending]:
    """The jobs whose time ran out, claimed by moving it, so that only one process has each; those
    that were begun too often are set aside."""
    knobs, now = engine.profile.write, engine.clock()
    for row in engine.store.session_states(engine.tenant, PREFIX, now=now, limit=_MOST):
        if now - row.updated_at <= knobs.background_lease_seconds * _SECOND:
            continue
        job = _read(row)
        if job is not None and job.tries >= knobs.background_attempts:
            set_aside(engine, job, _ENDED)
        elif job is not None and _swapped(engine, job, mine := replace(job, by=by, renewed=0)):
            yield mine


def listed(engine: Engine, view: View) -> list[Job]:
    """What waits or was set aside, as far as the view may see it, oldest first."""
    found = [
        shown(job)
        for prefix in (FAILED, PREFIX)
        for row in engine.store.session_states(engine.tenant, prefix, now=view.now, limit=_MOST)
        if view.scope.sees(row.scope) and view.session in (None, row.scope.session)
        if (job := _read(row)) is not None
    ]
    return sorted(found, key=lambda one: (one.said_at, one.id))


def queued(engine: Engine, id: str = "") -> list[Job]:
    """Every job of the tenant, what was done lately and somebody may ask for among them, oldest
    first; with an id only that one."""
    now = engine.clock()
    found = [
        shown(job)
        for prefix in (PREFIX, FAILED, DONE)
        for row in engine.store.session_states(engine.tenant, prefix + id, now=now, limit=_MOST)
        if not id or row.name == prefix + id
        if (job := _read(row)) is not None
    ]
    return sorted(found, key=lambda one: (one.said_at, one.id))


def checked(engine: Engine) -> Check:
    """How many jobs of the tenant were set aside, for its operator."""
    now = engine.clock()
    count = len(engine.store.session_states(engine.tenant, FAILED, now=now, limit=_MOST))
    advice = "See them with engraphy jobs; then engraphy retry-job or drop-job" if count else ""
    return Check(name="background", ok=True, detail=f"{count} jobs set aside", advice=advice)


def retaken(engine: Engine, id: str, view: View, by: str) -> Pending:
    """A job that was set aside, waiting anew with no attempt counted. Raises UnknownJobError."""
    job = _failed(engine, id, view)
    now = engine.clock()
    fresh = replace(job, name=PREFIX + id, tries=0, by=by, renewed=0, why="")
    over = replace(job.state(now), expires_at=now)
    gone = PutSessionState(state=over, guarded=True, expected=_packed(job))
    if not _applied(engine, [gone, PutSessionState(state=fresh.state(now))], now):
        raise UnknownJobError(id=id)
    return fresh


def dropped(engine: Engine, id: str, view: View) -> Job:
    """A job that was set aside is gone, its messages with it. Raises UnknownJobError."""
    job = _failed(engine, id, view)
    ended(engine, job)
    return shown(job)


def sweep(engine: Engine, view: View) -> None:
    """A scope was forgotten as a whole: what waits in it, or was set aside, is gone, and what is
    under way, or waits elsewhere, does not come in."""
    apply, tenant, now = engine.store.apply, engine.tenant, view.now
    apply(tenant, list(forgotten.sweep(engine, view)), now=now, actor=engine.actor)
    for prefix in (PREFIX, FAILED):
        for row in engine.store.session_states(tenant, prefix, now=now, limit=_MOST):
            job = _read(row)
            if job is not None and forgotten.is_swept(engine, row.scope, job.handed, now):
                ended(engine, job)


def _failed(engine: Engine, id: str, view: View) -> Pending:
    states = engine.store.session_states(engine.tenant, FAILED + id, now=view.now, limit=_MOST)
    for row in states:
        job = _read(row)
        if row.name == FAILED + id and view.scope.sees(row.scope) and job is not None:
            return job
    raise UnknownJobError(id=id)


def _swapped(engine: Engine, old: Pending | None, new: Pending) -> bool:
    now = engine.clock()
    expected = None if old is None else _packed(old)
    change = PutSessionState(state=new.state(now), guarded=True, expected=expected)
    return _applied(engine, [change], now)


def _applied(engine: Engine, changes: list[PutSessionState], now: int) -> bool:
    """Whether the changes were written; not so where another process has moved the row."""
    tenant = changes[0].state.scope.tenant
    try:
        engine.store.apply(tenant, changes, now=now, actor=engine.actor)
    except ConflictError:
        return False
    return True


def shown(job: Pending) -> Job:
    """A job as it is shown."""
    return Job(
        id=job.name.partition(":")[2],
        scope=job.scope,
        messages=job.messages,
        said_at=job.at,
        attempts=job.tries,
        failed=job.name.startswith(FAILED),
        done=job.name.startswith(DONE),
        results=job.results,
        why=job.why,
    )


def _packed(job: Pending) -> str:
    messages = [
        {"role": m.role, "content": m.content, "at": m.at, "name": m.name, "meta": m.metadata}
        for m in job.messages
    ]
    names = ("at", "handed", "tries", "by", "renewed", "why")
    told = {name: getattr(job, name) for name in names}
    if job.told:
        told["results"] = job.results
    if (held := job.held) is not None:
        told["grant"] = {"id": held.id, "role": held.role, "origin": held.origin}
    return json.dumps({**told, "messages": messages}, ensure_ascii=False)


def _held(tenant: Tenant, told: dict[str, str] | None) -> Grant | None:
    if told is None:
        return None
    role, origin = TokenRole(told["role"]), Origin(told["origin"])
    return Grant(id=told["id"], tenant=tenant, name="", role=role, origin=origin)


def _read(row: SessionState) -> Pending | None:
    try:
        told = json.loads(row.value)
        messages = tuple(
            Message(
                role=Role(one["role"]),
                content=one["content"],
                at=one["at"],
                name=one["name"],
                metadata=tuple((key, value) for key, value in one["meta"]),
            )
            for one in told["messages"]
        )
        return Pending(
            name=row.name,
            scope=row.scope,
            messages=messages,
            at=told["at"],
            tries=told["tries"],
            by=told["by"],
            renewed=told["renewed"],
            why=told["why"],
            told="results" in told,
            results=tuple((action, made) for action, made in told.get("results", ())),
            handed=told.get("handed", 0),
            held=_held(row.scope.tenant, told.get("grant")),
        )
    except (ValueError, TypeError, KeyError) as error:
        _log.warning("pending messages cannot be read: %s", type(error).__name__)
        return None

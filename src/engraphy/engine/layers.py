"""The layers beside plain statements: what happened, how it is done, and where it applies."""

import json
from collections.abc import Mapping, Sequence
from functools import partial

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from engraphy.engine import manage
from engraphy.engine import remember as remembers
from engraphy.engine.parts import Engine
from engraphy.engine.placing import folder
from engraphy.engine.standing import content_hash, own_view, same_walls
from engraphy.errors import (
    ConflictError,
    ContentTooLongError,
    InvalidInputError,
    NotFoundError,
)
from engraphy.model import (
    Action,
    Change,
    Episode,
    EpisodeOutcome,
    Kind,
    Listing,
    Memory,
    Outcome,
    PRIORITY_RANK,
    Procedure,
    PutEpisode,
    PutProcedure,
    PutSessionState,
    Scope,
    Sensitivity,
    SessionState,
    State,
    Tally,
    Update,
    View,
)
from engraphy.record import Record
from engraphy.text.fold import fold_text
from engraphy.text.globs import bound
from engraphy.text.moments import iso
from engraphy.text.paths import normal_path
from engraphy.text.stepped import address, written
from engraphy.write.given import Given
from engraphy.write.intake import safe, storable
from engraphy.write.reminding import finished

_PAGE = 1_000
_ATTEMPTS = 8
_MOST_STEPS = 200
_LONGEST_NAME = 500


class Workflow(Record, frozen=True, kw_only=True):
    """A procedure as a caller gives it: its name, its steps in order, when it applies."""

    name: str
    steps: tuple[str, ...]
    trigger: str = ""
    called: str = ""
    """The name as it may be kept, where that is another."""

    @property
    def content(self) -> str:
        """The text that is searched and shown."""
        return written(self.name, self.steps, self.trigger)

    @property
    def uri(self) -> str:
        """The address under which the newest version of it is found."""
        return address(self.called or self.name)


def workflow(name: object, steps: object, trigger: object, limit: int) -> Workflow:
    """A checked workflow. Raises InvalidInputError, ContentTooLongError."""
    listed = [steps] if isinstance(steps, str) else steps
    if not isinstance(listed, Sequence) or not all(isinstance(one, str) for one in listed):
        raise InvalidInputError(field="steps", got=repr(steps)[:60], allowed="a list of texts")
    if (length := sum(map(len, listed))) > limit:
        raise ContentTooLongError(length=length, limit=limit)
    said = tuple(text for one in listed if (text := storable(one).strip()))
    if not 1 <= len(said) <= _MOST_STEPS:
        allowed = f"1 to {_MOST_STEPS} steps that say something"
        raise InvalidInputError(field="steps", got=f"{len(said)} steps", allowed=allowed)
    called = _line("name", name)
    if len(called) > _LONGEST_NAME:
        allowed = f"a name of 1 to {_LONGEST_NAME:,} characters"
        raise InvalidInputError(field="name", got=f"{len(called):,} characters", allowed=allowed)
    made = Workflow(name=called, steps=said, trigger=_line("trigger", trigger, ""))
    if len(made.content) > limit:
        raise ContentTooLongError(length=len(made.content), limit=limit)
    return made


def _line(field: str, value: object, default: str | None = None) -> str:
    text = " ".join(storable(value).split()) if isinstance(value, str) else ""
    if not text and (default is None or not isinstance(value, str)):
        raise InvalidInputError(field=field, got=repr(value)[:60], allowed="a text")
    return text


_OUTCOMES = frozenset(EpisodeOutcome)


def episode(given: Mapping[str, object]) -> Episode:
    """A checked episode, of no memory yet. Raises InvalidInputError."""
    named = given.get("outcome")
    if not isinstance(named, str) or named not in _OUTCOMES:
        allowed = ", ".join(EpisodeOutcome)
        raise InvalidInputError(field="outcome", got=repr(named)[:60], allowed=allowed)
    began, ended = given.get("started_at"), given.get("ended_at")
    if isinstance(began, int) and isinstance(ended, int) and ended < began:
        allowed = f"a moment after {iso(began)}, when it began"
        raise InvalidInputError(field="ended_at", got=iso(ended), allowed=allowed)
    fields = {key: storable(v) if isinstance(v, str) else v for key, v in given.items()}
    try:
        return msgspec.convert({**fields, "memory_id": ""}, Episode)
    except msgspec.ValidationError as error:
        place = str(error).rpartition("`$.")[2].rstrip("`") or "episode"
        allowed = str(error).partition(" - at")[0]
        raise InvalidInputError(
            field=place, got=repr(given.get(place))[:60], allowed=allowed
        ) from error


def put_episode(
    engine: Engine, text: str, scope: Scope, wanted: Given, at: int | None, *, part: Episode
) -> Outcome:
    """Write what happened together with how it ended (B-01). The same words of what ended otherwise
    are another event."""
    if part.lesson:
        text = f"{text.rstrip()}\nLesson: {part.lesson}"
    old = _told_before(engine, text, scope, wanted)
    known = EpisodeOutcome.UNKNOWN
    if old is not None and part.outcome not in (known, old.outcome) and old.outcome != known:
        text = f"{text.rstrip()}\nOutcome: {part.outcome}"
        old = _told_before(engine, text, scope, wanted)

    def beside(memory: Memory) -> tuple[Change, ...]:
        told = part if old is None or old.memory_id != memory.id else _filled(part, old)
        return (PutEpisode(episode=replace(told, memory_id=memory.id), reason="episode"),)

    return remembers.remember(engine, text, scope, wanted, at, beside=beside)


def _told_before(engine: Engine, text: str, scope: Scope, wanted: Given) -> Episode | None:
    """The episode that the same words tell already, in exactly these walls."""
    view = own_view(_like(scope, wanted), engine.clock())
    same = engine.store.find_hash(view, content_hash(safe(text).text))
    return None if same is None else engine.store.episode(manage.everything(view), same.id)


def _filled(part: Episode, old: Episode) -> Episode:
    """An episode told again: what is not said this time stays known."""
    ended = old.outcome if part.outcome is EpisodeOutcome.UNKNOWN else part.outcome
    return replace(
        part,
        outcome=ended,
        started_at=old.started_at if part.started_at is None else part.started_at,
        ended_at=old.ended_at if part.ended_at is None else part.ended_at,
        lesson=part.lesson or old.lesson,
    )


def _like(scope: Scope, wanted: Given) -> Memory:
    hidden = Sensitivity.PUBLIC if wanted.sensitivity is UNSET else wanted.sensitivity
    return Memory(id="", scope=scope, content="", sensitivity=hidden)


def put_procedure(
    engine: Engine, new: Workflow, scope: Scope, wanted: Given, at: int | None
) -> Outcome:
    """Write a workflow; one of the same name in the same walls becomes its next version, and
    keeps its counts (B-01). Raises ConflictError where other writers never let it in."""
    like = _like(scope, wanted)
    for _ in range(_ATTEMPTS):
        # Read before what it guards: a claim made in between must be missed, not taken for old.
        claim = _claimed(engine, new, like)
        held, old = _held(engine, new, like)
        if old is not None and not new.trigger:
            new = replace(new, trigger=old.trigger)
        if held is not None and held.content != new.content:
            return _retold(engine, held, new, wanted)
        beside = partial(_written, new, held, claim)
        try:
            return remembers.remember(engine, new.content, scope, wanted, at, beside=beside)
        except ConflictError:
            continue
    raise ConflictError(path=engine.store.path, id=new.uri)


def _retold(engine: Engine, held: Memory, new: Workflow, wanted: Given) -> Outcome:
    view = own_view(held, engine.clock())
    beside = partial(_written, new, held, None)
    row = manage.update(engine, held.id, view, new.content, wanted, beside=beside)
    return Outcome(
        action=Action.UPDATED,
        reason=f"version {row.version} of the procedure {new.name}",
        memory=row,
        content=row.content,
    )


def _written(
    new: Workflow, held: Memory | None, claim: PutSessionState | None, memory: Memory
) -> tuple[Change, ...]:
    """What stands beside a workflow's row; the first row of a name claims it, so that two
    processes never write one each."""
    part = Procedure(memory_id=memory.id, name=new.name, steps=new.steps, trigger=new.trigger)
    put = PutProcedure(procedure=part, reason="procedure")
    if held is not None or claim is None:
        return (put,)
    claimed = replace(claim.state, value=json.dumps(memory.id), updated_at=memory.recorded_at)
    return (put, replace(claim, state=claimed))


def _claimed(engine: Engine, new: Workflow, like: Memory) -> PutSessionState:
    """The claim of a name in these walls, over the one that is held."""
    scope = replace(like.scope, session=None)
    name = f"procedure:{like.sensitivity}:{content_hash(new.uri)}"
    state = engine.store.session_state(own_view(like, engine.clock()), name)
    row = SessionState(scope=scope, name=name, value="", updated_at=0)
    return PutSessionState(state=row, guarded=True, expected=None if state is None else state.value)


def _held(
    engine: Engine, wanted: Workflow, like: Memory
) -> tuple[Memory, Procedure] | tuple[None, None]:
    """The workflow of this name in exactly the walls of `like`, of its sensitivity."""
    view = own_view(like, engine.clock())
    listing = Listing(kinds=frozenset({Kind.PROCEDURE}), entity=wanted.uri, limit=_PAGE)
    for row in engine.store.page(replace(view, states=frozenset({State.ACTIVE})), listing):
        if not same_walls(row.scope, like.scope):
            continue
        part = engine.store.procedure(view, row.id)
        if part is not None and fold_text(part.name) == fold_text(wanted.called or wanted.name):
            return row, part
    return None, None


def report(engine: Engine, id: str, view: View, *, success: bool) -> Memory:
    """Count how using a memory went, as following a procedure (B-08), and move its utility (D-43);
    reports of several processes all count."""
    held = manage.get(engine, id, view, touch=False)
    change = Tally(
        id=id,
        successes=int(success),
        failures=int(not success),
        utility_rate=engine.profile.reinforce.utility_rate,
        reason="reported by its user",
    )
    over = finished(held, view.now) if success else None
    ended = [] if over is None else [Update(memory=over, expected=held, reason="done")]
    changes: list[Change] = [*ended, change]
    engine.store.apply(view.scope.tenant, changes, now=view.now, actor=engine.actor)
    return manage.get(engine, id, view, touch=False)


def steps(engine: Engine, id: str, view: View) -> Procedure:
    """The steps of a procedure. Raises NotFoundError where `id` is none."""
    found = engine.store.procedure(manage.everything(view), id)
    if found is None:
        raise NotFoundError(id=id)
    return found


def outcome(engine: Engine, id: str, view: View) -> Episode:
    """How an episode ended. Raises NotFoundError where `id` is none."""
    found = engine.store.episode(manage.everything(view), id)
    if found is None:
        raise NotFoundError(id=id)
    return found


def scoped(engine: Engine, path: str, view: View, limit: int) -> list[Memory]:
    """The memories whose globs hold `path`, as given or as it lies in the project's folder: the
    narrowest glob first, then priority, then importance (B-11)."""
    spelled = {path, normal_path(path, folder(engine, view.scope, view.now))}
    found: list[tuple[int, Memory]] = []
    after: str | None = None
    while True:
        listing = Listing(globbed=True, limit=_PAGE, after=after)
        rows = engine.store.page(view, listing)
        narrow = ((bound(row.scope_globs, spelled), row) for row in rows)
        found += [(width, row) for width, row in narrow if width is not None]
        if len(rows) < _PAGE:
            break
        after = rows[-1].id
    found.sort(key=lambda one: (-one[0], -PRIORITY_RANK[one[1].priority], -one[1].importance))
    return [row for _, row in found[:limit]]

"""What tools bring: one use of a tool becomes a note, or says why not, and is counted in its
session (A-14, A-15)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engraphy.engine import remember as remembers
from engraphy.engine import session_rows as rows
from engraphy.engine.parts import Engine, nothing
from engraphy.engine.placing import folder
from engraphy.engine.screening import screened
from engraphy.engine.sessions import applied, checkpoint
from engraphy.errors import ConflictError
from engraphy.model import (
    Action,
    Change,
    Draft,
    Fact,
    Memory,
    Outcome,
    PutFact,
    Scope,
    State,
    Step,
    Update,
)
from engraphy.record import Record
from engraphy.text.clean import clean
from engraphy.text.longoutput import joined, parts_of
from engraphy.text.moments import iso
from engraphy.text.rewrite import shortened
from engraphy.text.tokens import estimate_tokens
from engraphy.text.toolinput import ToolInput, tool_input
from engraphy.text.tooloutput import excerpt, failed, tool_text, tool_trivial, without_progress
from engraphy.text.tools import role
from engraphy.write.ceiling import at_most
from engraphy.write.intake import own_words, storable
from engraphy.write.progress import (
    Observation,
    Progress,
    Turn,
    restamped,
    stored,
    topic,
    turned,
)
from engraphy.write.toolnote import ToolUse, note, noted, touched

_ATTEMPTS = 8
_COUNTED = 100_000
_RAN = 160


class Event(Record, frozen=True, kw_only=True):
    """One use of a tool as an agent tells it: its name, arguments, result, and files."""

    tool: str
    output: object
    given: Mapping[str, object]
    files_read: Sequence[str] = ()
    files_modified: Sequence[str] = ()


def observe_tool(engine: Engine, event: Event, scope: Scope, at: int | None) -> Outcome:
    """Note a use of a tool where it is worth it, count it in its session, and write the checkpoint
    that is due."""
    now = engine.clock()
    moment = now if at is None else at
    use = used(engine, event, scope, now)
    edited = bool(use.given.edits) and not use.failed
    reason = tool_trivial(use.role, use.given.command, use.text, edited=edited)
    if scope.session is None:
        return _noted(engine, use, scope, moment) if reason is None else _refused(use, reason, None)
    outcome = _in_session(engine, use, scope, moment, reason)
    checkpoint(engine, scope, None, due=True)
    return outcome


def used(engine: Engine, event: Event, scope: Scope, now: int) -> ToolUse:
    """A use of a tool made safe: injected blocks and secrets out, long output cut, files in one
    spelling."""
    does = role(event.tool)
    given = _safe(tool_input(event.given, does))
    whole, limit = tool_text(event.output), engine.profile.sessions.output_chars
    parts = parts_of(whole, limit)
    intake = screened(engine, own_words(parts))
    told = joined(intake.text)
    left_out = max(0, len(whole) - len(parts)) + len(intake.text) - len(told)
    # Of what was not read whole nobody knows how long its runs are.
    if does == "run" and not left_out:
        told = without_progress(told)
    text = excerpt(told, limit, left_out)
    cut = f"{len(told) + left_out:,} characters cut to {len(text):,}"
    steps = intake.steps if text == intake.text else (*intake.steps, Step(stage="cut", detail=cut))
    if given.unread:
        steps += (Step(stage="cut", detail=f"{given.unread:,} characters of edits not read"),)
    went_wrong = failed(event.output, text)
    root = folder(engine, scope, now)
    read, modified = touched(
        does,
        given,
        _paths(event.files_read),
        _paths(event.files_modified),
        root,
        failed=went_wrong,
    )
    return ToolUse(
        tool=event.tool,
        role=does,
        given=given,
        text=text,
        failed=went_wrong,
        files_read=read,
        files_modified=modified,
        tokens=_tokens(whole),
        steps=steps,
    )


def _as_told(engine: Engine, draft: Draft) -> Draft:
    """The draft as it counts for whoever tells it."""
    return replace(draft, memory=at_most(draft.memory, engine.most))


def _tokens(text: str) -> int:
    """About how many tokens an output cost; of a very long one the rest is taken to be as its
    beginning."""
    counted = estimate_tokens(clean(text[:_COUNTED]))
    return counted if len(text) <= _COUNTED else round(counted * len(text) / _COUNTED)


def _paths(files: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(storable, files))


def _safe(given: ToolInput) -> ToolInput:
    return replace(
        given,
        files=_paths(given.files),
        changed=_paths(given.changed),
        command=storable(given.command),
        query=storable(given.query),
        words=storable(given.words),
        edits=tuple((storable(before), storable(after)) for before, after in given.edits),
        open=tuple(storable(one) for one in given.open),
    )


def _refused(use: ToolUse, reason: str, step: Step | None) -> Outcome:
    verdict = Step(stage="tool", detail=reason, passed=False)
    trace = (*use.steps, *([] if step is None else [step]), verdict)
    content = shortened(use.text, _RAN)
    return Outcome(action=Action.SKIPPED, reason=f"tool: {reason}", content=content, trace=trace)


def _noted(engine: Engine, use: ToolUse, scope: Scope, at: int) -> Outcome:
    draft = _as_told(engine, noted(use, scope, at, engine.clock(), None))
    draft, given = _weighed(engine, draft)
    return remembers.take(engine, draft, weighed=given, beside=nothing)


def _in_session(engine: Engine, use: ToolUse, scope: Scope, at: int, reason: str | None) -> Outcome:
    told = _observation(engine, use, at, trivial=reason is not None)
    for _ in range(_ATTEMPTS):
        turn = _seen(engine, scope, told, engine.clock()).turn
        if reason is not None:
            outcome = _refused(use, reason, turn.step)
        else:
            try:
                outcome = _taken(engine, use, scope, told, turn)
            except ConflictError:
                continue
        if outcome.memory is None:
            applied(engine, scope, lambda now: _counted(engine, scope, told, now, None))
        return outcome
    raise ConflictError(path=engine.store.path, id=str(scope.session))


def _taken(engine: Engine, use: ToolUse, scope: Scope, told: Observation, turn: Turn) -> Outcome:
    number = turn.progress.segment if engine.profile.sessions.boundaries else None
    draft = _as_told(engine, noted(use, scope, told.at, engine.clock(), number))
    if turn.step is not None:
        draft = replace(draft, trace=(*draft.trace, turn.step))
    draft, given = _weighed(engine, draft)

    def beside(row: Memory) -> tuple[Change, ...]:
        return tuple(_counted(engine, scope, told, engine.clock(), row))

    return remembers.take(engine, draft, weighed=given, beside=beside)


def _weighed(engine: Engine, draft: Draft) -> tuple[Draft, bool]:
    """The draft with the importance of its kind, and whether the profile has one."""
    wanted = engine.profile.sessions.importance.get(draft.memory.kind.value)
    if wanted is None:
        return draft, False
    return replace(draft, memory=replace(draft.memory, importance=wanted)), True


def _observation(engine: Engine, use: ToolUse, at: int, *, trivial: bool) -> Observation:
    knobs = engine.profile.sessions
    files = (*use.files_modified, *use.files_read)
    words = () if trivial else topic(note(use), files, knobs.keywords)
    ran = use.given.command or (" ".join(files[:1]) if use.role == "write" else "")
    return Observation(
        at=at,
        tool=use.tool,
        files_read=use.files_read,
        files_modified=use.files_modified,
        keywords=words,
        ran=shortened(" ".join(ran.split()), _RAN),
        failed=use.failed,
        plan=use.given.open if use.role == "plan" and not use.failed else None,
    )


class _Seen(Record, frozen=True, kw_only=True):
    """A session as an observation finds it, and what the observation means to it."""

    held: rows.Held
    window: Mapping[int, Observation]
    turn: Turn


def _seen(engine: Engine, scope: Scope, told: Observation, now: int) -> _Seen:
    held = rows.held(engine, scope, now)
    progress = held.progress or Progress(started_at=told.at, last_at=told.at)
    knobs, last = engine.profile.sessions, progress.observations
    first = last - 3 * knobs.window + 1 if knobs.boundaries else last + 1
    window = rows.observations(engine, scope, now, first, last)
    return _Seen(held=held, window=window, turn=turned(progress, told, window, knobs))


def _counted(
    engine: Engine, scope: Scope, told: Observation, now: int, row: Memory | None
) -> Sequence[Change]:
    """The changes that count an observation, and tell that the topic changed."""
    seen = _seen(engine, scope, told, now)
    turn = seen.turn if row is None else stored(seen.turn, row.id, row.kind.value)
    number = turn.progress.observations
    changes: list[Change] = [
        rows.put_observation(engine, scope, now, turn.observation, number),
        rows.put_progress(engine, scope, now, turn.progress, seen.held),
        *rows.listed(engine, scope, now, opened=True),
    ]
    if turn.since is not None:
        moved = {at: one for at, one in seen.window.items() if at >= turn.since}
        changes += _moved(engine, scope, moved, turn.progress.segment, now)
        first = next(iter(moved.values()), turn.observation)
        changes.append(_boundary(engine, scope, first, now))
    return changes


def _moved(
    engine: Engine, scope: Scope, moved: Mapping[int, Observation], segment: int, now: int
) -> Iterator[Change]:
    """What opened a segment before it was seen as one takes its number."""
    for number, one in moved.items():
        yield rows.put_observation(engine, scope, now, restamped(one, segment), number)
    ids = [one.memory_id for one in moved.values() if one.memory_id]
    view = replace(rows.exact(scope, now), states=frozenset(State))
    for memory in engine.store.get(view, ids):
        if not memory.immutable:
            stamped = {**dict(memory.metadata), "segment": str(segment)}
            new = replace(memory, metadata=tuple(sorted(stamped.items())))
            yield Update(memory=new, expected=memory, reason="a new segment of its session")


def _boundary(engine: Engine, scope: Scope, first: Observation, now: int) -> Change:
    fact = Fact(
        id=engine.new_id(now),
        scope=scope,
        subject=f"session:{scope.session}",
        predicate="boundary_at",
        object=str(iso(first.at)),
        valid_from=first.at,
        recorded_at=now,
        updated_at=now,
    )
    return PutFact(fact=fact, reason="boundary of a session")

"""The way in, in one direction: observe, gate, form, embed, near, contradict, judge, weigh,
settle, apply. Everything before `apply` decides; `apply` is the only write."""

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from engraphy.engine.admitting import admitted
from engraphy.engine.afterwards import reconciled
from engraphy.engine.capacity import made_room
from engraphy.engine.ceiling import permitted
from engraphy.engine.embedding import document_vectors
from engraphy.engine.following import followed
from engraphy.engine.lasting import lasting
from engraphy.engine.naming import named
from engraphy.engine.nearness import near_to, twin
from engraphy.engine.noting import advised
from engraphy.engine.parts import Beside, Engine, nothing
from engraphy.engine.prepared import Prepared, still_told
from engraphy.engine.remaining import completed
from engraphy.engine.retracting import requested, retracted
from engraphy.engine.screening import marked, screened
from engraphy.engine.session_rows import segment_marks
from engraphy.engine.standing import content_hash, own_view, standing, told_view
from engraphy.errors import ConflictError, PersonalDataError
from engraphy.model import (
    Action,
    Draft,
    Judgement,
    Memory,
    Message,
    Origin,
    Outcome,
    Reinforce,
    Role,
    Scope,
    State,
    Step,
    View,
)
from engraphy.write.account import compared, importance, understood
from engraphy.write.anew import asked_anew
from engraphy.write.brought import once
from engraphy.write.form import Source, embedded, explicit
from engraphy.write.found_only import found_only
from engraphy.write.gate import repeated, worth
from engraphy.write.given import Given
from engraphy.write.intake import Intake, own_words, safe, too_long
from engraphy.write.judge import duplicate, judge, known_to_be_over
from engraphy.write.origin import begins_sooner, heeded, overrules, overruling, reopened
from engraphy.write.quarantine import quarantined
from engraphy.write.retract import nothing_held
from engraphy.write.settle import Settled, settle
from engraphy.write.stating import Settling
from engraphy.write.told import echoed, told_back
from engraphy.write.weigh import Fixed, weighed

_ATTEMPTS = 8
_UNSHOWN = "(not shown: it holds personal data)"


_Finish = Callable[[Engine, Prepared], Outcome]
"""How a judged draft ends: written, or only told."""
_MADE = frozenset({Action.CREATED, Action.SUPERSEDED, Action.QUARANTINED})


def remember(
    engine: Engine,
    text: str,
    scope: Scope,
    wanted: Given,
    at: int | None,
    *,
    beside: Beside = nothing,
) -> Outcome:
    """Write what a caller asked for by name: never refused for being dull (R-04, R-06). What
    `beside` gives for its row is written with it."""
    now = engine.clock()
    intake = screened(engine, safe(text))
    moment = now if at is None else at
    source = Source(scope=scope, role=Role.USER, at=moment, now=now, most=engine.most)
    wanted = permitted(engine, wanted)
    draft = quarantined(explicit(intake.text, source, wanted, engine.profile.form, intake.steps))
    own = beside is nothing and draft.memory.origin is Origin.USER
    request = requested(engine, intake.text) if own else None
    if request is not None:
        told = retracted(engine, draft, request, write=True)
        done = told is not None and told.memory is not None
        if done and request.rest:
            return remember(engine, request.rest, scope, wanted, at)
        if told is not None and (done or request.value or not request.rest):
            return told
    [vector] = document_vectors(engine, [embedded(draft.memory)])
    prepared = Prepared(
        draft=draft,
        vector=vector,
        given_importance=isinstance(wanted.importance, float | int),
        wanted=wanted,
        beside=beside,
        apart=beside is not nothing,
    )
    return told_back(written(engine, prepared), draft.memory)


def take(engine: Engine, draft: Draft, *, weighed: bool, beside: Beside) -> Outcome:
    """Judge and write a draft that was formed elsewhere (of a tool's output): gates and quarantine
    hold for it. `weighed`: it has its importance already."""
    held = quarantined(draft)
    [vector] = document_vectors(engine, [embedded(held.memory)])
    given = Prepared(draft=held, vector=vector, given_importance=weighed, beside=beside)
    return written(engine, given)


def observe(
    engine: Engine, messages: Sequence[Message], scope: Scope, at: int | None
) -> Iterator[Outcome]:
    """Judge messages and write what is worth it; yields each outcome as it stands in the store."""
    return _each(engine, messages, scope, at, written)


def imagine(
    engine: Engine, messages: Sequence[Message], scope: Scope, at: int | None
) -> Iterator[Outcome]:
    """What `observe` would do to each message, with every stage's verdict; nothing is written, and
    no language model is asked."""
    return _each(replace(engine, model=None), messages, scope, at, _imagined)


def _each(
    engine: Engine, messages: Sequence[Message], scope: Scope, at: int | None, finish: _Finish
) -> Iterator[Outcome]:
    now = engine.clock()
    marks = segment_marks(engine, scope, now)
    for message, known in named(engine, messages, scope):
        moment = message.at if message.at is not None else at
        source = Source(
            scope=scope,
            role=message.role,
            at=now if moment is None else moment,
            now=now,
            speaker=message.name or "",
            known=known,
            metadata=(*message.metadata, *marks),
            most=engine.most,
        )
        yield from heard(engine, message, source, finish)


def heard(engine: Engine, message: Message, source: Source, finish: _Finish) -> Iterator[Outcome]:
    """Judge one message; `finish` ends each draft that comes of it."""
    profile = engine.profile
    if (length := too_long(message.content, profile.write.max_content_chars)) is not None:
        yield _refused(engine, message.content, (length,))
        return
    intake = own_words(message.content)
    try:
        intake = screened(engine, intake)
    except PersonalDataError as error:
        steps = (*intake.steps, Step(stage="pii", detail=str(error), passed=False))
        yield replace(_refused(engine, "", steps), content=_UNSHOWN)
        return
    own = message.role is Role.USER and source.most is Origin.USER
    request = requested(engine, intake.text) if own else None
    if request is not None:
        notice = explicit(intake.text, source, Given(), profile.form, intake.steps)
        if (told := retracted(engine, notice, request, write=finish is not _imagined)) is not None:
            yield told
            if rest := request.rest:
                yield from heard(engine, replace(message, content=rest), source, finish)
            return
        if not request.rest:
            yield _refused(engine, message.content, (*notice.trace, nothing_held()))
            return
    yield from _admitted(engine, message, source, finish, intake)


def _admitted(
    engine: Engine, message: Message, source: Source, finish: _Finish, intake: Intake
) -> Iterator[Outcome]:
    drafts, steps = admitted(engine, message, source, intake)
    if not drafts:
        yield _refused(engine, message.content, steps)
    vectors = document_vectors(engine, [embedded(draft.memory) for draft in drafts])
    for draft, vector in zip(drafts, vectors, strict=True):
        held = quarantined(draft)
        yield finish(engine, Prepared(draft=held, vector=vector, given_importance=False))


def _refused(engine: Engine, content: str, trace: tuple[Step, ...]) -> Outcome:
    last = trace[-1]
    reason = f"{last.stage}: {last.detail}"
    shown = echoed(content, engine.profile.write.max_content_chars)
    return Outcome(action=Action.SKIPPED, reason=reason, content=shown, trace=trace)


def _imagined(engine: Engine, prepared: Prepared) -> Outcome:
    """The outcome as it would be: a row that would be made anew is not there."""
    outcome = _decided(engine, prepared, engine.clock()).outcome
    made = outcome.action in _MADE
    return replace(outcome, memory=None) if made else outcome


def written(engine: Engine, prepared: Prepared) -> Outcome:
    """Decide and apply; where another writer was faster, look again and decide anew."""
    memory = prepared.draft.memory
    prepared = replace(prepared, draft=marked(engine, advised(engine, prepared.draft)))
    for _ in range(_ATTEMPTS):
        now = engine.clock()
        with engine.store.at_once():
            left = still_told(engine, prepared, now)
            if left.outcome is not None:
                return left.outcome
            prepared = left.prepared
            settled = once(_decided(engine, prepared, now), prepared.once)
        if not settled.changes:
            return settled.outcome
        changes = completed(engine, settled.changes)
        if (row := settled.outcome.memory) is not None:
            changes = (*changes, *prepared.beside(row))
        changes = (*followed(engine, settled.outcome, changes, now), *left.changes)
        try:
            engine.store.apply(memory.scope.tenant, changes, now=now, actor=engine.actor)
        except ConflictError:
            continue
        stored = made_room(engine, _as_stored(engine, settled, now), now)
        return reconciled(engine, prepared.draft, stored)
    raise ConflictError(path=engine.store.path, id=memory.id)


def _decided(engine: Engine, prepared: Prepared, now: int) -> Settled:
    draft, profile = prepared.draft, engine.profile
    view = told_view(draft.memory, now, profile.sessions)
    settling = Settling(now=now, new_id=engine.new_id, vector=prepared.vector, profile=profile)
    digest = content_hash(draft.memory.content)
    if draft.memory.valid_from < draft.memory.recorded_at:
        over = engine.store.find_over(view, digest, draft.memory.valid_from)
        if over is not None:
            return settle(draft, draft.memory, known_to_be_over(over), settling)
    same = engine.store.find_hash(view, digest)
    lesser = same if same is not None and _anew(draft.memory, same, now) else None
    if same is not None and lesser is None and not _history(engine, view, draft, same):
        worthy = repeated(draft, same, profile.gate)
        if worthy is not None and not worthy.passed:
            return _dull(_accounted(draft, worthy), worthy, settling)
        again = lasting(draft.memory, profile.write)
        settled = settle(draft, again, duplicate(draft, same), settling)
        settled = heeded(settled, draft.memory, prepared.wanted, profile.inject)
        settled = asked_anew(settled, draft.memory)
        return reopened(settled, draft.memory, profile.sessions)
    near = near_to(engine, view, prepared.draft, prepared.vector)
    near = tuple(one for one in near if lesser is None or one.memory.id != lesser.id)
    settling = replace(settling, near=near)
    stands = standing(engine, view, draft, [one.memory for one in near])
    gate = worth(draft, near, bool(stands.held), profile.gate)
    draft = _accounted(draft, *understood(draft.memory), *compared(draft, near, stands), gate)
    if gate is not None and not gate.passed:
        return _dull(draft, gate, settling)
    fixed = Fixed(importance=prepared.given_importance, priority=prepared.ranked)
    surprise = None if gate is None else gate.value
    memory = weighed(draft, near, profile.weigh, fixed, surprise)
    memory = found_only(lasting(memory, profile.write), prepared.wanted, profile.inject)
    draft = _accounted(draft, importance(memory))
    alike = () if prepared.apart else near
    judgement = judge(draft, alike, stands, memory.importance, profile.judge)
    settled = settle(draft, memory, judgement, settling)
    if lesser is not None:
        settled = overruling(settled, lesser, settling)
    elif (same := twin(engine, view, settled.outcome)) is not None:
        settled = settle(draft, memory, duplicate(draft, same), settling)
    heard = heeded(settled, draft.memory, prepared.wanted, profile.inject)
    return asked_anew(heard, draft.memory)


def _anew(new: Memory, held: Memory, now: int) -> bool:
    return overrules(new, held) or begins_sooner(new, held, now)


def _dull(draft: Draft, gate: Step, settling: Settling) -> Settled:
    reason = f"{gate.stage}: {gate.detail}"
    return settle(draft, draft.memory, Judgement(decision="skip", reason=reason), settling)


def _accounted(draft: Draft, *steps: Step | None) -> Draft:
    return replace(draft, trace=(*draft.trace, *(one for one in steps if one is not None)))


def _history(engine: Engine, view: View, draft: Draft, same: Memory) -> bool:
    """Whether the same text is told of an earlier time, between which and now it did not hold."""
    earlier = draft.memory.valid_from < same.valid_from and engine.profile.judge.supersede
    return earlier and bool(standing(engine, view, draft).later)


def _as_stored(engine: Engine, settled: Settled, now: int) -> Outcome:
    """The outcome with the row as it stands; only a reinforcement changes it further."""
    memory = settled.outcome.memory
    if memory is None or not any(isinstance(c, Reinforce) for c in settled.changes):
        return settled.outcome
    view = replace(own_view(memory, now), states=frozenset(State))
    stored = engine.store.get(view, [memory.id])
    return replace(settled.outcome, memory=stored[0] if stored else memory)

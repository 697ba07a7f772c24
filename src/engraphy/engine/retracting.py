"""A user's request to take something back ("forget what I said about MongoDB"), carried out on
the user's own memories of exactly the same walls; nothing is erased."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engraphy.dream.retelling import made_at_rest
from engraphy.engine.edit import summaries
from engraphy.engine.parts import Engine
from engraphy.engine.remaining import completed
from engraphy.engine.standing import (
    content_hash,
    derived,
    own_view,
    same_walls,
    sayers,
    told_view,
)
from engraphy.engine.themes import told_in_themes, without
from engraphy.errors import ConflictError
from engraphy.model import (
    Change,
    Draft,
    Evidence,
    FactFilter,
    Memory,
    Outcome,
    Sensitivity,
    State,
    View,
)
from engraphy.text.retraction import Retraction, concerns, names_a_part, retraction
from engraphy.text.valued import is_value
from engraphy.write.remainder import split_off
from engraphy.write.retract import (
    Taking,
    asked_anew,
    meant,
    noted,
    outcome,
    parts_left,
    refused,
    said_by,
    sorted_out,
    taken_back,
)
from engraphy.write.stating import Settling
from engraphy.write.taking import valued, what_is_left
from engraphy.write.untold import untold

_ATTEMPTS = 8
_MOST = 500
_LIVING = frozenset({State.ACTIVE, State.DORMANT, State.ARCHIVED})


def requested(engine: Engine, text: str) -> Retraction | None:
    """What a user's own words ask to take back, where the profile lets words supersede."""
    return retraction(text) if engine.profile.judge.supersede else None


def retracted(engine: Engine, draft: Draft, request: Retraction, *, write: bool) -> Outcome | None:
    """The outcome of a request; with `write`, after it was carried out. None for a value that no
    memory names: it was no request.

    Where another writer was faster, looks again. Raises ConflictError.
    """
    if request.everything:
        return refused(draft.memory.content, draft.trace)
    for attempt in range(_ATTEMPTS):
        now = engine.clock()
        notice = noted(draft.memory, engine.new_id(now))
        taking = _retold(engine, _taking(engine, notice, request, now), notice, now)
        told = outcome(notice, taking, draft.trace)
        if taking.empty:
            return None if request.value and not (taking.kept or taking.naming) else told
        if not write:
            return replace(told, memory=None)
        changes = completed(engine, _changes(engine, notice, taking, now))
        try:
            engine.store.apply(notice.scope.tenant, changes, now=now, actor=engine.actor)
        except ConflictError:
            if attempt == _ATTEMPTS - 1:
                raise
            continue
        return told
    raise ConflictError(path=engine.store.path, id=draft.memory.id)


def _taking(engine: Engine, notice: Memory, request: Retraction, now: int) -> Taking:
    own = told_view(notice, now, engine.profile.sessions)
    view = replace(own, sensitivities=frozenset(Sensitivity), states=_LIVING, session=None)
    spoken = told_in_themes(engine, view, _spoken_of(engine, view, request))
    found = {one.id: one for one in spoken}
    limit = engine.profile.judge.supersede_whole_chars
    if request.value:
        taking = _valued(engine, view, notice, request, list(found.values()))
        told = taking.kept or len(taking.naming) > 1 or not names_a_part(request)
        if told or not taking.empty:
            return taking
        request = replace(request, value="")
    taking = sorted_out(meant(notice, request, found.values()), limit)
    parts = {old.id: text for old, text in parts_left(request, taking.whole)}
    facts = [
        fact
        for one in taking.whole
        for fact in derived(engine, view, one)
        if not said_by(parts.get(one.id, ""), fact, one)
    ]
    long = [one for one, why in taking.kept if not (one.pinned or one.immutable) and why]
    facts += [
        fact
        for one in long
        for fact in derived(engine, view, one)
        if concerns(f"{fact.subject} {fact.object}", request) or request.attribute in fact.predicate
    ]
    left = tuple((one, parts[one.id]) for one in taking.whole if one.id in parts)
    ended = tuple(one for one in facts if one.valid_until is None)
    return replace(taking, facts=ended, parts=left)


def _valued(
    engine: Engine, view: View, notice: Memory, request: Retraction, found: Sequence[Memory]
) -> Taking:
    """What the name of a value alone takes back: of a statement that says more, only that part."""
    named = valued(notice, request, found)
    taking = sorted_out(named.taken, engine.profile.judge.supersede_whole_chars)
    told = [fact for one in named.taken for fact in derived(engine, view, one)]
    held = [one for one in told if one.valid_until is None]
    parts = tuple(what_is_left(notice, request, taking.whole, held))
    only = {one.id for one, _ in (*parts, *taking.kept)}
    spared = {one.id for one, _ in taking.kept if one.pinned or one.immutable}
    facts = [
        one
        for one in held
        if one.source_id not in spared
        if one.source_id not in only or is_value(one.object, request.value)
    ]
    given = FactFilter(object=request.subject, limit=_MOST)
    facts += [
        one
        for one in engine.store.facts(view, given)
        if one.source_id is None and same_walls(one.scope, view.scope)
    ]
    return replace(taking, facts=tuple(facts), parts=parts, naming=named.naming)


def _retold(engine: Engine, taking: Taking, notice: Memory, now: int) -> Taking:
    """What is taken back, with the summaries of sessions that told it; one that is protected stays
    as it is, and is named."""
    if not taking.whole:
        return taking
    view = replace(
        own_view(notice, now), states=frozenset(State), sensitivities=frozenset(Sensitivity)
    )
    telling = [one for one in summaries(engine, taking.whole, view) if one.state in _LIVING]
    gone = [text for row in taking.whole for text in _as_told(engine, view, row)]
    ids = {row.id for row in taking.whole}
    free = [one for one in telling if not one.immutable]
    again = [
        (one, without(engine, view, one, ids))
        if made_at_rest(one)
        else (one, untold(one, gone, _sources(engine, view, one, ids)))
        for one in free
    ]
    stays = tuple((one, "immutable") for one in telling if one.immutable)
    changed = tuple((one, told) for one, told in again if told is not one)
    return replace(taking, kept=(*taking.kept, *stays), summaries=changed)


def _as_told(engine: Engine, view: View, row: Memory) -> Iterator[Memory]:
    """A memory as a summary may have read it: as it stands, and with each earlier text."""
    yield row
    for old in engine.store.versions(view, row.id):
        yield replace(row, content=old.content, title=old.title)


def _sources(engine: Engine, view: View, summary: Memory, gone: set[str]) -> list[Memory]:
    ids = [one for one in summary.source_ids if one not in gone]
    return [one for one in engine.store.get(view, ids) if one.evidence is not Evidence.RETRACTED]


def _changes(engine: Engine, notice: Memory, taking: Taking, now: int) -> Iterator[Change]:
    before = engine.store.find_hash(own_view(notice, now), content_hash(notice.content))
    if before is not None and not before.immutable:
        # The same words took something back before: that notice makes room for this one.
        yield from asked_anew(notice, before)
        taking = replace(taking, whole=tuple(o for o in taking.whole if o.id != before.id))
    yield from taken_back(notice, taking, now)
    settling = Settling(now=now, new_id=engine.new_id, vector=None, profile=engine.profile)
    for old, text in taking.parts:
        yield from split_off(old, notice, text, settling)


def _spoken_of(engine: Engine, view: View, request: Retraction) -> Iterator[Memory]:
    # A known name may stand in the texts under another one of its spellings.
    said = " ".join((request.written, request.subject, *(slot.value for slot in request.said)))
    yield from sayers(engine, view, said, _MOST)
    if request.attribute:
        wanted = FactFilter(predicate=request.attribute, limit=_MOST)
        facts = [
            one for one in engine.store.facts(view, wanted) if same_walls(one.scope, view.scope)
        ]
        ids = [fact.source_id for fact in facts if fact.source_id]
        yield from engine.store.get(view, ids)

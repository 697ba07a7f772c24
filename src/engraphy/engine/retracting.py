"""A user's request to take something back ("forget what I said about MongoDB"), carried out on
the user's own memories of exactly the same walls; nothing is erased."""

from collections.abc import Iterator
from dataclasses import replace

from engraphy.engine.embedding import reembedded
from engraphy.engine.parts import Engine
from engraphy.engine.standing import derived, own_view, same_walls, sayers
from engraphy.errors import ConflictError
from engraphy.model import (
    Draft,
    FactFilter,
    Memory,
    Outcome,
    Sensitivity,
    State,
    View,
)
from engraphy.text.retraction import Retraction, concerns, retraction
from engraphy.write.retract import (
    Taking,
    meant,
    noted,
    outcome,
    refused,
    sorted_out,
    taken_back,
)

_ATTEMPTS = 8
_MOST = 500
_LIVING = frozenset({State.ACTIVE, State.DORMANT, State.ARCHIVED})


def requested(engine: Engine, text: str) -> Retraction | None:
    """What a user's own words ask to take back, where the profile lets words supersede."""
    return retraction(text) if engine.profile.judge.supersede else None


def retracted(engine: Engine, draft: Draft, request: Retraction, *, write: bool) -> Outcome:
    """The outcome of a request; with `write`, after it was carried out.

    Where another writer was faster, looks again. Raises ConflictError.
    """
    if request.everything:
        return refused(draft.memory.content, draft.trace)
    for attempt in range(_ATTEMPTS):
        now = engine.clock()
        notice = noted(draft.memory, engine.new_id(now))
        taking = _taking(engine, notice, request, now)
        told = outcome(notice, taking, draft.trace)
        if taking.empty or not write:
            return told if taking.empty else replace(told, memory=None)
        changes = reembedded(engine, taken_back(notice, taking, now))
        try:
            engine.store.apply(notice.scope.tenant, changes, now=now, actor=engine.actor)
        except ConflictError:
            if attempt == _ATTEMPTS - 1:
                raise
            continue
        return told
    raise ConflictError(path=engine.store.path, id=draft.memory.id)


def _taking(engine: Engine, notice: Memory, request: Retraction, now: int) -> Taking:
    view = replace(
        own_view(notice, now), sensitivities=frozenset(Sensitivity), states=_LIVING, session=None
    )
    found = {one.id: one for one in _spoken_of(engine, view, request)}
    limit = engine.profile.judge.supersede_whole_chars
    taking = sorted_out(meant(notice, request, found.values()), limit)
    facts = [fact for one in taking.whole for fact in derived(engine, view, one)]
    long = [one for one, why in taking.kept if not (one.pinned or one.immutable) and why]
    facts += [
        fact
        for one in long
        for fact in derived(engine, view, one)
        if concerns(f"{fact.subject} {fact.object}", request) or request.attribute in fact.predicate
    ]
    return replace(taking, facts=tuple(one for one in facts if one.valid_until is None))


def _spoken_of(engine: Engine, view: View, request: Retraction) -> Iterator[Memory]:
    said = " ".join(slot.value for slot in request.said)
    yield from sayers(engine, view, request.subject or said, _MOST)
    if request.attribute:
        wanted = FactFilter(predicate=request.attribute, limit=_MOST)
        facts = [
            one for one in engine.store.facts(view, wanted) if same_walls(one.scope, view.scope)
        ]
        ids = [fact.source_id for fact in facts if fact.source_id]
        yield from engine.store.get(view, ids)

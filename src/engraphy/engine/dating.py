"""A question with words of time: the events it is dated by, and what held at its time (D-14)."""

from collections.abc import Sequence

from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.model import Candidate, Kind, Listing, Memory, State, Term, View
from engraphy.read.query import Asked
from engraphy.record import Record
from engraphy.text import upcoming
from engraphy.text.analyser import analyse, query_terms
from engraphy.text.dates import dates
from engraphy.text.imprint import ends_in_question
from engraphy.text.timeframe import Anchor, Side, Stretch

_LOOKED_AT = 20
_MOST_ANCHORS = 2
_MOST_WORDS = 12
_MOST_NAMES = 48
_LOOKED_THROUGH = 60
"""Memories with the name of a day that are read for whether they tell of it."""
_COVERED = 0.5
"""Share of an event's words that a memory must hold to tell of it."""


Near = tuple[str | None, Sequence[float] | None]


class Then(Record, frozen=True, kw_only=True):
    """What a question about a time that is over sees beside what holds now: ids of what held
    then, and of what stands behind it: what took its place afterwards, and plans that are over."""

    held: frozenset[str] = frozenset()
    late: frozenset[str] = frozenset()
    candidates: tuple[Candidate, ...] = ()


def dated(engine: Engine, asked: Asked, view: View) -> Asked:
    """The question with the events it is dated by put in as stretches of time."""
    if not engine.profile.search.anchors or not asked.anchors:
        return asked
    wide = replace(view, states=view.states | {State.SUPERSEDED})
    events = [(one.side, _event(engine, one, wide)) for one in asked.anchors[:_MOST_ANCHORS]]
    found = [(side, row) for side, row in events if row is not None]
    stretches = (*asked.stretches, *(_stretch(side, row) for side, row in found))
    return replace(asked, stretches=stretches, events=frozenset(row.id for _, row in found))


def _event(engine: Engine, anchor: Anchor, view: View) -> Memory | None:
    """The memory that tells of an event; None where none does."""
    terms = query_terms(anchor.event, limit=_MOST_WORDS)
    asked = [Term(term=t.term, surface=t.surface, weight=t.weight) for t in terms]
    matches = engine.store.search_text(view, asked, _LOOKED_AT).matches
    rows = engine.store.get(view, [match.id for match in matches])
    told = [row for row in rows if not ends_in_question(row.content)]
    best = max(told, key=lambda row: _covered(row, asked), default=None)
    return best if best is not None and _covered(best, asked) >= _COVERED else None


def _stretch(side: Side, event: Memory) -> Stretch:
    if side == "during":
        return Stretch(begin=event.valid_from, until=event.valid_until, sharp=True)
    at = _happened(event)
    if side == "before":
        return Stretch(begin=None, until=at, sharp=True)
    return Stretch(begin=at, until=None, sharp=True)


def _covered(row: Memory, asked: Sequence[Term]) -> float:
    held = frozenset(analyse(row.content))
    words = {term.surface for term in asked}
    found = {term.surface for term in asked if term.term in held}
    return len(found) / max(len(words), 1)


def _happened(row: Memory) -> int:
    """When what a memory tells happened: at the past date it names, or when it was told."""
    named = [one.begin for one in dates(row.content, now=row.valid_from, told=True)]
    return min([row.valid_from, *named])


def past_view(engine: Engine, asked: Asked, view: View) -> View:
    """The view of a question about a time that is over: what was superseded is seen too."""
    if not _sees_plans(engine, asked, view) and not _over(engine, asked, view):
        return view
    return replace(view, states=view.states | {State.SUPERSEDED})


def _sees_plans(engine: Engine, asked: Asked, view: View) -> bool:
    """Whether plans that are over are looked for: a question, asked of now, wants a time."""
    return engine.profile.search.planned and asked.asks_when and _of_now(view)


def _of_now(view: View) -> bool:
    return view.as_of is None and State.SUPERSEDED not in view.states


def _over(engine: Engine, asked: Asked, view: View) -> list[Stretch]:
    """The stretches of the question that lie before now, where it is asked of now."""
    if not engine.profile.search.past or not _of_now(view):
        return []
    return [one for one in asked.stretches if one.until is not None and one.until <= view.now]


def held_then(
    engine: Engine,
    asked: Asked,
    view: View,
    ids: Sequence[str],
    candidates: Sequence[Candidate],
    *,
    near: Near,
) -> Then:
    """Of `ids` those that hold no longer and did in a stretch that is over, and plans that are
    over where the question asks when; `near`: the model and the vector that candidates are
    compared with."""
    over, planned = _over(engine, asked, view), _sees_plans(engine, asked, view)
    if not (over or planned):
        return Then()
    known = {one.id for one in candidates}
    others = [one for one in ids if one not in known]
    if not others:
        return Then()
    wide = past_view(engine, asked, view)
    ended = engine.store.get(wide, others)
    rows = [row for row in ended if any(one.meets(row.valid_from, row.valid_until) for one in over)]
    plans = [
        row for row in ended if planned and row.kind == Kind.PLAN and row.state == State.ACTIVE
    ]
    held = frozenset(row.id for row in rows)
    over_now = frozenset(row.id for row in plans) - held
    taken = {row.superseded_by for row in rows}
    end = max((one.until or 0 for one in over), default=0)
    late = over_now.union(one.id for one in candidates if one.id in taken and one.valid_from >= end)
    if not held | over_now:
        return Then(late=late)
    model, vector = near
    light = engine.store.candidates(wide, sorted(held | over_now), model_id=model, vector=vector)
    return Then(held=held, late=late, candidates=tuple(light))


def happened_then(engine: Engine, asked: Asked, view: View) -> list[str]:
    """Ids of what happened, or is to happen, in the stretches of a question that asks for nothing
    but a time."""
    most = engine.profile.search.dated
    found: list[str] = []
    for one in asked.stretches if most and asked.only_time else ():
        if one.until is not None and one.until > view.now:
            found += _planned_for(engine, one, view)[:most]
        if one.begin is None or one.begin <= view.now:
            listing = Listing(since=one.begin, until=one.until, order="happened", limit=most)
            found += (row.id for row in engine.store.page(view, listing))
    return found


def _planned_for(engine: Engine, stretch: Stretch, view: View) -> list[str]:
    """Ids of what names a day of a stretch that is to come."""
    terms = query_terms(upcoming.named(stretch), limit=_MOST_NAMES)
    asked = [Term(term=t.term, surface=t.surface, weight=t.weight) for t in terms]
    if not asked:
        return []
    matches = engine.store.search_text(view, asked, _LOOKED_THROUGH).matches
    rows = engine.store.get(view, [match.id for match in matches])
    return [row.id for row in rows if upcoming.tells_of(row.content, row.valid_from, stretch)]

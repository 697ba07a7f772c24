"""What answers a question after all that is known, or after one thing of who asks: by the kinds of
memories, and by the facts of who asks, which say it without a word of the question."""

from collections.abc import Iterator, Sequence

from engraphy.engine.parts import Engine
from engraphy.model import Fact, FactFilter, Kind, Listing, Memory, Origin, View
from engraphy.read.measure import distinct
from engraphy.read.query import Asked
from engraphy.text.aims import prefers
from engraphy.text.analyser import analyse
from engraphy.text.imprint import code
from engraphy.text.overall import Overall, introducing, tells
from engraphy.write.summary import SESSION_SUMMARY

_TELLING = (Origin.USER, Origin.AGENT, Origin.IMPORT)
"""Whose memories tell of the user, the surest first: no output of tools, no page."""
_ASKER = "user"
_SESSIONS, _LAST = 2, 8
"""So many sessions that ended tell what was done last; without any so many memories."""
_EACH, _LISTED, _FIRST = 5, 200, 20
"""So many facts of one attribute are looked at, so many where no single one is named, and so many
of the first things that were said."""


def all_of(engine: Engine, question: Asked, view: View) -> list[str]:
    """Ids of what answers a question after all that is known, or all of some kinds: the most
    important first, what the user said before what an agent noted."""
    most = engine.profile.search.overall
    kinds = question.overall.kinds if question.overall is not None else None
    found = _done_last(engine, view, most) if question.overall and question.overall.latest else []
    for origin in _TELLING if kinds is not None else ():
        if room := most - len(found):
            listing = Listing(
                kinds=kinds or frozenset(), origin=origin, order="importance", limit=room
            )
            found += (row.id for row in engine.store.page(view, listing))
    if kinds is not None and Kind.PREFERENCE in kinds:
        found += _corrected(engine, view, most)
    return found


def _done_last(engine: Engine, view: View, most: int) -> list[str]:
    """Ids of the summaries of the last sessions; where there is none, of what was told last."""
    if not most:
        return []
    kinds = frozenset({Kind.SUMMARY})
    ended = Listing(kinds=kinds, category=SESSION_SUMMARY, limit=min(most, _SESSIONS))
    if found := engine.store.page(view, ended):
        return [row.id for row in found]
    told = (Listing(origin=one, limit=min(most, _LAST)) for one in _TELLING[:2])
    rows = [row for one in told for row in engine.store.page(view, one)]
    rows.sort(key=lambda row: (row.valid_from, row.id), reverse=True)
    return [row.id for row in rows[:_LAST]]


def _corrected(engine: Engine, view: View, most: int) -> list[str]:
    """Ids of the user's corrections that say what they prefer ("I'd rather take the train now")."""
    corrections = Listing(
        kinds=frozenset({Kind.CORRECTION}), origin=Origin.USER, order="importance", limit=most
    )
    rows = engine.store.page(view, corrections)
    return [row.id for row in rows if prefers(b"".join(map(code, analyse(row.content))))]


def told_of(engine: Engine, question: Asked, view: View, ids: Sequence[str]) -> list[str]:
    """Ids of the memories that state what a question asks of who asks it; none for another
    question, and none where it is asked of another moment. `ids`: of what was found for it."""
    wanted, most = question.overall, engine.profile.search.overall
    if not most or wanted is None or view.as_of is not None or view.known_at is not None:
        return []
    found = _sources(_stated(engine, view, wanted.attributes))
    if wanted.newest:
        return _newest(engine, view, wanted, [*found, *ids])
    if not found and wanted.told:
        found = [row.id for row in _near(engine, view, ids) if tells(wanted.told, row.content)]
    return found[:most]


def _newest(engine: Engine, view: View, wanted: Overall, ids: Sequence[str]) -> list[str]:
    """Ids of what tells what is wanted, what was told last first."""
    promise = wanted.told == "promise"
    by = _TELLING[:2] if promise else (Origin.USER,)
    last = [Listing(origin=one, limit=_LISTED if promise else _FIRST) for one in by]
    near = [row for one in last for row in engine.store.page(view, one)]
    near += engine.store.get(view, [*_sources(_stated(engine, view, wanted.attributes)), *ids])
    told = {row.id: row for row in near if row.origin in by and tells(wanted.told, row.content)}
    rows = sorted(told.values(), key=lambda row: (row.valid_from, row.id), reverse=True)
    return [row.id for row in rows[: wanted.newest]]


def _stated(engine: Engine, view: View, attributes: Sequence[str]) -> Iterator[Fact]:
    for one in attributes:
        if not one.endswith(":"):
            named = FactFilter(subject=_ASKER, predicate=one, limit=_EACH)
            yield from engine.store.facts(view, named)
    narrower = tuple(one for one in attributes if one.endswith(":"))
    if narrower:
        listed = engine.store.facts(view, FactFilter(subject=_ASKER, limit=_LISTED))
        yield from (one for one in listed if one.predicate.startswith(narrower))


def _sources(facts: Iterator[Fact]) -> list[str]:
    return distinct(one.source_id for one in facts if one.source_id is not None)


def _near(engine: Engine, view: View, ids: Sequence[str]) -> list[Memory]:
    """What tells something of who asks, what was told first, and what was found, of the user's."""
    first = Listing(origin=Origin.USER, order="oldest", limit=_FIRST)
    known = _sources(_stated(engine, view, introducing()))
    told = [*engine.store.page(view, first), *engine.store.get(view, distinct([*known, *ids]))]
    return [row for row in told if row.origin is Origin.USER]

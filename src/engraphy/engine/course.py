"""The course of one subject: everything that was told of it, oldest first (D-14)."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engraphy.engine.known import as_shown
from engraphy.engine.manage import is_id
from engraphy.engine.parts import Engine
from engraphy.engine.relating import addresses
from engraphy.model import (
    FactFilter,
    Listing,
    Memory,
    RelationType,
    State,
    Timeline,
    TimelineEntry,
    View,
)
from engraphy.read.query import asked
from engraphy.text.mentions import Subject

_MOST = 1_000
_STEPS = 64
"""How far a chain of supersessions is followed to each side."""
_TOLD = frozenset({State.ACTIVE, State.SUPERSEDED, State.DORMANT, State.ARCHIVED})
_SUPERSEDES = frozenset({RelationType.SUPERSEDES.value})


def course(engine: Engine, subject: str, view: View, limit: int) -> Timeline:
    """What was told of a subject, each text that it was told in, and what took whose place.

    `subject`: words, a name, an entity's address or the id of a memory. What superseded a memory
    of the subject, or was superseded by one, belongs to its course.
    """
    wide = replace(view, states=view.states | _TOLD)
    found = as_shown(wide, list(_followed(engine, wide, _told_of(engine, subject, wide)).values()))
    rows = sorted(found, key=lambda m: (m.valid_from, m.recorded_at, m.id))[-limit:]
    entries = [entry for row in rows for entry in _entries(engine, wide, row)]
    entries.sort(key=lambda entry: (entry.since, entry.recorded_at))
    return Timeline(subject=subject, entries=tuple(entries), memories=tuple(rows))


def _told_of(engine: Engine, subject: str, view: View) -> list[Memory]:
    """The memories that hold the subject's words, are labelled with it, or state a fact of it."""
    if is_id(engine, subject.strip(), view):
        return engine.store.get(view, [subject.strip()])
    store, question = engine.store, asked(subject, view.now)
    matches = store.search_text(view, question.terms, _MOST).matches
    wanted = Subject(subject)
    found = [
        row
        for row in store.get(view, [match.id for match in matches])
        if wanted.mentioned(f"{row.title} {row.content} {row.context} {row.speaker}")
    ]
    for address in addresses(subject):
        found += store.page(view, Listing(entity=address, limit=_MOST))
    facts = store.facts(view, FactFilter(subject=subject.strip(), current=False, limit=_MOST))
    return found + store.get(view, [fact.source_id for fact in facts if fact.source_id])


def _followed(engine: Engine, view: View, rows: Sequence[Memory]) -> dict[str, Memory]:
    """The rows with all that superseded them and all that they superseded."""
    found = {row.id: row for row in rows}
    edge: Iterable[Memory] = list(rows)
    for _ in range(_STEPS):
        ends = {end for row in edge for end in (row.superseded_by, row.supersedes) if end}
        edge = engine.store.get(view, sorted(ends - found.keys()))
        if not edge or len(found) > _MOST:
            break
        found |= {row.id: row for row in edge}
    return found


def _entries(engine: Engine, view: View, row: Memory) -> list[TimelineEntry]:
    """One entry per text of a memory: each earlier one up to its edit, the last up to what took
    the memory's place."""
    versions = engine.store.versions(view, row.id) if row.version > 1 else []
    starts = [row.recorded_at, *(version.replaced_at for version in versions)]
    texts = [*((v.version, v.content) for v in versions), (row.version, row.content)]
    ends = [*starts[1:], _taken_at(engine, view, row)]
    taken = _place_of(engine, view, row)
    return [
        TimelineEntry(
            memory_id=row.id,
            version=number,
            content=content,
            kind=row.kind,
            state=row.state,
            since=row.valid_from,
            until=row.valid_until,
            recorded_at=start,
            replaced_at=end,
            superseded_by=row.superseded_by if number == row.version else None,
            supersedes=taken if place == 0 else (),
        )
        for place, ((number, content), start, end) in enumerate(
            zip(texts, starts, ends, strict=True)
        )
    ]


def _taken_at(engine: Engine, view: View, row: Memory) -> int | None:
    if row.superseded_by is None:
        return None
    found = engine.store.get(view, [row.superseded_by])
    return found[0].recorded_at if found else None


def _place_of(engine: Engine, view: View, row: Memory) -> tuple[str, ...]:
    """Ids of what a memory superseded, as a whole or in part."""
    links = engine.store.relations(view, [row.id], types=_SUPERSEDES)
    linked = [link.target_id for link in links if link.source_id == row.id]
    own = [row.supersedes] if row.supersedes else []
    return tuple(dict.fromkeys([*own, *linked]))

"""What newer statements say of the best hits: those that speak of what is asked stand among the
hits already, those that only name what a hit names are looked for."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engraphy.engine.known import as_known
from engraphy.engine.parts import Engine
from engraphy.model import Candidate, Memory, Term, View
from engraphy.read.measure import Pool, distinct
from engraphy.read.renewal import Likely, likely, names, naming, placed, speaking, stated
from engraphy.read.select import Scored
from engraphy.text.analyser import query_terms

_FOUND, _RARE = 12, 10
"""How many memories are looked at that hold a name, and how many may hold it: what is named
everywhere tells nothing apart."""


def renewing(engine: Engine, rows: list[Scored], pool: Pool, view: View) -> list[Scored]:
    """The ranking with the older hits marked that a newer statement probably takes the place of."""
    knobs, own = engine.profile.aim, stated(rows)
    if not own or (knobs.newer_likely >= 1.0 and knobs.newer_named >= 1.0):
        return rows
    pairs = speaking(own, pool) if knobs.newer_likely < 1.0 else []
    ids = distinct([own[0].id, *(one.old for one in pairs), *(one.new for one in pairs)])
    texts = {one.id: one.content for one in _read(engine, view, ids)}
    if knobs.newer_named < 1.0:
        told = names(texts.get(own[0].id, ""), pool.asked.words)
        later = {one.id: one.content for one in _holding(engine, view, told, own[0])}
        pairs += naming(own[0].id, told, later)
        texts |= later
    found = likely(pairs, texts, pool, knobs) if pairs else []
    return placed(_with(engine, view, rows, found), found, knobs) if found else rows


def _read(engine: Engine, view: View, ids: Sequence[str]) -> list[Memory]:
    return as_known(engine, view, engine.store.get(view, ids)) if ids else []


def _holding(engine: Engine, view: View, told: Sequence[str], old: Scored) -> list[Memory]:
    """What its speaker told later than a hit, and holds one of the names."""
    terms = [
        Term(term=one.term, surface=one.surface, weight=one.weight)
        for name in told
        for one in query_terms(name, limit=2)
    ]
    result = engine.store.search_text(view, terms, _FOUND) if terms else None
    if result is None or min(dict(result.document_frequency).values(), default=0) > _RARE:
        return []
    one = old.measured.candidate
    return [
        row
        for row in _read(engine, view, [match.id for match in result.matches])
        if (row.speaker, row.data_source) == (one.speaker, one.data_source)
        and row.valid_from > one.valid_from
    ]


def _with(
    engine: Engine, view: View, rows: Sequence[Scored], found: Sequence[Likely]
) -> list[Scored]:
    return brought(engine, view, rows, {one.pair.new: one.pair.old for one in found})


def brought(
    engine: Engine, view: View, rows: Sequence[Scored], wanted: Mapping[str, str]
) -> list[Scored]:
    """The rows, and what is brought along (by id, with the id of the row it belongs to), as far as
    it may be seen; as good as nothing by itself."""
    known = {row.id: row for row in rows}
    missing = {new: known[old] for new, old in wanted.items() if new not in known}
    more = engine.store.candidates(view, list(missing), neighbours=0) if missing else []
    return [*rows, *(_brought(one, missing[one.id]) for one in more)]


def _brought(one: Candidate, old: Scored) -> Scored:
    measured = replace(old.measured, candidate=one)
    part = replace(old.part, candidate=one, parts={})
    return replace(
        old, id=one.id, score=0.0, confidence=0.0, measured=measured, part=part, newer=(), aim=1.0
    )

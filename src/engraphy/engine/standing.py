"""What stands in the store on the subjects of a draft: looked up for the write and for edits."""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import replace

from engraphy.engine.parts import Engine
from engraphy.engine.reminding import moved
from engraphy.model import (
    Draft,
    Evidence,
    Fact,
    FactFilter,
    Held,
    Listing,
    Memory,
    Scope,
    Sensitivity,
    State,
    Term,
    View,
)
from engraphy.profile import Sessions
from engraphy.text.analyser import query_terms
from engraphy.text.cues import reminds
from engraphy.text.ending import sought
from engraphy.text.leaning import leaning
from engraphy.text.overtaking import may_replace
from engraphy.write.contradict import Standing, also_said, disagreements, overtaken, subjects
from engraphy.write.form import stated_slots
from engraphy.write.leaning import leaned
from engraphy.write.overtake import may_overtake, overtaking

_MOST_FACTS = 1_000
_MOST_SAYERS = 20
_MOST_ALIKE = 10
_LATEST = 4
_BARE = 40
"""So short a message may correct what was told before it without a word that says so."""
_JUST = 3_600_000_000
_LIVING = frozenset({State.ACTIVE, State.DORMANT, State.ARCHIVED})


def standing(
    engine: Engine,
    view: View,
    draft: Draft,
    near: Iterable[Memory] = (),
    *,
    settled: bool = False,
) -> Standing:
    """What of exactly the draft's walls bears on what it states. `settled`: it has put right what
    was said just before it, and reaches no further back."""
    if reminds(draft.memory):
        return Standing(held=tuple(moved(engine, view, draft)))
    told = [one for one in near if one.id != draft.memory.id]
    stands = _by_facts(engine, view, draft, told) if draft.slots else Standing()
    if not may_overtake(draft):
        return stands
    known = {one.source.id for one in stands.held if one.source is not None}
    content = draft.memory.content
    tells = may_replace(content)
    wanted = f"{sought(content)} {content}"
    alike = sayers(engine, view, wanted, _MOST_ALIKE) if tells else []
    bare = tells or len(content) <= _BARE
    leans = not settled and leaning(content) is not None
    recent = _just_before(engine, view, draft) if (bare or leans) and not settled else []
    just = recent[:1] if bare else []
    around = {one.id: one for one in (*told, *alike, *just) if one.id not in known}
    leant: list[Held] = []
    if leans:
        leant = leaned(draft, recent, alike or sayers(engine, view, content, _MOST_ALIKE))
    gone = {one.source.id for one in leant if one.source is not None}
    found, doubted = overtaking(
        draft,
        [one for one in around.values() if one.id not in gone],
        engine.profile.judge,
        just={one.id for one in just},
        known=settled or bool(stands.held) or bool(leant),
    )
    return replace(stands, held=(*stands.held, *leant, *found), doubted=doubted)


def _just_before(engine: Engine, view: View, draft: Draft) -> list[Memory]:
    """The latest memories of exactly these walls and this session, the latest first, where they
    were told within the hour before: a remark in one conversation puts nothing right that was said
    in another."""
    moment = draft.memory.valid_from
    # Nothing but the walls narrows the page, so that no scope is searched for a row that fits.
    wide = replace(view, states=frozenset(State), sensitivities=frozenset(Sensitivity))
    latest = [
        one.id
        for one in engine.store.page(wide, Listing(limit=_LATEST))
        if one.scope == draft.memory.scope and moment - _JUST <= one.valid_from <= moment
    ]
    found = engine.store.get(view, latest) if latest else []
    return [one for one in found if one.id != draft.memory.id]


def _by_facts(engine: Engine, view: View, draft: Draft, near: Iterable[Memory]) -> Standing:
    facts = _facts(engine, view, draft)
    ids = list(dict.fromkeys(fact.source_id for fact in facts if fact.source_id))
    sources = engine.store.get(replace(view, states=frozenset(State)), ids)
    held = disagreements(draft, facts, {memory.id: memory for memory in sources})
    if held:
        values = dict.fromkeys(one.fact.object for one in held if one.fact is not None)
        said = sayers(engine, view, " ".join(values))
        held = (*held, *also_said(draft, held, [one for one in said if one.id != draft.memory.id]))
    around = {one.id: one for one in (*sources, *near) if one.id != draft.memory.id}
    return Standing(held=held, later=overtaken(draft, facts, around.values()))


def sayers(engine: Engine, view: View, words: str, most: int = _MOST_SAYERS) -> list[Memory]:
    """The living memories of exactly these walls that hold any of the given words, `most` at
    most, best first."""
    terms = [
        Term(term=one.term, surface=one.surface, weight=one.weight)
        for one in query_terms(words, limit=_MOST_SAYERS)
    ]
    living = replace(view, states=_LIVING)
    found = engine.store.search_text(living, terms, most).matches
    memories = engine.store.get(living, [match.id for match in found])
    return [one for one in memories if same_walls(one.scope, view.scope)]


def derived(engine: Engine, view: View, memory: Memory) -> list[Fact]:
    """The facts that were read out of a memory's text, or out of an earlier one, and no other
    statement has taken over; facts that a caller gave are not among them. Whose words they were
    taken for does not matter: the speaker and the evidence may have been put right since."""
    wide = replace(view, states=frozenset(State), sensitivities=frozenset(Sensitivity))
    texts = [memory.content, *(v.content for v in engine.store.versions(wide, memory.id))]
    said = {
        (slot.attribute, slot.value)
        for text in texts
        for slot in stated_slots(replace(memory, content=text, evidence=Evidence.STATED))
    }
    if not said:
        return []
    wanted = FactFilter(source_id=memory.id, current=False, limit=_MOST_FACTS)
    facts = engine.store.facts(replace(wide, session=None), wanted)
    return [one for one in facts if (one.predicate, one.object) in said]


def another_source(engine: Engine, view: View, fact: Fact, gone: Collection[str]) -> str | None:
    """A living memory that also says `fact`, none of `gone`."""
    for memory in sayers(engine, view, fact.object):
        triples = {(s.subject, s.attribute, s.value) for s in stated_slots(memory) if s.polarity}
        if memory.id not in gone and (fact.subject, fact.predicate, fact.object) in triples:
            return memory.id
    return None


def own_view(memory: Memory, now: int) -> View:
    """The view of exactly a memory's own walls and sensitivity, at the memory's own moment where
    that lies ahead."""
    scope = replace(memory.scope, session=None)
    return View(
        scope=scope, now=max(now, memory.valid_from), sensitivities=frozenset({memory.sensitivity})
    )


def told_view(memory: Memory, now: int, sessions: Sessions) -> View:
    """What a memory that is told is compared with: its own view, and where sessions are walls only
    its own session's rows of it, also those that were written where none was (C-12)."""
    view = own_view(memory, now)
    return replace(view, scope=memory.scope, closed_session=True) if sessions.wall else view


def content_hash(text: str) -> str:
    """SHA-256 of the text, the dedup key inside one scope and sensitivity (A-05, R-06)."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def same_walls(one: Scope, other: Scope) -> bool:
    """Whether two scopes are the same place, sessions aside."""
    return replace(one, session=None) == replace(other, session=None)


def _facts(engine: Engine, view: View, draft: Draft) -> list[Fact]:
    found = {
        fact.id: fact
        for subject, attribute in subjects(draft)
        for fact in engine.store.facts(
            view,
            FactFilter(subject=subject, predicate=attribute, current=False, limit=_MOST_FACTS),
        )
    }
    return [fact for fact in found.values() if same_walls(fact.scope, view.scope)]

"""What a question is after, beside its words: instructions, preferences, a value of the present."""

from msgspec.structs import replace

from engraphy.engine.known import as_known
from engraphy.engine.parts import Engine
from engraphy.engine.renewing import brought, renewing
from engraphy.model import Kind, Listing, Origin, Term, View
from engraphy.read.aims import aimed, answering, practised
from engraphy.read.kinds import of_kind
from engraphy.read.measure import Pool, distinct
from engraphy.read.newer import renewed, unsaid_by_the_agent
from engraphy.read.oneself import own_first
from engraphy.read.query import Asked
from engraphy.read.renewal import leading
from engraphy.read.select import Scored
from engraphy.read.succeeded import followed
from engraphy.text.aims import asks_for_practice, asks_of_now, wants_value
from engraphy.text.domains import CODE, words_of

_WORDS = 24
"""Words of the work that a task is, by which conventions are looked for, at most."""
_FOLLOWED = 20
"""Of so many of the best it is asked whether any took the place of them."""


def instructions_for(engine: Engine, question: Asked, view: View) -> frozenset[str]:
    """Ids of what the user told us to do from now on, where the question asks for help: by nobody
    but the user (P-10), the most important first."""
    most = engine.profile.aim.instructions
    if not (most and question.requests) or (view.kinds and Kind.POLICY not in view.kinds):
        return frozenset()
    kinds = frozenset({Kind.POLICY})
    listing = Listing(kinds=kinds, origin=Origin.USER, order="importance", limit=most)
    return frozenset(row.id for row in engine.store.page(view, listing))


def preferences_for(
    engine: Engine,
    question: Asked,
    view: View,
    model: str | None,
    vector: tuple[float, ...] | None,
) -> list[str]:
    """Ids of the preferences nearest to a question that asks for help or advice; where nothing
    tells which are near, of the most important ones if it says about what. Of a task also what
    has a word of such work."""
    most = engine.profile.aim.preferences if question.requests or question.topics else 0
    if not most or view.kinds:
        return []
    kinds, lifts = frozenset({Kind.PREFERENCE}), bool(engine.profile.aim.topical)
    found: list[str] = []
    if model is not None and vector is not None:
        own = replace(view, kinds=kinds)
        found += [match.id for match in engine.store.search_vector(own, model, vector, most)]
    elif question.topics and lifts:
        listing = Listing(kinds=kinds, order="importance", limit=most)
        found += [row.id for row in engine.store.page(view, listing)]
    work = words_of(question.topics & CODE) if lifts else []
    if work:
        terms = [Term(term=one, surface=one) for one in work[:_WORDS]]
        found += [match.id for match in engine.store.search_text(view, terms, most).matches]
    return found


def aimed_at(engine: Engine, rows: list[Scored], pool: Pool, view: View) -> list[Scored]:
    """The ranking as what the question wants done has it, the best texts read where that tells."""
    knobs, wanted = engine.profile.aim, pool.asked.wanted
    found = of_kind(own_first(aimed(rows, pool, knobs), pool), pool, knobs)
    found = _practised(engine, found, pool, view)
    gain = next((gain for kind, gain in knobs.kinds.items() if kind == wanted), 0.0)
    valued = wants_value(pool.asked.text)
    if not knobs.read or not (gain or valued):
        return _followed(engine, found, pool, view)
    best = [row.id for row in found[: knobs.read]] if gain else []
    own = [row.id for row in unsaid_by_the_agent(found, knobs.read)] if valued else []
    read = as_known(engine, view, engine.store.get(view, distinct([*best, *own])))
    texts = {row.id: row.content for row in read}
    if wanted is not None and gain:
        held = {one: texts[one] for one in best if one in texts}
        found = answering(found, held, wanted, gain)
    found = renewed(found, texts, pool, knobs) if valued else found
    return _followed(engine, found, pool, view)


def _practised(engine: Engine, rows: list[Scored], pool: Pool, view: View) -> list[Scored]:
    """The ranking with what states a practice that is asked for before the instructions."""
    question, read = pool.asked.text, engine.profile.aim.read
    if not (read and pool.instructions and asks_for_practice(question)):
        return rows
    ids = distinct([row.id for row in rows[:read]])
    known = as_known(engine, view, engine.store.get(view, ids))
    texts = {row.id: row.content for row in known}
    return practised(rows, texts, question, pool.instructions)


def _followed(engine: Engine, rows: list[Scored], pool: Pool, view: View) -> list[Scored]:
    """The ranking with what is known or likely to be newer beside what it took the place of,
    unless the question is after what was."""
    if view.as_of is not None or not asks_of_now(pool.asked.text):
        return rows
    rows = _linked(engine, rows, pool, view)
    return rows if pool.asked.stretches else renewing(engine, rows, pool, view)


def _linked(engine: Engine, rows: list[Scored], pool: Pool, view: View) -> list[Scored]:
    """The ranking with what took the place of some of the best beside it; of the best of all, where
    they say one short thing, whatever words it has."""
    share = engine.profile.aim.newer_linked
    if not share or not rows:
        return rows
    ids = {row.id for row in rows}
    best = {row.id for row in leading(rows)}
    pairs = engine.store.successions(view.scope.tenant, [row.id for row in rows[:_FOLLOWED]])
    pairs = [(old, new) for old, new in pairs if new in ids or old in best]
    if not pairs:
        return rows
    rows = brought(engine, view, rows, {new: old for old, new in pairs})
    seen = {row.id for row in rows}
    spoken = {one.id for one in pool.text.matches} | {new for old, new in pairs if old in best}
    return followed(rows, [one for one in pairs if one[1] in seen], share, spoken)

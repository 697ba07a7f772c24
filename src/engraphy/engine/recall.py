"""The way out, in one direction: gate, search, fuse, score, cut off, deliver, reinforce."""

from collections.abc import Sequence

from msgspec import structs
from msgspec.structs import replace

from engraphy.engine import waking
from engraphy.engine.aiming import aimed_at, instructions_for, preferences_for
from engraphy.engine.dating import dated, happened_then, held_then, past_view
from engraphy.engine.known import as_known, candidates_then, found_then, retold
from engraphy.engine.of_asker import all_of, told_of
from engraphy.engine.own_first import own_first
from engraphy.engine.parts import Engine
from engraphy.engine.pooling import pooled
from engraphy.engine.questions import parts_of, routed, vector_of
from engraphy.engine.reinforcing import reinforce
from engraphy.engine.reranking import after, reranked
from engraphy.engine.scanning import scanned
from engraphy.engine.scanning import steps as steps_of_scan
from engraphy.engine.walking import often_together, walked
from engraphy.engine.walking import steps as steps_of_walk
from engraphy.engine.whom import beside_own_name, with_names
from engraphy.model import (
    EpisodeOutcome,
    Hit,
    Kind,
    Memory,
    State,
    Step,
    View,
)
from engraphy.profile import Profile, Route, Search
from engraphy.read.diverse import diversified
from engraphy.read.measure import Pool, distinct
from engraphy.read.naming import asked_by_name
from engraphy.read.parts import united
from engraphy.read.query import Asked, asked, unframed, unneeded
from engraphy.read.routing import arranged, route_for, seen
from engraphy.read.routing import weighed as weighed_by
from engraphy.read.select import Scored, kept, ranked, why
from engraphy.read.signals import Frame
from engraphy.record import Record

_LIMIT = 10
"""The most hits where neither the caller nor a route says."""
_EARLIER = 100
"""How many texts that stood at another moment are compared by vector."""


class Found(Record, frozen=True, kw_only=True):
    """Everything one recall worked out, before the cut-off and the limit."""

    pool: Pool
    rows: tuple[Scored, ...]
    steps: tuple[Step, ...]
    view: View
    """What it was found in: the caller's view, and what held at the time of the question."""
    limit: int
    """The most hits that are delivered: the caller's, else what the kind of question gets."""
    route: Route | None = None


def recall(
    engine: Engine,
    query: str,
    view: View,
    limit: int | None,
    *,
    touch: bool,
    asleep: frozenset[State] = waking.ASLEEP,
    needed: bool = False,
) -> list[Hit]:
    """The best `limit` memories for a query; what is delivered is reinforced when `touch`.
    `needed`: that the query needs memories is known already."""
    if not needed and engine.profile.search.gate and unneeded(query) is not None:
        return []
    with engine.store.at_once():
        hits = delivered(engine, search(engine, query, view, limit, asleep=asleep))
    if touch:
        reinforce(engine, [hit.memory for hit in hits], view, f"recall: {len(hits)} hits")
    return hits


def search(
    engine: Engine,
    query: str,
    view: View,
    limit: int | None = None,
    reach: int = 0,
    *,
    asleep: frozenset[State] = waking.ASLEEP,
) -> Found:
    """Candidates of a query with their scores, best first; of a compound one those of each part.
    Looks for `reach` where that is more than the limit; and among what is `asleep` where nothing
    active answers, the question is after all that was said (D-45), or the profile lets sleepers
    compete. Changes no memory."""
    knobs = engine.profile.search
    counts = view.states == waking.AWAKE and (knobs.awake_from or knobs.asleep)
    if not counts or not engine.store.any_asleep(view):
        return _searched(engine, query, view, limit, reach)
    wider = replace(view, states=waking.AWAKE | asleep)
    if knobs.asleep:
        return _awake_or_not(engine, _searched(engine, query, wider, limit, reach), asleep)
    found = _searched(engine, query, view, limit, reach)
    best, every = waking.best_of(found.rows, waking.AWAKE), waking.after_all(found.pool.asked)
    if best >= knobs.awake_from and not every:
        return found
    wide = _awake_or_not(engine, _searched(engine, query, wider, limit, reach), asleep)
    return wide if every or waking.best_of(wide.rows, asleep) > best else found


def _awake_or_not(engine: Engine, wide: Found, asleep: frozenset[State]) -> Found:
    """What was found among what is awake and what is `asleep`, as the profile weighs sleepers."""
    every, answered = waking.after_all(wide.pool.asked), waking.answered(wide.rows, engine.profile)
    why = "sleepers compete" if answered else "nothing active answers"
    why = "it asks for all that was said" if every else why
    sleepers = [row.id for row in wide.rows if row.measured.candidate.state in asleep]
    hushed = {one.id for one in engine.store.get(wide.view, sleepers) if waking.took_back(one)}
    rows = [row for row in wide.rows if row.id not in hushed]
    if answered and not every:
        rows = waking.competing(rows, asleep, engine.profile.search.asleep)
    told = Step(stage="search", detail=f"{why}: what sleeps is looked through too")
    return replace(wide, rows=tuple(rows), steps=(told, *wide.steps))


def _searched(engine: Engine, query: str, view: View, limit: int | None, reach: int) -> Found:
    parts, steps = parts_of(engine, query, view)
    found: list[Found] = []
    for part in parts:
        found.append(_routed(engine, part, view, (limit, reach)))
        engine = after(engine, found[-1].steps)
    own = sum(part != query for part in parts)
    whole = found[0] if len(found) == 1 else _united(engine, query, view, found, parts=own)
    return replace(whole, steps=(*steps, *whole.steps))


def _united(engine: Engine, query: str, view: View, found: Sequence[Found], *, parts: int) -> Found:
    """What was found for a compound query, as one, of which the first `parts` are its parts; in no
    other order than that of the parts, whatever their routes say."""
    terms = tuple(distinct(term for one in found for term in one.pool.asked.terms))
    candidates = {row.id: row for one in found for row in one.pool.candidates}
    asked_whole = replace(found[0].pool.asked, text=query, terms=terms)
    states = frozenset(state for one in found for state in one.view.states)
    return Found(
        pool=replace(found[0].pool, asked=asked_whole, candidates=tuple(candidates.values())),
        rows=tuple(united([one.rows for one in found], parts, engine.profile.score)),
        steps=tuple(step for one in found for step in one.steps),
        view=replace(view, states=states),
        limit=max(one.limit for one in found),
    )


def _routed(engine: Engine, query: str, view: View, bounds: tuple[int | None, int]) -> Found:
    """One question, searched as its intent wants it; through every kind where the kinds that its
    route asks for do not answer."""
    question, steps = routed(engine, asked(query, view.now))
    question = question if engine.profile.aim.framing else unframed(question)
    knobs = engine.profile.questions
    route = route_for(question.intent, knobs)
    limit, reach = bounds
    count = limit or (route.limit if route else _LIMIT)
    wide = max(count, reach)
    narrow = seen(view, route)
    found = _found(engine, question, narrow, wide, route)
    if narrow.kinds != view.kinds and not _answered(found, knobs.kinds_from):
        steps = (*steps, Step(stage="route", detail="no memory of these kinds answers: all kinds"))
        found = _found(engine, question, replace(narrow, kinds=view.kinds), wide, route)
    return replace(found, steps=(*steps, *found.steps), limit=count)


def _answered(found: Found, least: float) -> bool:
    """Whether anything that was found has a word of the question, or answers as much of it."""
    return bool(found.pool.text.matches) or any(row.confidence >= least for row in found.rows)


def _found(engine: Engine, question: Asked, view: View, limit: int, route: Route | None) -> Found:
    knobs, store, query = _reaching(engine.profile, limit), engine.store, question.text
    question = dated(engine, with_names(engine, question, view), view)
    wide = past_view(engine, question, view)
    text = store.search_text(wide, question.searched, knobs.text_limit)
    earlier = retold(engine, view)
    text = found_then(text, question, earlier)
    hits = scanned(engine, question, text, wide)
    vector, supposed = (
        vector_of(engine, query) if knobs.vector_limit and query.strip() else (None, ())
    )
    model = engine.embedder.model_id if engine.embedder and vector else None
    near = store.search_vector(wide, model, vector, knobs.vector_limit) if vector and model else []
    ids = [m.id for m in text.matches] + [m.id for m in near]
    ids += list(earlier)[:_EARLIER] if vector else []
    instructions = instructions_for(engine, question, view)
    told = told_of(engine, question, view, ids)
    happened = [*happened_then(engine, question, view), *told, *all_of(engine, question, view)]
    together = often_together(engine, view, ids)
    preferred = preferences_for(engine, question, view, model, vector)
    weighed = frozenset({*instructions, *happened, *preferred, *together, *hits})
    candidates = store.candidates(
        waking.lenders(view),
        distinct([*ids, *weighed]),
        model_id=model,
        vector=vector,
        neighbours=knobs.neighbours,
    )
    then = held_then(engine, question, view, ids, candidates, near=(model, vector))
    candidates = [*candidates_then(engine, candidates, earlier, vector), *then.candidates]
    pool = pooled(engine, beside_own_name(question, view, text), text, candidates)
    pool = replace(
        pool,
        instructions=instructions,
        weighed=weighed,
        held=then.held,
        late=then.late,
        dated=frozenset(happened),
        told=frozenset(told),
        session=view.scope.session,
        together=together,
        hits=hits,
    )
    profile = engine.profile
    frame = Frame(now=view.now, knobs=profile.score, boost=profile.boost, route=route)
    pool = walked(engine, pool, frame, view, (model, vector))
    rows = ranked(pool, frame, weighed_by(profile.fuse, route), knobs)
    rows, ours = own_first(engine, [row for row in rows if waking.may_answer(row, wide)], wide)
    rows, looked_again = reranked(engine, rows, query, wide)
    rows = diversified(aimed_at(engine, rows, pool, wide), limit, profile.boost)
    steps = (
        *supposed,
        Step(stage="search", detail=f"{len(text.matches)} by words, {len(near)} by vector"),
        Step(stage="fuse", detail=f"{len(candidates)} candidates with their neighbours"),
        *steps_of_scan(hits),
        *steps_of_walk(pool),
        *ours,
        *looked_again,
    )
    return Found(pool=pool, rows=tuple(rows), steps=steps, view=wide, limit=limit, route=route)


def _reaching(profile: Profile, limit: int) -> Search:
    """The knobs of a search that can bring `limit` hits: a caller who asks for more than the
    profile looks at gets more, and never silently less."""
    knobs, wide = profile.search, limit * profile.boost.overfetch
    if limit <= knobs.text_limit and (wide == limit or wide <= knobs.vector_limit):
        return knobs
    return structs.replace(
        knobs,
        text_limit=max(knobs.text_limit, limit),
        vector_limit=max(knobs.vector_limit, wide) if knobs.vector_limit else 0,
        ranked=max(knobs.ranked, limit),
    )


def delivered(engine: Engine, found: Found) -> list[Hit]:
    """What is delivered of what was found: good enough, within the limit, still visible."""
    view, limit = found.view, found.limit
    named = engine.profile.score.names == "asked"
    chosen = found.rows if named else kept(found.rows, engine.profile.score)[:limit]
    rows = as_known(engine, view, engine.store.get(view, [row.id for row in chosen]))
    memories = {m.id: m for m in rows}
    if named:
        asked_for = asked_by_name(memories.values(), found.pool.asked.text)
        chosen = [row for row in chosen if row.id in asked_for][:limit]
    hits = [
        Hit(
            memory=memories[row.id],
            score=row.score,
            why=why(row),
            confidence=row.confidence,
            newer=row.newer,
            outcome=_ended(engine, view, memories[row.id]),
        )
        for row in chosen
        if row.id in memories
    ]
    return arranged(hits, found.route, engine.profile.questions.sorted_from)


def _ended(engine: Engine, view: View, memory: Memory) -> str:
    """How an event ended; empty where that is not known, and of what is none."""
    part = engine.store.episode(view, memory.id) if memory.kind is Kind.EPISODE else None
    return "" if part is None or part.outcome is EpisodeOutcome.UNKNOWN else part.outcome.value

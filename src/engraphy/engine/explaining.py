"""How a recall comes about, and the stage at which a memory fell out of it; nothing is touched."""

from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.engine.recall import Found, delivered, search
from engraphy.formulas import elapsed_days
from engraphy.model import Context, Explanation, LeftOut, Memory, State, Step, View
from engraphy.read.query import unneeded
from engraphy.read.select import Scored, best_alone, kept, refusal
from engraphy.read.signals import SIGNALS
from engraphy.text.analyser import analyse
from engraphy.text.moments import iso

_TOLD = 5
_NARROWED = (
    "only what was said in the session that is named is looked through; leave `session` out to "
    "ask for everything (`conversation` names the one that a block goes into)"
)


def explain(
    engine: Engine, query: str, view: View, limit: int | None, missing: str | None
) -> Explanation:
    """The stages of a recall and its hits; and which stage dropped `missing`: gate, scope, state,
    validity, search, fuse, cut-off or limit."""
    found = search(engine, query, view, limit)
    hits = delivered(engine, found)
    good = kept(found.rows, engine.profile.score)
    steps = (
        *found.steps,
        Step(stage="cut-off", detail=f"{len(good)} of {len(found.rows)} are good enough"),
        Step(stage="limit", detail=f"the best {found.limit} are delivered"),
    )
    if view.scope.session and not view.closed_session:
        steps = (Step(stage="session", detail=_NARROWED), *steps)
    if (reason := unneeded(query)) is not None:
        gates = "this is skipped" if engine.profile.search.gate else "context() would skip this"
        steps = (Step(stage="gate", detail=f"{gates}: {reason}"), *steps)
        hits = [] if engine.profile.search.gate else hits
    lost = _lost(engine, found, view, missing) if missing else None
    return Explanation(query=query, steps=steps, hits=tuple(hits), missing=lost)


def narrowed(made: Context, view: View) -> Context:
    """An empty block of a call that asks for one session's words says so: naming a session is
    easily taken for naming the conversation."""
    if made.hits or made.receipt.skipped or not view.scope.session or view.closed_session:
        return made
    left = LeftOut(stage="session", detail=_NARROWED)
    return replace(made, receipt=replace(made.receipt, skipped=(left,)))


def _lost(engine: Engine, found: Found, view: View, id: str) -> Step:
    """The stage at which a memory fell out of a recall."""
    seen = engine.store.get(view, [id])
    if not seen:
        return _unseen(engine, view, id)
    if engine.profile.search.gate and (reason := unneeded(found.pool.asked.text)) is not None:
        return Step(stage="gate", detail=f"no memory is looked up for it: {reason}", passed=False)
    places = {row.id: place for place, row in enumerate(found.rows)}
    if id not in places and found.view.kinds and seen[0].kind not in found.view.kinds:
        kinds = " and ".join(sorted(found.view.kinds))
        detail = f"it is of the kind {seen[0].kind.value}; only {kinds} was searched"
        return Step(stage="route", detail=detail, passed=False)
    if id not in places:
        return _unranked(found, seen[0])
    row = found.rows[places[id]]
    age = _age(row, view.now)
    if (reason := refusal(row, best_alone(found.rows), engine.profile.score)) is not None:
        return Step(stage="cut-off", detail=reason + age, passed=False)
    if places[id] >= found.limit:
        detail = f"it ranks {places[id] + 1} with {row.score:.3f}; the limit is {found.limit}"
        return Step(stage="limit", detail=detail + age, passed=False)
    return Step(stage="delivered", detail=f"it is hit {places[id] + 1} with {row.score:.3f}{age}")


def _age(row: Scored, now: int) -> str:
    """What its age costs a memory where newness counts: why a result is stale, or an old memory
    does not come up (A-24)."""
    knobs, candidate = row.measured.frame.knobs, row.measured.candidate
    weight = knobs.weights.get("recency", 0.0)
    if not weight:
        return ""
    share, then, what = SIGNALS["recency"](row.measured), candidate.updated_at, "changed"
    if knobs.recency_clock == "accessed" and candidate.last_accessed_at:
        then, what = candidate.last_accessed_at, "delivered"
    days, half = elapsed_days(now=now, then=then), knobs.recency_half_life_days
    told = f"; it was {what} {days:.0f} days ago, recency halves every {half:g} days and gives"
    newer = f"; newer values: {', '.join(row.newer)}" if row.newer else ""
    return f"{told} {share * weight:.3f} of {weight:g}{newer}"


def _unranked(found: Found, memory: Memory) -> Step:
    """Whether a memory was not found at all, or found and not among those that are ranked."""
    if any(one.id == memory.id for one in found.pool.candidates):
        better = len(found.rows)
        detail = f"it was found, and {better} candidates match the question better"
        return Step(stage="fuse", detail=detail, passed=False)
    held = frozenset(analyse(f"{memory.title} {memory.content} {memory.context}"))
    asked = {term.surface for term in found.pool.asked.terms}
    shared = sorted({term.surface for term in found.pool.asked.terms if term.term in held})
    if not shared:
        words = ", ".join(sorted(asked)[:_TOLD])
        detail = f"it has none of the question's words ({words}), and its vector is not near"
        return Step(stage="search", detail=detail, passed=False)
    words = ", ".join(shared[:_TOLD])
    detail = f"of the question it has only {words}; others match better"
    return Step(stage="search", detail=detail, passed=False)


def _unseen(engine: Engine, view: View, id: str) -> Step:
    """Why the gate of the reads hides a memory; never tells about rows of other walls."""
    wide = replace(view, states=frozenset(State), session=None, as_of=None, known_at=None)
    rows = engine.store.get(wide, [id])
    if not rows:
        detail = "no such memory in this scope (or its sensitivity was not asked for)"
        return Step(stage="scope", detail=detail, passed=False)
    memory = rows[0]
    if memory.state not in view.states:
        by = f" by {memory.superseded_by}" if memory.superseded_by else ""
        return Step(stage="state", detail=f"it is {memory.state.value}{by}", passed=False)
    return Step(stage="validity", detail=_untimely(memory, view), passed=False)


def _untimely(memory: Memory, view: View) -> str:
    moment = view.now if view.as_of is None else view.as_of
    if memory.valid_from > moment:
        return f"it holds from {iso(memory.valid_from)} on, not before"
    if memory.valid_until is not None and memory.valid_until <= moment:
        return f"it held until {iso(memory.valid_until)}"
    return "it does not hold at this time, or in this session"

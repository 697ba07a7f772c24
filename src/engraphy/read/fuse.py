"""From several lists of one query to one relevance per candidate.

Each list is put on a scale of its own best and worst (min-max, or a share of the best), summed by
weight; then a turn gains from its neighbours, from its session, and where its speaker is named.
Figures: docs/decisions.md, "Fusion".
"""

from collections.abc import Mapping, Sequence

from engraphy.formulas import min_max
from engraphy.model import Candidate
from engraphy.profile import Fuse
from engraphy.read.measure import Lists, Pool
from engraphy.read.query import named


def attainable_relevance(knobs: Fuse) -> float:
    """What the best possible candidate reaches: all lists, a neighbour and its session."""
    return 1.0 + knobs.window + knobs.session


def relevance(pool: Pool, knobs: Fuse) -> dict[str, dict[str, float]]:
    """Named shares of each candidate's relevance, by id."""
    base = _base(pool.candidates, pool.lists, knobs)
    sums = {key: sum(parts.values()) for key, parts in base.items()}
    sessions = _session_priors(pool.candidates, sums, knobs)
    for one in pool.candidates:
        parts = base[one.id]
        around = (sums.get(one.previous_id or "", 0.0), sums.get(one.next_id or "", 0.0))
        parts["window"] = knobs.window * max(around)
        parts["session"] = knobs.session * sessions.get(one.session or "", 0.0)
        if one.speaker and named(one.speaker, pool.asked.words):
            parts["speaker"] = knobs.speaker
    return base


def _base(
    candidates: Sequence[Candidate], lists: Lists, knobs: Fuse
) -> dict[str, dict[str, float]]:
    total = knobs.text * bool(lists.bm25)
    total += knobs.pooled * bool(lists.similarity) + knobs.soft * bool(lists.soft)
    shares = {
        "text": (_scaled(lists.bm25, zero=True), knobs.text),
        "pooled": (_scaled(lists.similarity), knobs.pooled),
        "soft": (_scaled(lists.soft), knobs.soft),
    }
    return {
        one.id: {
            name: weight / total * scaled.get(one.id, 0.0)
            for name, (scaled, weight) in shares.items()
            if scaled and weight
        }
        for one in candidates
    }


def _scaled(values: Mapping[str, float], *, zero: bool = False) -> dict[str, float]:
    if not values:
        return {}
    low = 0.0 if zero else min(values.values())
    high = max(values.values())
    return {key: min_max(value=value, low=low, high=high) for key, value in values.items()}


def _session_priors(
    candidates: Sequence[Candidate], sums: Mapping[str, float], knobs: Fuse
) -> dict[str, float]:
    """Each session's mean of its best turns, as a share of the best session's."""
    by_session: dict[str, list[float]] = {}
    for one in candidates:
        if one.session:
            by_session.setdefault(one.session, []).append(sums[one.id])
    raw = {
        session: sum(sorted(values, reverse=True)[: knobs.session_top]) / knobs.session_top
        for session, values in by_session.items()
    }
    best = max(raw.values(), default=0.0)
    return {session: value / best for session, value in raw.items()} if best > 0 else {}

"""From a pool to a ranking: score, confidence, cut-off."""

from collections.abc import Sequence

import msgspec
from msgspec import structs
from msgspec.structs import replace

from engraphy.model import DataSource, SubTier
from engraphy.profile import Fuse, Score, Search
from engraphy.read.fuse import Relevance, relevance
from engraphy.read.lifts import Asking, Lift, lifts
from engraphy.read.measure import Pool, coverage, places
from engraphy.read.routing import why_routed
from engraphy.read.signals import Frame, Measured, SIGNALS, Signal

FEDERATED = str(DataSource.FEDERATION)


class Scored(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A candidate's place: `score` ranks, `confidence` says how much of the question it answers,
    both in [0, 1]; `session`, `aim` and `rerank`: what the score was multiplied by for the company
    it has in its session, for what the question wants done, and by a second look; `newer`: ids of
    newer answers with another value. Of a compound question: `places`, its place among the good
    answers to each part, from 0; `fused`, their reciprocal ranks fused; `cut`: why it is not good
    enough for any part, empty where it is."""

    id: str
    score: float
    confidence: float
    measured: Measured
    part: Relevance
    session: float = 1.0
    aim: float = 1.0
    rerank: float = 1.0
    newer: tuple[str, ...] = ()
    alike: float = 0.0
    places: tuple[int | None, ...] = ()
    fused: float = 0.0
    cut: str | None = None


def ranked(pool: Pool, frame: Frame, fuse: Fuse, search: Search) -> list[Scored]:
    """A query's candidates with their scores, best first; of equals the newer comes first."""
    frame = _carried(pool, frame)
    found = relevance(pool, fuse, search.neighbours, search.ranked)
    weights = [(SIGNALS[name], weight) for name, weight in frame.knobs.weights.items()]
    attainable = sum(weight for _, weight in weights) or 1.0
    best = max((part.base for part in found), default=0.0)
    rows = [
        Scored(
            id=one.candidate.id,
            score=_score(one, weights, attainable),
            confidence=_confidence(part, pool, best),
            measured=one,
            part=part,
        )
        for one, part in zip(_measured(pool, frame, found), found, strict=True)
    ]
    rows.sort(key=lambda row: (-row.score, -row.measured.candidate.seq))
    return _by_session(rows, fuse) if fuse.session else rows


def _carried(pool: Pool, frame: Frame) -> Frame:
    """The frame with the weights that hold for this query: where no candidate has a vector words
    carry what similarity would, and where nothing is walked the walk weighs nothing."""
    knobs = frame.knobs
    weights = knobs.weights
    if weights.get("similarity", 0.0) > 0.0 and not pool.lists.similarity:
        weights = knobs.without_vectors or weights
    if pool.walk is None and "graph" in weights:
        weights = {name: weight for name, weight in weights.items() if name != "graph"}
    if weights is knobs.weights:
        return frame
    return replace(frame, knobs=structs.replace(knobs, weights=weights))


def _confidence(part: Relevance, pool: Pool, best: float) -> float:
    """How much of the question a candidate answers; one that only a walk found has its share of
    what the best one does."""
    walk = pool.walk
    if walk is None or part.candidate.id not in walk.brought:
        return part.base
    return max(part.base, best * walk.shares.get(part.candidate.id, 0.0))


def _by_session(rows: Sequence[Scored], fuse: Fuse) -> list[Scored]:
    """The rows, best first, those of a session in which little else answers losing up to
    1 - 1 / (1 + fuse.session); a row without a session loses nothing."""
    mass: dict[str, float] = {}
    share: dict[str, float] = {}
    for row in rows:
        session = row.measured.candidate.session
        if session is not None:
            weight = share.get(session, 1.0)
            mass[session] = mass.get(session, 0.0) + weight * row.score
            share[session] = weight * fuse.session_decay
    most = max(mass.values(), default=0.0)
    if len(mass) < 2 or most <= 0.0:
        return list(rows)
    factor = {
        session: (1.0 + fuse.session * value / most) / (1.0 + fuse.session)
        for session, value in mass.items()
    }
    found = (_scaled(row, factor.get(row.measured.candidate.session or "", 1.0)) for row in rows)
    return sorted(found, key=lambda row: (-row.score, -row.measured.candidate.seq))


def _scaled(row: Scored, factor: float) -> Scored:
    if factor == 1.0:
        return row
    # Written out: `replace` takes three times as long, over a hundred times per recall.
    return Scored(
        id=row.id,
        score=row.score * factor,
        confidence=row.confidence,
        measured=row.measured,
        part=row.part,
        session=factor,
    )


def _score(one: Measured, weights: Sequence[tuple[Signal, float]], attainable: float) -> float:
    """The blend of the profile's signals (`formulas.blend`), written out: it runs for several
    hundred candidates of every query."""
    total = 0.0
    for signal, weight in weights:
        total += weight * signal(one)
    total /= attainable
    if one.lift is not None:
        total = one.lift.of(total)
    knobs = one.frame.knobs
    if one.candidate.source_confidence < knobs.low_confidence:
        total *= knobs.low_confidence_factor
    if one.candidate.data_source == FEDERATED:
        total *= vicarious(one)
    return min(1.0, max(0.0, total))


def vicarious(one: Measured) -> float:
    """What the score of a candidate that is known from others is multiplied by; 1 where its
    sub-tier has multiplied it already."""
    row = one.candidate
    if row.data_source != FEDERATED:
        return 1.0
    counted = one.lift is not None and "sub-tier" in one.lift.factors
    told = counted and row.sub_tier == SubTier.VICARIOUS
    return 1.0 if told else one.frame.knobs.vicarious_factor


def why(row: Scored) -> dict[str, float]:
    """The parts of a score: each signal's share, what its relevance is made of, what was added
    and multiplied, and what the sum was divided by."""
    measured, knobs = row.measured, row.measured.frame.knobs
    parts = {
        str(name): round(weight * SIGNALS[name](measured), 4)
        for name, weight in knobs.weights.items()
    }
    for name, share in row.part.parts.items():
        if share:
            parts[f"relevance.{name}"] = round(share, 4)
    if measured.lift is not None:
        parts |= _lifted(measured.lift)
    if measured.frame.route is not None:
        parts |= why_routed(measured.frame.route)
    doubted = measured.candidate.source_confidence < knobs.low_confidence
    later = (
        ("x session", row.session),
        ("x rerank", row.rerank),
        ("x aim", row.aim),
        ("x low confidence", knobs.low_confidence_factor if doubted else 1.0),
        ("x vicarious", vicarious(measured)),
    )
    for name, factor in later:
        if factor != 1.0:
            parts[name] = round(factor, 4)
    if row.alike:
        parts["alike"] = round(row.alike, 4)
    return parts | _in_parts(row) if row.places else parts


def _in_parts(row: Scored) -> dict[str, float]:
    """Its place among the answers to each part of a compound question, from 1, and what the ranks
    make together."""
    found = enumerate(row.places, 1)
    places = {f"place in part {part}": place + 1.0 for part, place in found if place is not None}
    return places | {"ranks in parts": round(row.fused, 4)}


def _lifted(lift: Lift) -> dict[str, float]:
    added = {f"+ {name}": round(x, 4) for name, x in lift.added.items() if x}
    factors = {f"x {name}": round(x, 4) for name, x in lift.factors.items() if x != 1.0}
    divided = {} if lift.attainable == 1.0 else {"/ attainable": round(lift.attainable, 4)}
    return added | factors | divided


def _measured(pool: Pool, frame: Frame, found: Sequence[Relevance]) -> list[Measured]:
    lists = pool.lists
    counted = frame.knobs.weights.get("coverage", 0.0) > 0.0
    covered = coverage(pool, [part.candidate for part in found]) if counted else {}
    # Ranks are only worked out where they count.
    ranked_by = "reciprocal_rank" in frame.knobs.weights
    found_by = [places(lists.bm25), places(lists.similarity)] if ranked_by else []
    searched = [one for one in found_by if one]
    route = frame.route
    counts = () if route is None else (route.text, route.vector)
    weights = tuple(count for count, one in zip(counts, found_by, strict=False) if one)
    walked = pool.walk.shares if pool.walk is not None else {}
    asking = Asking(
        text=pool.asked.text,
        session=pool.session,
        together=pool.together,
        signals=frozenset(frame.knobs.weights),
        intent=pool.asked.intent,
    )
    raised = lifts([part.candidate for part in found], asking, frame.boost)
    bm25, similarity, covers = lists.bm25.get, lists.similarity.get, covered.get
    rows = []
    for part in found:
        known = part.candidate.id
        rows.append(
            Measured(
                candidate=part.candidate,
                frame=frame,
                relevance=part.value,
                bm25=bm25(known, 0.0),
                similarity=similarity(known, 0.0),
                soft=part.parts.get("soft", 0.0),
                ranks=tuple([by_id.get(known) for by_id in searched]) if ranked_by else (),
                counted=weights or None,
                coverage=covers(known, 0.0),
                walked=walked.get(known, 0.0),
                hits=pool.hits.get(known, 0.0),
                lift=raised.get(known),
            )
        )
    return rows


def kept(rows: Sequence[Scored], knobs: Score) -> list[Scored]:
    """The rows that are good enough to be delivered; `rows` are best first."""
    best = best_alone(rows)
    return [row for row in rows if refusal(row, best, knobs) is None]


def best_alone(rows: Sequence[Scored]) -> float:
    """The best score without what company counts, which moves rows and drops none."""
    return max((_alone(row) for row in rows), default=0.0)


def _alone(row: Scored) -> float:
    return row.score / row.session


def refusal(row: Scored, best: float, knobs: Score) -> str | None:
    """Why a row is not good enough beside the `best_alone` of its query; None where it is."""
    if row.cut is not None:
        return row.cut or None
    score = _alone(row)
    if score < knobs.min_share_of_best * best:
        return f"its score {score:.3f} is too far below the best, {best:.3f}"
    if score < knobs.min_score:
        return f"its score {score:.3f} is below min_score {knobs.min_score:.3f}"
    if row.confidence < knobs.min_confidence:
        return (
            f"it answers {row.confidence:.3f} of the question, "
            f"below min_confidence {knobs.min_confidence:.3f}"
        )
    return None

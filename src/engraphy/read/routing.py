"""What a question is after decides how it is searched (D-21): weights, limit, order, and which
memories are looked at."""

from collections.abc import Sequence

from msgspec import structs
from msgspec.structs import replace

from engraphy.model import Hit, Intent, State, View
from engraphy.profile import Fuse, Questions, Route

_NEITHER = 0.5
"""The weight at which a list counts as it does without a route."""


def route_for(wanted: Intent | None, knobs: Questions) -> Route | None:
    """How a question of this intent is searched; None where the profile says nothing of it."""
    return next((one for one in knobs.routes if one.intent == wanted), None)


def seen(view: View, route: Route | None) -> View:
    """The view of a question: with what was superseded, and only of certain kinds, where its route
    says so and the caller says nothing else."""
    if route is None:
        return view
    states = view.states | {State.SUPERSEDED} if route.superseded else view.states
    return replace(view, states=states, kinds=view.kinds or frozenset(route.kinds))


def weighed(fuse: Fuse, route: Route | None) -> Fuse:
    """The knobs of relevance with the route's weights: words, and what is compared by vector."""
    if route is None or route.text == route.vector == _NEITHER:
        return fuse
    words, vectors = route.text / _NEITHER, route.vector / _NEITHER
    return structs.replace(
        fuse,
        text=fuse.text * words,
        soft=fuse.soft * vectors,
        pooled=fuse.pooled * vectors,
        sentences=fuse.sentences * vectors,
    )


def arranged(hits: Sequence[Hit], route: Route | None, share: float) -> list[Hit]:
    """The hits that are delivered, best first, in the order of their route: those with at least
    `share` of the best confidence, so that nothing that only happens to be new comes first. Where
    the order is not the score's, each tells its place by score."""
    if route is None or route.sort == "score":
        return list(hits)
    told = [
        replace(hit, why={**hit.why, "place by score": float(place)})
        for place, hit in enumerate(hits, 1)
    ]
    newest = route.sort == "newest"
    least = share * max((hit.confidence for hit in told), default=0.0)
    answers = [hit for hit in told if hit.confidence >= least]
    answers.sort(key=lambda hit: -(hit.memory.valid_from if newest else hit.memory.utility))
    return answers + [hit for hit in told if hit.confidence < least]


def why_routed(route: Route | None) -> dict[str, float]:
    """What a route changed of a score: the weights of both lists."""
    if route is None:
        return {}
    return {"route: text": route.text, "route: vector": route.vector}


def told(wanted: Intent, sign: str, route: Route) -> str:
    """The sentence in which `explain` names the intent, what tells it, and what follows."""
    parts = [f"words {route.text:g}, vectors {route.vector:g}", f"{route.limit} hits"]
    if route.sort != "score":
        parts.append(f"{'newest' if route.sort == 'newest' else 'most useful'} first")
    if route.superseded:
        parts.append("superseded too")
    if route.kinds:
        parts.append(f"only {' and '.join(kind.value for kind in route.kinds)}")
    return f"{wanted.value} ({sign}): {', '.join(parts)}"

"""Where a walk over a graph keeps coming by, that starts again and again at the same places."""

from collections.abc import Sequence

from engraphy.formulas._bounds import bounded, unit, weight

_ROUNDS = 200


def personalised_pagerank(
    *,
    edges: Sequence[tuple[int, int, float]],
    restart: Sequence[float],
    damping: float = 0.5,
    rounds: float = 30,
    tolerance: float = 1e-4,
) -> tuple[float, ...]:
    """The share of its time that a walker spends at each place of a graph.

    Formula: ``p = (1 - damping) * r + damping * W p`` from ``p = r``, until the sum of the changes
    is at most ``tolerance``; r is ``restart`` divided by its sum, W the weights divided by their
    sum at the place that is left; from a place without edges the walk starts again
    Inputs: edges (place, place, weight >= 0), walked both ways, those with an end outside of
    ``restart`` left out; restart >= 0, one number per place; damping in [0, 1], the chance that
    the walk goes on; rounds in [1, 200]; tolerance in [0, 1].
    Range: each in [0, 1], together 1; all 0 where the walk starts nowhere.
    Source: row D-75; Page et al. 1999, Haveliwala 2002; damping as in HippoRAG, Gutierrez et al.
    2024.

    >>> shares = personalised_pagerank(edges=[(0, 1, 1), (1, 2, 1)], restart=[1, 0, 0])
    >>> [round(share, 3) for share in shares]
    [0.583, 0.333, 0.083]
    """
    onward, limit, most = unit(damping), unit(tolerance), int(bounded(rounds, 1, _ROUNDS))
    starts = [weight(share) for share in restart]
    total = sum(starts)
    if total <= 0.0:
        return tuple(0.0 for _ in starts)
    starts = [share / total for share in starts]
    steps, found = _steps(edges, len(starts)), starts
    for _ in range(most):
        before, found = found, _walked(steps, starts, found, onward)
        if sum(abs(new - old) for new, old in zip(found, before, strict=True)) <= limit:
            break
    return tuple(unit(share) for share in found)


Steps = list[list[tuple[int, float]]]


def _steps(edges: Sequence[tuple[int, int, float]], size: int) -> Steps:
    """For each place where a walk can go from it, with the chance of each way."""
    ways: list[dict[int, float]] = [{} for _ in range(size)]
    for one, other, given in edges:
        share = weight(given)
        if share > 0.0 and one != other and 0 <= one < size and 0 <= other < size:
            ways[one][other] = ways[one].get(other, 0.0) + share
            ways[other][one] = ways[other].get(one, 0.0) + share
    sums = [sum(way.values()) for way in ways]
    return [
        [(place, share / whole) for place, share in way.items()]
        for way, whole in zip(ways, sums, strict=True)
    ]


def _walked(
    steps: Steps, starts: Sequence[float], found: Sequence[float], onward: float
) -> list[float]:
    """The shares after one more step."""
    lost = onward * sum(share for share, ways in zip(found, steps, strict=True) if not ways)
    again = 1.0 - onward + lost
    after = [again * share for share in starts]
    for share, ways in zip(found, steps, strict=True):
        for place, chance in ways:
            after[place] += onward * share * chance
    return after

"""Choosing different things and grouping alike ones."""

from collections.abc import Callable, Sequence

from engraphy.formulas._bounds import at_least, bounded, unit
from engraphy.formulas.gate import reaches


def mmr_score(*, relevance: float, max_similarity: float, trade_off: float = 0.7) -> float:
    """Maximal marginal relevance: relevant, and unlike what was already chosen.

    Formula: ``trade_off * relevance - (1 - trade_off) * max_similarity``
    Inputs: all in [0, 1]; max_similarity to the memories chosen so far; trade_off is lambda.
    Range: [-1, 1], rising in relevance, falling in similarity; the relevance at trade_off 1.
    Source: row D-24 (cognitive document); Carbonell and Goldstein 1998.

    >>> round(mmr_score(relevance=0.9, max_similarity=0.5), 2)
    0.48
    """
    share = unit(trade_off)
    return share * unit(relevance) - (1.0 - share) * unit(max_similarity)


def mmr_order(
    *,
    relevances: Sequence[float],
    similarity: Callable[[int, int], float],
    limit: int,
    trade_off: float = 0.7,
) -> tuple[int, ...]:
    """The places of the memories to keep, chosen one after the other by ``mmr_score``.

    Formula: repeat ``argmax(mmr_score)`` over what is left; ties go to the earlier place
    Inputs: relevances in [0, 1]; similarity(i, j) of two places in [0, 1]; limit >= 0.
    Range: min(limit, number of relevances) distinct places; by relevance alone at trade_off 1.
    Source: row D-24; Carbonell and Goldstein 1998.

    >>> alike = lambda i, j: 1.0 if {i, j} == {0, 1} else 0.0
    >>> mmr_order(relevances=[0.9, 0.8, 0.7], similarity=alike, limit=2)
    (0, 2)
    """
    share, worth = unit(trade_off), [unit(relevance) for relevance in relevances]
    nearest = [0.0] * len(worth)
    left = list(range(len(worth)))
    chosen: list[int] = []

    # `mmr_score` written out: it runs for thousands of pairs, whose numbers are in their ranges.
    relevant, same = [share * one for one in worth], 1.0 - share

    def gain(place: int) -> float:
        return relevant[place] - same * nearest[place]

    while left and len(chosen) < limit:
        best = max(left, key=gain)
        chosen.append(best)
        left.remove(best)
        for place in left:
            nearest[place] = max(nearest[place], unit(similarity(place, best)))
    return tuple(chosen)


def single_linkage(
    *,
    size: int,
    similarity: Callable[[int, int], float],
    threshold: float,
    minimum: int = 1,
) -> tuple[tuple[int, ...], ...]:
    """Clusters in which every member is alike to at least one other member.

    Formula: connected components of the pairs with ``similarity >= threshold``
    Inputs: size >= 0 places; similarity(i, j) for i < j; minimum members of a cluster.
    Range: disjoint clusters in order of their first place, members rising.
    Source: rows A-19 and D-47 (clusters of 3 and more); Sibson 1973.

    >>> single_linkage(size=4, similarity=lambda i, j: float(j - i == 1 and j < 3), threshold=0.5)
    ((0, 1, 2), (3,))
    """

    limit = bounded(threshold)

    def alike(one: int, other: int) -> bool:
        return reaches(score=similarity(min(one, other), max(one, other)), threshold=limit)

    unseen = list(range(size))
    clusters: list[tuple[int, ...]] = []
    while unseen:
        front = [unseen.pop(0)]
        members: list[int] = []
        while front:
            one = front.pop()
            members.append(one)
            near = [other for other in unseen if alike(one, other)]
            front += near
            unseen = sorted(set(unseen).difference(near))
        clusters.append(tuple(sorted(members)))
    return tuple(cluster for cluster in clusters if len(cluster) >= minimum)


def belongs_together(
    *,
    shared_entities: float,
    same_kind: bool,
    importance_gap: float,
    similarity: float,
    gap_limit: float = 0.3,
    similarity_floor: float = 0.2,
) -> bool:
    """Whether two memories may stand in one theme.

    Formula: ``shared_entities >= 1 or (same_kind and |importance_gap| < gap_limit and
    similarity >= similarity_floor)``
    Inputs: shared_entities >= 0; importance_gap in [-1, 1]; similarity of the texts in [0, 1].
    Range: true or false; a kind alone never lumps memories together.
    Source: row D-47 (cognitive document, clustering); the similarity floor is the product's own.

    >>> belongs_together(shared_entities=0, same_kind=True, importance_gap=0.1, similarity=0.05)
    False
    """
    near = not at_least(abs(bounded(importance_gap, -1.0, 1.0)), gap_limit)
    alike = reaches(score=unit(similarity), threshold=unit(similarity_floor))
    return at_least(shared_entities, 1.0) or (same_kind and near and alike)

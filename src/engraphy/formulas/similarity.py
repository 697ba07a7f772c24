"""How alike two sets, two texts or two vectors are."""

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from engraphy.formulas._bounds import bounded, non_negative, same_length, unit


def jaccard(*, left: AbstractSet[str], right: AbstractSet[str]) -> float:
    """The share of two sets' members that they have in common.

    Formula: ``|left & right| / |left | right|``, 1 for two empty sets
    Inputs: two sets of words, keywords or entities.
    Range: [0, 1], 1 for equal sets.
    Source: rows A-14, A-19 and D-07; Jaccard 1901.

    >>> jaccard(left={"port", "api"}, right={"port", "database"})
    0.3333333333333333
    """
    union = len(left | right)
    return len(left & right) / union if union else 1.0


def overlap_coefficient(*, left: AbstractSet[str], right: AbstractSet[str]) -> float:
    """The share of the smaller set that the larger one holds.

    Formula: ``|left & right| / min(|left|, |right|)``, 0 where one is empty and the other not
    Inputs: two sets of words.
    Range: [0, 1], 1 where one holds the other.
    Source: row D-13 (word overlap of two memories of different length).

    >>> overlap_coefficient(left={"a", "b"}, right={"a", "b", "c", "d"})
    1.0
    """
    smaller = min(len(left), len(right))
    if smaller == 0:
        return 1.0 if left == right else 0.0
    return len(left & right) / smaller


def recent_overlap(
    *,
    current: AbstractSet[str],
    window: Sequence[AbstractSet[str]],
    size: int = 5,
    chance: int = 0,
) -> float:
    """How much the current keywords share with the nearest of the last few observations.

    Formula: ``max((|current & recent| - chance) / |current | recent|)``, not below 0, over the last
    ``size`` sets: the Jaccard index where chance is 0; 1 for an empty window
    Inputs: current keywords; the observations' keywords, oldest first; size >= 1; chance >= 0, the
    words that any two observations may share.
    Range: [0, 1]; low means that the topic changed.
    Source: row A-14 (overlap with recent sets, never with a union that only grows).

    >>> recent_overlap(current={"css"}, window=[{"sql"}, {"sql", "css"}])
    0.5
    """
    recent = window[-max(1, size) :]
    if chance <= 0:
        return max((jaccard(left=current, right=one) for one in recent), default=1.0)
    shares = (max(0, len(current & one) - chance) / max(1, len(current | one)) for one in recent)
    return max(shares, default=1.0)


def cosine(*, left: Sequence[float], right: Sequence[float]) -> float:
    """The cosine of the angle between two vectors.

    Formula: ``left . right / (|left| * |right|)``, 0 where a vector is all zeros
    Inputs: two vectors of the same length.
    Range: [-1, 1], 1 for the same direction.
    Source: rows D-07 and D-47.

    >>> cosine(left=[1.0, 0.0], right=[1.0, 0.0])
    1.0
    """
    same_length(len(left), len(right), "left and right")
    pairs = zip(_unit_vector(left), _unit_vector(right), strict=True)
    return bounded(math.fsum(a * b for a, b in pairs), -1.0, 1.0)


def lexical_cosine(*, left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """The cosine of two texts given as token counts; the similarity without an embedder.

    Formula: ``sum(left[t] * right[t]) / (|left| * |right|)``, 0 where a text is empty
    Inputs: token -> count (or weight) >= 0.
    Range: [0, 1], 1 for the same proportions.
    Source: rows D-07 and D-24 (lexical cosine where there is no embedder, MMR's proxy).

    >>> lexical_cosine(left={"a": 1, "b": 1}, right={"a": 1, "c": 1})
    0.5
    """
    a = dict(zip(left, _unit_vector([non_negative(n) for n in left.values()]), strict=True))
    b = dict(zip(right, _unit_vector([non_negative(n) for n in right.values()]), strict=True))
    return _clean(math.fsum(share * b[token] for token, share in a.items() if token in b))


def centroid(*, vectors: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """The direction between several vectors: a query's and its hypothetical answers'.

    Formula: mean of the vectors, each at length 1, brought to length 1
    Inputs: at least one vector, all of the same length.
    Range: every component in [-1, 1]; length 1, or all zeros where the vectors cancel out.
    Source: row D-23; HyDE: Gao et al. 2022.

    >>> centroid(vectors=[[3.0, 0.0], [1.0, 0.0]])
    (1.0, 0.0)
    """
    if not vectors:
        raise ValueError("a centroid of no vectors; at least one vector is allowed")
    for vector in vectors:
        same_length(len(vectors[0]), len(vector), "vectors")
    columns = zip(*(_unit_vector(vector) for vector in vectors), strict=True)
    return tuple(_unit_vector([math.fsum(column) for column in columns]))


def _unit_vector(values: Sequence[float]) -> list[float]:
    numbers = [bounded(value) for value in values]
    peak = max((abs(number) for number in numbers), default=0.0)
    if peak == 0.0:
        return numbers
    scaled = [number / peak for number in numbers]
    length = math.hypot(*scaled)
    return [number / length for number in scaled]


def _clean(value: float) -> float:
    # Two equal texts give 0.9999999999999998 or so: the last digits are rounding, not difference.
    return unit(round(value, 12))

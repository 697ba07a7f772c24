"""What a row of the table of formulas is made of: wild inputs and what must hold."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from engraphy import formulas

EXTREMES = (0, 1, -1, math.inf, -math.inf, 10**400, 5e-324, 1e-9, 1.7e308, -1.7e308)
NUMBER = st.one_of(
    st.floats(0, 1), st.floats(0, 400), st.floats(allow_nan=False), st.sampled_from(EXTREMES)
)
WHOLE = st.one_of(st.integers(-3, 40), st.integers(-(10**30), 10**30))
FLAG = st.booleans()
RATING = st.sampled_from([1, 2, 3, 4])
CURVE = st.sampled_from(["document", "fsrs6"])
NUMBERS = st.lists(NUMBER, max_size=6)
NAMED = st.dictionaries(st.sampled_from("abcd"), NUMBER, max_size=4)
WORDS = st.frozensets(st.sampled_from("abcdef"), max_size=6)
MAYBE = st.none() | NUMBER

Check = Callable[[Any, Mapping[str, Any]], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One formula: how to call it and what must hold of its result."""

    inputs: Mapping[str, st.SearchStrategy[Any]]
    holds: Check
    rising: tuple[str, ...] = ()
    falling: tuple[str, ...] = ()
    neutral: tuple[tuple[Mapping[str, Any], Any], ...] = ()
    order: tuple[str, ...] = field(default=())


def between(low: float, high: float) -> Check:
    """The result is a finite number of [low, high]."""
    return lambda result, _: math.isfinite(result) and low <= result <= high


def one_of(*allowed: object) -> Check:
    """The result is one of these."""
    return lambda result, _: result in allowed


def numbers(names: str) -> dict[str, st.SearchStrategy[Any]]:
    """Wild numbers for each of the names."""
    return dict.fromkeys(names.split(), NUMBER)


UNIT = between(0, 1)
STABILITY = between(formulas.STABILITY_MIN, formulas.STABILITY_MAX)
DECISION = one_of(True, False)
ACTIONS = one_of("create", "update", "reinforce", "skip", "supersede")
LINKS = one_of(("same_entity", 0.7), ("elaborates", 0.5), ("related_to", 0.4), ("", 0.0))


def disjoint(result: Any, given: Mapping[str, Any]) -> bool:
    """Every place is in exactly one cluster."""
    places = [place for cluster in result for place in cluster]
    return sorted(places) == list(range(max(0, given["size"])))


def distinct(result: Any, given: Mapping[str, Any]) -> bool:
    """As many distinct places as were asked for."""
    wanted = min(max(0, given["limit"]), len(given["relevances"]))
    return len(set(result)) == len(result) == wanted


def walked(result: Any, given: Mapping[str, Any]) -> bool:
    """A share of the walk for every place, together the whole walk or none of it."""
    inside = all(math.isfinite(share) and 0.0 <= share <= 1.0 for share in result)
    together = math.fsum(result)
    return (
        inside and len(result) == len(given["restart"]) and min(together, abs(1 - together)) < 1e-9
    )


def filled(result: Any, given: Mapping[str, Any]) -> bool:
    """No scale gives more than it has, and no place stays empty."""
    quotas, there = ([max(0, n) for n in given[name]] for name in ("quotas", "available"))
    fits = all(0 <= taken <= most for taken, most in zip(result, there, strict=True))
    return fits and sum(result) == min(sum(quotas), sum(there))


def direction(result: Any, _: Mapping[str, Any]) -> bool:
    """A vector of length 1, or all zeros."""
    length = math.hypot(*result)
    return all(-1 <= part <= 1 for part in result) and (length == 0 or math.isclose(length, 1))


def key(result: Any, _: Mapping[str, Any]) -> bool:
    """Three finite numbers in their ranges."""
    return all(map(math.isfinite, result)) and result[0] >= 0 and 0 <= result[2] <= 1


def at_most(name: str) -> Check:
    """The result lies between 0 and the named input."""
    return lambda result, given: 0 <= result <= max(0, given[name])


def counted(result: Any, given: Mapping[str, Any]) -> bool:
    """At least one of any hits counts, at most all."""
    return (1 if given["hours"] else 0) <= result <= len(given["hours"])


PAIRS = st.lists(st.tuples(NUMBER, NUMBER), min_size=1, max_size=5)
ALIKE = st.sampled_from(
    [lambda i, j: 0.0, lambda i, j: math.inf, lambda i, j: 1.0 / (1 + abs(i - j))]
)
EDGES = st.lists(st.tuples(st.integers(-1, 6), st.integers(-1, 6), NUMBER), max_size=8)
SAME_LENGTH = st.integers(0, 5).flatmap(
    lambda n: st.tuples(*[st.lists(NUMBER, min_size=n, max_size=n)] * 2)
)
# Columns of one length: the case draws the pair and the test hands out its halves.
TWINS: dict[str, tuple[str, str]] = {
    "cosine": ("left", "right"),
    "max_sim": ("cosines", "weights"),
    "reciprocal_rank_fusion": ("ranks", "weights"),
}
VECTORS = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(NUMBER, min_size=n, max_size=n), min_size=1, max_size=4)
)
SCALES = st.lists(st.integers(-2, 9), min_size=4, max_size=4)

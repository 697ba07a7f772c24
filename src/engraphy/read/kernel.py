"""Turns lend their words to the turns beside them, before BM25 saturates.

In a dialogue the words of a question stand in one turn and the answer in the next. So each turn
counts its neighbours' term frequencies as its own at a discount, and only then is BM25 taken
(BM25F, Robertson et al. 2004, over positions instead of fields). Figures: docs/decisions.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engraphy.model import Candidate, DataSource
from engraphy.profile import Fuse

Frequencies = dict[int, float]
"""How often a turn holds each query term, by the term's place in the query; absent = 0."""

_ASKING_SHARE = 0.3
"""About so many turns of a dialogue end in a question: what the mean length must allow for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """Which turns lend to which, and how long each turn counts.

    `lent`: for each candidate (its place, weight) of those it borrows from; `lengths`: length
    with what is borrowed, 1 = a turn of mean length with mean neighbours.
    """

    lent: tuple[tuple[tuple[int, float], ...], ...]
    lengths: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """For each candidate the places of the turns before and after it, whether it asks, and who
    made it."""

    before: tuple[int | None, ...]
    after: tuple[int | None, ...]
    asks: tuple[bool, ...]
    sources: tuple[str, ...]


def kernel(candidates: Sequence[Candidate], mean_length: float, knobs: Fuse, reach: int) -> Kernel:
    """The kernel of one query's candidates, `reach` turns to each side."""
    places = {one.id: place for place, one in enumerate(candidates)}
    chain = Chain(
        before=tuple(places.get(one.previous_id or "") for one in candidates),
        after=tuple(places.get(one.next_id or "") for one in candidates),
        asks=tuple(one.asks for one in candidates),
        sources=tuple(one.data_source for one in candidates),
    )
    openness = [min(1.0, knobs.longest_lender / max(one.length, 1)) for one in candidates]
    lent = tuple(
        tuple(
            (other, weight * openness[place] * openness[other])
            for other, weight in _around(place, chain, knobs, reach)
        )
        for place in range(len(candidates))
    )
    usual = mean_length * _usual(knobs, reach)
    lengths = tuple(
        (one.length + sum(w * candidates[other].length for other, w in lent[place])) / usual
        for place, one in enumerate(candidates)
    )
    return Kernel(lent=lent, lengths=lengths)


def _around(place: int, chain: Chain, knobs: Fuse, reach: int) -> list[tuple[int, float]]:
    found: list[tuple[int, float]] = []
    left, right, fading = chain.before[place], chain.after[place], 1.0
    for distance in range(reach):
        if left is not None:
            asked = knobs.question_before if distance == 0 and chain.asks[left] else 0.0
            loan = knobs.previous * fading + asked
            found.append((left, loan * _across(chain.sources, place, left, knobs.crossing, knobs)))
            left = chain.before[left]
        if right is not None:
            loan = knobs.next * fading
            found.append((right, loan * _across(chain.sources, place, right, knobs.answer, knobs)))
            right = chain.after[right]
        fading *= knobs.decay
    return [(other, weight) for other, weight in found if weight > 0.0]


def _across(
    sources: Sequence[str], borrower: int, lender: int, answered: float, knobs: Fuse
) -> float:
    """What a loan is multiplied by where user, agent or tool borrow from one another: `answered`
    for a message of the user's."""
    if sources[borrower] == sources[lender]:
        return 1.0
    return answered if sources[borrower] == DataSource.USER_MESSAGE else knobs.crossing


def _usual(knobs: Fuse, reach: int) -> float:
    fading = sum(knobs.decay**distance for distance in range(reach))
    beside = (knobs.previous + knobs.next) * fading + knobs.question_before * _ASKING_SHARE
    return 1.0 + (beside if reach else 0.0)


def shares(
    frequencies: Sequence[Frequencies],
    weights: Mapping[int, float],
    made: Kernel,
    *,
    saturation: float,
    length: float,
) -> list[float]:
    """BM25 over frequencies with what is lent, as a share of what is attainable, in [0, 1].

    `weights` by term place (idf times the term's own weight); `saturation` is k1, `length` b.
    """
    total = sum(weights.values())
    if total <= 0.0:
        return [0.0] * len(frequencies)
    fixed, grown = saturation * (1.0 - length), saturation * length
    found = []
    for place, own in enumerate(frequencies):
        counts = _borrowed(own, made.lent[place], frequencies)
        damping = fixed + grown * made.lengths[place]
        found.append(
            sum([weights[term] * count / (count + damping) for term, count in counts.items()])
            / total
        )
    return found


def _borrowed(
    own: Frequencies,
    lent: Sequence[tuple[int, float]],
    frequencies: Sequence[Frequencies],
) -> Frequencies:
    added = own
    for other, weight in lent:
        theirs = frequencies[other]
        if theirs:
            added = dict(own) if added is own else added
            for term, count in theirs.items():
                added[term] = added.get(term, 0.0) + weight * count
    return added

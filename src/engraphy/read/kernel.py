"""Turns lend their words to the turns beside them, before BM25 saturates.

In a dialogue the words of a question stand in one turn and the answer in the next. So each turn
counts its neighbours' term frequencies as its own at a discount, and only then is BM25 taken
(BM25F, Robertson et al. 2004, over positions instead of fields). Figures: docs/decisions.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engraphy.model import Candidate, DataSource
from engraphy.profile import Fuse

Frequencies = Mapping[int, float]
"""How often turns hold one query term, by the turn's place among the candidates; absent = 0."""

_DENSE = 8
"""A term that more than one in so many turns holds is counted in a list."""
_ASKING_SHARE = 0.3
"""About so many turns of a dialogue end in a question: what the mean length must allow for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """Which turns lend to which, and how long each turn counts.

    `lent`: for each candidate (its place, weight) of those it borrows from; `lends`: of those that
    borrow from it; `lengths`: length with what is borrowed, 1 = a turn of mean length with mean
    neighbours.
    """

    lent: Sequence[Sequence[tuple[int, float]]]
    lends: Sequence[Sequence[tuple[int, float]]]
    lengths: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """For each candidate the places of the turns before and after it, whether it asks, who made
    it, and the share of its words that it lends or borrows."""

    before: Sequence[int | None]
    after: Sequence[int | None]
    asks: Sequence[bool]
    sources: Sequence[str]
    openness: Sequence[float]


def kernel(candidates: Sequence[Candidate], mean_length: float, knobs: Fuse, reach: int) -> Kernel:
    """The kernel of one query's candidates, `reach` turns to each side."""
    places: dict[str | None, int] = {one.id: place for place, one in enumerate(candidates)}
    own, longest = [one.length for one in candidates], knobs.longest_lender
    chain = Chain(
        before=[places.get(one.previous_id) for one in candidates],
        after=[places.get(one.next_id) for one in candidates],
        asks=[one.asks for one in candidates],
        sources=[one.data_source for one in candidates],
        openness=[1.0 if size <= longest else longest / size for size in own],
    )
    lent = _lent(chain, knobs, reach)
    lends: list[list[tuple[int, float]]] = [[] for _ in own]
    usual = mean_length * _usual(knobs, reach)
    lengths = []
    for place, loans in enumerate(lent):
        total: float = own[place]
        for other, weight in loans:
            lends[other].append((place, weight))
            total += weight * own[other]
        lengths.append(total / usual)
    return Kernel(lent=lent, lends=lends, lengths=lengths)


def _lent(chain: Chain, knobs: Fuse, reach: int) -> list[list[tuple[int, float]]]:
    """What each turn borrows, written out in one loop: it runs over every candidate of a query."""
    before, after, asks, openness = chain.before, chain.after, chain.asks, chain.openness
    is_mixed = len(set(chain.sources)) > 1
    previous, following, decay = knobs.previous, knobs.next, knobs.decay
    question = knobs.question_before
    found = []
    for place, share in enumerate(openness):
        loans: list[tuple[int, float]] = []
        left, right, fading, asked = before[place], after[place], share, question
        for _ in range(reach):
            if left is not None:
                loan = (previous * fading + asked * share * asks[left]) * openness[left]
                if is_mixed:
                    loan *= _across(chain, place, left, knobs.crossing, knobs)
                loans.append((left, loan))
                left = before[left]
            if right is not None:
                loan = following * fading * openness[right]
                if is_mixed:
                    loan *= _across(chain, place, right, knobs.answer, knobs)
                loans.append((right, loan))
                right = after[right]
            fading, asked = fading * decay, 0.0
        found.append(loans)
    return found


def _across(chain: Chain, borrower: int, lender: int, answered: float, knobs: Fuse) -> float:
    """What a loan is multiplied by where user, agent or tool borrow from one another: `answered`
    for a message of the user's."""
    own = chain.sources[borrower]
    if own == chain.sources[lender]:
        return 1.0
    return answered if own == DataSource.USER_MESSAGE else knobs.crossing


def _usual(knobs: Fuse, reach: int) -> float:
    fading = sum(knobs.decay**distance for distance in range(reach))
    beside = (knobs.previous + knobs.next) * fading + knobs.question_before * _ASKING_SHARE
    return 1.0 + (beside if reach else 0.0)


def shares(
    frequencies: Mapping[int, Frequencies],
    weights: Mapping[int, float],
    made: Kernel,
    *,
    saturation: float,
    length: float,
) -> list[float]:
    """BM25 over frequencies with what is lent, as a share of what is attainable, in [0, 1].

    `frequencies` and `weights` by term place (idf times the term's own weight); `saturation` is
    k1, `length` b. Terms are rare: the work grows with the turns that hold one, not with all.
    """
    total = sum(weights.values())
    found = [0.0] * len(made.lengths)
    if total <= 0.0:
        return found
    fixed, grown = saturation * (1.0 - length), saturation * length
    damping = [fixed + grown * one for one in made.lengths]
    for term, own in frequencies.items():
        worth = weights[term] / total
        for place, count in _borrowed(own, made.lends):
            found[place] += worth * count / (count + damping[place])
    return found


def _borrowed(
    own: Frequencies, lends: Sequence[Sequence[tuple[int, float]]]
) -> Iterable[tuple[int, float]]:
    """Places with what they hold and borrow of one term; a list where many hold it, which is
    quicker to add to."""
    if len(own) * _DENSE > len(lends):
        everywhere = [0.0] * len(lends)
        for place, count in own.items():
            everywhere[place] = count
        for lender, count in own.items():
            for place, weight in lends[lender]:
                everywhere[place] += weight * count
        return [(place, count) for place, count in enumerate(everywhere) if count]
    added = dict(own)
    for lender, count in own.items():
        for place, weight in lends[lender]:
            added[place] = added.get(place, 0.0) + weight * count
    return added.items()

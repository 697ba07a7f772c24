"""Turns lend their words to the turns beside them, before BM25 saturates.

In a dialogue the words of a question stand in one turn and the answer in the next. So each turn
counts its neighbours' term frequencies as its own at a discount, and only then is BM25 taken
(BM25F, Robertson et al. 2004, over positions instead of fields). Figures: docs/decisions.md.
"""

from collections.abc import Iterable, Mapping, Sequence

from engraphy.model import Candidate, DataSource
from engraphy.profile import Fuse
from engraphy.record import Record

Frequencies = Mapping[int, float] | Sequence[float]
"""How often turns hold one query term: by the turn's place among the candidates, absent = 0, or of
every turn in a row."""
Column = tuple[Sequence[int], Sequence[float]]
"""For each turn the place of one that it borrows from, and how much of it; a turn that borrows
nothing has the place behind all others, and 0."""
Pair = Sequence[tuple[int, float, int, float]]
"""Two columns row by row: the place of the turn before, how much of it, and the same of the turn
after."""

_NOBODY = -1
_DENSE = 8
"""A term that more than one in so many turns holds is counted in a list."""
_ASKING_SHARE = 0.3
"""About so many turns of a dialogue end in a question: what the mean length must allow for."""


class Kernel(Record, frozen=True, kw_only=True):
    """Which turns lend to which, and how long each turn counts.

    `lent`: what is borrowed, one column for each turn beside, two by two: of a turn before and of
    one after; `pairs`: the same, two columns at a time; `lends`: of each column the places of those
    that borrow from a turn, by its place; `lengths`: length with what is borrowed, 1 = a turn of
    mean length with mean neighbours.
    """

    lent: Sequence[Column]
    pairs: Sequence[Pair]
    lends: Sequence[Mapping[int, Sequence[int]]]
    lengths: Sequence[float]


class Chain(Record, frozen=True, kw_only=True):
    """For each candidate the places of the turns before and after it, whether it asks, who made
    it, and the share of its words that it lends or borrows. Behind the last stands nobody, whom
    those without a turn beside them name, and who lends nothing."""

    before: Sequence[int]
    after: Sequence[int]
    asks: Sequence[bool]
    sources: Sequence[str]
    openness: Sequence[float]


def kernel(candidates: Sequence[Candidate], mean_length: float, knobs: Fuse, reach: int) -> Kernel:
    """The kernel of one query's candidates, `reach` turns to each side."""
    places: dict[str | None, int] = {one.id: place for place, one in enumerate(candidates)}
    place_of, nobody = places.get, len(candidates)
    own, longest = [float(one.length) for one in candidates], knobs.longest_lender
    chain = Chain(
        before=[*[place_of(one.previous_id, nobody) for one in candidates], nobody],
        after=[*[place_of(one.next_id, nobody) for one in candidates], nobody],
        asks=[*[one.asks for one in candidates], False],
        sources=[*[one.data_source for one in candidates], ""],
        openness=[*[1.0 if size <= longest else longest / size for size in own], 0.0],
    )
    lent: Sequence[Column] = _lent(chain, knobs, reach)
    if knobs.monologue != 1.0:
        lent = _apart(lent, candidates, chain, knobs.monologue)
    lends = [_borrowers(lenders, nobody) for lenders, _ in lent]
    pairs = [
        list(zip(*before, *after, strict=True))
        for before, after in zip(lent[::2], lent[1::2], strict=True)
    ]
    usual = mean_length * _usual(knobs, reach)
    lengths = [total / usual for total in _with_loans(own, pairs)]
    return Kernel(lent=lent, pairs=pairs, lends=lends, lengths=lengths)


def _apart(
    lent: Sequence[Column], candidates: Sequence[Candidate], chain: Chain, share: float
) -> Sequence[Column]:
    """What is lent, and `share` of it from message to message where one speaker goes on and nobody
    answers: the next one is as likely about something else."""
    passing = [*_passing(candidates, chain, share), 1.0]
    if passing.count(1.0) == len(passing):
        return lent
    left: Sequence[float] = passing[:-1]
    right: Sequence[float] = [passing[at] for at in chain.after[:-1]]
    found: list[Column] = []
    for (before, loans), (after, returns) in zip(lent[::2], lent[1::2], strict=True):
        if found:
            (nearer, _), (later, _) = found[-2:]
            left = [one * passing[at] for one, at in zip(left, nearer, strict=True)]
            right = [one * passing[chain.after[at]] for one, at in zip(right, later, strict=True)]
        found.append((before, [loan * one for loan, one in zip(loans, left, strict=True)]))
        found.append((after, [loan * one for loan, one in zip(returns, right, strict=True)]))
    return found


def _passing(candidates: Sequence[Candidate], chain: Chain, share: float) -> list[float]:
    """For each turn what passes between it and the one before; what was told at once is one thing,
    and where another speaks right before or after the two it is a dialogue."""
    # By numbers: it is asked of hundreds of turns.
    known: dict[tuple[str, str], int] = {}
    who = [known.setdefault((one.speaker, one.data_source), len(known)) for one in candidates]
    who.append(_NOBODY)
    moments = [*[one.valid_from for one in candidates], 0]
    befores = chain.before
    return [
        share
        if who[before] == own
        and moments[before] != moment
        and who[befores[before]] in (own, _NOBODY)
        and who[after] in (own, _NOBODY)
        else 1.0
        for own, moment, before, after in zip(who, moments, befores, chain.after, strict=True)
    ][:-1]


def _borrowers(lenders: Sequence[int], nobody: int) -> Mapping[int, Sequence[int]]:
    """The places of those that borrow from a turn, by its place; mostly one."""
    found: dict[int, tuple[int, ...]] = dict(zip(lenders, zip(range(nobody)), strict=True))
    if len(found) + lenders.count(nobody) - (nobody in found) < nobody:
        several: dict[int, list[int]] = {}
        for place, lender in enumerate(lenders):
            several.setdefault(lender, []).append(place)
        found = {lender: tuple(places) for lender, places in several.items()}
    found.pop(nobody, None)
    return found


def _lent(chain: Chain, knobs: Fuse, reach: int) -> list[Column]:
    """What each turn borrows, nearest first and of equals the turn before first."""
    # All but nobody, of whom one place stands behind all others.
    openness, asks = chain.openness, chain.asks
    left: Sequence[int] = chain.before[:-1]
    right: Sequence[int] = chain.after[:-1]
    is_mixed = len(set(chain.sources[:-1])) > 1
    fading, asked = openness[:-1], knobs.question_before
    previous, following = knobs.previous, knobs.next
    found: list[Column] = []
    for distance in range(reach):
        if distance:
            left = [chain.before[other] for other in left]
            right = [chain.after[other] for other in right]
            fading = [fade * knobs.decay for fade in fading]
        # Only the turn just before is owed more for asking.
        loans = (
            [previous * fade * openness[other] for fade, other in zip(fading, left, strict=True)]
            if distance
            else [
                (previous * fade + asked * share * asks[other]) * openness[other]
                for fade, share, other in zip(fading, openness, left, strict=False)
            ]
        )
        returns = [
            following * fade * openness[other] for fade, other in zip(fading, right, strict=True)
        ]
        if is_mixed:
            loans = _crossed(loans, left, chain, knobs.crossing, knobs)
            returns = _crossed(returns, right, chain, knobs.answer, knobs)
        found += [(left, loans), (right, returns)]
    return found


def _crossed(
    loans: Sequence[float], lenders: Sequence[int], chain: Chain, answered: float, knobs: Fuse
) -> list[float]:
    """Loans where user, agent or tool borrow from one another: `answered` times as much for a
    message of the user's."""
    sources = chain.sources
    return [
        loan * _across(own, sources[lender], answered, knobs)
        for loan, own, lender in zip(loans, sources, lenders, strict=False)
    ]


def _across(own: str, lender: str, answered: float, knobs: Fuse) -> float:
    if own == lender:
        return 1.0
    return answered if own == DataSource.USER_MESSAGE else knobs.crossing


def _with_loans(own: Sequence[float], pairs: Sequence[Pair]) -> Sequence[float]:
    """What each turn has of its own and borrows."""
    held, total = [*own, 0.0], own
    for pair in pairs:
        total = [
            sum_so_far + first * held[before] + second * held[after]
            for sum_so_far, (before, first, after, second) in zip(total, pair, strict=True)
        ]
    return total


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
        if isinstance(own, Mapping) and len(own) * _DENSE <= len(found):
            for place, count in _borrowed(own, made):
                found[place] += worth * count / (count + damping[place])
        else:
            counts = _with_loans(_listed(own, len(found)), made.pairs)
            found = [
                share + worth * count / (count + damped) if count else share
                for share, count, damped in zip(found, counts, damping, strict=True)
            ]
    return found


def _listed(own: Frequencies, size: int) -> Sequence[float]:
    if not isinstance(own, Mapping):
        return own
    listed = [0.0] * size
    for place, count in own.items():
        listed[place] = count
    return listed


def _borrowed(own: Mapping[int, float], made: Kernel) -> Iterable[tuple[int, float]]:
    """Places with what they hold and borrow of one term."""
    added = dict(own)
    columns = [(lends, weights) for lends, (_, weights) in zip(made.lends, made.lent, strict=True)]
    for lender, count in own.items():
        for lends, weights in columns:
            for place in lends.get(lender, ()):
                added[place] = added.get(place, 0.0) + weights[place] * count
    return added.items()

"""From a query's lists to one relevance per candidate: words, soft matches and vectors, each a
share of what is attainable, summed by weight, then boosted (see `kernel` and `boosts`)."""

import heapq
from collections.abc import Mapping, Sequence
from math import prod

import msgspec

from engraphy.model import Candidate, DataSource
from engraphy.profile import Fuse
from engraphy.read.boosts import attainable, boosts, speakers
from engraphy.read.dating import dating
from engraphy.read.kernel import Column, Frequencies, Kernel, kernel, shares
from engraphy.read.measure import Pool, distinct, rarity, term_weights
from engraphy.read.narrower import Lent, at_least, lent, with_lent
from engraphy.text.imprint import code, counts


class Relevance(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One candidate's relevance in [0, 1]; `base` is what it answers before any boost; `parts`
    name the shares and factors."""

    candidate: Candidate
    value: float
    base: float
    parts: Mapping[str, float]


def relevance(pool: Pool, knobs: Fuse, reach: int, most: int) -> list[Relevance]:
    """The relevance of the `most` candidates that answer best before any boost, and of those
    that are weighed anyway."""
    made = kernel(pool.candidates, pool.text.mean_length, knobs, reach)
    similar = knobs.sentences if pool.sentences else knobs.pooled
    of_kind = lent(pool)
    words = _lexical(pool, made, knobs, of_kind)
    lists = (
        ("text", knobs.text, words),
        ("soft", knobs.soft, _soft(pool, made, knobs, of_kind)),
        ("pooled", similar, _pooled(pool, made, knobs, words)),
    )
    used = [(name, weight, values) for name, weight, values in lists if weight and values]
    total = sum(weight for _, weight, _ in used) or 1.0
    shares = [(name, [weight / total * x for x in values]) for name, weight, values in used]
    bases = [sum(row) for row in zip(*(values for _, values in shares), strict=True)]
    if pool.dated:
        bases = [_by_time(pool, *one) for one in zip(pool.candidates, bases, strict=True)]
    worth = _worth(pool, bases, knobs)
    best = heapq.nlargest(most, range(len(bases)), key=worth.__getitem__)
    best = distinct([*best, *_weighed(pool)])
    return _boosted(pool, knobs, shares, bases, best)


def _worth(pool: Pool, bases: Sequence[float], knobs: Fuse) -> Sequence[float]:
    """What candidates are chosen by: an agent's long texts, which hold words of everything, would
    leave no room for what they lose by in the end."""
    if pool.asked.of_agent or not knobs.agent:
        return bases
    kept, agents = 1.0 - knobs.agent, DataSource.ASSISTANT_MESSAGE.value
    return [
        kept * base if one.data_source == agents else base
        for base, one in zip(bases, pool.candidates, strict=True)
    ]


def _by_time(pool: Pool, one: Candidate, base: float) -> float:
    return 1.0 if one.id in pool.dated else base


def _weighed(pool: Pool) -> list[int]:
    if not pool.weighed:
        return []
    listed = enumerate(pool.candidates)
    return [place for place, one in listed if one.id in pool.weighed]


def _boosted(
    pool: Pool,
    knobs: Fuse,
    shares: Sequence[tuple[str, Sequence[float]]],
    bases: Sequence[float],
    best: Sequence[int],
) -> list[Relevance]:
    chosen = [pool.candidates[place] for place in best]
    told_by = speakers(pool.candidates, pool.asked)
    ceiling = attainable(chosen, pool.asked, told_by, knobs)
    by_time = bool(pool.asked.stretches or pool.late or pool.asked.events)
    rows = []
    for one, place in zip(chosen, best, strict=True):
        factors = boosts(one, pool.asked, told_by, knobs)
        if by_time:
            factors |= dating(one, pool, knobs)
        parts = {name: values[place] for name, values in shares}
        for name, factor in factors.items():
            if factor != 1.0:
                parts[f"x {name}"] = factor
        value = min(1.0, bases[place] * prod(factors.values()) / ceiling)
        base = min(1.0, bases[place])
        rows.append(Relevance(candidate=one, value=value, base=base, parts=parts))
    return rows


def _lexical(pool: Pool, made: Kernel, knobs: Fuse, of_kind: Lent) -> list[float]:
    weights, terms = term_weights(pool), pool.asked.terms
    texts = [one.words for one in pool.candidates]
    counted = counts([code(terms[term].term) for term in weights], texts)
    frequencies: dict[int, Frequencies] = dict(zip(weights, counted, strict=True))
    for term, own in zip(weights, counted, strict=True):
        if more := of_kind.get(terms[term].surface):
            frequencies[term] = with_lent(own, more)
    return shares(frequencies, weights, made, saturation=knobs.saturation, length=knobs.length_text)


def _soft(pool: Pool, made: Kernel, knobs: Fuse, of_kind: Lent) -> list[float]:
    # A question without a word that the embedder knows has no soft matches: the others carry it.
    if not any(map(any, pool.soft)):
        return []
    rare = rarity(pool)
    weights = dict(enumerate(rare.values()))
    frequencies: dict[int, Frequencies] = dict(enumerate(zip(*pool.soft, strict=True)))
    for place, (word, own) in enumerate(zip(rare, zip(*pool.soft, strict=True), strict=True)):
        if more := of_kind.get(word):
            frequencies[place] = at_least(own, more)
    return shares(frequencies, weights, made, saturation=knobs.saturation, length=knobs.length_soft)


def _pooled(pool: Pool, made: Kernel, knobs: Fuse, words: Sequence[float]) -> list[float]:
    near = pool.lists.similarity
    if not near:
        return []
    # Of a row that has no vector yet the words tell what similarity would.
    own = [near.get(one.id, word) for one, word in zip(pool.candidates, words, strict=True)]
    share = knobs.sentences_lent
    if not pool.sentences or not share:
        return own
    return [_around(own, place, made.lent, share) for place in range(len(own))]


def _around(own: Sequence[float], place: int, lent: Sequence[Column], share: float) -> float:
    """A turn's similarity averaged with that of the turns that lend to it: what is asked about is
    told over several, each of which says a part."""
    loans = [(lenders[place], weights[place]) for lenders, weights in lent]
    loans = [(lender, weight) for lender, weight in loans if lender < len(own)]
    total = own[place] + share * sum([weight * own[lender] for lender, weight in loans])
    return total / (1.0 + share * sum([weight for _, weight in loans]))

"""From a query's lists to one relevance per candidate: words, soft matches and vectors, each a
share of what is attainable, summed by weight, then boosted (see `kernel` and `boosts`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from engraphy.profile import Fuse
from engraphy.read.boosts import attainable, boosts, speakers
from engraphy.read.kernel import Frequencies, Kernel, kernel, shares
from engraphy.read.measure import Pool, rarity, term_weights
from engraphy.text.imprint import code, occurrences


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """One candidate's relevance in [0, 1]; `base` is what it answers before any boost; `parts`
    name the shares and factors."""

    value: float
    base: float
    parts: Mapping[str, float]


def relevance(pool: Pool, knobs: Fuse, reach: int) -> list[Relevance]:
    """The relevance of each candidate, in their order."""
    made = kernel(pool.candidates, pool.text.mean_length, knobs, reach)
    found = {
        "text": (knobs.text, _lexical(pool, made, knobs)),
        "soft": (knobs.soft, _soft(pool, made, knobs)),
        "pooled": (knobs.pooled, _pooled(pool)),
    }
    used = {name: pair for name, pair in found.items() if pair[0] and pair[1]}
    total = sum(weight for weight, _ in used.values()) or 1.0
    told_by = speakers(pool.candidates, pool.asked)
    most = attainable(pool.candidates, pool.asked, told_by, knobs)
    rows = []
    for place, one in enumerate(pool.candidates):
        parts = {name: w / total * values[place] for name, (w, values) in used.items()}
        base = sum(parts.values())
        factors = boosts(one, pool.asked, told_by, knobs)
        parts |= {f"x {name}": factor for name, factor in factors.items() if factor != 1.0}
        value = base * prod(factors.values()) / most
        rows.append(Relevance(value=min(1.0, value), base=min(1.0, base), parts=parts))
    return rows


def _lexical(pool: Pool, made: Kernel, knobs: Fuse) -> list[float]:
    weights = term_weights(pool)
    wanted = [(place, code(term.term)) for place, term in enumerate(pool.asked.terms)]
    frequencies: list[Frequencies] = [
        {place: float(count) for place, token in wanted if (count := occurrences(one.words, token))}
        for one in pool.candidates
    ]
    return shares(frequencies, weights, made, saturation=knobs.saturation, length=knobs.length_text)


def _soft(pool: Pool, made: Kernel, knobs: Fuse) -> list[float]:
    if not pool.soft:
        return []
    weights = dict(enumerate(rarity(pool).values()))
    frequencies = [
        {place: value for place, value in enumerate(row) if value > 0.0} for row in pool.soft
    ]
    return shares(frequencies, weights, made, saturation=knobs.saturation, length=knobs.length_soft)


def _pooled(pool: Pool) -> list[float]:
    if not pool.lists.similarity:
        return []
    return [pool.lists.similarity.get(one.id, 0.0) for one in pool.candidates]

"""What is said again is held once, what differs in one thing is held apart: generated pairs."""

from collections.abc import Mapping, Sequence

from engraphy.benchmarks.slot_cases import DuplicatePair, duplicates
from engraphy.benchmarks.write_figures import Bar, Group, scored, share
from engraphy.benchmarks.write_pairs import Pair, SEED, Seen, row, told
from engraphy.benchmarks.write_part import Ground, Part
from engraphy.benchmarks.write_trivial import tally

_DEFINITIONS = {
    "positive": "a pair that differs in form only (case, punctuation, blanks, fillers ...)",
    "negative": "a pair that differs in one thing that is said: a number, a name, a negation ...",
    "merged": "the first was kept, and the second left no memory of its own",
    "near_misses_merged": "share of the negative pairs that were merged",
    "by kind": "share of the pairs of each kind of change that were merged",
    "seed": str(SEED),
}
_BARS = (
    Bar(group="pairs", figure="precision", limit=0.99),
    Bar(group="pairs", figure="recall", limit=0.99),
    Bar(group="pairs", figure="near_misses_merged", limit=0.0, at_least=False),
)


def measure(ground: Ground) -> Part:
    """Each pair told by a user of its own."""
    pairs = {one.id: one for one in duplicates(SEED)}
    told_as = (
        Pair(id=one.id, first=one.a, second=one.b, label=_kind(one)) for one in pairs.values()
    )
    seen = list(told(ground, told_as))
    groups = [_group("pairs", seen, pairs)]
    for language in ("en", "tr"):
        own = [one for one in seen if pairs[one.pair.id].language == language]
        groups.append(_group(language, own, pairs))
    return Part(
        groups=[*groups, _by_kind(seen)],
        bars=_BARS,
        definitions=_DEFINITIONS,
        wrong=[row(ground, one) for one in seen if one.merged != pairs[one.pair.id].same],
    )


def _kind(pair: DuplicatePair) -> str:
    return f"{'same' if pair.same else 'different'}, {pair.kind}"


def _group(name: str, seen: Sequence[Seen], pairs: Mapping[str, DuplicatePair]) -> Group:
    tallies = [tally(found=one.merged, positive=pairs[one.pair.id].same) for one in seen]
    apart = [one.merged for one in seen if not pairs[one.pair.id].same]
    return scored(name, tallies, near_misses_merged=share(sum(apart), len(apart)))


def _by_kind(seen: Sequence[Seen]) -> Group:
    kinds = sorted({one.pair.label for one in seen})
    merged = {kind: [one.merged for one in seen if one.pair.label == kind] for kind in kinds}
    return Group(
        name="merged by kind",
        counts={"pairs": len(seen)},
        figures={kind: share(sum(found), len(found)) for kind, found in merged.items()},
    )

"""PrecisionMemBench's published rules: when a case passes, and what it counts for.

Source: the benchmark's README (pass taxonomy, metrics) and the behaviour of its public runner for
other systems: a tier is compared as a set; `mustInclude` and `mustExclude` of the relevant tier
look at pinned beliefs too; every asserted tier must hold.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engraphy.benchmarks.precision_data import RetrievalCase
from engraphy.benchmarks.precision_store import Tiers

Expect = Mapping[str, Mapping[str, Any]]
DEFINITIONS = {
    "case.pass": "share of cases in which every asserted tier holds",
    "case.precision": "mean, over cases where anything was expected or came back, of the share of "
    "relevant beliefs that were expected (0 where nothing came back)",
    "case.recall": "mean, over cases that expect any, of the share of expected beliefs that came",
    "pinned.coverage": "mean share of the expected pinned beliefs that were there",
    "active": "passes of cases that expect a relevant belief",
    "trivially_empty": "passes of cases where nothing can come back: an empty query, a budget "
    "that the pinned beliefs use up, a user without beliefs",
    "structural": "all other passes",
}


def failures(expect: Expect, tiers: Tiers) -> list[str]:
    """What a context does wrong; empty where the case passes."""
    return [
        *_relevant(expect.get("relevantBeliefs", {}), tiers),
        *_within("pinned", expect.get("pinnedFacts", {}), tiers.pinned),
        *_within("questions", expect.get("openQuestions", {}), tiers.questions),
        *_prelude(expect.get("personaPrelude", {}), tiers.prelude),
    ]


def expected(expect: Expect) -> frozenset[str]:
    """The beliefs that the relevant tier should hold."""
    return frozenset(expect.get("relevantBeliefs", {}).get("shouldOnlyInclude", ()))


def share(expect: Expect, tiers: Tiers) -> dict[str, float | None]:
    """Precision, recall and pinned coverage of a context, each None where it does not apply."""
    wanted, found = expected(expect), set(tiers.relevant)
    pins = set(expect.get("pinnedFacts", {}).get("mustInclude", ()))
    precision = _over(wanted & found, found) if found else (0.0 if wanted else None)
    return {
        "case.precision": precision,
        "case.recall": _over(wanted & found, wanted),
        "pinned.coverage": _over(pins & set(tiers.pinned), pins),
    }


def pass_type(case: RetrievalCase, tiers: Tiers) -> str:
    """What a pass of this case counts for: active, structural or trivially_empty."""
    if expected(case.expect):
        return "active"
    held = tiers.prelude or tiers.pinned or tiers.relevant or tiers.questions
    if not case.query.strip() or case.budget <= len(tiers.pinned) or not held:
        return "trivially_empty"
    return "structural"


def _over(part: set[str] | frozenset[str], whole: set[str] | frozenset[str]) -> float | None:
    return len(part) / len(whole) if whole else None


def _relevant(rules: Mapping[str, Any], tiers: Tiers) -> Iterator[str]:
    both = {*tiers.pinned, *tiers.relevant}
    yield from _within("context", {**rules, "mustInclude": _musts(rules)}, both)
    if "shouldOnlyInclude" in rules:
        only, found = set(rules["shouldOnlyInclude"]), set(tiers.relevant)
        yield from (f"relevant: {one} is not expected" for one in sorted(found - only))
        yield from (f"relevant: {one} is missing" for one in sorted(only - found))
    count = len(tiers.relevant)
    if not rules.get("minCount", 0) <= count <= rules.get("maxCount", count):
        yield f"relevant: {count} beliefs"
    yield from _order(rules.get("orderedBefore", ()), tiers.relevant)


def _musts(rules: Mapping[str, Any]) -> list[str]:
    return [*rules.get("mustInclude", ()), *rules.get("shouldInclude", ())]


def _within(tier: str, rules: Mapping[str, Any], found: Sequence[str] | set[str]) -> Iterator[str]:
    yield from (
        f"{tier}: {one} is missing" for one in rules.get("mustInclude", ()) if one not in found
    )
    yield from (
        f"{tier}: {one} is forbidden" for one in rules.get("mustExclude", ()) if one in found
    )


def _order(pairs: Sequence[Sequence[str]], found: Sequence[str]) -> Iterator[str]:
    places = {one: place for place, one in enumerate(found)}
    for first, second in pairs:
        if first not in places or second not in places or places[first] > places[second]:
            yield f"relevant: {first} does not stand before {second}"


def _prelude(rules: Mapping[str, Any], text: str) -> Iterator[str]:
    if rules.get("nonEmpty") and not text:
        yield "prelude: empty"
    if rules.get("isNull") and text:
        yield "prelude: not empty"
    yield from (f"prelude: without {one!r}" for one in rules.get("contains", ()) if one not in text)
    yield from (f"prelude: with {one!r}" for one in rules.get("mustNotContain", ()) if one in text)

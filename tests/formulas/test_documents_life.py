"""The documents' figures for use, forgetting and tiers, and what the room refuses."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy import formulas


@pytest.mark.parametrize(("accesses", "gain"), [(0, 0.0), (1, 0.0207944), (9, 0.0690776)])
def test_consolidation_boost(accesses: int, gain: float) -> None:
    """A-18: importance grows by .03 ln(1 + accesses), bounded at 1."""
    value = formulas.consolidated_importance(importance=0.5, accesses=accesses)
    assert value - 0.5 == pytest.approx(gain, abs=1e-7)
    assert formulas.consolidated_importance(importance=0.99, accesses=9) == 1


def test_consolidation_decay() -> None:
    """A-18: .02 a day, decisions and discoveries at half rate."""
    assert formulas.neglected_importance(importance=0.5, idle_days=5) == pytest.approx(0.4)
    half = formulas.neglected_importance(importance=0.5, idle_days=5, share=0.5)
    assert half == pytest.approx(0.45)


@pytest.mark.parametrize(
    ("importance", "days", "gone"), [(0.05, 90, True), (0.051, 90, False), (0.05, 89.9, False)]
)
def test_consolidation_eviction(importance: float, days: float, gone: bool) -> None:
    """A-18: evicted at importance .05 once 90 days unaccessed."""
    assert formulas.is_stale(importance=importance, idle_days=days) is gone


@given(counts=st.lists(st.integers(0, 10**9), min_size=2, max_size=9).map(sorted))
def test_loud_memories_are_bounded(counts: list[int]) -> None:
    """B-04: the reinforcement factor rises with the count and never passes 4."""
    factors = [formulas.reinforcement_factor(count=count) for count in counts]
    assert factors == sorted(factors)
    assert factors[-1] <= 4


def test_utility() -> None:
    """D-43: a success moves .5 to .55, a failure to .45; drift never passes one half."""
    assert formulas.utility_after_use(utility=0.5, target=1) == pytest.approx(0.55)
    assert formulas.utility_after_use(utility=0.5, target=0) == pytest.approx(0.45)
    assert formulas.utility_after_drift(utility=0.1, days=10) == pytest.approx(0.14)
    assert formulas.utility_after_drift(utility=0.1, days=100_000) == 0.5


def test_boosts_of_stability() -> None:
    """D-11, D-12, D-28, D-49, D-50: x 1.3, x 1.5, + 2 %, x 1.5, + 2 %."""
    assert formulas.captured_stability(stability=100) == pytest.approx(130)
    assert formulas.flashbulb_stability(stability=100) == pytest.approx(150)
    assert formulas.hebbian_stability(stability=100) == pytest.approx(102)
    assert formulas.rehearsed_stability(stability=100) == pytest.approx(150)
    assert formulas.neighbour_stability(stability=100) == pytest.approx(102)


def test_stability_never_passes_the_cap() -> None:
    """R-11: ten thousand boosts end at 36,500 days."""
    stability = 1.0
    for _ in range(10_000):
        stability = formulas.hebbian_stability(stability=stability)
    assert stability == formulas.STABILITY_MAX == 36_500


def test_working_memory_halves_in_30_minutes() -> None:
    """D-31 and R-08: the recency part halves every 30 minutes; an access adds a tenth."""
    now = formulas.working_memory_score(importance=0.8, age_minutes=0, access_count=0)
    later = formulas.working_memory_score(importance=0.8, age_minutes=30, access_count=0)
    used = formulas.working_memory_score(importance=0.8, age_minutes=0, access_count=1)
    assert (now, later, used) == pytest.approx((0.8, 0.4, 0.88))


def test_synaptic_tags() -> None:
    """D-11: below .5 tags, .7 captures, for four hours."""
    assert formulas.needs_tag(importance=0.499)
    assert not formulas.needs_tag(importance=0.5)
    assert formulas.captures_tag(importance=0.7, tag_age_hours=4.0)
    assert not formulas.captures_tag(importance=0.7, tag_age_hours=4.01)
    assert not formulas.captures_tag(importance=0.69, tag_age_hours=1)


def test_tiers() -> None:
    """D-30, D-31 and D-46: each limit holds at its value and fails just beside it."""
    hot = {"utility": 0.8, "access_count": 10, "idle_days": 29.9}
    assert formulas.is_hot(**hot)
    for beside in ({"utility": 0.79}, {"access_count": 9}, {"idle_days": 30}):
        assert not formulas.is_hot(**{**hot, **beside})
    cold = {"access_count": 2, "utility": 0.69, "age_days": 7, "entity_memories": 2}
    assert not formulas.is_promoted(**cold)
    for rule in ({"access_count": 3}, {"utility": 0.7}, {"entity_memories": 3}):
        assert formulas.is_promoted(**{**cold, **rule})
    assert not formulas.is_promoted(**{**cold, "utility": 0.7, "age_days": 6.9})
    assert formulas.is_demoted(idle_days=60, utility=0.199)
    assert not formulas.is_demoted(idle_days=59.9, utility=0.1)
    assert formulas.leaves_working_memory(access_count=0, importance=0.6)
    assert not formulas.leaves_working_memory(access_count=1, importance=0.59)


def test_utility_floor() -> None:
    """D-44 rule 3: utility below .15 and 30 days unused."""
    assert formulas.is_useless(utility=0.149, idle_days=30)
    assert not formulas.is_useless(utility=0.15, idle_days=30)
    assert not formulas.is_useless(utility=0.1, idle_days=29.9)


def test_trimming() -> None:
    """D-44 and D-13: 501 are cut to 450, 1001 relations to 900; the mean and above stay."""
    assert formulas.excess(count=501) == 51
    assert formulas.excess(count=1001, limit=1000, target=900) == 101
    mean = formulas.bcm_threshold(access_counts=[0, 2, 4])
    assert [formulas.is_trimmable(access_count=n, threshold=mean) for n in (0, 2, 4)] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("shared", "overlap", "same", "expected"),
    [
        (2, 0.0, False, ("same_entity", 0.7)),
        (1, 0.31, False, ("elaborates", 0.5)),
        (1, 0.3, True, ("related_to", 0.4)),
        (0, 0.16, True, ("related_to", 0.4)),
        (0, 0.15, True, ("", 0.0)),
        (1, 0.9, False, ("elaborates", 0.5)),
        (0, 0.9, False, ("", 0.0)),
    ],
)
def test_relation_heuristics(
    shared: int, overlap: float, same: bool, expected: tuple[str, float]
) -> None:
    """D-13: the three heuristics with their confidences, the strongest first."""
    found = formulas.relation_kind(shared_entities=shared, word_overlap=overlap, same_kind=same)
    assert found == expected


def test_fusion_is_relative_to_first_place_everywhere() -> None:
    """D-24: reciprocal rank fusion over its maximum is 1 for first in both lists."""
    both = formulas.reciprocal_rank_fusion(ranks=[0, 0])
    one = formulas.reciprocal_rank_fusion(ranks=[0, None])
    second = formulas.reciprocal_rank_fusion(ranks=[1, 1])
    assert (both, one, second) == pytest.approx((1.0, 0.5, 61 / 62))


def test_diversity_prefers_the_unlike() -> None:
    """D-24: at lambda .7 a near copy of the first loses to a slightly weaker other memory."""
    order = formulas.mmr_order(
        relevances=[0.9, 0.89, 0.7],
        similarity=lambda i, j: 0.99 if {i, j} == {0, 1} else 0.1,
        limit=3,
    )
    assert order == (0, 2, 1)
    assert formulas.mmr_score(relevance=1, max_similarity=1) == pytest.approx(0.4)


def test_single_linkage_chains() -> None:
    """A-19: alike to one member is enough; smaller clusters than asked for are left out."""
    chain = formulas.single_linkage(
        size=6,
        similarity=lambda i, j: 0.6 if (i, j) in {(0, 2), (2, 4), (1, 3)} else 0.0,
        threshold=0.6,
        minimum=3,
    )
    assert chain == ((0, 2, 4),)


def test_a_kind_alone_groups_nothing() -> None:
    """D-47: same kind and near importance need textual similarity; an entity is enough."""
    same = {"same_kind": True, "importance_gap": 0.0}
    assert not formulas.belongs_together(shared_entities=0, similarity=0.0, **same)
    assert formulas.belongs_together(shared_entities=0, similarity=0.5, **same)
    assert formulas.belongs_together(
        shared_entities=1, similarity=0, same_kind=False, importance_gap=1
    )


def test_stable_topic_has_overlap() -> None:
    """A-14: overlap is with recent sets: a growing topic stays high, a new one drops to 0."""
    window = [{"sql", "index"}, {"index", "page"}, {"page", "cache"}]
    assert formulas.recent_overlap(current={"cache", "page"}, window=window) == 1
    assert formulas.recent_overlap(current={"css", "font"}, window=window) == 0


@pytest.mark.parametrize(
    ("name", "inputs", "message"),
    [
        ("weighted_sum", {"signals": {"a": math.nan}, "weights": {"a": 1}}, "NaN"),
        ("weighted_sum", {"signals": {"a": 1}, "weights": {"a": math.nan}}, "NaN"),
        ("cosine", {"left": [math.nan], "right": [1]}, "NaN"),
        ("lexical_cosine", {"left": {"a": math.nan}, "right": {}}, "NaN"),
        ("max_sim", {"cosines": [math.nan], "weights": [1]}, "NaN"),
        ("cosine", {"left": [1], "right": [1, 2]}, "differ in length"),
        ("centroid", {"vectors": []}, "at least one vector"),
        ("centroid", {"vectors": [[1], [1, 2]]}, "differ in length"),
        ("calibrated_similarity", {"cosine": 0, "knots": []}, "at least one"),
        ("quota_with_backfill", {"quotas": [1], "available": []}, "one each"),
        ("retrievability", {"age_days": 1, "stability": 1, "curve": "x"}, "document, fsrs6"),
        ("blend", {"signals": {}, "weights": {}, "method": "x"}, "sum and product"),
    ],
)
def test_refusals(name: str, inputs: dict[str, object], message: str) -> None:
    """What cannot be computed is refused with a message that says what is allowed."""
    with pytest.raises(ValueError, match=message):
        getattr(formulas, name)(**inputs)


@pytest.mark.parametrize(
    ("part", "tokens"),
    [
        ({"ascii_words": [8]}, 1),
        ({"ascii_words": [9, 13, 14]}, 7),
        ({"other_words": [2, 6]}, 3),
        ({"cjk_characters": 4}, 3),
        ({"digit_runs": [3, 4]}, 3),
        ({"punctuation_runs": [11]}, 5),
    ],
)
def test_token_parts(part: dict[str, list[float]], tokens: float) -> None:
    """Words to 8 letters 1 and +1 per 5, others a third, CJK .75, digits per 3, marks per 2.2."""
    assert formulas.pattern_tokens(**part) == pytest.approx(tokens)


def test_tokens_never_below_a_quarter_of_the_bytes() -> None:
    """The estimate is the larger of pattern and bytes / 4, times 1.1, rounded up."""
    assert formulas.token_estimate(pattern=10, utf8_bytes=100) == 28
    assert formulas.token_estimate(pattern=30, utf8_bytes=100) == 33
    assert formulas.token_estimate(pattern=0, utf8_bytes=0) == 0

"""The plots of the formulas that search: decay, match, similarity, gates, blends and ranking."""

from collections.abc import Mapping
from typing import Final

from engraphy import formulas
from formula_plot import Plot, drawn, sweep

_PAIR: Final[Mapping[str, float]] = {"m": 0.6, "t": 0.4}


def _ten(shared: int) -> tuple[frozenset[str], frozenset[str]]:
    return (
        frozenset(str(n) for n in range(10)),
        frozenset(str(n) for n in range(10 - shared, 20 - shared)),
    )


def _chain(i: int, j: int) -> float:
    return 1.0 / (1.0 + abs(i - j) + i / 4)


def _copies(i: int, j: int) -> float:
    return 0.95 if {i, j} == {0, 1} else 0.2


def _spread(place: float) -> list[list[float]]:
    return [[1.0, 0.0], [1.0 - place, place]]


def _from_the_end(damping: float) -> tuple[float, ...]:
    edges = [(0, 1, 1.0), (1, 2, 1.0)]
    return formulas.personalised_pagerank(edges=edges, restart=[1.0, 0.0, 0.0], damping=damping)


def _kind(shared: int, overlap: float) -> str:
    found = formulas.relation_kind(shared_entities=shared, word_overlap=overlap, same_kind=True)
    return found[0] or "none"


SEARCH_PLOTS: Final[Mapping[str, Plot]] = dict(
    (
        sweep("elapsed_days", "now", -86_400_000_000 / 1.0, 3.456e11, then=(0, 86_400_000_000)),
        sweep("half_life_decay", "age", 0.0, 120.0, half_life=(7, 30, 90)),
        sweep("exponential_decay", "age", 0.0, 120.0, e_fold=(7, 30, 90)),
        sweep("linear_decay", "age", 0.0, 60.0, value=1.0, rate=(0.01, 0.02, 0.05)),
        sweep("recency", "age_days", 0.0, 120.0),
        sweep("decayed_importance", "age_days", 0.0, 120.0, importance=(1.0, 0.6, 0.3)),
        sweep("bm25_match", "bm25", -12.0, 1.0, k=(0.5, 1.0, 4.0)),
        sweep("relative_match", "bm25", -12.0, 1.0, best=(-12, -6)),
        sweep("keyword_hit_ratio", "hits", 0, 8, terms=(4, 8)),
        sweep("reciprocal_rank", "rank", 0, 60, k=(10, 60)),
        drawn(
            "reciprocal_rank_fusion",
            "rank in the second list",
            0,
            60,
            first_in_the_other=lambda n: formulas.reciprocal_rank_fusion(ranks=[0, n]),
            absent_from_the_other=lambda n: formulas.reciprocal_rank_fusion(ranks=[None, n]),
        ),
        sweep("min_max", "value", 0.0, 10.0, low=2, high=(6, 9)),
        sweep("inverse_document_frequency", "containing", 0, 100, documents=(100, 10_000)),
        drawn(
            "max_sim",
            "best cosine of one of two query tokens",
            0.0,
            1.0,
            the_other_at_1=lambda x: formulas.max_sim(cosines=[1.0, x], weights=[1, 1]),
            the_other_at_0=lambda x: formulas.max_sim(cosines=[0.0, x], weights=[1, 1]),
        ),
        sweep(
            "calibrated_similarity", "cosine", -0.2, 1.0, knots=[(0.1, 0.0), (0.5, 0.6), (0.9, 1.0)]
        ),
        drawn(
            "jaccard",
            "words shared by two sets of ten",
            0,
            10,
            one=lambda n: formulas.jaccard(left=_ten(n)[0], right=_ten(n)[1]),
        ),
        drawn(
            "overlap_coefficient",
            "words shared by two sets of ten",
            0,
            10,
            one=lambda n: formulas.overlap_coefficient(left=_ten(n)[0], right=_ten(n)[1]),
        ),
        drawn(
            "recent_overlap",
            "keywords shared with the last observation",
            0,
            10,
            one=lambda n: formulas.recent_overlap(current=_ten(n)[0], window=[_ten(n)[1]]),
        ),
        drawn(
            "cosine",
            "share of the second axis",
            0.0,
            1.0,
            one=lambda x: formulas.cosine(left=[1.0, 0.0], right=[1.0 - x, x]),
        ),
        drawn(
            "lexical_cosine",
            "count of a word that only one text has",
            0,
            10,
            one=lambda n: formulas.lexical_cosine(left={"a": 2}, right={"a": 2, "b": n}),
        ),
        drawn(
            "centroid",
            "share of the second axis in one of two vectors",
            0.0,
            1.0,
            first_component=lambda x: formulas.centroid(vectors=_spread(x))[0],
            second_component=lambda x: formulas.centroid(vectors=_spread(x))[1],
        ),
        sweep("mmr_score", "max_similarity", 0.0, 1.0, relevance=0.8, trade_off=(0.5, 0.7, 1.0)),
        drawn(
            "mmr_order",
            "trade_off",
            0.0,
            1.0,
            place_chosen_second=lambda x: formulas.mmr_order(
                relevances=[0.9, 0.85, 0.6], similarity=_copies, limit=2, trade_off=x
            )[1],
        ),
        drawn(
            "personalised_pagerank",
            "damping",
            0.0,
            1.0,
            one_step_away=lambda x: _from_the_end(x)[1],
            two_steps_away=lambda x: _from_the_end(x)[2],
        ),
        drawn(
            "single_linkage",
            "threshold",
            0.1,
            0.7,
            number_of_clusters=lambda x: len(
                formulas.single_linkage(size=8, similarity=_chain, threshold=x)
            ),
        ),
        sweep(
            "belongs_together",
            "importance_gap",
            -0.6,
            0.6,
            shared_entities=(0, 1),
            same_kind=True,
            similarity=0.5,
        ),
        sweep("reaches", "score", 0.0, 1.0, threshold=0.3),
        sweep("prediction_error", "similarity", 0.0, 1.0),
        sweep("prediction_error_action", "similarity", 0.6, 1.0, importance=(0.5, 0.7)),
        sweep("injection_style", "confidence", 0.0, 1.0),
        sweep("temporal_scale", "age_minutes", 0.0, 150.0),
        drawn(
            "quota_with_backfill",
            "memories of the project scale",
            0,
            6,
            project=lambda n: formulas.quota_with_backfill(
                quotas=[1, 2, 1, 1], available=[0, 1, 1, n]
            )[3],
            all_scales=lambda n: sum(
                formulas.quota_with_backfill(quotas=[1, 2, 1, 1], available=[0, 1, 1, n])
            ),
        ),
        drawn(
            "relation_kind",
            "word_overlap",
            0.0,
            1.0,
            no_shared_entity=lambda x: _kind(0, x),
            one_shared_entity=lambda x: _kind(1, x),
            two_shared_entities=lambda x: _kind(2, x),
        ),
        drawn(
            "weighted_sum",
            "match",
            0.0,
            1.0,
            trust_0=lambda x: formulas.weighted_sum(signals={"m": x, "t": 0}, weights=_PAIR),
            trust_1=lambda x: formulas.weighted_sum(signals={"m": x, "t": 1}, weights=_PAIR),
        ),
        drawn(
            "product_with_floor",
            "match",
            0.0,
            1.0,
            floor_0=lambda x: formulas.product_with_floor(signals={"m": x}, weights={"m": 1}),
            floor_one_fifth=lambda x: formulas.product_with_floor(
                signals={"m": x}, weights={"m": 1}, floor=0.2
            ),
            weight_one_half=lambda x: formulas.product_with_floor(
                signals={"m": x}, weights={"m": 0.5}
            ),
        ),
        drawn(
            "attainable_sum",
            "weight of a signal that is there",
            0.0,
            1.0,
            one=lambda x: formulas.attainable_sum(weights={"m": x, "t": 0.4}, names="m"),
        ),
        sweep("share_of_attainable", "score", 0.0, 1.5, attainable=(1.0, 1.3)),
        drawn(
            "blend",
            "match, beside trust at one half",
            0.0,
            1.0,
            sum=lambda x: formulas.blend(signals={"m": x, "t": 0.5}, weights=_PAIR),
            product=lambda x: formulas.blend(
                signals={"m": x, "t": 0.5}, weights=_PAIR, method="product"
            ),
        ),
        sweep("match_score", "match", 0.0, 1.0, recency=(0.0, 0.5, 1.0)),
        sweep("recall_score", "relevance", 0.0, 1.0, importance=(0.0, 0.5, 1.0)),
        sweep("contextual_score", "decay", 0.0, 1.0, type_weight=1.0, reinforcement=(1, 2, 4)),
        sweep("composite_score", "similarity", 0.0, 1.0, rank_fusion=(0.0, 0.5, None)),
        sweep("weighted_retrieval_score", "semantic", 0.0, 1.0, utility=(0.0, 0.5, 1.0)),
        sweep("entity_boost", "matches", 0, 10),
        sweep("episode_boost", "boost", 0.0, 0.3, same_session=(True, False)),
        sweep("co_activation_boost", "count", 0, 6),
        sweep("utility_boost", "utility", 0.0, 1.0, boost=(0.2, 0.3)),
        sweep("mood_factor", "factor", 1.0, 1.3, same_mood=(True, False)),
        sweep("confidence_factor", "confidence", 0.0, 1.0),
        sweep("boosted_score", "score", 0.0, 1.0, additions=[0.1, 0.15], factors=([1], [1.1])),
    )
)

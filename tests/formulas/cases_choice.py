"""Rows of the table of formulas: diversity, gates, blends and ranking."""

from hypothesis import strategies as st
from tests.formulas.case import (
    ACTIONS,
    ALIKE,
    Case,
    DECISION,
    EDGES,
    FLAG,
    LINKS,
    MAYBE,
    NAMED,
    NUMBER,
    NUMBERS,
    SCALES,
    UNIT,
    WORDS,
    between,
    disjoint,
    distinct,
    filled,
    numbers,
    one_of,
    walked,
)

CHOICE_CASES: dict[str, Case] = {
    "mmr_score": Case(
        inputs=numbers("relevance max_similarity trade_off"),
        holds=between(-1, 1),
        rising=("relevance",),
        falling=("max_similarity",),
        neutral=(({"relevance": 0.6, "max_similarity": 0.9, "trade_off": 1}, 0.6),),
    ),
    "mmr_order": Case(
        inputs={
            "relevances": NUMBERS,
            "similarity": ALIKE,
            "limit": st.integers(-1, 8),
            "trade_off": NUMBER,
        },
        holds=distinct,
        neutral=(
            (
                {
                    "relevances": [0.1, 0.9, 0.5],
                    "similarity": lambda i, j: 1.0,
                    "limit": 3,
                    "trade_off": 1,
                },
                (1, 2, 0),
            ),
        ),
    ),
    "personalised_pagerank": Case(
        inputs={
            "edges": EDGES,
            "restart": NUMBERS,
            "damping": NUMBER,
            "rounds": NUMBER,
            "tolerance": NUMBER,
        },
        holds=walked,
        neutral=(
            ({"edges": [(0, 1, 1.0)], "restart": [1.0, 3.0], "damping": 0.0}, (0.25, 0.75)),
            ({"edges": [], "restart": [1.0, 3.0]}, (0.25, 0.75)),
        ),
    ),
    "single_linkage": Case(
        inputs={"size": st.integers(-1, 8), "similarity": ALIKE, "threshold": NUMBER},
        holds=disjoint,
        neutral=(({"size": 2, "similarity": lambda i, j: 0.4, "threshold": 0.5}, ((0,), (1,))),),
    ),
    "belongs_together": Case(
        inputs={
            **numbers("shared_entities importance_gap similarity gap_limit similarity_floor"),
            "same_kind": FLAG,
        },
        holds=DECISION,
        rising=("shared_entities", "similarity", "gap_limit"),
        falling=("similarity_floor",),
    ),
    "reaches": Case(
        inputs=numbers("score threshold"),
        holds=DECISION,
        rising=("score",),
        falling=("threshold",),
        neutral=(({"score": 0.3, "threshold": 0.3}, True),),
    ),
    "prediction_error": Case(
        inputs=numbers("similarity"),
        holds=UNIT,
        falling=("similarity",),
        neutral=(({"similarity": 0}, 1.0),),
    ),
    "prediction_error_action": Case(
        inputs={
            **numbers("similarity importance entity_overlap create_below update_from"),
            **numbers("reinforce_above important_from entities_from"),
            "contradicts": FLAG,
        },
        holds=ACTIONS,
    ),
    "injection_style": Case(
        inputs=numbers("confidence full_from abbreviated_from"),
        holds=one_of("full", "abbreviated", "skipped"),
        order=("skipped", "abbreviated", "full"),
        rising=("confidence",),
    ),
    "temporal_scale": Case(
        inputs=numbers("age_minutes task_from session_from project_above"),
        holds=one_of("immediate", "task", "session", "project"),
        order=("immediate", "task", "session", "project"),
        rising=("age_minutes",),
        neutral=(({"age_minutes": -8}, "immediate"),),
    ),
    "quota_with_backfill": Case(
        inputs={"quotas": SCALES, "available": SCALES},
        holds=filled,
        neutral=(({"quotas": [1, 2, 1, 1], "available": [9, 9, 9, 9]}, (1, 2, 1, 1)),),
    ),
    "relation_kind": Case(
        inputs={**numbers("shared_entities word_overlap"), "same_kind": FLAG},
        holds=LINKS,
        neutral=(({"shared_entities": 0, "word_overlap": 1, "same_kind": False}, ("", 0.0)),),
    ),
    "weighted_sum": Case(
        inputs={"signals": NAMED, "weights": NAMED},
        holds=between(0, 4e6),
        neutral=(({"signals": {"a": 0.5, "b": 1}, "weights": {"a": 1, "b": 0}}, 0.5),),
    ),
    "product_with_floor": Case(
        inputs={"signals": NAMED, "weights": NAMED, "floor": NUMBER},
        holds=UNIT,
        rising=("floor",),
        neutral=(({"signals": {"a": 0.5, "b": 0.1}, "weights": {"a": 1, "b": 0}}, 0.5),),
    ),
    "attainable_sum": Case(
        inputs={"weights": NAMED, "names": WORDS},
        holds=between(0, 4e6),
        neutral=(({"weights": {"a": 1}, "names": ["z"]}, 0.0),),
    ),
    "share_of_attainable": Case(
        inputs=numbers("score attainable"),
        holds=UNIT,
        rising=("score",),
        neutral=(({"score": 3, "attainable": 0}, 0.0), ({"score": 0.4, "attainable": 1}, 0.4)),
    ),
    "blend": Case(
        inputs={
            "signals": NAMED,
            "weights": NAMED,
            "method": st.sampled_from(["sum", "product"]),
            "floor": NUMBER,
        },
        holds=UNIT,
        neutral=(
            ({"signals": {"a": 0.5, "b": 1}, "weights": {"a": 2, "b": 0}}, 0.5),
            ({"signals": {}, "weights": {"a": 1}}, 0.0),
            ({"signals": {"a": 0.25}, "weights": {"a": 0.5}, "method": "product"}, 0.5),
        ),
    ),
    "match_score": Case(
        inputs={**numbers("match recency importance trust")},
        holds=UNIT,
        rising=("match", "recency", "importance", "trust"),
        neutral=(
            ({"match": 1, "recency": 1, "importance": 1, "trust": 1}, 1.0),
            (
                {"match": 0.3, "recency": 1, "importance": 1, "trust": 1, "weights": {"match": 2}},
                0.3,
            ),
        ),
    ),
    "recall_score": Case(
        inputs=numbers("recency importance relevance"),
        holds=UNIT,
        rising=("recency", "importance", "relevance"),
        neutral=(({"recency": 1, "importance": 1, "relevance": 1}, 1.0),),
    ),
    "contextual_score": Case(
        inputs=numbers("type_weight decay reinforcement"),
        holds=between(0, 4),
        rising=("type_weight", "decay", "reinforcement"),
        neutral=(({"type_weight": 0.7, "decay": 1, "reinforcement": 1}, 0.7),),
    ),
    "composite_score": Case(
        inputs={
            "similarity": MAYBE,
            "activation": NUMBER,
            "importance": NUMBER,
            "rank_fusion": MAYBE,
        },
        holds=UNIT,
        rising=("activation", "importance"),
        neutral=(
            ({"similarity": None, "activation": 0.5, "importance": 0.5, "rank_fusion": None}, 0.5),
        ),
    ),
    "weighted_retrieval_score": Case(
        inputs=numbers("semantic utility importance"),
        holds=UNIT,
        rising=("semantic", "utility", "importance"),
        neutral=(({"semantic": 1, "utility": 1, "importance": 1}, 1.0),),
    ),
    "entity_boost": Case(
        inputs=numbers("matches each limit"),
        holds=between(0, 8),
        rising=("matches", "each", "limit"),
        neutral=(({"matches": 0}, 0.0), ({"matches": 3, "each": 0}, 0.0)),
    ),
    "episode_boost": Case(
        inputs={"same_session": FLAG, "boost": NUMBER},
        holds=UNIT,
        rising=("same_session", "boost"),
        neutral=(({"same_session": False}, 0.0),),
    ),
    "co_activation_boost": Case(
        inputs=numbers("count threshold boost"),
        holds=UNIT,
        rising=("count", "boost"),
        falling=("threshold",),
        neutral=(({"count": 9, "boost": 0}, 0.0),),
    ),
    "utility_boost": Case(
        inputs=numbers("utility boost"),
        holds=UNIT,
        rising=("utility", "boost"),
        neutral=(({"utility": 1, "boost": 0}, 0.0),),
    ),
    "mood_factor": Case(
        inputs={"same_mood": FLAG, "factor": NUMBER},
        holds=between(1, 10),
        rising=("same_mood", "factor"),
        neutral=(({"same_mood": False}, 1.0), ({"same_mood": True, "factor": 1}, 1.0)),
    ),
    "confidence_factor": Case(
        inputs=numbers("confidence threshold penalty"),
        holds=UNIT,
        rising=("confidence", "penalty"),
        falling=("threshold",),
        neutral=(({"confidence": 0, "penalty": 1}, 1.0), ({"confidence": 0.3}, 1.0)),
    ),
    "boosted_score": Case(
        inputs={"score": NUMBER, "additions": NUMBERS, "factors": NUMBERS},
        holds=between(0, 1e12),
        rising=("score",),
        neutral=(({"score": 0.4}, 0.4), ({"score": 0.4, "additions": [0], "factors": [1]}, 0.4)),
    ),
}

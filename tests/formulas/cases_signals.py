"""Rows of the table of formulas: decay, match and similarity."""

import math

from hypothesis import strategies as st
from tests.formulas.case import (
    Case,
    NAMED,
    NUMBER,
    PAIRS,
    SAME_LENGTH,
    UNIT,
    VECTORS,
    WHOLE,
    WORDS,
    between,
    direction,
    numbers,
)

SIGNAL_CASES: dict[str, Case] = {
    "elapsed_days": Case(
        inputs={"now": WHOLE, "then": WHOLE},
        holds=lambda days, _: math.isfinite(days) and days >= 0,
        rising=("now",),
        falling=("then",),
        neutral=(({"now": 5, "then": 5}, 0.0),),
    ),
    "half_life_decay": Case(
        inputs=numbers("age half_life"),
        holds=UNIT,
        rising=("half_life",),
        falling=("age",),
        neutral=(({"age": 0, "half_life": 7}, 1.0), ({"age": 9, "half_life": math.inf}, 1.0)),
    ),
    "exponential_decay": Case(
        inputs=numbers("age e_fold"),
        holds=UNIT,
        rising=("e_fold",),
        falling=("age",),
        neutral=(({"age": 0, "e_fold": 7}, 1.0),),
    ),
    "linear_decay": Case(
        inputs=numbers("value age rate"),
        holds=UNIT,
        rising=("value",),
        falling=("age", "rate"),
        neutral=(
            ({"value": 0.4, "age": 0, "rate": 9}, 0.4),
            ({"value": 0.4, "age": 9, "rate": 0}, 0.4),
        ),
    ),
    "recency": Case(
        inputs=numbers("age_days half_life_days"),
        holds=UNIT,
        rising=("half_life_days",),
        falling=("age_days",),
        neutral=(({"age_days": -3}, 1.0),),
    ),
    "decayed_importance": Case(
        inputs=numbers("importance age_days half_life_days"),
        holds=UNIT,
        rising=("importance", "half_life_days"),
        falling=("age_days",),
        neutral=(({"importance": 0.3, "age_days": 0}, 0.3),),
    ),
    "bm25_match": Case(
        inputs=numbers("bm25 k"),
        holds=UNIT,
        falling=("bm25", "k"),
        neutral=(({"bm25": 0.0}, 0.0), ({"bm25": 3.0}, 0.0)),
    ),
    "relative_match": Case(
        inputs=numbers("bm25 best"),
        holds=UNIT,
        falling=("bm25",),
        neutral=(({"bm25": -4, "best": -4}, 1.0), ({"bm25": 0, "best": 0}, 0.0)),
    ),
    "keyword_hit_ratio": Case(
        inputs=numbers("hits terms"),
        holds=UNIT,
        rising=("hits",),
        neutral=(({"hits": 0, "terms": 0}, 0.0),),
    ),
    "reciprocal_rank": Case(
        inputs=numbers("rank k"),
        holds=UNIT,
        falling=("rank", "k"),
        neutral=(({"rank": 0, "k": 0}, 1.0),),
    ),
    "reciprocal_rank_fusion": Case(
        inputs={"ranks": SAME_LENGTH, "k": NUMBER},
        holds=UNIT,
        neutral=(
            ({"ranks": [0, 0, 0]}, 1.0),
            ({"ranks": []}, 0.0),
            ({"ranks": [None]}, 0.0),
            ({"ranks": [0, 9], "weights": [1, 0]}, 1.0),
        ),
    ),
    "min_max": Case(
        inputs=numbers("value low high"),
        holds=UNIT,
        rising=("value",),
        falling=("high",),
        neutral=(
            ({"value": 2, "low": 2, "high": 2}, 1.0),
            ({"value": 1, "low": 2, "high": 2}, 0.0),
        ),
    ),
    "inverse_document_frequency": Case(
        inputs=numbers("documents containing"),
        holds=between(0, 710),
        rising=("documents",),
        falling=("containing",),
    ),
    "max_sim": Case(
        inputs={"cosines": SAME_LENGTH, "floor": NUMBER},
        holds=UNIT,
        falling=("floor",),
        neutral=(
            ({"cosines": [0.3], "weights": [2]}, 0.0),
            ({"cosines": [1.0, 0.9], "weights": [2, 0]}, 0.7),
        ),
    ),
    "calibrated_similarity": Case(
        inputs={"cosine": NUMBER, "knots": PAIRS},
        holds=UNIT,
        neutral=(({"cosine": 0.42, "knots": [(0.0, 0.0), (1.0, 1.0)]}, 0.42),),
    ),
    "jaccard": Case(
        inputs={"left": WORDS, "right": WORDS},
        holds=UNIT,
        neutral=(({"left": {"a"}, "right": {"a"}}, 1.0), ({"left": set(), "right": set()}, 1.0)),
    ),
    "overlap_coefficient": Case(
        inputs={"left": WORDS, "right": WORDS},
        holds=UNIT,
        neutral=(({"left": {"a"}, "right": set()}, 0.0), ({"left": set(), "right": set()}, 1.0)),
    ),
    "recent_overlap": Case(
        inputs={
            "current": WORDS,
            "window": st.lists(WORDS, max_size=7),
            "size": st.integers(-2, 9),
        },
        holds=UNIT,
        rising=("size",),
        neutral=(({"current": {"a"}, "window": []}, 1.0),),
    ),
    "cosine": Case(
        inputs={"left": SAME_LENGTH},
        holds=between(-1, 1),
        neutral=(
            ({"left": [0.0], "right": [1.0]}, 0.0),
            ({"left": [1.0, 0.0], "right": [0.0, 1.0]}, 0.0),
        ),
    ),
    "lexical_cosine": Case(
        inputs={"left": NAMED, "right": NAMED},
        holds=UNIT,
        neutral=(
            ({"left": {"a": 3, "b": 1}, "right": {"a": 6, "b": 2}}, 1.0),
            ({"left": {}, "right": {"a": 1}}, 0.0),
        ),
    ),
    "centroid": Case(
        inputs={"vectors": VECTORS},
        holds=direction,
        neutral=(({"vectors": [[0.0, 1.0]]}, (0.0, 1.0)), ({"vectors": [[1.0], [-1.0]]}, (0.0,))),
    ),
}

"""Rows of the table of formulas: retention, activation and importance."""

import math

from hypothesis import strategies as st
from tests.formulas.case import (
    CURVE,
    Case,
    DECISION,
    FLAG,
    NUMBER,
    NUMBERS,
    RATING,
    STABILITY,
    UNIT,
    between,
    counted,
    numbers,
    one_of,
)

WEIGHED = "stability difficulty retrievability"
RETENTION_CASES: dict[str, Case] = {
    "fsrs_retrievability": Case(
        inputs=numbers("age_days stability decay"),
        holds=UNIT,
        rising=("stability",),
        falling=("age_days",),
        neutral=(({"age_days": 0, "stability": 3}, 1.0),),
    ),
    "fsrs_initial_stability": Case(inputs={"rating": RATING}, holds=STABILITY, rising=("rating",)),
    "fsrs_initial_difficulty": Case(
        inputs={"rating": RATING}, holds=between(1, 10), falling=("rating",)
    ),
    "fsrs_next_difficulty": Case(
        inputs={"difficulty": NUMBER, "rating": RATING},
        holds=between(1, 10),
        rising=("difficulty",),
        falling=("rating",),
    ),
    "fsrs_recall_stability": Case(
        inputs={**numbers(WEIGHED), "rating": st.sampled_from([2, 3, 4])},
        holds=STABILITY,
        rising=("rating",),
        falling=("retrievability", "difficulty"),
        neutral=(({"stability": 7, "difficulty": 5, "retrievability": 1, "rating": 4}, 7.0),),
    ),
    "fsrs_forget_stability": Case(
        inputs=numbers(WEIGHED),
        holds=STABILITY,
        rising=("stability",),
        falling=("retrievability", "difficulty"),
    ),
    "fsrs_short_term_stability": Case(
        inputs={"stability": NUMBER, "rating": RATING},
        holds=STABILITY,
        rising=("stability", "rating"),
    ),
    "fsrs_next_stability": Case(
        inputs={**numbers("stability difficulty age_days"), "rating": RATING},
        holds=STABILITY,
        falling=("difficulty",),
    ),
    "document_retention": Case(
        inputs=numbers("age_days stability"),
        holds=UNIT,
        rising=("stability",),
        falling=("age_days",),
        neutral=(({"age_days": 0, "stability": 1}, 1.0),),
    ),
    "retrievability": Case(
        inputs={**numbers("age_days stability"), "curve": CURVE},
        holds=UNIT,
        rising=("stability",),
        falling=("age_days",),
        neutral=(({"age_days": 0, "stability": 1, "curve": "fsrs6"}, 1.0),),
    ),
    "retention_interval": Case(
        inputs={**numbers("target stability"), "curve": CURVE},
        holds=between(0, 36_500),
        rising=("stability",),
        falling=("target",),
        neutral=(({"target": 1, "stability": 5}, 0.0),),
    ),
    "category_loss": Case(
        inputs=numbers("rate_per_day multiplier days"),
        holds=UNIT,
        rising=("rate_per_day", "multiplier", "days"),
        neutral=(
            ({"rate_per_day": 0, "multiplier": 10, "days": math.inf}, 0.0),
            ({"rate_per_day": math.inf, "multiplier": 0, "days": math.inf}, 0.0),
        ),
    ),
    "shortened_stability": Case(
        inputs={**numbers("stability age_days loss"), "curve": CURVE},
        holds=STABILITY,
        falling=("loss",),
        neutral=(
            ({"stability": 8, "age_days": 3, "loss": 0}, 8.0),
            ({"stability": 8, "age_days": 0, "loss": 1}, 8.0),
            ({"stability": 8, "age_days": 3, "loss": 1}, 0.001),
        ),
    ),
    "grown_storage": Case(
        inputs=numbers("storage retrievability gain base"),
        holds=between(1, 10),
        rising=("storage", "gain", "base"),
        falling=("retrievability",),
        neutral=(
            ({"storage": 3, "retrievability": 0, "gain": 0}, 3.0),
            ({"storage": 10, "retrievability": 0}, 10.0),
        ),
    ),
    "is_spaced": Case(
        inputs=numbers("hours_since gap_hours"),
        holds=DECISION,
        rising=("hours_since",),
        falling=("gap_hours",),
        neutral=(({"hours_since": -5}, False),),
    ),
    "spaced_hits": Case(
        inputs={"hours": NUMBERS, "gap_hours": NUMBER},
        holds=counted,
        falling=("gap_hours",),
        neutral=(({"hours": [1, 1, 1], "gap_hours": 0}, 3), ({"hours": []}, 0)),
    ),
    "logistic": Case(inputs=numbers("x"), holds=UNIT, rising=("x",), neutral=(({"x": 0}, 0.5),)),
    "base_level": Case(
        inputs=numbers("access_count age_days unit_days floor_days decay"),
        holds=between(-20_000, 20_000),
        rising=("access_count", "unit_days"),
        falling=("age_days", "floor_days"),
        neutral=(({"access_count": 0, "age_days": 1}, 0.0),),
    ),
    "activation": Case(
        inputs=numbers("access_count age_days unit_days floor_days decay"),
        holds=UNIT,
        rising=("access_count", "unit_days"),
        falling=("age_days", "floor_days"),
        neutral=(({"access_count": 1, "age_days": 1}, 0.5),),
    ),
    "importance_score": Case(
        inputs=numbers("novelty arousal reward attention boost"),
        holds=UNIT,
        rising=("novelty", "arousal", "reward", "attention", "boost"),
        neutral=(({"novelty": 0.5, "arousal": 0.5, "reward": 0.5, "attention": 0.5}, 0.5),),
    ),
    "priority_level": Case(
        inputs=numbers("importance critical_from high_from normal_from"),
        holds=one_of("critical", "high", "normal", "low"),
        order=("low", "normal", "high", "critical"),
        rising=("importance",),
    ),
    "surprise_score": Case(
        inputs=numbers("novelty contradiction specificity emphasis context_switch"),
        holds=UNIT,
        rising=("novelty", "contradiction", "specificity", "emphasis", "context_switch"),
    ),
    "memorability_score": Case(
        inputs=numbers("substance salience distinctiveness type_weight"),
        holds=UNIT,
        rising=("substance", "salience", "distinctiveness", "type_weight"),
    ),
    "information_density": Case(
        inputs={**numbers("entities facts temporal corrections"), "statement": FLAG},
        holds=between(0, 4e6),
        rising=("entities", "facts", "temporal", "corrections", "statement"),
        neutral=(({"entities": 3, "facts": 0, "temporal": 0, "corrections": 0}, 3.0),),
    ),
    "evidence_confidence": Case(
        inputs=numbers("base evidence step"),
        holds=UNIT,
        rising=("base", "evidence", "step"),
        neutral=(({"base": 0.35, "evidence": 1}, 0.35), ({"base": 0.35, "evidence": 0}, 0.0)),
    ),
    "is_flashbulb": Case(
        inputs=numbers("arousal threshold"),
        holds=DECISION,
        rising=("arousal",),
        falling=("threshold",),
    ),
    "flashbulb_importance": Case(
        inputs=numbers("importance floor"),
        holds=UNIT,
        rising=("importance", "floor"),
        neutral=(({"importance": 0.95}, 0.95), ({"importance": 0.2, "floor": 0}, 0.2)),
    ),
}

"""Rows of the table of formulas: use, forgetting, tiers and tokens."""

import math

from tests.formulas.case import (
    Case,
    DECISION,
    FLAG,
    NUMBER,
    NUMBERS,
    STABILITY,
    UNIT,
    WHOLE,
    at_most,
    between,
    key,
    numbers,
)

LIFE_CASES: dict[str, Case] = {
    "utility_after_use": Case(
        inputs=numbers("utility target rate"),
        holds=UNIT,
        rising=("utility", "target"),
        neutral=(({"utility": 0.3, "target": 1, "rate": 0}, 0.3),),
    ),
    "utility_after_drift": Case(
        inputs=numbers("utility days rate_per_day"),
        holds=UNIT,
        rising=("utility",),
        neutral=(({"utility": 0.3, "days": 0}, 0.3), ({"utility": 0.5, "days": 60}, 0.5)),
    ),
    "is_useless": Case(
        inputs=numbers("utility idle_days utility_floor idle_from"),
        holds=DECISION,
        rising=("idle_days", "utility_floor"),
        falling=("utility", "idle_from"),
    ),
    "reinforcement_factor": Case(
        inputs=numbers("count limit"),
        holds=lambda factor, given: 1 <= factor <= max(1, given["limit"]),
        rising=("count", "limit"),
        neutral=(({"count": 0}, 1.0), ({"count": math.inf}, 4.0)),
    ),
    "consolidated_importance": Case(
        inputs=numbers("importance accesses rate"),
        holds=UNIT,
        rising=("importance", "accesses", "rate"),
        neutral=(({"importance": 0.4, "accesses": 0}, 0.4),),
    ),
    "neglected_importance": Case(
        inputs=numbers("importance idle_days rate_per_day share"),
        holds=UNIT,
        rising=("importance",),
        falling=("idle_days", "rate_per_day", "share"),
        neutral=(({"importance": 0.4, "idle_days": 0}, 0.4),),
    ),
    "strengthened_stability": Case(
        inputs=numbers("stability factor"),
        holds=STABILITY,
        rising=("stability", "factor"),
        neutral=(({"stability": 9, "factor": 1}, 9.0), ({"stability": 9, "factor": 0.2}, 9.0)),
    ),
    "hebbian_stability": Case(
        inputs=numbers("stability rate"),
        holds=STABILITY,
        rising=("stability", "rate"),
        neutral=(({"stability": 9, "rate": 0}, 9.0), ({"stability": math.inf}, 36_500.0)),
    ),
    "neighbour_stability": Case(
        inputs={**numbers("stability rate"), "hops": WHOLE},
        holds=STABILITY,
        rising=("stability", "rate"),
        neutral=(({"stability": 9, "hops": 2}, 9.0), ({"stability": 9, "hops": 0}, 9.0)),
    ),
    **{
        name: Case(
            inputs=numbers("stability factor"),
            holds=STABILITY,
            rising=("stability", "factor"),
            neutral=(({"stability": 9, "factor": 1}, 9.0), ({"stability": 36_500}, 36_500.0)),
        )
        for name in ("rehearsed_stability", "captured_stability", "flashbulb_stability")
    },
    "is_endangered": Case(
        inputs=numbers("retrievability threshold"),
        holds=DECISION,
        rising=("threshold",),
        falling=("retrievability",),
    ),
    "needs_tag": Case(
        inputs=numbers("importance below"),
        holds=DECISION,
        rising=("below",),
        falling=("importance",),
    ),
    "captures_tag": Case(
        inputs=numbers("importance tag_age_hours strong_from ttl_hours"),
        holds=DECISION,
        rising=("importance", "ttl_hours"),
        falling=("tag_age_hours", "strong_from"),
    ),
    "working_memory_score": Case(
        inputs=numbers("importance age_minutes access_count half_life_minutes access_gain"),
        holds=between(0, 1e16),
        rising=("importance", "access_count", "access_gain"),
        falling=("age_minutes",),
        neutral=(({"importance": 0.6, "age_minutes": 0, "access_count": 0}, 0.6),),
    ),
    "eviction_key": Case(inputs=numbers("access_count updated_at importance"), holds=key),
    "is_stale": Case(
        inputs=numbers("importance idle_days importance_to idle_from"),
        holds=DECISION,
        rising=("idle_days", "importance_to"),
        falling=("importance", "idle_from"),
    ),
    "bcm_threshold": Case(
        inputs={"access_counts": NUMBERS},
        holds=between(0, 1e9),
        neutral=(({"access_counts": []}, 0.0), ({"access_counts": [4, 4]}, 4.0)),
    ),
    "is_trimmable": Case(
        inputs=numbers("access_count threshold"),
        holds=DECISION,
        rising=("threshold",),
        falling=("access_count",),
        neutral=(({"access_count": 3, "threshold": 3}, False),),
    ),
    "excess": Case(
        inputs={"count": WHOLE, "limit": WHOLE, "target": WHOLE},
        holds=at_most("count"),
        rising=("count",),
        neutral=(({"count": 500}, 0), ({"count": 7, "limit": 5, "target": 9}, 2)),
    ),
    "is_retained": Case(
        inputs=numbers("age_days minimum_days"),
        holds=DECISION,
        rising=("minimum_days",),
        falling=("age_days",),
        neutral=(({"age_days": math.inf, "minimum_days": math.inf}, True),),
    ),
    "leaves_working_memory": Case(
        inputs=numbers("access_count importance access_from importance_from"),
        holds=DECISION,
        rising=("access_count", "importance"),
        falling=("access_from", "importance_from"),
    ),
    "is_promoted": Case(
        inputs=numbers("access_count utility age_days entity_memories access_from utility_from"),
        holds=DECISION,
        rising=("access_count", "utility", "age_days", "entity_memories"),
        falling=("access_from", "utility_from"),
    ),
    "is_demoted": Case(
        inputs=numbers("idle_days utility idle_from utility_below"),
        holds=DECISION,
        rising=("idle_days", "utility_below"),
        falling=("utility", "idle_from"),
    ),
    "is_hot": Case(
        inputs=numbers("utility access_count idle_days utility_from access_from idle_below"),
        holds=DECISION,
        rising=("utility", "access_count", "idle_below"),
        falling=("idle_days", "utility_from", "access_from"),
    ),
    "word_tokens": Case(
        inputs={"letters": NUMBER, "ascii_only": FLAG},
        holds=between(1, 1e12),
        rising=("letters",),
        neutral=(({"letters": 0}, 1.0),),
    ),
    "pattern_tokens": Case(
        inputs={
            "ascii_words": NUMBERS,
            "other_words": NUMBERS,
            "cjk_characters": NUMBER,
            "digit_runs": NUMBERS,
            "punctuation_runs": NUMBERS,
        },
        holds=between(0, 1e14),
        rising=("cjk_characters",),
        neutral=(({}, 0.0),),
    ),
    "token_estimate": Case(
        inputs=numbers("pattern utf8_bytes margin"),
        holds=between(0, 1e13),
        rising=("pattern", "utf8_bytes", "margin"),
        neutral=(({"pattern": 7, "utf8_bytes": 0, "margin": 1}, 7),),
    ),
}

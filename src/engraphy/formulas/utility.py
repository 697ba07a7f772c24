"""How useful a memory has proved: learned from use, forgotten towards 0.5."""

from engraphy.formulas._bounds import at_least, non_negative, unit
from engraphy.formulas.gate import reaches


def utility_after_use(*, utility: float, target: float, rate: float = 0.1) -> float:
    """Utility after a use: a step towards 1 for a success, towards 0 for a failure.

    Formula: ``utility + rate * (target - utility)``
    Inputs: utility in [0, 1]; target in [0, 1], 1 success, 0 failure; rate in [0, 1], 0 is neutral.
    Range: [0, 1], rising in utility and target.
    Source: row D-43 (cognitive document, update on use).

    >>> utility_after_use(utility=0.5, target=1.0)
    0.55
    """
    held = unit(utility)
    return unit(held + unit(rate) * (unit(target) - held))


def utility_after_drift(*, utility: float, days: float, rate_per_day: float = 0.01) -> float:
    """Utility of an unused memory: it drifts towards the neutral 0.5 and never past it.

    Formula: ``utility + min(1, rate_per_day * days) * (0.5 - utility)``
    Inputs: utility in [0, 1]; days >= 0 since the last run; rate_per_day >= 0.
    Range: [0, 1], ``utility`` at 0 days, 0.5 after 100 days at the default rate.
    Source: row D-43 (cognitive document, temporal decay).

    >>> utility_after_drift(utility=0.9, days=50)
    0.7
    """
    return utility_after_use(
        utility=utility, target=0.5, rate=non_negative(rate_per_day) * non_negative(days)
    )


def is_useless(
    *, utility: float, idle_days: float, utility_floor: float = 0.15, idle_from: float = 30.0
) -> bool:
    """Whether the utility floor sends a memory to sleep.

    Formula: ``utility < utility_floor and idle_days >= idle_from``
    Inputs: utility in [0, 1]; idle_days >= 0 since the last access.
    Range: true or false.
    Source: row D-44 (cognitive document, rule 3, utility floor).

    >>> is_useless(utility=0.1, idle_days=30), is_useless(utility=0.1, idle_days=29)
    (True, False)
    """
    useful = reaches(score=unit(utility), threshold=utility_floor)
    return at_least(idle_days, idle_from) and not useful

"""Base-level activation of ACT-R: often and lately used comes to mind first."""

import math

from engraphy.formulas._bounds import SMALLEST, bounded, non_negative

_LOGISTIC_END = 700.0  # exp(709) is the last finite one


def logistic(*, x: float) -> float:
    """The logistic function.

    Formula: ``1 / (1 + exp(-x))``
    Inputs: any x.
    Range: [0, 1], 0.5 at 0, rising.
    Source: row D-25.

    >>> logistic(x=0.0)
    0.5
    """
    return 1.0 / (1.0 + math.exp(-bounded(x, -_LOGISTIC_END, _LOGISTIC_END)))


def base_level(
    *,
    access_count: float,
    age_days: float,
    unit_days: float = 1.0,
    floor_days: float = 1.0 / 24.0,
    decay: float = 0.5,
) -> float:
    """Base-level activation from the number of accesses and the time since the last one.

    Formula: ``ln(max(access_count, 1)) - decay * ln(max(age_days, floor_days) / unit_days)``
    Inputs: access_count >= 0; age_days >= 0 since the last access; unit_days > 0, the age that
    counts as 1; floor_days > 0, the youngest age; decay in [0, 10].
    Range: [-20000, 20000], 0 for one access one unit ago, rising in count, falling in age.
    Source: row D-25 (the unit of age is the profile's); ACT-R: Anderson et al. 2004.

    >>> base_level(access_count=1, age_days=1.0)
    0.0
    """
    age = max(non_negative(age_days), bounded(floor_days, SMALLEST))
    units = math.log(age) - math.log(bounded(unit_days, SMALLEST))
    return math.log(max(non_negative(access_count), 1.0)) - bounded(decay, 0.0, 10.0) * units


def activation(
    *,
    access_count: float,
    age_days: float,
    unit_days: float = 1.0,
    floor_days: float = 1.0 / 24.0,
    decay: float = 0.5,
) -> float:
    """Base-level activation as a share: 0.5 for a memory used once, one day ago.

    Formula: ``1 / (1 + exp(-base_level))``
    Inputs: as in ``base_level``; unit_days = 1 / 86400 and floor_days = 1 / 86400 are the
    document's seconds, at which a day-old memory scores 0.003.
    Range: [0, 1], rising in access_count, falling in age_days.
    Source: row D-25 (cognitive document, ACT-R activation model); Anderson et al. 2004.

    >>> activation(access_count=1, age_days=1.0)
    0.5
    >>> round(activation(access_count=1, age_days=1.0, unit_days=1 / 86400), 4)
    0.0034
    """
    level = base_level(
        access_count=access_count,
        age_days=age_days,
        unit_days=unit_days,
        floor_days=floor_days,
        decay=decay,
    )
    return logistic(x=level)

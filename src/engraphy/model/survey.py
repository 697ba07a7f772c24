"""How the memories of a whole tenant stand at one moment."""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import field

from engraphy.record import Record


class Retained(NamedTuple):
    """How well one memory is held: days since its last access, stability in days, and what decay
    took off its retrieval strength, in [0, 1]."""

    id: str
    tier: str
    age_days: float
    stability: float
    loss: float


class Survey(Record, frozen=True, kw_only=True):
    """Counts over every memory of a tenant, of whatever scope and sensitivity.

    `at`: microseconds UTC. `curve`: how retention falls in the profile. `by_tier`, `by_strength`
    (ten steps of retrieval strength, the weakest first) and `sample` are of active memories; the
    sample is drawn by their ids, so that two of one store are of the same memories.
    """

    at: int
    curve: str
    total: int = 0
    by_state: Mapping[str, int] = field(default_factory=dict)
    by_tier: Mapping[str, int] = field(default_factory=dict)
    by_strength: tuple[int, ...] = (0,) * 10
    sample: tuple[Retained, ...] = ()

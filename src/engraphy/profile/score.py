"""The knobs of the score that ranks, and of what it drops."""

from typing import Annotated, Literal

from msgspec import Meta

from engraphy.profile.knobs import Days, Section, Unit, Weight

SignalName = Literal[
    "relevance",
    "match",
    "coverage",
    "similarity",
    "soft_match",
    "recency",
    "importance",
    "trust",
    "utility",
    "activation",
    "reciprocal_rank",
    "graph",
]


class Score(Section, frozen=True):
    """The composite that ranks, and what is dropped."""

    weights: dict[SignalName, Weight]
    """How much each signal counts in a hit's score; one that is left out counts nothing."""
    without_vectors: dict[SignalName, Weight]
    """The weights where `weights` count on a similarity and no candidate has a vector to compare
    (D-24, D-26): the words carry the weight; empty = `weights` hold as they are."""
    min_score: Unit
    """Hits that score less are dropped."""
    min_share_of_best: Unit
    """A hit must reach this share of the best hit's score: one clear answer comes alone."""
    min_confidence: Unit
    """A hit must answer at least this share of the question (soft matches count)."""
    names: Literal["any", "asked"]
    """`asked`: what the question names, by its title or by one of its concepts, is a hit, and
    nothing else; for stores whose memories are asked for by name."""
    recency_half_life_days: Annotated[float, Meta(gt=0.0, le=36_500.0)]
    """Days after which recency counts half ..."""
    recency_clock: Literal["updated", "accessed"]
    """... since the last change, or the last access."""
    activation_unit_days: Annotated[float, Meta(gt=0.0, le=36_500.0)]
    """The age that counts as 1 in the activation (D-25): one use so long ago is worth a half."""
    activation_floor_days: Annotated[float, Meta(gt=0.0, le=36_500.0)]
    """No age counts as less than this."""
    importance_half_life_days: Days
    """Days without a change after which importance counts half (C-09), maintenance aside, which
    takes its part for good (`dream.lessen`); 0 = it does not fade."""
    low_confidence: Unit
    low_confidence_factor: Unit
    """Source confidence below `low_confidence` multiplies the score by this (D-15)."""
    vicarious_factor: Unit
    """What is known from another agent or tenant multiplies the score by this (D-70), where its
    sub-tier does not say so already (`boost.sub_tiers`)."""

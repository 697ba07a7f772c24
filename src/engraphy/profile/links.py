"""The knobs of what memories do for one another: deliveries, additions to a score, the walk."""

from typing import Annotated, Literal

from msgspec import Meta

from engraphy.profile.knobs import Count, Factor, Section, Unit, Weight

IntentName = Literal["factual", "temporal", "causal", "entity_profile", "preference", "general"]
SubTierName = Literal["personal", "observed", "vicarious", "schematic", "procedural", "factual"]
RelationName = Literal[
    "same_entity", "elaborates", "related_to", "causes", "contradicts", "supersedes"
]
Hours = Annotated[float, Meta(ge=0.0, le=8_760.0)]


class Reinforce(Section, frozen=True):
    """What a delivery does to a memory (R-03, D-28, D-40) and to what it is related to (D-50)."""

    stability_factor: Factor
    """What a retrieval multiplies stability by, where `dream.decay.curve` is the document's; FSRS-6
    has a rule of its own."""
    restate_stability_factor: Factor
    storage_gain: Factor
    """What a re-statement by the user adds to storage strength."""
    retrieval_gain: Factor
    """What a retrieval adds to it, times how nearly the memory was lost and how little of storage
    strength there is yet (`grown_storage`)."""
    spaced_hours: Hours
    """Several deliveries within so long strengthen once; 0 = each does."""
    utility_rate: Unit
    """How far utility goes, when a use is reported, towards 1 or 0 (D-43)."""
    coactivate: bool
    """Count which memories are delivered together."""
    together_factor: Factor
    """What the stability of memories that are delivered together is multiplied by; 1 = nothing."""
    together_hours: Hours
    """A pair that was counted counts again after so long; 0 = with every delivery."""
    neighbour_factor: Factor
    """What a delivery multiplies the stability of related memories by, one hop; 1 = nothing."""


class Boost(Section, frozen=True):
    """What is added to the blend of signals, and what it is multiplied with (D-24, D-12, D-46)."""

    entity: Unit
    """Per entity of the question that a memory names."""
    episode: Unit
    """In the session the question is asked in."""
    together: Unit
    """Often delivered together with something that was found."""
    together_from: Annotated[int, Meta(ge=1, le=1_000_000)]
    """So many joint deliveries are often."""
    utility: dict[IntentName, Unit]
    """By what the question is after, times the memory's utility; nothing where the weights count
    utility already."""
    sub_tiers: dict[SubTierName, Factor]
    """A sub-tier that is not named: 1."""
    mood: Factor
    """Where the memory's mood is that of the question; 1 = nothing."""
    diversity: Unit
    """Lambda of maximal marginal relevance; 1 = the order is that of the scores."""
    alike_from: Unit
    """Two texts less alike than this (lexical cosine) count as not alike at all."""
    overfetch: Annotated[int, Meta(ge=1, le=100)]
    """So many times what is asked for is looked for by vector, and told apart by diversity."""


class Graph(Section, frozen=True):
    """The walk over relations, entities and joint deliveries, for questions for a cause or about
    somebody or something (D-21, D-75)."""

    nodes: Annotated[int, Meta(ge=0, le=10_000)]
    """The most memories that are walked; 0 = there is no walk."""
    hops: Annotated[int, Meta(ge=1, le=4)]
    seeds: Annotated[int, Meta(ge=1, le=100)]
    """The walk starts from so many of the best hits, and from what the question names."""
    each: Annotated[int, Meta(ge=1, le=1_000)]
    """Memories per entity, the newest."""
    brought: Count
    """The most memories that the walk adds to what was found."""
    damping: Unit
    """Chance that the walker goes on instead of back to where it started."""
    named: Unit
    """Share of the walks that start from what the question names."""
    entity: Weight
    """Weight of the edge between a memory and what it names."""
    together: Weight
    """Weight of the edge between memories that are often delivered together."""
    causal: dict[RelationName, Weight]
    """Weight of a relation, times its confidence, where a cause is asked for ..."""
    entity_profile: dict[RelationName, Weight]
    """... and where somebody or something is asked about."""

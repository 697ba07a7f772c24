"""The knobs of being at rest: which steps a cycle takes, and their numbers."""

from typing import Annotated, Literal

from msgspec import Meta

from engraphy.profile.knobs import Count, Days, Factor, Section, Unit

StepName = Literal[
    "abstract",
    "archive",
    "cap",
    "cluster",
    "compact",
    "compress",
    "consolidate",
    "contradictions",
    "decay",
    "dedup",
    "drift",
    "emotions",
    "expire",
    "expunge",
    "fade",
    "foresight",
    "lessen",
    "mine",
    "promote",
    "prune",
    "recur",
    "redundancy",
    "rehearse",
    "replay",
    "summaries",
    "tiers",
    "trim",
    "useless",
]
KindName = Literal[
    "preference",
    "decision",
    "fact",
    "correction",
    "entity",
    "relationship",
    "policy",
    "pitfall",
    "architecture",
    "workflow",
    "bugfix",
    "feature",
    "refactor",
    "change",
    "discovery",
    "plan",
    "episode",
    "procedure",
    "summary",
    "pattern",
]
PerDay = Annotated[float, Meta(ge=0.0, le=10.0)]


class Decay(Section, frozen=True):
    """Loss of retrieval strength (D-40, D-41)."""

    curve: Literal["document", "fsrs6"]
    """How retention falls: the document's (1 + t / 9S) ** -2, or FSRS-6."""
    rates: dict[KindName, PerDay]
    """Per day, by kind."""
    other: PerDay
    """Of every other kind."""
    working: Factor
    episodic: Factor
    semantic: Factor
    """The multipliers of the tiers; what is dormant is frozen."""
    least_days: Days
    """A memory that was looked at less long ago is left for the next cycle."""


class Consolidating(Section, frozen=True):
    """letsgo's replay: what was accessed gains importance, the rest loses it (A-18)."""

    gain: Unit
    """Times ln(1 + accesses since the last cycle)."""
    decay: PerDay
    """Importance lost per day without an access."""
    half: list[KindName]
    """Kinds that lose at half the rate."""
    evict_at: Unit
    """What is no more important than this goes ..."""
    evict_days: Days
    """... once it was not accessed for so long (0 = nothing goes)."""


class Lessening(Section, frozen=True):
    """Importance that halves (C-09)."""

    half_life_days: Days
    """0 = it does not."""


class Archiving(Section, frozen=True):
    """What decayed under a threshold is kept apart (B-09, B-10)."""

    below: Unit
    """Kind weight x decay x reinforcement under which a memory is archived (0 = none is)."""
    half_life_days: Annotated[float, Meta(gt=0.0, le=36_500.0)]
    """Days without access, or an explicit word, in which it halves."""
    episodes: Count
    """What recurs in so many episodes becomes knowledge of its own (0 = nothing does)."""
    alike: Unit
    """Share of words that two episodes' texts have in common where they tell the same."""


class Rehearsing(Section, frozen=True):
    """The testing effect (D-49)."""

    below: Unit
    """Retention under which a memory is endangered."""
    factor: Annotated[float, Meta(ge=1.0, le=10.0)]
    """Times its stability."""
    most: Count
    """In a cycle, of one set of walls."""
    least_days: Days
    """Not again within so many days."""


class Tiering(Section, frozen=True):
    """Promotion and demotion (D-46)."""

    access_from: Count
    utility_from: Unit
    age_days: Days
    entity_from: Count
    """An episodic memory becomes semantic by any of: deliveries; utility at an age; memories that
    share one of its entities."""
    idle_days: Days
    utility_below: Unit
    """A semantic one becomes dormant when it is idle so long and so useless."""


class Forgetting(Section, frozen=True):
    """Strategic forgetting (D-43, D-44)."""

    drift_per_day: PerDay
    """Utility moves so far towards 0.5 in a day."""
    utility_below: Unit
    idle_days: Days
    """So useless and so long unused: dormant."""
    alike: Unit
    """Cosine above which two memories are one too many."""
    comparisons: Count
    """Pairs looked at in a cycle, of one set of walls."""
    limit: Count
    target: Count
    """More active memories than the limit are trimmed to the target (0 = no limit)."""
    keep_days: dict[KindName, Days]
    """A memory of a kind is not forgotten before it is so old."""
    other_keep_days: Days
    permanent: list[KindName]
    """Kinds that neither uselessness nor trimming takes."""


class Clustering(Section, frozen=True):
    """What is told together becomes one theme, and themes a pattern (D-47)."""

    least: Annotated[int, Meta(ge=2, le=1_000)]
    """Memories of a cluster."""
    most: Annotated[int, Meta(ge=2, le=1_000)]
    entities: Count
    """Entities that two of them share ..."""
    importance_within: Unit
    """... or the same kind, and importance no further apart ..."""
    alike: Unit
    """... and, both ways, this share of their words."""
    older_than_days: Days
    importance: Unit
    """Of a theme."""
    chars: Annotated[int, Meta(ge=200, le=50_000)]
    """A theme is at most so long; a pattern a quarter of that."""
    merges: Count
    """In a cycle, of one set of walls."""
    patterns: Count
    """The largest clusters that are looked at for a pattern."""
    pattern_importance: Unit


class Compressing(Section, frozen=True):
    """Old memories with the same words become one (A-19)."""

    older_than_days: Days
    alike: Unit
    """Jaccard index of their words at which two are linked."""
    least: Annotated[int, Meta(ge=2, le=1_000)]
    most: Annotated[int, Meta(ge=2, le=1_000)]
    chars: Annotated[int, Meta(ge=200, le=50_000)]
    """A summary is at most so long."""


class Summing(Section, frozen=True):
    """A summary per kind that is kept up to date (D-48)."""

    above: Count
    """Active memories of a kind from which on it has one (0 = none has)."""
    importance: Unit
    chars: Annotated[int, Meta(ge=200, le=50_000)]
    """A summary is at most so long."""
    debounce_seconds: Annotated[float, Meta(ge=0.0, le=86_400.0)]
    """Not told anew sooner."""


class Mining(Section, frozen=True):
    """Workflows that recur become procedures (D-74)."""

    episodes: Count
    """Episodes a run of steps must recur in (0 = nothing is mined)."""
    steps: Annotated[int, Meta(ge=2, le=100)]
    """Steps that it must have at least."""


class Fading(Section, frozen=True):
    """Small talk goes to sleep, and what an agent said that nobody asked for (D-45)."""

    older_than_days: Days
    """Of memories that were overheard and left alone for so long; 0 = none sleeps."""
    importance_below: Unit
    """What is as important as this stays awake ..."""
    keep: list[KindName]
    """... and these kinds do."""
    worth_below: Annotated[float, Meta(ge=0.0, le=1_000.0)]
    """Content words that a memory must tell, or what counts as as many, to stay awake."""
    delivery: Annotated[float, Meta(ge=0.0, le=1_000.0)]
    """Words that a delivery, or being told again, counts as."""
    name: Annotated[float, Meta(ge=0.0, le=1_000.0)]
    """The same of a name in it."""
    number: Annotated[float, Meta(ge=0.0, le=1_000.0)]
    """The same of a number in it."""
    agent: Unit
    """Share at which the words of an agent, a tool or a page count."""


class Dream(Section, frozen=True):
    """At rest."""

    steps: list[StepName]
    """In the order they are taken."""
    after_session: list[StepName]
    """Those that the end of a session takes, in its own walls (A-18, A-19, A-21)."""
    to_compact: list[StepName]
    """Those that `compact` takes before it puts the indexes in order (D-52)."""
    every_days: Annotated[float, Meta(gt=0.0, le=3_650.0)]
    """A cycle is due so long after the last one began."""
    batch: Annotated[int, Meta(ge=1, le=500)]
    """Memories looked at, and written, at once, at most (D-42); never more than 200, as others wait
    meanwhile."""
    seconds: Annotated[float, Meta(gt=0.0, le=86_400.0)]
    """A cycle that takes longer stops, and the next one goes on there."""
    model_calls: Count
    """Questions to a language model in a cycle (D-42)."""
    undo_days: Days
    """What maintenance took out can be brought back for so long."""
    max_age_days: Days
    """A memory that was recorded longer ago is taken out by `prune` (0 = none is)."""
    together: Count
    """Joint deliveries of a pair from which replay strengthens both (0 = none)."""
    replay_factor: Annotated[float, Meta(ge=1.0, le=10.0)]
    """Times their stability."""
    flashbulb_factor: Annotated[float, Meta(ge=1.0, le=10.0)]
    """Times the stability of a flashbulb memory in its first cycle."""
    decay: Decay
    consolidate: Consolidating
    lessen: Lessening
    archive: Archiving
    rehearse: Rehearsing
    tiers: Tiering
    forget: Forgetting
    cluster: Clustering
    compress: Compressing
    summaries: Summing
    mine: Mining
    fade: Fading

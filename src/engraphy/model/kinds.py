"""Closed vocabularies: one name inside for what four documents call differently."""

from enum import StrEnum


class Kind(StrEnum):
    """What a memory is (the table "One vocabulary" of the specification)."""

    PREFERENCE = "preference"
    DECISION = "decision"
    FACT = "fact"
    CORRECTION = "correction"
    ENTITY = "entity"
    RELATIONSHIP = "relationship"
    POLICY = "policy"
    PITFALL = "pitfall"
    ARCHITECTURE = "architecture"
    WORKFLOW = "workflow"
    BUGFIX = "bugfix"
    FEATURE = "feature"
    REFACTOR = "refactor"
    CHANGE = "change"
    DISCOVERY = "discovery"
    PLAN = "plan"
    EPISODE = "episode"
    PROCEDURE = "procedure"
    SUMMARY = "summary"
    PATTERN = "pattern"


class Priority(StrEnum):
    """How urgent a memory is; ordered by `PRIORITY_RANK`."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    NORMAL = "normal"
    LOW = "low"


PRIORITY_RANK = {
    Priority.CRITICAL: 4,
    Priority.HIGH: 3,
    Priority.MEDIUM: 2,
    Priority.NORMAL: 1,
    Priority.LOW: 0,
}


class State(StrEnum):
    """Where in its life a memory is. Only `active` is delivered unless a caller includes others."""

    ACTIVE = "active"
    DORMANT = "dormant"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    QUARANTINED = "quarantined"


class Sensitivity(StrEnum):
    """Who may see a memory; anything else is denied (A-06). Ordered by `SENSITIVITY_RANK`."""

    PUBLIC = "public"
    PRIVATE = "private"
    SECRET = "secret"


SENSITIVITY_RANK = {Sensitivity.PUBLIC: 0, Sensitivity.PRIVATE: 1, Sensitivity.SECRET: 2}


class Origin(StrEnum):
    """Who a memory comes from; bound at write and never raised (P-10)."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"
    WEB = "web"
    IMPORT = "import"
    FEDERATION = "federation"


ORIGIN_TRUST = {
    Origin.USER: 1.0,
    Origin.AGENT: 0.7,
    Origin.TOOL: 0.6,
    Origin.IMPORT: 0.6,
    Origin.FEDERATION: 0.5,
    Origin.WEB: 0.4,
}


class WriteSource(StrEnum):
    """Which part of the product wrote a memory (D-15)."""

    MANUAL = "manual"
    OBSERVER = "observer"
    FORMATION = "formation"
    CAPTURE = "capture"
    DREAM = "dream"
    IMPORT = "import"
    SESSION = "session"


class DataSource(StrEnum):
    """What a memory was made from (D-15)."""

    USER_MESSAGE = "user_message"
    ASSISTANT_MESSAGE = "assistant_message"
    SYSTEM = "system"
    TOOL_OUTPUT = "tool_output"
    FEDERATION = "federation"
    IMPORT = "import"


class Evidence(StrEnum):
    """How a statement was made: only what is stated or observed counts as a fact."""

    STATED = "stated"
    OBSERVED = "observed"
    INFERRED = "inferred"
    HYPOTHETICAL = "hypothetical"
    QUOTED = "quoted"
    RETRACTED = "retracted"


class TemporalType(StrEnum):
    """Whether a memory holds until told otherwise, or until a date (D-14)."""

    PERSISTENT = "persistent"
    TIME_BOUNDED = "time_bounded"


class Tier(StrEnum):
    """The cognitive tiers; dormancy is a state, not a tier, so that it can be undone."""

    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"


class SubTier(StrEnum):
    """Refinement of a tier: the first three are episodic, the others semantic."""

    PERSONAL = "personal"
    OBSERVED = "observed"
    VICARIOUS = "vicarious"
    SCHEMATIC = "schematic"
    PROCEDURAL = "procedural"
    FACTUAL = "factual"


ORIGIN_SUB_TIER = {Origin.USER: SubTier.PERSONAL, Origin.FEDERATION: SubTier.VICARIOUS}
"""Whose experience an episodic memory is (D-46); of every other origin it was observed."""


class TemporalScale(StrEnum):
    """The four windows of letsgo (A-17), from shortest to longest."""

    IMMEDIATE = "immediate"
    TASK = "task"
    SESSION = "session"
    PROJECT = "project"


class EmotionCategory(StrEnum):
    """Ekman's six basic emotions, and none."""

    NEUTRAL = "neutral"
    JOY = "joy"
    ANGER = "anger"
    FEAR = "fear"
    SADNESS = "sadness"
    SURPRISE = "surprise"
    DISGUST = "disgust"


class RelationType(StrEnum):
    """The six relation types (D-13); the first three are never pruned."""

    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    CAUSES = "causes"
    ELABORATES = "elaborates"
    SAME_ENTITY = "same_entity"
    RELATED_TO = "related_to"


UNPRUNABLE = frozenset({RelationType.SUPERSEDES, RelationType.CONTRADICTS, RelationType.CAUSES})
PRUNED_FIRST = (RelationType.RELATED_TO, RelationType.SAME_ENTITY, RelationType.ELABORATES)
"""The prunable types, the loosest first (D-13)."""


class Action(StrEnum):
    """What a write did."""

    CREATED = "created"
    UPDATED = "updated"
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    SKIPPED = "skipped"
    QUARANTINED = "quarantined"


class Role(StrEnum):
    """Who speaks in an observed message."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class EpisodeOutcome(StrEnum):
    """How an episode ended (B-01)."""

    SUCCESS = "success"
    FAILURE = "failure"
    PARTIAL = "partial"
    UNKNOWN = "unknown"

"""What is understood of a text: the values of the rooms in `engraphy.text`.

Offsets are character positions in the text that was given; times are microseconds UTC.
"""

from dataclasses import dataclass
from enum import StrEnum

from engraphy.model.kinds import Kind, Priority


class Stance(StrEnum):
    """How a sentence puts what it says; only `stated` speaks for the world as it is."""

    STATED = "stated"
    HYPOTHETICAL = "hypothetical"
    PLANNED = "planned"
    """Meant to come true, but not yet so: "we will switch to Go"."""
    QUOTED = "quoted"
    QUESTION = "question"
    RETRACTED = "retracted"
    PAST = "past"
    """A habit or state that is over: "I used to live in Rome"."""


class Intent(StrEnum):
    """What a query is after (D-21)."""

    FACTUAL = "factual"
    TEMPORAL = "temporal"
    CAUSAL = "causal"
    ENTITY_PROFILE = "entity_profile"
    PREFERENCE = "preference"
    GENERAL = "general"


class Grain(StrEnum):
    """How wide the span of a date mention is."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Something a text names. `kind`: tech, org, person, place, file, url, version or date."""

    kind: str
    name: str
    slug: str
    start: int
    end: int

    @property
    def uri(self) -> str:
        """Its address, `entity://kind/slug` (D-04)."""
        return f"entity://{self.kind}/{self.slug}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Density:
    """How much a message tells (D-02): counts of what was found; `total` is their sum, floored."""

    entities: int
    facts: int
    temporal: int
    corrections: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """The kind of a statement (D-03); `confidence` in [0, 1]; `signals` name the evidence;
    `category` is what the kind alone does not tell ("opinion"), or empty."""

    kind: Kind
    confidence: float
    signals: tuple[str, ...]
    category: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """A piece worth keeping, found by pattern (B-07).

    `polarity` is False where the statement denies ("never use tabs"); `content` keeps the denial
    in its words too. `span` is (start, end) in the text.
    """

    kind: Kind
    content: str
    polarity: bool
    span: tuple[int, int]
    priority: Priority


@dataclass(frozen=True, slots=True, kw_only=True)
class Emotion:
    """The feeling of a text (D-12): valence in [-1, 1], arousal in [0, 1].

    `category`: joy, anger, fear, sadness, surprise, disgust or neutral.
    """

    valence: float
    arousal: float
    category: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DateMention:
    """A time named in a text: the half-open interval [begin, until) in microseconds UTC."""

    start: int
    end: int
    begin: int
    until: int
    grain: Grain
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Foresight:
    """Something announced: it holds until `valid_until`, stated in the text or assumed."""

    valid_until: int
    cue: str
    stated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One attribute of one subject as a statement gives it (D-08).

    `single`: the attribute holds one value at a time (port, city, deadline), or the statement
    itself says that it replaces what was. `polarity` is False for "no longer uses X". `anew`: the
    statement says that a taste is told as it is now ("I now like X"), of which it is the last word.
    """

    subject: str
    attribute: str
    value: str
    polarity: bool = True
    single: bool = False
    anew: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """`new` cannot hold together with `old`; `reason`: value, negated, or told anew."""

    new: Slot
    old: Slot
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolClass:
    """What a piece of tool output is about (A-15): one of six kinds, up to 3 of seven concepts."""

    kind: Kind
    concepts: tuple[str, ...]

"""What is understood of a text: the values of the rooms in `engraphy.text`.

Offsets are character positions in the text that was given; times are microseconds UTC.
"""

from enum import StrEnum

from engraphy.model.kinds import Kind, Priority
from engraphy.record import Record


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


class Entity(Record, frozen=True, kw_only=True):
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


class Density(Record, frozen=True, kw_only=True):
    """How much a message tells (D-02): counts of what was found; `total` is their sum, floored."""

    entities: int
    facts: int
    temporal: int
    corrections: int
    total: int


class Classification(Record, frozen=True, kw_only=True):
    """The kind of a statement (D-03); `confidence` in [0, 1]; `signals` name the evidence;
    `category` is what the kind alone does not tell ("opinion"), or empty."""

    kind: Kind
    confidence: float
    signals: tuple[str, ...]
    category: str = ""


class Capture(Record, frozen=True, kw_only=True):
    """A piece worth keeping, found by pattern (B-07).

    `polarity` is False where the statement denies ("never use tabs"); `content` keeps the denial
    in its words too. `span` is (start, end) in the text.
    """

    kind: Kind
    content: str
    polarity: bool
    span: tuple[int, int]
    priority: Priority


class Emotion(Record, frozen=True, kw_only=True):
    """The feeling of a text (D-12): valence in [-1, 1], arousal in [0, 1].

    `category`: joy, anger, fear, sadness, surprise, disgust or neutral.
    """

    valence: float
    arousal: float
    category: str


class DateMention(Record, frozen=True, kw_only=True):
    """A time named in a text: the half-open interval [begin, until) in microseconds UTC."""

    start: int
    end: int
    begin: int
    until: int
    grain: Grain
    text: str


class Foresight(Record, frozen=True, kw_only=True):
    """Something announced: it holds until `valid_until`, stated in the text or assumed."""

    valid_until: int
    cue: str
    stated: bool


class Slot(Record, frozen=True, kw_only=True):
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


class Contradiction(Record, frozen=True, kw_only=True):
    """`new` cannot hold together with `old`; `reason`: value, negated, or told anew."""

    new: Slot
    old: Slot
    reason: str


class ToolClass(Record, frozen=True, kw_only=True):
    """What a piece of tool output is about (A-15): one of six kinds, up to 3 of seven concepts."""

    kind: Kind
    concepts: tuple[str, ...]

"""The knobs of what goes into a prompt: layers, budget, styles, formats, receipts."""

from typing import Annotated, Literal

from msgspec import Meta

from engraphy.profile.knobs import Count, Days, Section, Unit, Weight

Format = Literal["memory-context", "system", "assistant_preamble", "json"]
ScaleName = Literal["immediate", "task", "session", "project"]


class Layer(Section, frozen=True):
    """One layer of an injected block; layers are filled in their order."""

    name: str
    """What receipts call it."""
    source: Literal["standing", "hot", "reminders", "relevant"]
    """What the user said of these kinds, whatever the prompt says; the hot tier (D-30); what the
    user asked to be reminded of and is due (D-76); or what answers the prompt."""
    kinds: list[str]
    """Empty = every kind."""
    min_priority: Literal["low", "normal", "medium", "high", "critical"]
    quota: Annotated[int, Meta(ge=0, le=200)]
    """At most this many memories."""
    scales: dict[ScaleName, Annotated[int, Meta(ge=0, le=200)]]
    """Places of the quota that each temporal scale has (A-17); what one leaves free the others
    fill, in their order. Empty = no scales."""
    score: Literal["hit", "contextual"]
    """A hit's score, or kind weight x decay x reinforcement (B-04)."""
    min_score: Annotated[float, Meta(ge=0.0, le=4.0)]
    order: Literal["score", "priority", "proven", "utility"]
    """Which come first where not all have room: `priority` then score; `proven`, what succeeded
    before, then score (B-05)."""
    shown: Literal["ranked", "oldest"]
    """The order of the lines: as they were chosen, or what happened first comes first, so that
    the same memories are the same bytes whatever the prompt says."""
    repeats: bool
    """Also what this conversation was given already in its last turns."""


class Hot(Section, frozen=True):
    """What the hot tier holds (D-30): semantic memories that are useful and often used."""

    utility_from: Unit
    access_from: Count
    idle_days: Days
    """They were used within so many days ..."""
    clock: Literal["accessed", "created"]
    """... or, `created`, are younger than that."""
    cache_minutes: Annotated[float, Meta(ge=0.0, le=1_440.0)]
    """How long the choice stands until it is made anew; 0 = every time."""


class Inject(Section, frozen=True):
    """What goes into a prompt."""

    budget: Annotated[int, Meta(ge=0, le=1_000_000)]
    """Tokens of the whole block, fence and heading included, by the stated tokenizer."""
    format: Format
    """Bullets in a fence, at the end of the prompt; in the system prompt; in a message of the
    assistant (C-06); or JSON in a fence, at the end."""
    detail: Literal["compact", "detailed"]
    """A bullet tells the kind, or also the day and who spoke."""
    heading: str
    labels: dict[str, str]
    """What a kind is called in a bullet; one that is left out is called by its own name."""
    layers: list[Layer]
    """What a block is filled with, in this order."""
    depth: Annotated[int, Meta(ge=1, le=1_000)]
    """Hits that a relevant layer looks at; only what is injected counts as accessed."""
    gate: Literal["all", "relevant", "off"]
    """What a message that needs no memory (D-20) leaves out: everything, or only what would have
    to be searched."""
    style_by: Literal["answered", "score"]
    """How sure a hit is: the share of the question it answers, or its score (D-27)."""
    full_from: Unit
    """From this sureness on a memory is injected whole; less sure ones abbreviated."""
    abbreviated_from: Unit
    """Less sure than that is not injected."""
    answered_from: Unit
    """What answers a smaller share of the prompt is not injected, however high it scores by its age
    and its use (D-27); 0 = anything may be."""
    wordless_from: Unit
    """What shares no word with the prompt, and nothing else says that it bears on it, must answer
    this share of it; 0 = no more than any other."""
    task_from: Unit
    """The same where the prompt is a task ("fix the typo"), which asks for nothing that was said;
    0 = no more than for a question."""
    everyday_from: Unit
    """What shares only words with the prompt that people say about everything ("use", "list"), and
    nothing else says that it bears on it, must answer this share of it; 0 = no more than any
    other."""
    unnamed_from: Unit
    """Where several persons speak in what was found and the prompt names none of them, nor anyone
    they tell of, a hit must answer this share of it; 0 = no more than any other."""
    abbreviated_detail: Literal["bare", "compact", "detailed"]
    """What an abbreviated bullet tells of its memory beside the text (D-27: nothing)."""
    abbreviated_tokens: Annotated[int, Meta(ge=8, le=10_000)]
    """How long an abbreviated one may be."""
    full_tokens: Count
    """What is longer is shortened to the part that answers the prompt; 0 = nothing is."""
    promote_every: Count
    """Deliveries after which a memory counts as one temporal scale older: it has proved durable
    (A-17); 0 = never."""
    redact: Literal["foreign", "all"]
    """Lines that instruct are taken out of what the user did not say, or of everything (A-20)."""
    lookback: Count
    """How many of the last messages are looked at for what is visible already (C-11)."""
    given_turns: Count
    """For so many turns of a conversation nothing is given twice; 0 = it may be."""
    receipts: Annotated[int, Meta(ge=0, le=100_000)]
    """Receipts that are kept per scope, the newest; 0 = none."""
    type_weights: dict[str, Weight]
    """The weight of a kind in a contextual score (B-04)."""
    half_life_days: Annotated[float, Meta(gt=0.0, le=36_500.0)]
    """After which a contextual score has halved, without an access."""

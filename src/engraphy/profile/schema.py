"""The shape of a profile: every knob of the engine with its range. The numbers are in the TOML
files beside this one; nothing here has a default, so that `default.toml` is complete."""

from typing import Annotated, Literal

from msgspec import Meta

from engraphy.profile.aim import Aim
from engraphy.profile.condense import Condense
from engraphy.profile.dream import Dream
from engraphy.profile.federation import Federation
from engraphy.profile.files import Files
from engraphy.profile.gate import Gate
from engraphy.profile.inject import Hot, Inject
from engraphy.profile.knobs import Count, Days, Factor, Section, Unit, Weight
from engraphy.profile.links import Boost, Graph, Reinforce
from engraphy.profile.model import Model
from engraphy.profile.ops import Ops
from engraphy.profile.pii import Pii
from engraphy.profile.questions import Questions
from engraphy.profile.remind import Remind
from engraphy.profile.reranking import Reranking
from engraphy.profile.score import Score
from engraphy.profile.sessions import Sessions, Working


class Write(Section, frozen=True):
    """The way in, before anything is judged."""

    max_content_chars: Annotated[int, Meta(ge=1, le=10_000_000)]
    """Longer texts are refused."""
    chunk_chars: Annotated[int, Meta(ge=200, le=100_000)]
    """Observed messages longer than this are split at paragraph and sentence borders."""
    observe_roles: list[Literal["user", "assistant", "system", "tool"]]
    """Whose messages `observe` looks at."""
    default_ttl_days: Days
    """0 = a memory has no time to live unless one is given."""
    max_memories: Count
    """0 = no cap."""
    background_attempts: Annotated[int, Meta(ge=1, le=100)]
    """How often extraction in the background is tried before its messages are set aside."""
    background_lease_seconds: Annotated[float, Meta(gt=0, le=86_400)]
    """After this time without a sign of life a job may be taken over by another process."""


class Form(Section, frozen=True):
    """What is stored of a message."""

    rewrite: bool
    """Store the standalone third-person sentence; else the message's own words."""
    coreference: bool
    """Put the last entity named in place of a leading pronoun."""
    split_atomic: bool
    """Two memories of a sentence that says two things about different entities."""
    dates: bool
    """Put the ISO date behind a relative one, against the message's own time."""
    foresight: Literal["off", "stated", "assumed"]
    """What is announced ends at the date it states, or, `assumed`, after seven days."""
    extract_facts: bool
    """Read facts (subject, predicate, object) out of what is said."""
    facts_outlive: bool
    """A fact that a caller gave outlives its source (A-12); else it goes with the last one."""
    remind: Remind


class Judge(Section, frozen=True):
    """The prediction-error gate on the common similarity scale (D-07)."""

    gap_from: Unit
    """Similarity to the nearest memory below which a text is new."""
    update_from: Unit
    """Similarity from which it adds to that memory (`on_update`); between the two: `on_gap`."""
    reinforce_above: Unit
    """Similarity above which it says the same."""
    reinforce_same_words: bool
    """Call it a repetition only where no content word stands in place of another."""
    gap_importance: Unit
    """Importance from which a text between the two is a memory whatever `on_gap` says."""
    on_gap: Literal["create", "skip"]
    on_update: Literal["create", "merge"]
    near_limit: Annotated[int, Meta(ge=1, le=100)]
    """How many of the nearest memories are compared."""
    supersede: bool
    """What contradicts a memory takes its place."""
    supersede_whole_chars: Count
    """A contradicted memory up to this long is superseded as a whole; of a longer one only the
    fact ends, and the two are linked."""
    supersede_likely: Unit
    """Probability from which the model of succession ends the likeliest memory, where no rule
    and no fact says what a message changes; 1 = it ends none, whatever the two below say."""
    supersede_untold: Unit
    """The same where no word of the message says that something changed."""
    supersede_apart: Unit
    """The least for a memory with which the message has no telling word, no attribute and no
    telling kind of value in common; `supersede_certain` where it says what it leaves behind."""
    supersede_certain: Unit
    """Probability from which it ends any memory."""
    supersede_never_below: Unit
    """Below this probability no rule of wording ends a memory either; 0 = rules alone decide."""


class Weigh(Section, frozen=True):
    """Importance and what follows from it (D-10, D-12)."""

    novelty: Weight
    arousal: Weight
    reward: Weight
    attention: Weight
    boost_min: Factor
    boost_max: Factor
    kind_boost: dict[str, Factor]
    flashbulb_from: Unit
    flashbulb_importance: Unit
    flashbulb_stability: Factor
    initial_stability: Annotated[float, Meta(gt=0.0, le=36_500.0)]
    initial_utility: Unit
    importance: Literal["channels", "gate"]
    """An observed memory is as important as its four channels say (D-10), or as the blend of the
    gate, where there is one (C-04)."""
    priority: Literal["kind", "importance"]
    """Where no caller gives one, a memory's priority is that of its kind (B-02), or follows its
    importance (D-10)."""


class Tag(Section, frozen=True):
    """Synaptic tags and captures in a session (D-11)."""

    hours: Annotated[float, Meta(ge=0.0, le=8_760.0)]
    """How long a weak memory can be captured; 0 = no memory is tagged."""
    below: Unit
    """Importance below which a memory is tagged."""
    capture_from: Unit
    """Importance from which a memory captures what is tagged."""
    factor: Factor
    """What the stability of a captured memory is multiplied by."""


class Relate(Section, frozen=True):
    """Relations that are found on the way in (D-13)."""

    most: Annotated[int, Meta(ge=0, le=100)]
    """Relations per memory, beside those that a contradiction makes; 0 = none are sought."""
    same_entity_from: Annotated[int, Meta(ge=1, le=100)]
    """Shared entities from which two memories are of the same entity."""
    same_entity: Unit
    """Confidence; likewise below."""
    elaborates_above: Unit
    """Overlap of words above which, with a shared entity, one adds to the other."""
    elaborates: Unit
    related_above: Unit
    """Overlap of words above which two memories of one kind are related."""
    related_to: Unit
    causes_from: Unit
    """Share of a clause's words that a memory must hold to be the cause or effect it tells of."""
    causes: Unit
    """0 = causes are not sought."""
    prune_at: Annotated[int, Meta(ge=1, le=10_000_000)]
    """Relations that start in one scope from which the loosest ones go ..."""
    prune_to: Count
    """... until so many are left; supersedes, contradicts and causes never go."""


class Search(Section, frozen=True):
    """Candidates."""

    text_limit: Annotated[int, Meta(ge=1, le=2_000)]
    vector_limit: Annotated[int, Meta(ge=0, le=2_000)]
    ranked: Annotated[int, Meta(ge=1, le=10_000)]
    """How many candidates, best before any boost, are scored in full."""
    scanned: Annotated[int, Meta(ge=0, le=10_000)]
    """Where full text finds nothing, so many of the newest memories are looked through for words
    inside words (A-04); 0 = none."""
    neighbours: Annotated[int, Meta(ge=0, le=4)]
    """Turns to each side that are fetched with a candidate and lend it their words."""
    past: bool
    """A question about a time that is over sees what held then and was superseded since."""
    planned: bool
    """A question that asks when also sees plans whose time is over."""
    dated: Annotated[int, Meta(ge=0, le=200)]
    """How many memories of a time are hits where a question asks for nothing else."""
    overall: Annotated[int, Meta(ge=0, le=200)]
    """How many memories, the most important first, are hits where a question asks for all that is
    known, or for all preferences, plans, decisions or rules; 0 = it is searched like any other."""
    anchors: bool
    """An event that a question is dated by ("before we moved") is looked up in the memories."""
    gate: bool
    """Skip retrieval for greetings and confirmations also when recall is called by name (D-20);
    `context` always does."""
    awake_from: Unit
    """Where no active memory answers so much of a question, what sleeps or is archived is looked
    through too (D-45); of an injected block never what is archived. 0 = it is only found where it
    is asked for."""
    asleep: Unit
    """Share of its score at which what sleeps competes with what is active, where that answers.
    0 = it does not compete."""


class Fuse(Section, frozen=True):
    """How a query's lists become one relevance (`engraphy.read.kernel`, `engraphy.read.fuse`)."""

    text: Weight
    soft: Weight
    pooled: Weight
    """Weight of similarity where the embedder averages words."""
    sentences: Weight
    """Weight of similarity where the embedder reads sentences."""
    sentences_lent: Unit
    """Share at which the turns that lend their words lend that similarity too."""
    previous: Unit
    """Share of its words that the turn before lends to a turn."""
    next: Unit
    decay: Unit
    """What is left of that share per further turn."""
    question_before: Unit
    """What the turn before lends on top where it asks."""
    answer: Factor
    """What `next` is multiplied by where the agent's answer lends to the message it answers."""
    crossing: Factor
    """What every other loan between the user, the agent and tools is multiplied by."""
    monologue: Unit
    """Share of every loan between one speaker's messages that nobody answered in between."""
    longest_lender: Annotated[float, Meta(ge=1.0, le=100_000.0)]
    """Index tokens up to which a turn lends and borrows fully."""
    saturation: Annotated[float, Meta(ge=0.0, le=10.0)]
    length_text: Unit
    length_soft: Unit
    own_words: Factor
    """A turn with this many content words of its own counts half."""
    speaker: Factor
    """Gain where the one speaker named in the question speaks."""
    first_person: Factor
    """Gain of the user's own words where the question says "I"."""
    agent: Unit
    """Loss of what an agent said where the question is not after that."""
    when: Factor
    """Gain of a text that names a time where the question asks for one."""
    stating: Factor
    """Gain of a text that states the attribute the question asks for (`text.gloss`)."""
    asking: Unit
    """Loss of a text that only asks."""
    asking_words: Annotated[int, Meta(ge=1, le=10_000)]
    """Of a text that ends by asking and has more content words than this, the loss is less: it
    says something too."""
    session: Factor
    """How much the company of a text counts: one in whose session little else answers keeps
    1 / (1 + this) of its score; 0 = nothing."""
    session_decay: Unit
    """What the next best text of a session adds, as a share of what the one before added."""
    date: Factor
    """Gain of what happened at a date named in the question."""
    date_days: Annotated[float, Meta(gt=0.0, le=36_500.0)]
    """Days after such a date until the gain is gone (half as many before it)."""
    outside: Unit
    """Loss of what lies beyond a limit the question sets ("before March", "since we moved")."""


class Profile(Section, frozen=True):
    """A complete bag of knobs; the same shape, with fewer keys, is an override."""

    name: str
    description: str
    inherits: str
    write: Write
    gate: Gate
    pii: Pii
    form: Form
    judge: Judge
    weigh: Weigh
    tag: Tag
    relate: Relate
    questions: Questions
    search: Search
    fuse: Fuse
    aim: Aim
    rerank: Reranking
    score: Score
    boost: Boost
    graph: Graph
    inject: Inject
    hot: Hot
    reinforce: Reinforce
    dream: Dream
    condense: Condense
    federation: Federation
    sessions: Sessions
    working: Working
    model: Model
    ops: Ops
    files: Files

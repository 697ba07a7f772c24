"""What the public verbs give back."""

from typing import Literal

from msgspec import field

from engraphy.model.dreaming import DreamStep
from engraphy.model.kinds import Action, Role
from engraphy.model.memory import Memory
from engraphy.model.records import Relation
from engraphy.record import Record, shown


class Message(Record, frozen=True, kw_only=True):
    """One observed message; `at` in microseconds UTC (None = now), `name` the speaker's name."""

    role: Role
    content: str
    at: int | None = None
    name: str | None = None
    metadata: tuple[tuple[str, str], ...] = ()


class Step(Record, frozen=True, kw_only=True):
    """One stage of a decision as it is shown to a user: what it was given and what it said.

    `passed` is false where the stage refused, or dropped, what it was given; `value` is the number
    it decided by, in [0, 1], where it has one.
    """

    stage: str
    detail: str
    passed: bool = True
    value: float | None = None


class Outcome(Record, frozen=True, kw_only=True):
    """What a write did to one message or one part of it.

    `memory` is the row that holds the content now (None when skipped); `previous` the one that
    was superseded; `trace` the stages that led there.
    """

    action: Action
    reason: str
    memory: Memory | None = None
    previous: Memory | None = None
    content: str = ""
    trace: tuple[Step, ...] = ()

    def __repr__(self) -> str:
        return shown(self, "trace")


class Hit(Record, frozen=True, kw_only=True):
    """A memory that answers a query; `score` in [0, 1], `why` names each signal's share.

    `newer`: ids of newer memories that answer the same question with another value, best first.
    `outcome`: how an event ended, where that is known.
    """

    memory: Memory
    score: float
    why: dict[str, float] = field(default_factory=dict)
    confidence: float = 0.0
    newer: tuple[str, ...] = ()
    outcome: str = ""

    def __repr__(self) -> str:
        return shown(self, "why")


Placement = Literal["tail", "system", "assistant"]
"""Where a block belongs: after the user's last message, in the system prompt, or as a message of
the assistant before the user's last one."""


class ReceiptLine(Record, frozen=True, kw_only=True):
    """One injected memory: its id and version, tokens, layer and style; its score, the parts of
    it, and how sure the hit was.

    `content` is what it says today, where a receipt is listed and it may still be seen.
    """

    memory_id: str
    tokens: int
    layer: str
    style: str
    score: float
    version: int = 1
    confidence: float = 1.0
    why: dict[str, float] = field(default_factory=dict)
    content: str = ""


class LeftOut(Record, frozen=True, kw_only=True):
    """What was not injected: at which stage it was dropped, and why. `memory_id` is empty where
    a whole stage was left out."""

    stage: str
    detail: str
    memory_id: str = ""


class Receipt(Record, frozen=True, kw_only=True):
    """What was injected into a prompt, why, at what cost, and what was left out.

    `tokens` by `tokenizer`, the fence and the heading among them; never more than `budget`. `at`:
    microseconds UTC; `session`: the conversation it went into. `more`: how many were left out
    beside those in `skipped`. A receipt that is kept holds no word of the prompt.
    """

    query: str
    budget: int
    tokens: int
    tokenizer: str
    lines: tuple[ReceiptLine, ...] = ()
    skipped: tuple[LeftOut, ...] = ()
    id: str = ""
    at: int = 0
    session: str | None = None
    format: str = ""
    more: int = 0


class Context(Record, frozen=True, kw_only=True):
    """A block of memories ready for a prompt, and where it belongs; empty `text` when nothing is
    worth injecting."""

    text: str
    tokens: int
    hits: tuple[Hit, ...]
    receipt: Receipt
    placement: Placement = "tail"


class Placed(Record, frozen=True, kw_only=True):
    """A block in its place: the number of the message of the user that it belongs to (None where
    no message is one), its text, and how it is placed."""

    message: int | None
    text: str
    placement: Placement


class Injection(Record, frozen=True, kw_only=True):
    """Messages with a block of memories in its place, and the block; where nothing is worth
    injecting, the messages as they came. `blocks`: all that was put among them, in order: also
    those of earlier turns, where they were asked for."""

    messages: tuple[dict[str, object], ...]
    context: Context
    blocks: tuple[Placed, ...] = ()


class WorkingItem(Record, frozen=True, kw_only=True):
    """A memory that a session is about just now (D-31): how strongly it is held (0 upwards), how
    often it came up again since `added_at`, and whether it is a candidate for longer keeping."""

    memory: Memory
    score: float
    access_count: int
    added_at: int
    promotable: bool


class EntityHub(Record, frozen=True, kw_only=True):
    """Everything that names one entity (D-13): its addresses (`entity://kind/slug`), the memories,
    newest first, and the relations that begin or end at them."""

    name: str
    entities: tuple[str, ...]
    memories: tuple[Memory, ...]
    relations: tuple[Relation, ...]


class Explanation(Record, frozen=True, kw_only=True):
    """How a recall came about: its stages, its hits, and why a named memory is missing."""

    query: str
    steps: tuple[Step, ...]
    hits: tuple[Hit, ...]
    missing: Step | None = None


class Forgotten(Record, frozen=True, kw_only=True):
    """Receipt of a forget: what was erased, or (when `confirm` is still needed) what would be."""

    ids: tuple[str, ...]
    erased: int
    confirm: str | None = None
    previews: tuple[str, ...] = ()


class ForgottenUser(Record, frozen=True, kw_only=True):
    """Receipt of the forgetting of a user: what was erased, or (while `erased` is False) what would
    be once it is confirmed with `confirm`.

    `memories`: in every state; `removed`: those that could still be brought back; `jobs`:
    conversations that were handed over and not extracted yet; `grants`: access tokens that are
    bound to the user.
    """

    user: str
    memories: int
    removed: int
    facts: int
    sessions: int
    receipts: int
    jobs: int
    grants: int = 0
    erased: bool = False
    confirm: str | None = None


class Condensed(Record, frozen=True, kw_only=True):
    """What was put together: the categories, the ids of their summaries, and how many memories
    these took the place of."""

    categories: tuple[str, ...]
    summaries: tuple[str, ...]
    condensed: int


class HeldBack(Record, frozen=True, kw_only=True):
    """A memory that waits for review, and why it is held back."""

    memory: Memory
    why: str


class Transfer(Record, frozen=True, kw_only=True):
    """What an export or import moved; `skipped` stood already or could not come in, `held_back`
    came in but waits for review."""

    path: str
    memories: int
    facts: int
    relations: int
    skipped: int = 0
    held_back: int = 0


class SessionStatus(Record, frozen=True, kw_only=True):
    """How far a session has come (A-16); times in microseconds UTC.

    `observations` counts the uses of tools, `stored` those that stand in a memory, `segment` the
    topics so far (A-14). `closed` names the abandoned sessions that were closed at its start.
    """

    session: str
    started_at: int
    last_at: int
    ended_at: int | None = None
    abandoned: bool = False
    observations: int = 0
    stored: int = 0
    segment: int = 1
    checkpoints: int = 0
    closed: tuple[str, ...] = ()


class SessionReport(Record, frozen=True, kw_only=True):
    """What was done in a session: for whom, what was decided, fixed, added, changed and found, in
    which files, with which tools, and what is left open. `summary` is the memory that tells it,
    None where nothing was done. At its end `rest` tells what maintenance then did, and `failed`
    which of its steps failed, and why."""

    status: SessionStatus
    user: str | None = None
    agent: str | None = None
    project: str | None = None
    decisions: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    discoveries: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    files_read: tuple[str, ...] = ()
    tools: tuple[tuple[str, int], ...] = ()
    summary: Memory | None = None
    rest: tuple[DreamStep, ...] = ()
    failed: tuple[str, ...] = ()

"""What the public verbs give back."""

from dataclasses import dataclass, field

from engraphy.model.kinds import Action, Role
from engraphy.model.memory import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One observed message; `at` in microseconds UTC (None = now), `name` the speaker's name."""

    role: Role
    content: str
    at: int | None = None
    name: str | None = None
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One stage of a decision as it is shown to a user: what it was given and what it said.

    `passed` is false where the stage refused, or dropped, what it was given.
    """

    stage: str
    detail: str
    passed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that answers a query; `score` in [0, 1], `why` names each signal's share."""

    memory: Memory
    score: float
    why: dict[str, float] = field(default_factory=dict)
    confidence: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptLine:
    """One injected memory: its id, tokens, layer, style and score."""

    memory_id: str
    tokens: int
    layer: str
    style: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What was injected into a prompt, why, and at what cost."""

    query: str
    budget: int
    tokens: int
    tokenizer: str
    lines: tuple[ReceiptLine, ...] = ()
    skipped: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A block of memories ready for a prompt; empty `text` when nothing is worth injecting."""

    text: str
    tokens: int
    hits: tuple[Hit, ...]
    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """How a recall came about: its stages, its hits, and why a named memory is missing."""

    query: str
    steps: tuple[Step, ...]
    hits: tuple[Hit, ...]
    missing: Step | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """Receipt of a forget: what was erased, or (when `confirm` is still needed) what would be."""

    ids: tuple[str, ...]
    erased: int
    confirm: str | None = None
    previews: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamReport:
    """What maintenance looked at and changed, step by step."""

    dry_run: bool
    steps: tuple[Step, ...]
    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """What an export or import moved."""

    path: str
    memories: int
    facts: int
    relations: int
    skipped: int = 0

"""What every benchmark is made of: turns that go in, questions with the turns that answer them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message; `source` is its id in the data, `at` microseconds UTC."""

    source: str
    session: str
    role: str
    content: str
    at: int
    speaker: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and its gold sources; `gold_sessions` where the gold is whole sessions;
    `stale` and `updated`: sources of a value before and after it changed."""

    id: str
    text: str
    category: str
    gold: frozenset[str]
    gold_sessions: frozenset[str] = frozenset()
    updated: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One memory to fill and to ask: a dialogue, a chat, a pool of sessions."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A data file made into cases. `k`s are the cut-offs reported; `unit` is turn or session."""

    name: str
    data_sha256: str
    known: str | None
    """What the file is, where its hash is a known one."""
    cases: tuple[Case, ...]
    dropped: int = 0
    """Questions without a usable gold id."""
    tuned: frozenset[str] = frozenset()
    """Cases that the product's numbers were tuned on; the others are reported together too."""

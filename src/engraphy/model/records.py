"""What stands beside memories: relations, facts, procedures, session state, the journal."""

from typing import Literal

from engraphy.model.kinds import EpisodeOutcome, RelationType
from engraphy.model.scope import Scope
from engraphy.record import Record


class Relation(Record, frozen=True, kw_only=True):
    """A directed link between two memories (D-13); `confidence` in [0, 1]."""

    source_id: str
    target_id: str
    type: RelationType
    confidence: float = 1.0
    created_at: int = 0


class CoActivation(Record, frozen=True, kw_only=True):
    """How often two memories were delivered together (D-28); ids ordered first < second."""

    first_id: str
    second_id: str
    count: int
    last_at: int


class Fact(Record, frozen=True, kw_only=True):
    """A triple with its source (A-12); the key is scope, subject, predicate and object."""

    id: str
    scope: Scope
    subject: str
    predicate: str
    object: str
    confidence: float = 1.0
    source_id: str | None = None
    valid_from: int = 0
    valid_until: int | None = None
    recorded_at: int = 0
    updated_at: int = 0


class Episode(Record, frozen=True, kw_only=True):
    """An event with its outcome (B-01): the part beside the memory of kind `episode`."""

    memory_id: str
    outcome: EpisodeOutcome = EpisodeOutcome.UNKNOWN
    started_at: int | None = None
    ended_at: int | None = None
    lesson: str = ""


class Procedure(Record, frozen=True, kw_only=True):
    """A named workflow with ordered steps (B-01): the part beside the memory of kind `procedure`.

    Successes and failures are counted on the memory itself.
    """

    memory_id: str
    name: str
    steps: tuple[str, ...]
    trigger: str = ""


class SessionState(Record, frozen=True, kw_only=True):
    """A named piece of a session's state (working memory, boundary window, tags, receipts).

    `value` is JSON text; the row ends at `expires_at` (None = with its session).
    """

    scope: Scope
    name: str
    value: str
    updated_at: int
    expires_at: int | None = None


JournalOp = Literal[
    "insert",
    "update",
    "delete",
    "forget",
    "dedup_refresh",
    "access",
    "supersede",
    "state",
    "strengthen",
    "relation",
    "relation_delete",
    "coactivation",
    "fact",
    "fact_delete",
    "episode",
    "procedure",
    "session",
    "import",
    "maintenance",
    "undo",
    "snapshot",
    "grant",
    "revoke",
    "publish",
    "unpublish",
    "subscribe",
    "unsubscribe",
    "adopt",
]
"""What a line of the journal tells: `delete` takes out what can be brought back, `forget` erases
for good."""


class JournalEntry(Record, frozen=True, kw_only=True):
    """One line of the append-only journal (R-07).

    It carries ids and hashes only; the texts that replay and undo need stand under the memory's
    own key and go when the memory is forgotten. `hash` chains each entry to the one before.
    """

    seq: int
    at: int
    tenant: str
    op: JournalOp
    target_id: str
    actor: str
    reason: str
    payload_hash: str
    previous_hash: str
    hash: str
    payload: str | None = None
    """JSON of the change (old and new values); None once the memory was forgotten."""

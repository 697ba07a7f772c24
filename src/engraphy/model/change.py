"""Changes: what a decision asks the store to write. One `apply` writes a list of them at once."""

from typing import NamedTuple

from engraphy.model.dreaming import DreamRun
from engraphy.model.federating import Federating
from engraphy.model.granting import PutGrant, RevokeGrant
from engraphy.model.kinds import RelationType
from engraphy.model.leaving import ForgetUser
from engraphy.model.memory import Memory, Version
from engraphy.model.outlasting import Mark, Remove
from engraphy.model.query import View
from engraphy.model.records import Episode, Fact, JournalOp, Procedure, Relation, SessionState
from engraphy.record import Record


class VectorRow(Record, frozen=True, kw_only=True):
    """A memory's vectors as an embedder made them: one pooled vector per part of the text.

    `parts`: float vectors of `dim` numbers each; `tokens`: the late-interaction codes (opaque
    bytes), empty where the embedder has none.
    """

    model_id: str
    parts: tuple[tuple[float, ...], ...]
    tokens: bytes = b""


class Insert(Record, frozen=True, kw_only=True):
    """Write a new memory with its full text and vector."""

    memory: Memory
    vector: VectorRow | None = None
    reason: str = ""
    op: JournalOp = "insert"


class Update(Record, frozen=True, kw_only=True):
    """Replace a memory's row. `memory.version` must be one more than the stored one where the
    text changes, and equal to it otherwise; `expected` is the row the decision was made on and a
    difference in version, state or updated_at is a ConflictError. `vector` None keeps the old one
    when the text is the same."""

    memory: Memory
    expected: Memory
    vector: VectorRow | None = None
    reason: str = ""
    op: JournalOp = "update"


class PutVersion(Record, frozen=True, kw_only=True):
    """Write an earlier text of a memory (imports bring their history); known ones stay."""

    version: Version
    reason: str = ""


class Reinforce(Record, frozen=True, kw_only=True):
    """Count a re-statement (dedup, R-06) relative to whatever is stored: counters never conflict.

    `stability_factor` multiplies stability (capped at 36,500 days); what ends lasts to `until`.
    """

    id: str
    stability_factor: float = 1.0
    storage_gain: float = 0.0
    revive: bool = False
    until: int | None = None
    reason: str = ""
    op: JournalOp = "dedup_refresh"


class Tally(Record, frozen=True, kw_only=True):
    """Count how using a memory went (B-08, D-74), relative to whatever is stored: utility goes
    `utility_rate` of the way to the share of these uses that succeeded (D-43)."""

    id: str
    successes: int = 0
    failures: int = 0
    utility_rate: float = 0.0
    reason: str = ""


class Growth(NamedTuple):
    """What a retrieval that counts does to one memory: stability times a factor, storage strength
    and difficulty plus so much."""

    stability_factor: float = 1.0
    storage_gain: float = 0.0
    difficulty_shift: float = 0.0


class Touch(Record, frozen=True, kw_only=True):
    """Count a delivery (R-03) of these memories: access_count + 1, last_accessed_at = now,
    retrieval_loss = 0; a dormant or archived one becomes active when `revive`.

    Where none within `gap` microseconds before counted as a retrieval, this one does (D-40): it
    grows as `growth` says for its place among `ids` (where that is empty, nothing grows), and
    last_strengthened_at = now.
    """

    ids: tuple[str, ...]
    growth: tuple[Growth, ...] = ()
    gap: int = 0
    revive: bool = True
    reason: str = ""


class Strengthen(Record, frozen=True, kw_only=True):
    """Multiply the stability of these memories (capped at 36,500 days) and count nothing: neither
    a delivery nor a re-statement. Ids that are gone are left out."""

    ids: tuple[str, ...]
    stability_factor: float
    reason: str = ""


class Spread(Record, frozen=True, kw_only=True):
    """Multiply the stability (capped at 36,500 days) of what is related to these memories, either
    way and one hop, as far as `view` sees it: at most `most` relations are followed. The memories
    themselves are left as they are."""

    ids: tuple[str, ...]
    view: View
    stability_factor: float
    most: int = 1_000
    reason: str = ""


class Forget(Record, frozen=True, kw_only=True):
    """Erase a memory: row, full text, vectors, relations, versions, texts of the journal; an
    immutable one is a ProtectedError."""

    id: str
    reason: str = ""


class Restore(Record, frozen=True, kw_only=True):
    """Bring back what was removed, as it was, with what of its surroundings is still there. A
    NotFoundError where it is not removed, a ConflictError where its text is held again."""

    id: str
    vector: VectorRow | None = None
    reason: str = ""


class PutRelation(Record, frozen=True, kw_only=True):
    """Write a relation; the same (source, target, type) keeps the higher confidence."""

    relation: Relation
    reason: str = ""


class DeleteRelation(Record, frozen=True, kw_only=True):
    """Delete a relation; one that is gone already is no error."""

    source_id: str
    target_id: str
    type: RelationType
    reason: str = ""


class CoActivate(Record, frozen=True, kw_only=True):
    """Count one joint delivery of these memories (every pair once), but of no pair that was counted
    less than `gap` microseconds ago. What is in a pair that counts has its stability multiplied by
    `stability_factor` (capped at 36,500 days): once, in however many pairs it is, and never what
    is superseded, expired or quarantined."""

    ids: tuple[str, ...]
    stability_factor: float = 1.0
    gap: int = 0
    reason: str = ""


class PutFact(Record, frozen=True, kw_only=True):
    """Write a fact; the same scope and triple updates confidence and source."""

    fact: Fact
    reason: str = ""


class DeleteFact(Record, frozen=True, kw_only=True):
    """Delete a fact by id, and the texts the journal holds of it; with `keep` these stay, so that
    it can be undone."""

    id: str
    keep: bool = False
    reason: str = ""


class PutEpisode(Record, frozen=True, kw_only=True):
    """Write the episode part of a memory."""

    episode: Episode
    reason: str = ""


class PutProcedure(Record, frozen=True, kw_only=True):
    """Write the procedure part of a memory."""

    procedure: Procedure
    reason: str = ""


class PutSessionState(Record, frozen=True, kw_only=True):
    """Write a piece of session state (not journaled: it ends with its session).

    `guarded`: only where its value still is `expected` (None = there is none, or it has ended);
    another one is a ConflictError, so that two processes never undo each other's entries.
    """

    state: SessionState
    guarded: bool = False
    expected: str | None = None


class Settle(Record, frozen=True, kw_only=True):
    """Move what maintenance moves of many memories at once: (as it was, as it is to be). Only
    `SETTLED` fields may differ. A row that was changed, delivered or moved since is left alone;
    one line of the journal tells all that were written."""

    rows: tuple[tuple[Memory, Memory], ...]
    reason: str = ""


SETTLED = (
    "importance",
    "utility",
    "stability",
    "difficulty",
    "storage_strength",
    "retrieval_loss",
    "last_decayed_at",
    "last_rehearsed_at",
    "last_drifted_at",
    "settled_access_count",
    "tier",
    "sub_tier",
    "temporal_scale",
)
"""The numbers of a memory's life and its places by them, which no reader takes for an edit."""


class PutDream(Record, frozen=True, kw_only=True):
    """Write how far a cycle has come, in the transaction of what it has just done (not journaled).
    The first time its `first_seq`, and every time its `last_seq`, becomes the number of the last
    line that was written before it."""

    run: DreamRun


Change = (
    Insert
    | Update
    | PutVersion
    | Reinforce
    | Tally
    | Touch
    | Strengthen
    | Spread
    | Forget
    | ForgetUser
    | Remove
    | Restore
    | Mark
    | PutRelation
    | DeleteRelation
    | CoActivate
    | PutFact
    | DeleteFact
    | PutEpisode
    | PutProcedure
    | PutSessionState
    | Settle
    | PutDream
    | PutGrant
    | RevokeGrant
    | Federating
)

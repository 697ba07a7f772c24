"""What is asked of the store, and what comes back."""

from typing import Literal

import msgspec
from msgspec import field
from msgspec.structs import replace

from engraphy.model.kinds import Kind, Origin, Priority, Sensitivity, State, Tier
from engraphy.model.scope import Scope
from engraphy.record import Record


class View(Record, frozen=True, kw_only=True):
    """The gate of every read (R-05): who asks, and what they may see.

    `as_of`: what was true at that moment (valid_from <= as_of < valid_until), superseded ones
    included where they held then; `known_at`: only what was recorded by then, and what ended a
    memory counts only where it was recorded by then. `now` decides
    expiry and current validity: with SUPERSEDED among the states what no longer holds is seen too,
    what maintenance found to be over among it; with EXPIRED also what has outlived its time to
    live. `session` filters on the session where it is not None.
    `closed_session`: session is a wall (titans C-12): rows of other sessions stay out, global
    rows (no session) stay in. What was written behind the wall of a session (`conversation`) is
    seen by nobody else, whatever the view says; where sessions are no walls, by who asks for that
    session by its name.
    """

    scope: Scope
    now: int
    states: frozenset[State] = frozenset({State.ACTIVE})
    sensitivities: frozenset[Sensitivity] = frozenset({Sensitivity.PUBLIC})
    as_of: int | None = None
    known_at: int | None = None
    session: str | None = None
    closed_session: bool = False
    kinds: frozenset[Kind] = frozenset()
    """Empty = every kind."""
    shared: bool = True
    """Whether what is shared on a wall is seen too; else only what stands behind exactly these."""

    @property
    def asker(self) -> Scope:
        """The scope whose walls are open to this view."""
        if self.session is None or self.scope.conversation is not None:
            return self.scope
        return replace(self.scope, conversation=self.session)


class Term(Record, frozen=True, kw_only=True):
    """One analysed query word: `term` is what stands in the index, `weight` its share (>= 0)."""

    term: str
    surface: str
    weight: float = 1.0


class TextMatch(Record, frozen=True, kw_only=True):
    """A full-text candidate; `bm25` is positive, higher is better (R-01)."""

    id: str
    bm25: float


class TextResult(Record, frozen=True, kw_only=True):
    """Full-text candidates, best first, with the document frequency of each query term
    (approximate above the store's counting limit), the number of indexed rows and their mean
    length in index tokens."""

    matches: tuple[TextMatch, ...] = ()
    document_frequency: tuple[tuple[str, int], ...] = ()
    documents: int = 0
    mean_length: float = 1.0


class VectorMatch(Record, frozen=True, kw_only=True):
    """A vector candidate; `cosine` in [-1, 1]: the best part of the memory."""

    id: str
    cosine: float


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """A light row for scoring: what the signals need and nothing else, in the store's own
    primitives (enums as their text), because several hundred are read per recall.

    `asks`: it ends in a question; `timed`: it names a time; `tokens`: late-interaction codes;
    `cosine`: best part against the query vector, None without one; `previous_id` / `next_id`:
    the adjacent visible rows of the same session and scope, as far as they were fetched.
    """

    id: str
    seq: int
    kind: str
    session: str | None
    speaker: str
    data_source: str
    state: str
    tier: str
    sub_tier: str
    valid_from: int
    updated_at: int
    last_accessed_at: int | None
    last_decayed_at: int | None
    access_count: int
    reinforcement_count: int
    importance: float
    trust: float
    utility: float
    source_confidence: float
    valence: float
    stability: float
    pinned: bool
    entities: tuple[str, ...]
    context: str
    words: bytes
    """Codes of the index tokens (engraphy.text.imprint)."""
    length: int
    """How many index tokens there are."""
    content: int
    """How many of them are no stop words."""
    asks: bool
    timed: bool
    tokens: bytes
    cosine: float | None
    previous_id: str | None
    next_id: str | None


Order = Literal[
    "newest", "oldest", "happened", "importance", "updated", "accessed", "utility", "id"
]


class Listing(Record, frozen=True, kw_only=True):
    """Filters, order and page of a listing. Text filters are exact; files and concepts match one
    element. `after`: the id of the last row of the page before."""

    kinds: frozenset[Kind] = frozenset()
    category: str | None = None
    tag: str | None = None
    concept: str | None = None
    file: str | None = None
    entity: str | None = None
    speaker: str | None = None
    pinned: bool | None = None
    immutable: bool | None = None
    globbed: bool | None = None
    """Whether path globs bound where it applies (B-11)."""
    content_hash: str | None = None
    priority: Priority | None = None
    least_priority: Priority | None = None
    """At least so urgent."""
    origin: Origin | None = None
    tier: Tier | None = None
    least_access: int | None = None
    """Delivered at least so often."""
    least_utility: float | None = None
    since: int | None = None
    until: int | None = None
    """`since` <= valid_from < `until`."""
    order: Order = "newest"
    limit: int = 50
    after: str | None = None


class FactFilter(Record, frozen=True, kw_only=True):
    """Filters over facts; None = any. `current`: only facts that hold now."""

    id: str | None = None
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    source_id: str | None = None
    current: bool = True
    limit: int = 100


class StoreStats(Record, frozen=True, kw_only=True):
    """Counts inside one scope, and sizes of the whole file in bytes."""

    total: int = 0
    by_state: dict[str, int] = field(default_factory=dict)
    by_kind: dict[str, int] = field(default_factory=dict)
    by_sensitivity: dict[str, int] = field(default_factory=dict)
    facts: int = 0
    relations: int = 0
    sessions: int = 0
    sessionless: int = 0
    """Memories that belong to no session (C-04: global)."""
    in_sessions: int = 0
    """The others."""
    average_importance: float = 0.0
    tokens: int = 0
    """What all their texts would cost in a prompt, about: their UTF-8 bytes by 4, and a tenth."""
    oldest: int | None = None
    newest: int | None = None
    file_bytes: int = 0
    journal_entries: int = 0
    """Lines about one of these memories; what others' lines there are is not told (P-08)."""
    jobs_waiting: int = 0
    """What was handed over and is not extracted yet (C-01)."""
    jobs_failed: int = 0
    """What was set aside because it failed too often."""


class Check(Record, frozen=True, kw_only=True):
    """One line of a store's self-examination: `ok`, or what is wrong and what to do."""

    name: str
    ok: bool
    detail: str = ""
    advice: str = ""

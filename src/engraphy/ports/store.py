"""The store, as the engine needs it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from engraphy.model.calls import CallLimits, CallOutcome, ModelCall, ModelUse
from engraphy.model.change import Change
from engraphy.model.kinds import RelationType
from engraphy.model.memory import Memory, Version
from engraphy.model.overview import SessionLine
from engraphy.model.query import (
    Candidate,
    Check,
    FactFilter,
    Listing,
    StoreStats,
    Term,
    TextResult,
    VectorMatch,
    View,
)
from engraphy.model.records import (
    CoActivation,
    Episode,
    Fact,
    JournalEntry,
    JournalOp,
    Procedure,
    Relation,
    SessionState,
)
from engraphy.model.scope import Scope, Tenant
from engraphy.model.vectors import ServedModel
from engraphy.ports.federating import Federating
from engraphy.ports.granting import Granting
from engraphy.ports.history import History
from engraphy.ports.resting import Resting

Result = TypeVar("Result")


class Store(Resting, History, Granting, Federating, Protocol):
    """The contract of a store; `engraphy.testing.StoreConformance` proves an implementation.

    Reads return only what the view may see. Rows a view may not see behave as if they did not
    exist, in results, counts and errors alike.
    """

    @property
    def path(self) -> str:
        """Where the store is, for messages."""

    @property
    def read_only(self) -> bool:
        """True where nothing can be written (touches are then left out, writes raise)."""

    def apply(
        self,
        tenant: Tenant,
        changes: Sequence[Change],
        *,
        now: int,
        actor: str,
        op: JournalOp | None = None,
        seconds: float | None = None,
    ) -> tuple[int, ...]:
        """Write all changes and their journal entries in one transaction, or none of them; the
        entries are called `op` where it is given, else by what each change does. It waits for other
        writers for so many seconds at most (None: as long as the store is opened with).

        Returns the journal's sequence numbers. Raises ConflictError where an `Update.expected` or
        the uniqueness of a content hash no longer holds, NotFoundError for an unknown id,
        ProtectedError where an immutable row's text or an origin would change, StoreError
        otherwise.
        """

    def on_replica(self, run: Callable[[], Result]) -> Result:
        """Run what only asks, and may then note that it did: its reads may be answered by a replica
        that has all of what was acknowledged to anybody before they began; once something was
        written inside, they are not. It is run once more where a replica failed before that."""

    def at_once(self) -> AbstractContextManager[None]:
        """Inside, what this thread reads may be read of one moment, where that is less work, until
        it writes or lets go. It sees all that was written before, by whomever."""

    def let_go(self) -> None:
        """Said before something is waited for that is not the store: nothing is held meanwhile, and
        what is read next is of a later moment."""

    # memories
    def get(self, view: View, ids: Sequence[str]) -> list[Memory]:
        """The visible memories among `ids`, in that order."""

    def ids_from(self, view: View, start: str, length: int, limit: int) -> list[str]:
        """The ids of so many characters, of visible memories, that begin with `start`, in order."""

    def held_ids(self, tenant: Tenant, ids: Sequence[str]) -> frozenset[str]:
        """Those of `ids` that nothing new of a tenant can have, as a memory or a fact has it, or
        had it until it was removed, whosever it is: for who gives an id, and told to nobody."""

    def find_hash(self, view: View, content_hash: str) -> Memory | None:
        """The memory of exactly this scope (walls equal, not just visible) and sensitivity with
        this content hash, in any state but superseded: what is history may be said anew."""

    def find_over(self, view: View, content_hash: str, told_of: int) -> Memory | None:
        """The superseded memory of exactly this scope and sensitivity with this content hash that
        is told of exactly this moment (`valid_from`) and held for a while since."""

    def any_asleep(self, view: View) -> bool:
        """Whether anything behind the view's walls is dormant or archived, at any sensitivity: for
        whether it is worth a look, and told to nobody."""

    def page(self, view: View, listing: Listing) -> list[Memory]:
        """One page of visible memories."""

    def count(self, view: View, listing: Listing) -> int:
        """How many visible memories the listing matches, its page aside."""

    def versions(self, view: View, id: str) -> list[Version]:
        """Earlier texts of a visible memory, oldest first."""

    def retold_since(self, view: View, ids: Sequence[str] | None, limit: int) -> list[Version]:
        """Of visible memories (of `ids` only, where given) that were edited since `view.known_at`
        the text that stood at that moment, one each, those recorded last first; without
        `known_at` none."""

    # search
    def search_text(self, view: View, terms: Sequence[Term], limit: int) -> TextResult:
        """Full-text candidates that match at least one term, best first."""

    def search_vector(
        self, view: View, model_id: str, vector: Sequence[float], limit: int
    ) -> list[VectorMatch]:
        """Vector candidates by cosine (best part of each memory), best first."""

    def candidates(
        self,
        view: View,
        ids: Sequence[str],
        *,
        model_id: str | None = None,
        vector: Sequence[float] | None = None,
        neighbours: int = 0,
    ) -> list[Candidate]:
        """Light rows of the visible memories among `ids`, and so many rows before and after each
        in its session."""

    def stored_models(self, tenant: Tenant) -> dict[str, int]:
        """How many memories carry vectors of each model id."""

    def missing_vectors(
        self, tenant: Tenant, model_id: str, limit: int, *, after: str = ""
    ) -> list[tuple[str, str]]:
        """(id, content, and context in a line of its own) of memories without a vector of this
        model, oldest first, behind the memory `after` where one is named: for re-embedding."""

    def drop_vectors(self, tenant: Tenant, model_id: str, limit: int) -> int:
        """Take out the vectors of a model of at most `limit` memories; of how many it did."""

    def served_model(self, tenant: Tenant) -> ServedModel | None:
        """Whose vectors answer the questions of a tenant; None where nobody has said."""

    def serve_model(self, tenant: Tenant, told: ServedModel) -> None:
        """Say whose vectors answer from now on, for whoever opens the store."""

    def put_vectors(self, tenant: Tenant, rows: Sequence[tuple[str, str, object]]) -> int:
        """Replace the vectors of memories by (id, text, VectorRow) where the text is still the one
        that `missing_vectors` told; returns how many were written."""

    # beside memories
    def relations(
        self, view: View, ids: Sequence[str], *, hops: int = 1, types: frozenset[str] = frozenset()
    ) -> list[Relation]:
        """Relations within `hops` of `ids`, both ends visible."""

    def labelled(self, view: View, names: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """(name, id) of the visible memories that name an entity, or are told by a speaker, among
        `names`: at most `limit` of each, the newest first."""

    def count_relations(self, view: View, most: int) -> int:
        """How many relations start in exactly the view's walls (whatever it may see of their
        ends), counted up to `most`: for pruning."""

    def weakest_relations(
        self, view: View, types: Sequence[RelationType], limit: int
    ) -> list[Relation]:
        """At most `limit` relations that start in exactly the view's walls: those of the first
        type, then of the second ..., of each type the lowest confidence first, then the oldest."""

    def coactivations(self, view: View, ids: Sequence[str], minimum: int) -> list[CoActivation]:
        """Pairs with one end in `ids` that were delivered together at least `minimum` times."""

    def facts(self, view: View, wanted: FactFilter) -> list[Fact]:
        """Visible facts, newest first."""

    def episode(self, view: View, id: str) -> Episode | None:
        """The episode part of a visible memory."""

    def procedure(self, view: View, id: str) -> Procedure | None:
        """The procedure part of a visible memory."""

    def session_state(self, view: View, name: str) -> SessionState | None:
        """A piece of state of exactly `view.scope`'s session."""

    def session_values(self, view: View, names: Sequence[str]) -> dict[str, str]:
        """The values of those of these pieces of state that there are, by name, as
        `session_state` finds them."""

    def session_states(
        self, tenant: Tenant, prefix: str, *, now: int, limit: int
    ) -> list[SessionState]:
        """The state whose name begins with `prefix`, of every scope and session of one tenant,
        oldest first: for what is taken up again after a crash."""

    def entity_names(self, view: View, limit: int) -> list[tuple[str, int]]:
        """Names of speakers and entities of visible memories with their counts, most first."""

    def successions(
        self, tenant: Tenant, ids: Sequence[str], among: Sequence[str] | None = None
    ) -> list[tuple[str, str]]:
        """Which of `ids` one of `among`, or any where that is None, took the place of, at least in
        part, whoever may see it: (the older, the newer)."""
        ...

    def sessions(self, view: View, limit: int, before: int | None) -> list[SessionLine]:
        """The sessions that visible memories come from, without their status: the one with the
        newest memory first, then by name; only those whose newest was recorded before `before`."""

    # keeping
    def journal(self, tenant: Tenant, *, after: int = 0, limit: int = 100) -> list[JournalEntry]:
        """Journal entries of one tenant in order."""

    def begin_call(
        self, tenant: Tenant, call: ModelCall, limits: CallLimits, *, now: int
    ) -> int | CallOutcome:
        """Set aside what a call to a language model may cost and return its number; or why it may
        not be made (`BUDGET`, `PAUSED`), which is counted as a line of its own. At once: two
        writers never spend the same budget."""

    def finish_call(self, tenant: Tenant, number: int, call: ModelCall) -> None:
        """Put how a call ended and what it cost in place of what was set aside; once."""

    def model_use(self, tenant: Tenant, since: int, until: int) -> list[ModelUse]:
        """The calls of a tenant that began in [since, until), summed by model, skill, outcome."""

    def stats(self, view: View) -> StoreStats:
        """Counts of what the view's scope may see (every state), sizes of the whole store."""

    def scopes(self, tenant: Tenant) -> list[tuple[Scope, int]]:
        """The walls in use inside a tenant with their counts of memories: for its operator."""

    def places(self, tenant: Tenant, walls: Mapping[str, str]) -> list[Scope]:
        """The walls in use inside a tenant that are, on each wall that `walls` names, the one it
        tells; what is shared there is another."""

    def scope_of(self, tenant: Tenant, id: str) -> Scope | None:
        """The walls that a memory of a tenant stands behind, its session aside, whoever may see it;
        None where there is none: for who is told an id alone."""

    def tenants(self) -> list[Tenant]:
        """Every tenant that has anything in the store, sorted: for who runs it."""

    def dump(self, view: View) -> Iterator[Memory]:
        """Every visible memory, oldest first, without holding all of them at once."""

    def check(self, *, deep: bool = False) -> list[Check]:
        """Integrity, counts and agreement of the indexes, settings, the journal's chain."""

    def backup(self, target: str) -> int:
        """Write a consistent copy to a new file while others read and write; returns its bytes."""

    def restore(self, source: str) -> None:
        """Replace everything by a backup, at once or not at all, once it has been verified."""

    def optimise(self) -> None:
        """Merge indexes, checkpoint, give free pages back."""

    def close(self) -> None:
        """Close every connection; further calls raise StoreClosedError."""

"""What the engine is made of: fields only."""

from collections.abc import Callable

from msgspec import field

from engraphy.model import Change, Memory, Origin, Tenant
from engraphy.model.granting import Grant
from engraphy.ports import (
    Clock,
    Embed,
    FindPersonal,
    FindSpans,
    LanguageModel,
    NewId,
    NewSecret,
    OpsLog,
    Rerank,
    Store,
    untraced,
)
from engraphy.profile import Profile
from engraphy.record import Record


def _unwatched(now: int) -> tuple[Change, ...]:  # noqa: ARG001 - the shape of `Earlier.beside`
    """What nobody else can have."""
    return ()


class Earlier(Record, frozen=True):
    """When what comes in now was said (microseconds UTC), and whether it waited here since; else it
    was held elsewhere. `again`: somebody began with it before and did not come to its end, so that
    some of it may stand already. `beside`: what is written with each part of it at a moment, which
    is a conflict once it is somebody else's to write."""

    at: int
    waited: bool = False
    again: bool = False
    beside: Callable[[int], tuple[Change, ...]] = _unwatched


class Engine(Record, frozen=True, kw_only=True):
    """One opened memory: a store, a profile, a clock, a source of ids, and what may be
    absent: an embedder, a language model, a reranker."""

    store: Store
    embedder: Embed | None
    profile: Profile
    clock: Clock
    new_id: NewId
    tenant: Tenant
    actor: str
    model: LanguageModel | None = None
    reranker: Rerank | None = None
    stopwatch: Callable[[], float] = float
    """Seconds of a clock that never jumps, for durations; one that stands still is never late."""
    ops: OpsLog | None = None
    """Where operators read what was done; None where nothing is logged."""
    spans: FindSpans = untraced
    new_secret: NewSecret | None = None
    """Where the secrets of access tokens come from."""
    embedder_spec: str = ""
    """What an opener says to have the embedder; '' where it has no name to be said."""
    personal: FindPersonal | None = None
    """Where personal data is found on the way in; None where the profile looks for none."""
    grant: Grant | None = None
    """On whose behalf: None for who opened the store, who may do everything."""
    earlier: Earlier | None = None
    """Whether what is written was said earlier: what was forgotten since is left out of it. None
    for what is told this moment."""

    closed: Callable[[], object] | None = None
    """Called once the store is closed; None where nothing else has to go."""
    serving: Callable[[Tenant], "Engine"] | None = None
    """This engine for another tenant, with the embedder whose vectors answer there; None where
    there is no embedder. Raises EmbedderMismatchError."""
    looked: dict[Tenant, int] = field(default_factory=dict)
    """When this process last looked for copies from others whose quarantine is over, by tenant."""

    @property
    def most(self) -> Origin:
        """What anything that is written counts as at most."""
        return Origin.USER if self.grant is None else self.grant.origin


Beside = Callable[[Memory], tuple[Change, ...]]
"""What is written beside a row, in its transaction."""


def nothing(memory: Memory) -> tuple[Change, ...]:  # noqa: ARG001 - the shape of `Beside`
    """Nothing beside the row."""
    return ()

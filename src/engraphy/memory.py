"""`Memory`: the public face. Every verb checks its arguments and hands over to the engine."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Unpack

from msgspec.structs import replace

from engraphy.engine import granting, keeping, scoping
from engraphy.engine import remember as remembers
from engraphy.engine.explaining import explain
from engraphy.engine.narrowing import narrowed
from engraphy.engine.parts import Engine
from engraphy.engine.placing import placed
from engraphy.engine.queues import Queues
from engraphy.engine.screening import of_tenant
from engraphy.errors import ForbiddenError, InvalidInputError
from engraphy.keys import warn_of_a_server
from engraphy.model import Explanation, Hit, Outcome, Tenant
from engraphy.model.granting import Grant
from engraphy.opening import open_engine
from engraphy.ports import Clock
from engraphy.profile.registry import OPTIONAL, lessened
from engraphy.text.moments import microseconds
from engraphy.verbs.asking import Asking
from engraphy.verbs.background import Background
from engraphy.verbs.base import Reading
from engraphy.verbs.clearing import Clearing
from engraphy.verbs.costs import Spending
from engraphy.verbs.curating import Curating
from engraphy.verbs.documents import Documents
from engraphy.verbs.federating import Federating
from engraphy.verbs.granting import Granting
from engraphy.verbs.importing import Importing
from engraphy.verbs.injecting import Injecting
from engraphy.verbs.layers import Layers
from engraphy.verbs.looking_back import LookingBack
from engraphy.verbs.notebooks import Notebooks
from engraphy.verbs.overviews import Overviews
from engraphy.verbs.relating import Relating
from engraphy.verbs.reminding import Reminding
from engraphy.verbs.reviewing import Reviewing
from engraphy.verbs.sessions import Sessions
from engraphy.verbs.surveying import Surveying
from engraphy.verbs.timing import Timing
from engraphy.verbs.upkeep import Upkeep
from engraphy.write.given import given
from engraphy.write.intake import admitted
from engraphy.write.messages import messages as as_messages

_MOST_HITS = 1_000
_MOST_TOKENS = 1_000_000


class Memory(
    Injecting,
    Curating,
    Clearing,
    LookingBack,
    Timing,
    Reminding,
    Relating,
    Asking,
    Layers,
    Background,
    Spending,
    Sessions,
    Reviewing,
    Surveying,
    Overviews,
    Documents,
    Notebooks,
    Importing,
    Granting,
    Federating,
    Upkeep,
):
    """A long-term memory in one SQLite file. Use it as a context manager, or call `close`.

    `path`: the file (None: the user's data folder, or ENGRAPHY_HOME; ":memory:": one that is gone
    once it is closed). `profile`: default, letsgo, layered, titans or cognitive, or a file of your
    own (TOML) that inherits one of them; `overrides`: knobs of its shape. `tenant`: the outermost
    wall. `embedder`: None for
    the local default, "none", "minilm", "multilingual", "provider/model", a callable, or any object
    with the `Embed` protocol. `model`: a language model that helps on the way in, None for none (or
    ENGRAPHY_MODEL): "provider/model", a callable from a prompt to JSON text, or any object with the
    `Complete` protocol. `reranker`: reads the best hits once more, None for none (or
    ENGRAPHY_RERANKER): a folder with a cross-encoder, "provider/model" of an endpoint, a callable
    from a query and texts to scores, or any object with the `Rerank` protocol. `clock`: a callable
    that returns microseconds UTC. `reembed`: open although the stored vectors come from another
    model, in order to call `reembed()`; until then they find nothing. `key`: what the whole file is
    encrypted with, where not the environment (ENGRAPHY_KEY, ENGRAPHY_KEY_FILE) or the system's
    keyring says it: a passphrase, 64 hexadecimal digits or 32 bytes that are the key itself, or
    "keyring" for the keyring's. A file in the clear is refused then.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        profile: str | Path | None = None,
        tenant: str | None = None,
        embedder: object = None,
        model: object = None,
        reranker: object = None,
        clock: Clock | None = None,
        overrides: Mapping[str, object] | None = None,
        reembed: bool = False,
        key: str | bytes | None = None,
    ) -> None:
        super().__init__(
            open_engine(
                path,
                profile=profile,
                overrides=overrides,
                reembed=scoping.flag("reembed", reembed),
                tenant=tenant,
                embedder=embedder,
                model=model,
                reranker=reranker,
                clock=clock,
                key=key,
            )
        )
        warn_of_a_server(self.path)

    def remember(
        self,
        content: str,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        session: str | None = None,
        kind: str | None = None,
        at: object = None,
        **metadata: object,
    ) -> Outcome:
        """Keep `content`: created, reinforced (held already), superseding, or quarantined.

        `at`: when it was said or became true (datetime, ISO text or microseconds UTC). Further
        fields: title, tags, importance, sensitivity, ttl_days, pinned, origin, remind_at,
        remind_when ... Never refused for being dull. Raises EmptyContentError,
        ContentTooLongError, InvalidInputError.
        """
        scope = self._scope(user, agent, project, session)
        text = admitted(content, self._engine.profile.write.max_content_chars)
        fields = metadata if kind is None else {**metadata, "kind": kind}
        moment = None if at is None else microseconds(at)
        wanted = placed(self._engine, scope, given(fields))
        return remembers.remember(self._engine, text, scope, wanted, moment)

    def observe(
        self,
        messages: object,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        session: str | None = None,
        at: object = None,
        progress: Callable[[Outcome], None] | None = None,
    ) -> list[Outcome]:
        """Watch a conversation and keep what is worth it; one outcome per message or part of it.

        `messages`: mappings with role, content and optionally name, at, metadata; or plain text.
        What else a chat API's message has (tool_calls, tool_call_id, refusal ...) is passed over.
        `progress` is told each outcome as it is written.
        """
        scope = self._scope(user, agent, project, session)
        moment = None if at is None else microseconds(at)
        scoping.told("progress", progress)
        outcomes: list[Outcome] = []
        for one in remembers.observe(self._engine, as_messages(messages, at), scope, moment):
            outcomes.append(one)
            if progress is not None:
                progress(one)
        return outcomes

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        kind: str | Iterable[str] = (),
        path: str | None = None,
        budget: int | None = None,
        as_of: object = None,
        known_at: object = None,
        include: Iterable[str] = (),
        min_score: float | None = None,
        touch: bool = True,
        **scope: Unpack[Reading],
    ) -> list[Hit]:
        """The memories that answer `query`, best first, each with its score and why.

        `limit`: at most so many; where it is not given, what the profile's route for such a
        question says, else ten. A route may also put what answers in another order than the
        score's: by time, or by utility.
        `kind`: only of this kind, or of these; `path`: only what its globs bind to this file, as
        `scoped` tells; `budget`: no more than cost so many tokens together, the best first.
        `as_of`: what held at that moment; `known_at`: what was known then to hold. `include`:
        dormant, archived, superseded, expired, quarantined. `min_score`: nothing that scores less
        (the profile's where not given). `touch=False` leaves access counts alone (dashboards,
        tests).
        """
        view = self._view(scope, include=include, as_of=as_of, known_at=known_at)
        count = None if limit is None else scoping.positive("limit", limit, _MOST_HITS)
        text = scoping.text("query", query)
        counted = scoping.flag("touch", touch)
        return narrowed(
            self._engine,
            text,
            replace(view, kinds=keeping.kinds(kind)),
            count,
            path=None if path is None else scoping.text("path", path),
            budget=None if budget is None else scoping.positive("budget", budget, _MOST_TOKENS),
            touch=counted,
            least=None if min_score is None else scoping.share("min_score", min_score),
        )

    def explain(
        self,
        query: str,
        *,
        missing: str | None = None,
        limit: int | None = None,
        include: Iterable[str] = (),
        as_of: object = None,
        known_at: object = None,
        **scope: Unpack[Reading],
    ) -> Explanation:
        """How a recall comes about, and at which stage the memory `missing` fell out of it.

        `explain_context` tells the same of an injected block.
        """
        view = self._view(scope, include=include, as_of=as_of, known_at=known_at)
        count = None if limit is None else scoping.positive("limit", limit, _MOST_HITS)
        text = scoping.text("query", query)
        lost = None if missing is None else self._lost(missing, view)
        return explain(self._engine, text, view, count, lost)

    def tenants(self) -> list[str]:
        """Every tenant that has anything in this file, sorted: for its operator."""
        if self._engine.grant is not None:
            raise ForbiddenError(problem="a token is of one tenant, and knows of no other")
        return sorted({*self._engine.store.tenants(), self.tenant})

    def of_tenant(self, tenant: str) -> "Memory":
        """The same open store for another tenant: for whoever runs a server over several. Closing
        it leaves the store open. Raises ForbiddenError on behalf of a token, and
        EmbedderMismatchError where that tenant's vectors come from another model."""
        if self._engine.grant is not None:
            raise ForbiddenError(problem="a token is of one tenant, and knows of no other")
        named = scoping.name("tenant", tenant) or self.tenant
        return _Acting(of_tenant(self._engine, Tenant(named)), self._queues)

    def acting(self, grant: Grant) -> "Memory":
        """This memory as the holder of a token may use it: over the same open store, in the token's
        tenant, behind its walls, with what is written counted as its origin at most (P-10), and
        told in the journal as done by `token:<id>`. It costs next to nothing, and closing it leaves
        the store open. Raises ForbiddenError on behalf of a token, and EmbedderMismatchError where
        that tenant's vectors come from another model."""
        if self._engine.grant is not None:
            raise ForbiddenError(problem="a token acts on behalf of nobody else")
        there = of_tenant(self._engine, grant.tenant)
        return _Acting(granting.acting(there, grant), self._queues)

    def lacking(self, names: Sequence[str]) -> "Memory":
        """This memory without these capabilities (see `capabilities`), over the same open store;
        itself where it has none of them. Closing it leaves the store open. Raises
        InvalidInputError for what is no capability that may be absent."""
        dropped = scoping.texts("names", names)
        for one in dropped:
            if one not in OPTIONAL:
                allowed = ", ".join(OPTIONAL)
                raise InvalidInputError(field="names", got=repr(one)[:60], allowed=allowed)
        held = self.capabilities()
        if not any(held[one] for one in dropped):
            return self
        profile = lessened(self._engine.profile, dropped)
        return _Acting(replace(self._engine, profile=profile), self._queues)


class _Acting(Memory):
    """The verbs for somebody else; store, embedder and threads are another memory's."""

    def __init__(self, engine: Engine, queues: Queues) -> None:
        super(Memory, self).__init__(engine)
        self._queues = queues

    def close(self) -> None:
        """Nothing: the store is not this memory's to close."""

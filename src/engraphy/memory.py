"""`Memory`: the public face. Every verb checks its arguments and hands over to the engine."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Unpack

from engraphy.engine import context as contexts
from engraphy.engine import keeping, manage, scoping
from engraphy.engine import recall as recalls
from engraphy.engine import remember as remembers
from engraphy.model import (
    Context,
    Explanation,
    Forgotten,
    Hit,
    Outcome,
    Relation,
    Version,
)
from engraphy.model import Memory as Row
from engraphy.opening import open_engine
from engraphy.ports import Clock
from engraphy.text.moments import microseconds
from engraphy.upkeep import Reading, Upkeep
from engraphy.write.given import given
from engraphy.write.intake import admitted
from engraphy.write.messages import messages as as_messages

_MOST_HITS = 1_000
_MOST_ROWS = 10_000
_BIGGEST_BUDGET = 1_000_000


class Memory(Upkeep):
    """A long-term memory in one SQLite file. Use it as a context manager, or call `close`.

    `path`: the file (None: the user's data folder, or ENGRAPHY_HOME). `profile`: default, letsgo,
    layered, titans or cognitive; `overrides`: knobs of the profile's shape. `tenant`: the outermost
    wall. `embedder`: None for the local default, "none", "minilm", "multilingual",
    "provider/model", a callable, or any object with the `Embed` protocol. `clock`: a callable
    that returns microseconds UTC. `reembed`: open although the stored vectors come from another
    model, in order to call `reembed()`; until then they find nothing.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        profile: str | None = None,
        tenant: str | None = None,
        embedder: object = None,
        clock: Clock | None = None,
        overrides: Mapping[str, object] | None = None,
        reembed: bool = False,
    ) -> None:
        super().__init__(
            open_engine(
                path,
                profile=profile,
                overrides=overrides,
                reembed=scoping.flag("reembed", reembed),
                tenant=tenant,
                embedder=embedder,
                clock=clock,
            )
        )

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
        fields: title, tags, importance, sensitivity, ttl_days, pinned, origin ... Never refused
        for being dull. Raises EmptyContentError, ContentTooLongError, InvalidInputError.
        """
        scope = scoping.scope(
            self.tenant, {"user": user, "agent": agent, "project": project, "session": session}
        )
        text = admitted(content, self._engine.profile.write.max_content_chars)
        fields = metadata if kind is None else {**metadata, "kind": kind}
        moment = None if at is None else microseconds(at)
        return remembers.remember(self._engine, text, scope, given(fields), moment)

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
        `progress` is told each outcome as it is written.
        """
        scope = scoping.scope(
            self.tenant, {"user": user, "agent": agent, "project": project, "session": session}
        )
        moment = None if at is None else microseconds(at)
        scoping.told("progress", progress)
        outcomes: list[Outcome] = []
        for one in remembers.observe(self._engine, as_messages(messages), scope, moment):
            outcomes.append(one)
            if progress is not None:
                progress(one)
        return outcomes

    def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        as_of: object = None,
        include: Iterable[str] = (),
        touch: bool = True,
        **scope: Unpack[Reading],
    ) -> list[Hit]:
        """The memories that answer `query`, best first, each with its score and why.

        `as_of`: what held at that moment. `include`: dormant, archived, superseded, expired,
        quarantined. `touch=False` leaves access counts alone (dashboards, tests).
        """
        view = self._view(scope, include=include, as_of=as_of)
        count = scoping.positive("limit", limit, _MOST_HITS)
        text = scoping.text("query", query)
        counted = scoping.flag("touch", touch)
        return recalls.recall(self._engine, text, view, count, touch=counted)

    def context(
        self,
        prompt: str,
        *,
        budget: int | None = None,
        recent: Sequence[str] = (),
        **scope: Unpack[Reading],
    ) -> Context:
        """A fenced, escaped block of memories for `prompt` within `budget` tokens, with receipt.

        `recent`: the last messages, so that what they say already is not injected again.
        """
        view = self._view(scope)
        most = self._engine.profile.inject.budget
        if budget is not None:
            most = scoping.positive("budget", budget, _BIGGEST_BUDGET)
        text = scoping.text("prompt", prompt)
        said = scoping.texts("recent", recent)
        return contexts.context(self._engine, text, view, most, said)

    def explain(
        self,
        query: str,
        *,
        missing: str | None = None,
        limit: int = 10,
        include: Iterable[str] = (),
        as_of: object = None,
        **scope: Unpack[Reading],
    ) -> Explanation:
        """How a recall comes about, and at which stage the memory `missing` fell out of it."""
        view = self._view(scope, include=include, as_of=as_of)
        count = scoping.positive("limit", limit, _MOST_HITS)
        text = scoping.text("query", query)
        lost = None if missing is None else scoping.text("missing", missing)
        return recalls.explain(self._engine, text, view, count, lost)

    def get(self, id: str, *, touch: bool = True, **scope: Unpack[Reading]) -> Row:
        """One memory by its id, in any state but expired. Raises NotFoundError."""
        counted = scoping.flag("touch", touch)
        return manage.get(self._engine, id, self._view(scope), touch=counted)

    def history(self, id: str, **scope: Unpack[Reading]) -> list[Version]:
        """The earlier texts of a memory, oldest first."""
        view = manage.everything(self._view(scope))
        manage.get(self._engine, id, view, touch=False)
        return self._engine.store.versions(view, id)

    def timeline(
        self, *, limit: int = 50, include: Iterable[str] = ("superseded",), **filters: object
    ) -> Sequence[Row]:
        """What happened, in order of when it became true, newest first; what was superseded since
        stays in it. Filters as for `list`."""
        scope, wanted = keeping.split_filters(filters)
        count = scoping.positive("limit", limit, _MOST_ROWS)
        listing = keeping.listing(wanted, count, "happened")
        return manage.page(self._engine, self._view(scope, include=include), listing)

    def update(self, id: str, content: str | None = None, **fields: object) -> Row:
        """Change a memory's text or fields (title, tags, importance ...), in the scope given by
        user, agent, project, session; the earlier text stays as a version.

        Raises NotFoundError, ProtectedError (immutable rows; the origin), InvalidInputError.
        """
        scope, wanted = keeping.split_scope(fields)
        return manage.update(self._engine, id, self._view(scope), content, given(wanted))

    def pin(self, id: str, *, pinned: bool = True, **scope: Unpack[Reading]) -> Row:
        """Exempt a memory from all forgetting, its time to live included (or, with pinned=False, no
        longer)."""
        return manage.pin(self._engine, id, self._view(scope), scoping.flag("pinned", pinned))

    def protect(self, id: str, *, immutable: bool = True, **scope: Unpack[Reading]) -> Row:
        """Keep a memory from being edited, merged, superseded or forgotten (or no longer)."""
        wanted = scoping.flag("immutable", immutable)
        return manage.protect(self._engine, id, self._view(scope), wanted)

    def forget(
        self,
        target: str,
        *,
        confirm: str | bool | None = None,
        limit: int = 20,
        **scope: Unpack[Reading],
    ) -> Forgotten:
        """Erase the memory with the id `target`, or, where it is a query, what it matches.

        A query only previews: it returns the matches and a `confirm` token bound to exactly them;
        call again with the token to erase them. Raises ConfirmationRequiredError when other
        memories match by then, NotFoundError for an id nobody holds in this scope.
        """
        view = self._view(scope)
        text = scoping.text("target", target)
        if manage.is_id(self._engine, text, view):
            return manage.forget_one(self._engine, text, view)
        count = scoping.positive("limit", limit, manage.MOST_FORGOTTEN)
        hits = recalls.recall(self._engine, text, view, count, touch=False)
        found = [hit.memory for hit in hits]
        return manage.forget_matching(self._engine, found, view, confirm)

    def link(
        self,
        source: str,
        target: str,
        type: str = "related_to",
        *,
        confidence: float = 1.0,
        **scope: Unpack[Reading],
    ) -> Relation:
        """Relate two memories: supersedes, contradicts, causes, elaborates, same_entity or
        related_to."""
        view = self._view(scope)
        return manage.link(self._engine, source, target, type, view, confidence=confidence)

    def links(self, id: str, *, hops: int = 1, **scope: Unpack[Reading]) -> list[Relation]:
        """The relations within `hops` of a memory, both ends visible."""
        view = manage.everything(self._view(scope))
        count = scoping.positive("hops", hops, 10)
        return self._engine.store.relations(view, [scoping.text("id", id)], hops=count)

    def list(self, *, include: Iterable[str] = (), limit: int = 50, **filters: object) -> list[Row]:
        """Memories by filter, newest first; listing is not access.

        Filters: kind, category, tag, concept, file, entity, speaker, pinned, since, until, order,
        after, and the scope keys.
        """
        scope, wanted = keeping.split_filters(filters)
        count = scoping.positive("limit", limit, _MOST_ROWS)
        listing = keeping.listing(wanted, count, "newest")
        return manage.page(self._engine, self._view(scope, include=include), listing)

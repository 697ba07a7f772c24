"""A LangGraph `BaseStore` over an engraphy memory.

    from engraphy.adapters.langgraph import EngraphyStore

    store = EngraphyStore("memory.db")
    store.put(("memories", "ann"), "drink", {"text": "Ann likes green tea."})
    store.search(("memories", "ann"), query="what does she drink?")
    graph = builder.compile(store=store)

Each item is a memory, in a project of its own for each namespace, so that nothing crosses from one
to another in any other door either. A search with a query is engraphy's own recall: words and
meaning; what answers not at all is left out. With `index={"embed": ..., "dims": ...}` it is
what LangGraph describes: every indexed item by the cosine of its nearest field.

Items with a time to live (minutes) end with it and are renewed by reading; no sweeper has to run.
Secrets in values are redacted, and blocks that engraphy injected are taken out.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from engraphy.adapters.values import lines, passes
from engraphy.adapters.walls import Walls, opened
from engraphy.errors import InvalidInputError, MissingExtraError, StaleDocumentError
from engraphy.memory import Memory
from engraphy.model import Scope
from engraphy.model.documents import Document

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        InvalidNamespaceError,
        Item,
        ListNamespacesOp,
        MatchCondition,
        PutOp,
        SearchItem,
        SearchOp,
        ensure_embeddings,
        get_text_at_path,
        validate_op_namespace,
    )
except ImportError as error:
    raise MissingExtraError(extra="langgraph") from error

Namespace = tuple[str, ...]
SHELF = "langgraph"
_LONGEST_TEXT = 20_000
_MINUTES_PER_DAY = 1_440
_MOST = 1_000
_SPARE = 4
"""So many times the wanted number is asked for where a filter may drop some."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class EngraphyStore(BaseStore):
    """LangGraph's store; `user`, `agent` and `project` are the walls around all its namespaces.

    `memory`: an opened `Memory`, a path, or None for the user's own. `index`: LangGraph's
    `IndexConfig`; its `embed` needs a memory given as a path. `user_of` tells which user a
    namespace belongs to, so that `forget_user` takes their items too:
    `user_of=lambda namespace: namespace[1]`.
    """

    supports_ttl = True

    def __init__(
        self,
        memory: Memory | str | Path | None = None,
        *,
        index: Mapping[str, Any] | None = None,
        ttl: Mapping[str, Any] | None = None,
        user: str | None = None,
        agent: str | None = None,
        project: str = "langgraph",
        user_of: Callable[[Namespace], str | None] | None = None,
    ) -> None:
        self.index_config = None if index is None else dict(index)
        self.ttl_config = None if ttl is None else dict(ttl)
        embed = None if index is None else index.get("embed")
        self.embeddings = None if embed is None else ensure_embeddings(embed)
        self.memory = opened(memory, self.embeddings)
        self._walls = Walls(user=user, agent=agent, project=project)
        self._user_of = user_of

    @classmethod
    @contextmanager
    def from_conn_string(cls, path: str, **given: Any) -> Iterator["EngraphyStore"]:
        """A store over the file at `path`, closed at the end."""
        store = cls(path, **given)
        try:
            yield store
        finally:
            store.memory.close()

    def setup(self) -> None:
        """Nothing is left to do: the file is made when it is opened."""

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """The results in the order of `ops`; reads see what stood before the batch's writes."""
        listed = list(ops)
        for op in listed:
            validate_op_namespace(op)
        writes = [op for op in listed if isinstance(op, PutOp)]
        if any(not op.namespace for op in writes):
            raise InvalidNamespaceError("Namespace cannot be empty.")
        try:
            results = [None if isinstance(op, PutOp) else self._read(op) for op in listed]
            self._put(writes)
        except InvalidInputError as error:
            if error.details.get("field") in ("user", "agent", "project"):
                raise InvalidNamespaceError(str(error)) from error
            raise
        return results

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """As `batch`, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Take out what has expired already, which nothing shows any more; how much it was."""
        return self.memory.purge_expired().erased

    def _read(self, op: Any) -> Any:
        if isinstance(op, GetOp):
            held = self._held(op.namespace, [op.key])
            self._renew(op.namespace, held, refresh=op.refresh_ttl)
            return _item(op.namespace, held[0]) if held else None
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _held(self, namespace: Namespace, keys: Sequence[str] | None) -> list[Document]:
        return self.memory.documents(SHELF, keys, **self._place(namespace).named())

    def _place(self, namespace: Namespace) -> Walls:
        inside = self._walls.within(f"{self._walls.project}:{'.'.join(namespace)}")
        if self._user_of is None or not namespace:
            return inside
        return Walls(user=self._user_of(namespace), agent=inside.agent, project=inside.project)

    def _known(self, prefix: Namespace) -> list[Namespace]:
        """The namespaces that hold something, at or below `prefix`."""
        found = {space for scope in self.memory.walls() if (space := self._space(scope))}
        return sorted(space for space in found if space[: len(prefix)] == prefix)

    def _space(self, scope: Scope) -> Namespace:
        start = f"{self._walls.project}:"
        if scope.project is None or not scope.project.startswith(start):
            return ()
        space = tuple(scope.project.removeprefix(start).split("."))
        place = self._place(space)
        return space if (scope.user, scope.agent) == (place.user, place.agent) else ()

    def _put(self, ops: Sequence[Any]) -> None:
        spaces: dict[Namespace, dict[str, Document]] = {}
        for op in ops:
            spaces.setdefault(op.namespace, {})[op.key] = self._document(op)
        for namespace, documents in spaces.items():
            walls = self._place(namespace).named()
            self.memory.put_documents(SHELF, documents.values(), **walls)

    def _document(self, op: Any) -> Document:
        if op.value is None:
            return Document(key=op.key, removed=True)
        default = self.index_config or {}
        paths = default.get("fields") or default.get("text_fields") or ["$"]
        wanted = paths if op.index is None else op.index
        wanted = [wanted] if isinstance(wanted, str) else wanted
        data = {"value": op.value, "ttl": op.ttl, "indexed": wanted is not False}
        if wanted is False:
            return Document(key=op.key, data=data, ttl_days=_days(op.ttl), embed=False)
        texts = [text for path in wanted for text in get_text_at_path(op.value, path)]
        whole = "\n".join(lines(op.value) if "$" in wanted else texts)[:_LONGEST_TEXT]
        return Document(
            key=op.key,
            text=whole,
            data=data,
            ttl_days=_days(op.ttl),
            embed=bool(texts),
            parts=tuple(texts) if self.embeddings is not None else (),
        )

    def _search(self, op: Any) -> list[Any]:
        spaces = self._known(tuple(op.namespace_prefix))
        if op.query and (self.index_config is None or self.embeddings is not None):
            found = self._answers(op, spaces)
        else:
            found = [(space, one) for space in spaces for one in self._held(space, None)]
            found.sort(key=lambda pair: _changed(pair[1]), reverse=True)
        kept = [(space, one) for space, one in found if passes(_data(one)["value"], op.filter)]
        page = kept[op.offset : op.offset + op.limit]
        for space, one in page:
            self._renew(space, [one], refresh=op.refresh_ttl)
        return [_search_item(space, one) for space, one in page]

    def _answers(self, op: Any, spaces: Sequence[Namespace]) -> list[tuple[Namespace, Document]]:
        """What answers a query, the best first."""
        most = min(_MOST, (op.offset + op.limit) * (_SPARE if op.filter else 1))
        seek = self._recalled if self.embeddings is None else self._nearest
        found = [(space, one) for space in spaces for one in seek(space, op.query, most)]
        shown = [(space, one) for space, one in found if _data(one)["indexed"]]
        return sorted(shown, key=lambda pair: pair[1].score or 0.0, reverse=True)

    def _nearest(self, space: Namespace, query: str, most: int) -> list[Document]:
        walls = self._place(space).named()
        return self.memory.nearest_documents(SHELF, query, limit=most, **walls)

    def _recalled(self, space: Namespace, query: str, most: int) -> list[Document]:
        walls = self._place(space)
        hits = self.memory.recall(query, limit=most, **walls.named())
        own = [hit for hit in hits if hit.memory.scope.project == walls.project]
        scores = {hit.memory.id: hit.score for hit in own}
        keys = [key for hit in own if (key := dict(hit.memory.metadata).get("key"))]
        held = self._held(space, keys)
        return [replace(x, score=scores[x.memory.id]) for x in held if x.memory is not None]

    def _namespaces(self, op: Any) -> list[Namespace]:
        wanted = [x for x in self._known(()) if _matches(x, op.match_conditions or ())]
        if self.ttl_config is not None:
            wanted = [space for space in wanted if self._held(space, None)]
        cut = wanted if op.max_depth is None else [space[: op.max_depth] for space in wanted]
        return sorted(set(cut))[op.offset : op.offset + op.limit]

    def _renew(self, namespace: Namespace, held: Sequence[Document], *, refresh: bool) -> None:
        """Items with a time to live begin it anew when they are read; one that another writer
        replaced or took out meanwhile stays as they left it."""
        place = self._place(namespace).named()
        for one in held:
            minutes, shown = _data(one)["ttl"], bool(_data(one)["indexed"])
            if refresh and minutes is not None:
                days = _days(minutes)
                again = replace(one, ttl_days=days, embed=shown, expected=one.version)
                with suppress(StaleDocumentError):
                    self.memory.put_documents(SHELF, [again], **place)


def _days(minutes: float | None) -> float | None:
    return None if minutes is None else minutes / _MINUTES_PER_DAY


def _data(one: Document) -> dict[str, Any]:
    return one.data if isinstance(one.data, dict) else {"value": {}, "ttl": None, "indexed": True}


def _changed(one: Document) -> int:
    return 0 if one.memory is None else one.memory.updated_at


def _item(namespace: Namespace, one: Document) -> Any:
    return Item(key=one.key, namespace=namespace, value=_data(one)["value"], **_times(one))


def _search_item(namespace: Namespace, one: Document) -> Any:
    value = _data(one)["value"]
    return SearchItem(namespace, one.key, value, **_times(one), score=one.score)


def _times(one: Document) -> dict[str, datetime]:
    created = 0 if one.memory is None else one.memory.recorded_at
    moments = {"created_at": created, "updated_at": _changed(one)}
    return {name: _EPOCH + timedelta(microseconds=at) for name, at in moments.items()}


def _matches(namespace: Namespace, conditions: Iterable[Any]) -> bool:
    return all(_meets(namespace, one) for one in conditions)


def _meets(namespace: Namespace, condition: MatchCondition) -> bool:
    path = tuple(condition.path)
    size = len(path)
    if size > len(namespace):
        return False
    part = namespace[:size] if condition.match_type == "prefix" else namespace[-size:]
    return all(want in ("*", have) for want, have in zip(path, part if size else (), strict=True))

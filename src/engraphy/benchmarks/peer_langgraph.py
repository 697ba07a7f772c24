"""LangGraph's store in memory, with a semantic index."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from engraphy.benchmarks.cases import Turn
from engraphy.benchmarks.peers import said
from engraphy.ports import Embed

memory = import_module("langgraph.store.memory")

_SPACE = ("turns",)


class Store:
    """One namespace; every turn a value whose text is indexed."""

    def __init__(self, store: Any) -> None:
        """Take an opened store."""
        self._store = store

    def fill(self, turns: Sequence[Turn]) -> None:
        """Put them one by one."""
        for turn in turns:
            self._store.put(_SPACE, turn.source, {"text": said(turn)})

    def ask(self, text: str, limit: int) -> list[str]:
        """Keys by cosine."""
        return [item.key for item in self._store.search(_SPACE, query=text, limit=limit)]


@contextmanager
def in_memory(folder: Path, embedder: Embed) -> Iterator[Store]:  # noqa: ARG001 - nothing on disk
    """InMemoryStore."""
    yield Store(memory.InMemoryStore(index=index(embedder)))


def index(embedder: Embed) -> dict[str, Any]:
    """The configuration of a semantic index over our embedder."""

    def embed(texts: Sequence[str]) -> list[list[float]]:
        return [[float(x) for x in one] for one in embedder.embed_documents(texts)]

    return {"dims": embedder.dim, "embed": embed, "fields": ["text"]}

"""Chroma: one collection of cosine distances, its vectors made by our embedder."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from engraphy.benchmarks.cases import Turn
from engraphy.benchmarks.peers import said
from engraphy.ports import Embed

chromadb = import_module("chromadb")

_AT_ONCE = 1_000


class Collection:
    """The turns of a case by their source."""

    def __init__(self, collection: Any, embedder: Embed) -> None:
        """Take an empty collection."""
        self._collection, self._embedder = collection, embedder

    def fill(self, turns: Sequence[Turn]) -> None:
        """Add them in batches."""
        for start in range(0, len(turns), _AT_ONCE):
            batch = turns[start : start + _AT_ONCE]
            texts = [said(turn) for turn in batch]
            self._collection.add(
                ids=[turn.source for turn in batch],
                documents=texts,
                embeddings=[list(map(float, v)) for v in self._embedder.embed_documents(texts)],
            )

    def ask(self, text: str, limit: int) -> list[str]:
        """Ids by distance."""
        vector = list(map(float, self._embedder.embed_query(text)))
        found = self._collection.query(
            query_embeddings=[vector], n_results=min(limit, self._collection.count())
        )
        ids: list[str] = found["ids"][0]
        return ids


@contextmanager
def chroma(folder: Path, embedder: Embed) -> Iterator[Collection]:
    """A persistent client with its telemetry off."""
    settings = chromadb.config.Settings(anonymized_telemetry=False)
    client = chromadb.PersistentClient(path=str(folder), settings=settings)
    collection = client.create_collection(
        "turns", embedding_function=None, metadata={"hnsw:space": "cosine"}
    )
    yield Collection(collection, embedder)

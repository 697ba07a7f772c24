"""MemPalace: a drawer per turn, a room per session; its own hybrid ranking over our vectors."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from engraphy.benchmarks.cases import Turn
from engraphy.benchmarks.peer_endpoint import environment, served
from engraphy.benchmarks.peers import said
from engraphy.ports import Embed

palace = import_module("mempalace.palace")
searcher = import_module("mempalace.searcher")

_AT_ONCE = 200


class Palace:
    """The drawers of a case."""

    def __init__(self, path: str, strategy: str) -> None:
        """`strategy`: where the candidates of its ranking come from."""
        self._path, self._strategy = path, strategy
        self._drawers: Any = palace.get_collection(path, create=True)

    def fill(self, turns: Sequence[Turn]) -> None:
        """One drawer each, numbered within their session as its miner numbers chunks."""
        places: dict[str, int] = {}
        for start in range(0, len(turns), _AT_ONCE):
            batch = turns[start : start + _AT_ONCE]
            told = []
            for turn in batch:
                place = places[turn.session] = places.get(turn.session, -1) + 1
                told.append(
                    {
                        "wing": "bench",
                        "room": turn.session,
                        "source_file": turn.session,
                        "chunk_index": place,
                    }
                )
            self._drawers.upsert(
                documents=[said(turn) for turn in batch],
                ids=[turn.source for turn in batch],
                metadatas=told,
            )

    def ask(self, text: str, limit: int) -> list[str]:
        """Drawers by its hybrid rank."""
        found = searcher.search_memories(
            text, self._path, n_results=limit, candidate_strategy=self._strategy
        )
        return list(dict.fromkeys(hit["drawer_id"] for hit in found["results"]))


def by_vector(folder: Path, embedder: Embed) -> Any:
    """As it comes: the nearest by vector, ranked by vector and words."""
    return _opened(folder, embedder, "vector")


def by_both(folder: Path, embedder: Embed) -> Any:
    """The nearest by vector and those found by words, ranked by both."""
    return _opened(folder, embedder, "union")


@contextmanager
def _opened(folder: Path, embedder: Embed, strategy: str) -> Iterator[Palace]:
    with served(embedder) as address:
        wanted = {
            "MEMPALACE_CONFIG_DIR": str(folder / "config"),
            "MEMPALACE_EMBEDDING_MODEL": "openai-compat",
            "MEMPALACE_EMBEDDING_API_URL": address,
            "MEMPALACE_EMBEDDING_API_MODEL": embedder.model_id,
            "ANONYMIZED_TELEMETRY": "False",
            "HF_HUB_OFFLINE": "1",
        }
        with environment(wanted):
            yield Palace(str(folder / "palace"), strategy)

"""mem0 without a language model: every turn kept as it is (`infer=False`) in a local Qdrant.

What a language model does for it (extracting facts) is left out, and its search by words, whose
model comes from a hub: this tells how its store ranks, not how mem0 does with a model.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from engraphy.benchmarks.cases import Turn
from engraphy.benchmarks.peer_endpoint import environment, served
from engraphy.benchmarks.peers import said
from engraphy.ports import Embed

_USER = "u"
_KEY = "none"
_SILENT = {"MEM0_TELEMETRY": "False", "HF_HUB_OFFLINE": "1"}

# It reads whether to report its use when it is loaded.
with environment(_SILENT):
    mem0 = import_module("mem0")


class Raw:
    """The turns of a case as messages."""

    def __init__(self, memory: Any) -> None:
        """Take an empty memory."""
        self._memory = memory

    def fill(self, turns: Sequence[Turn]) -> None:
        """Add them one by one."""
        for turn in turns:
            message = {"role": "user", "content": said(turn)}
            self._memory.add(
                [message], user_id=_USER, infer=False, metadata={"source": turn.source}
            )

    def ask(self, text: str, limit: int) -> list[str]:
        """Sources by score."""
        found = self._memory.search(text, filters={"user_id": _USER}, top_k=limit, threshold=0.0)
        return [hit["metadata"]["source"] for hit in found["results"]]


@contextmanager
def raw(folder: Path, embedder: Embed) -> Iterator[Raw]:
    """A memory whose only model is the embedder."""
    with served(embedder) as address, environment({**_SILENT, "MEM0_DIR": str(folder)}):
        store = {
            "path": str(folder / "vectors"),
            "embedding_model_dims": embedder.dim,
            "collection_name": "turns",
        }
        vectors = {
            "model": embedder.model_id,
            "openai_base_url": address,
            "api_key": _KEY,
            "embedding_dims": embedder.dim,
        }
        yield Raw(
            mem0.Memory.from_config(
                {
                    "vector_store": {"provider": "qdrant", "config": store},
                    "embedder": {"provider": "openai", "config": vectors},
                    "llm": {
                        "provider": "openai",
                        "config": {"api_key": _KEY, "openai_base_url": address},
                    },
                    "history_db_path": str(folder / "history.db"),
                }
            )
        )

"""Other stores asked the same questions in the same run: same turns, same gold, same figures, and
where they take one, the same embedder.

A peer is never a dependency: it is loaded by its name, and one that is not installed is named and
left out. All of them run without a network; what they may tell their makers is switched off.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Protocol

from engraphy.benchmarks import report
from engraphy.benchmarks.cases import Case, Suite, Turn
from engraphy.benchmarks.run import DEPTH, Opening, Progress, row, untuned
from engraphy.errors import InvalidInputError
from engraphy.ports import Embed
from engraphy.providing import open_embedder
from engraphy.settings import settings

Peers: Final = {
    "langgraph": ("engraphy.benchmarks.peer_langgraph", "in_memory", "langgraph"),
    "langgraph-sqlite": (
        "engraphy.benchmarks.peer_langgraph_sqlite",
        "in_sqlite",
        "langgraph-checkpoint-sqlite",
    ),
    "chroma": ("engraphy.benchmarks.peer_chroma", "chroma", "chromadb"),
    "mempalace": ("engraphy.benchmarks.peer_mempalace", "by_vector", "mempalace"),
    "mempalace-union": ("engraphy.benchmarks.peer_mempalace", "by_both", "mempalace"),
    "mem0": ("engraphy.benchmarks.peer_mem0", "raw", "mem0ai"),
}
"""Name: module, what opens it, and the distribution it comes from."""


class Peer(Protocol):
    """A store of one case."""

    def fill(self, turns: Sequence[Turn]) -> None:
        """Keep every turn as it was said."""

    def ask(self, text: str, limit: int) -> list[str]:
        """Sources of the best turns, best first."""


Opened = AbstractContextManager[Peer]
Open = Callable[[Path, Embed], Opened]


def compare(
    suite: Suite, names: Sequence[str], opening: Opening, progress: Progress | None = None
) -> dict[str, Any]:
    """Figures of each peer over a suite: `measured` by name, and `left_out` with the reason. They
    get the run's embedder, and the default one where the run has none.

    Raises InvalidInputError for a name that is none of `Peers`.
    """
    for name in names:
        if name not in Peers:
            raise InvalidInputError(field="peer", got=name, allowed=", ".join(Peers))
    environment = settings()
    embedder = open_embedder(opening.embedder, environment, _still)
    embedder = embedder or open_embedder("static", environment, _still)
    assert embedder is not None
    measured: dict[str, Any] = {}
    left_out: dict[str, str] = {}
    for name in names:
        module, opens, distribution = Peers[name]
        try:
            start: Open = getattr(import_module(module), opens)
        except ImportError as error:
            left_out[name] = str(error)
            continue
        rows = [one for case in suite.cases for one in _asked(case, start, embedder, opening.texts)]
        measured[name] = {
            "version": version(distribution),
            "embedder": embedder.model_id,
            "metrics": report.means(rows),
            "intervals_95": report.intervals(rows),
            "groups": report.by(rows, "case") | untuned(suite, rows),
            "latency_ms": report.latency([one["ms"] for one in rows]),
            "rows": rows,
        }
        if progress is not None:
            progress(f"{name} {version(distribution)}: {len(rows)} questions")
    return {"measured": measured, "left_out": left_out}


def _still() -> int:
    """A clock for the cache of an embedder, which need not age within a run."""
    return 0


def said(turn: Turn) -> str:
    """What a peer is given of a turn: who spoke, and what was said."""
    return f"{turn.speaker or turn.role}: {turn.content}"


def _asked(case: Case, start: Open, embedder: Embed, texts: bool) -> list[dict[str, Any]]:
    turns = {turn.source: turn for turn in case.turns}
    rows = []
    # A peer may keep its files open to the end of the process.
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        start(Path(folder), embedder) as peer,
    ):
        peer.fill(case.turns)
        for question in case.questions:
            begun = time.perf_counter()
            sources = peer.ask(question.text, DEPTH)
            spent = (time.perf_counter() - begun) * 1_000
            found = [turns[source] for source in sources]
            rows.append(row(case, question, found, milliseconds=spent, texts=texts))
    return rows

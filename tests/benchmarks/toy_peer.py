"""A peer for the tests: finds by shared words, in plain Python."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from engraphy.benchmarks.cases import Turn
from engraphy.benchmarks.peers import said
from engraphy.ports import Embed


class Words:
    """Turns, and how many of a question's words each holds."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []

    def fill(self, turns: Sequence[Turn]) -> None:
        """Keep them."""
        self._turns += turns

    def ask(self, text: str, limit: int) -> list[str]:
        """Most shared words first."""
        asked = set(text.lower().strip("?").split())
        ranked = sorted(self._turns, key=lambda turn: -len(asked & set(said(turn).lower().split())))
        return [turn.source for turn in ranked[:limit]]


@contextmanager
def opened(folder: Path, embedder: Embed) -> Iterator[Words]:
    """An empty one; it has no use for the embedder it is offered."""
    assert folder.is_dir()
    assert embedder.dim > 0
    yield Words()

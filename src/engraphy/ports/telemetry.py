"""Where operators are told what happens: a log of operations, spans for a tracer."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from engraphy.model.query import Check


class OpsLog(Protocol):
    """Where operations and decisions are told to operators (D-53); never raises, never waits."""

    def write(self, op: str, **fields: object) -> None:
        """Append one line; where that cannot be done it is counted, and nobody is disturbed."""

    def check(self) -> Check:
        """Whether lines can be written just now, and how many were lost."""

    def close(self) -> None:
        """Write what waits, within a second; safe to call twice."""


class Span(Protocol):
    """Something that takes time, as a tracer shows it."""

    def told(self, fields: Mapping[str, object]) -> None:
        """What came of it: fields by our names; what has no meaning for the tracer goes unsaid."""

    def failed(self, kind: str) -> None:
        """It ended in an error of this class; its words are not told."""


class Spans(Protocol):
    """A tracer. What begins inside a block is shown below it."""

    @property
    def content(self) -> bool:
        """Whether somebody asked for texts to be told as well (never so by default)."""

    def operation(self, name: str, given: Mapping[str, object]) -> AbstractContextManager[Span]:
        """A verb of `Memory` with what it was given; texts are told only where `content`. What it
        raises is told by its class, and passed on."""

    def call(self, kind: str, model_id: str) -> AbstractContextManager[Span]:
        """A call to a model: `chat`, `embeddings` or `rerank`, by its `provider/model`."""


FindSpans = Callable[[], Spans | None]
"""The tracer of this process, asked for anew each time; None while nobody traces."""


def untraced() -> Spans | None:
    """Nobody traces."""
    return None

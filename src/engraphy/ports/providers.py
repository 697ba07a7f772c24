"""Models and clocks, as the engine needs them."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from engraphy.model.calls import Completion
from engraphy.model.personal import Personal

Clock = Callable[[], int]
"""Now, in integer microseconds UTC."""

NewId = Callable[[int], str]
"""A fresh id for a moment (microseconds UTC); ids sort by time, and never repeat."""

FindPersonal = Callable[[str], Sequence[Personal]]
"""What tells who somebody is or how to reach them, in a text: in order, not overlapping."""

NewSecret = Callable[[], str]
"""A text of letters and digits that nobody can guess: at least 256 random bits."""


@runtime_checkable
class Embed(Protocol):
    """An embedder. Vectors are sequences of `dim` finite floats (lists, tuples or arrays)."""

    @property
    def model_id(self) -> str:
        """Name and version; stored with every vector."""

    @property
    def dim(self) -> int:
        """Numbers per vector."""

    def embed_documents(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector per text; batch first."""

    def embed_query(self, text: str) -> Sequence[float]:
        """The vector of a question."""

    def calibrate(self, cosine: float) -> float:
        """This model's cosine on the common similarity scale [0, 1] (models.md, decision 5)."""


@runtime_checkable
class Forgetful(Protocol):
    """An embedder that keeps vectors it has just made, and can be told to drop them (D-29)."""

    def forget(self) -> None:
        """Drop every kept vector."""


@runtime_checkable
class LateInteraction(Protocol):
    """An embedder that can also compare token by token (MaxSim)."""

    def encode_tokens(self, texts: Sequence[str]) -> list[bytes]:
        """Opaque codes of each text's tokens, to be stored beside its vector."""

    def maxsim(self, words: Sequence[str], documents: Sequence[bytes]) -> list[tuple[float, ...]]:
        """For each document (codes of `encode_tokens`) the best soft match of each query word in
        it, in [0, 1]."""


class Rerank(Protocol):
    """A reranker: reads a question beside each text."""

    @property
    def model_id(self) -> str:
        """Name and version, for explanations."""

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One finite score per text, higher where it answers better, on any scale. Raises
        RerankerError."""


@runtime_checkable
class Complete(Protocol):
    """A language model as a user brings it: it answers one question with JSON."""

    def complete(
        self, prompt: str, *, system: str, schema: dict[str, object], timeout: float
    ) -> str | Completion:
        """JSON text by `schema`, within `timeout` seconds; whatever it raises counts as a failure.

        `system`: what to do; `prompt`: the data, which is never to be obeyed.
        """


class LanguageModel(Protocol):
    """A language model as the engine asks it: bounded in time, with errors of our own."""

    @property
    def model_id(self) -> str:
        """`provider/model`, for the ledger."""

    def complete(
        self, prompt: str, *, system: str, schema: dict[str, object], timeout: float
    ) -> Completion:
        """The answer. Raises ModelTimeoutError after `timeout` seconds, ModelError otherwise."""

"""Doubles for tests: a clock, ids, an embedder and a language model without surprises."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b

NEW_YEAR_2026 = 1_767_225_600_000_000
"""2026-01-01T00:00:00Z in microseconds UTC."""

_WORD = re.compile(r"\w+")


class TickingClock:
    """A clock that starts at `at` (microseconds UTC) and advances by `step` with every reading.

    >>> clock = TickingClock(at=100, step=10)
    >>> clock(), clock(), clock.at
    (100, 110, 120)
    """

    def __init__(self, *, at: int = NEW_YEAR_2026, step: int = 1) -> None:
        self.at = at
        self.step = step

    def __call__(self) -> int:
        """The moment, in microseconds UTC; the next reading is `step` later."""
        moment = self.at
        self.at += self.step
        return moment

    def jump(self, microseconds: int) -> None:
        """Move the clock; a negative number moves it back, as a real clock may be."""
        self.at += microseconds


class CountedIds:
    """Ids that sort by their moment, then by the order they were made in, and never repeat.

    >>> ids = CountedIds()
    >>> ids(5) < ids(5) < ids(6)
    True
    """

    def __init__(self, *, prefix: str = "") -> None:
        self.prefix = prefix
        self.made = 0

    def __call__(self, moment: int) -> str:
        """A fresh id for `moment` (microseconds UTC; moments before 1970 count as 1970)."""
        self.made += 1
        return f"{self.prefix}{max(0, moment):016x}-{self.made:08x}"


class ToyEmbedder:
    """A bag of hashed words: the same words give the same vector, on every machine.

    Vectors have length 1 (a text without words has the zero vector), so the cosine of two texts is
    the share of words they have in common. `calls` counts the batches that were asked for.
    """

    def __init__(self, *, dim: int = 32, model_id: str = "toy-1") -> None:
        self._dim = dim
        self._model_id = model_id
        self.calls = 0

    @property
    def model_id(self) -> str:
        """Name and version."""
        return self._model_id

    @property
    def dim(self) -> int:
        """Numbers per vector."""
        return self._dim

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of `dim` floats per text."""
        self.calls += 1
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question: the same as that of a document."""
        return self._vector(text)

    def calibrate(self, cosine: float) -> float:
        """The cosine itself, held inside [0, 1]."""
        return min(1.0, max(0.0, cosine))

    def _vector(self, text: str) -> list[float]:
        counts = [0.0] * self._dim
        for word, times in Counter(_WORD.findall(text.casefold())).items():
            digest = blake2b(word.encode("utf-8", "replace"), digest_size=4).digest()
            counts[int.from_bytes(digest, "big") % self._dim] += times
        length = math.sqrt(sum(count * count for count in counts)) or 1.0
        return [count / length for count in counts]


class ScriptedModel:
    """A language model that gives its answers in order and remembers what it was asked.

    `prompts` are the prompts so far, `asked` the (schema, timeout) and `systems` the instructions
    of each. An answer that is an exception is raised instead: outages are part of a script.
    """

    model_id = "scripted/1"

    def __init__(self, answers: Iterable[str | Exception]) -> None:
        self._answers = iter(answers)
        self.prompts: list[str] = []
        self.systems: list[str] = []
        self.asked: list[tuple[dict[str, object], float]] = []

    def complete(
        self, prompt: str, *, schema: dict[str, object], timeout: float, system: str = ""
    ) -> str:
        """The next answer; LookupError when the script has ended."""
        self.prompts.append(prompt)
        self.systems.append(system)
        self.asked.append((schema, timeout))
        try:
            answer = next(self._answers)
        except StopIteration:
            raise LookupError(f"the script has no answer number {len(self.prompts)}") from None
        if isinstance(answer, Exception):
            raise answer
        return answer

"""The user's own reranker: a callable, or an object that looks like one, checked on every call."""

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Final

from engraphy.errors import EngraphyError, InvalidInputError, RerankerError

Scores = Callable[[str, Sequence[str]], object]

_FORMS: Final = "a callable from a query and texts to scores, or an object with rerank()"


class CheckedReranker:
    """Adapts foreign code: what it raises, and scores that are none, become a RerankerError."""

    def __init__(self, scores: Scores, *, model_id: str) -> None:
        """Keep the callable; raise InvalidInputError for an empty id."""
        if not model_id.strip():
            raise InvalidInputError(field="model_id", got=repr(model_id), allowed="a name")
        self.model_id = model_id
        self._scores = scores

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One finite number per text, higher where it answers better. Raises RerankerError."""
        if not texts:
            return []
        try:
            given = [float(one) for one in self._scores(query, texts)]  # type: ignore[attr-defined]
        except EngraphyError:
            raise
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            raise RerankerError(model=self.model_id, problem=problem) from error
        return checked(given, count=len(texts), model=self.model_id)


def checked(scores: Sequence[float], *, count: int, model: str) -> list[float]:
    """The scores. Raises RerankerError for another number of them, or one that is not finite."""
    if len(scores) != count:
        problem = f"asked for {count} scores, it gave {len(scores)}"
        raise RerankerError(model=model, problem=problem)
    if not all(map(isfinite, scores)):
        raise RerankerError(model=model, problem="a score is not finite")
    return list(scores)


def adapted(reranker: object) -> CheckedReranker:
    """Any callable or object with `rerank` as a checked reranker; it may have a `model_id`.

    Raises InvalidInputError for what is neither.
    """
    scores = getattr(reranker, "rerank", reranker)
    if not callable(scores):
        raise InvalidInputError(field="reranker", got=type(reranker).__name__, allowed=_FORMS)
    named = getattr(reranker, "model_id", None)
    own = getattr(reranker, "__qualname__", type(reranker).__qualname__)
    return CheckedReranker(scores, model_id=named if isinstance(named, str) else f"custom/{own}")

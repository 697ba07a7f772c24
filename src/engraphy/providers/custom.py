"""The user's own embedder: a callable, or an object that looks like one, checked on every call."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final

from engraphy.errors import EmbedderError, EngraphyError, InvalidInputError
from engraphy.ports import LateInteraction
from engraphy.providers.calibration import Calibration
from engraphy.providers.late import shared_maxsim
from engraphy.providers.probing import probed_calibration
from engraphy.providers.table import Floats
from engraphy.providers.vectors import checked

EmbedBatch = Callable[[Sequence[str]], object]
EmbedOne = Callable[[str], object]
Calibrate = Callable[[float], float]

_FORMS: Final = "a callable from texts to vectors, or an object with embed_documents"


class CustomEmbedder:
    """Adapts foreign embedding code to the embedder protocol.

    ``documents`` takes a list of texts and returns one vector each (lists or an array);
    ``query`` takes one question, and is ``documents`` where it is left out. ``dim`` is found
    out by embedding one word where it is left out. Without ``calibration`` the model is probed
    once, with 160 short texts, when a similarity is first asked for. ``averages_words``: its
    vectors know no order of words, so that similarity weighs less (`fuse.pooled`).
    """

    def __init__(
        self,
        documents: EmbedBatch,
        *,
        model_id: str,
        query: EmbedOne | None = None,
        dim: int | None = None,
        calibration: Calibrate | None = None,
        late: LateInteraction | None = None,
        averages_words: bool = False,
    ) -> None:
        """Keep the callables; raise InvalidInputError for an empty id or a dimension below 1."""
        if not model_id.strip():
            raise InvalidInputError(field="model_id", got=repr(model_id), allowed="a name")
        if dim is not None and dim < 1:
            raise InvalidInputError(field="dim", got=dim, allowed="1 or more")
        self.model_id = model_id
        self._documents = documents
        self._query = query
        self._given_dim = dim
        self._given_calibration = calibration
        self._given_late = late
        self.averages_words = averages_words

    @cached_property
    def dim(self) -> int:
        """Numbers per vector."""
        return self._given_dim or len(self._embed(["dimension"], None)[0])

    def embed_documents(self, texts: Sequence[str]) -> list[Floats]:
        """Return one float32 vector per text; EmbedderError for a wrong count, size or number."""
        return self._embed(texts, self.dim) if texts else []

    def embed_query(self, text: str) -> Floats:
        """Return the vector of a question; EmbedderError for a wrong size or number."""
        if self._query is None:
            return self.embed_documents([text])[0]
        vector = self._answer(self._query, text)
        return checked([vector], count=1, dim=self.dim, model=self.model_id)[0]

    def calibrate(self, cosine: float) -> float:
        """Return a cosine of two of these vectors on the common similarity scale [0, 1]."""
        return self._calibration(cosine)

    def encode_tokens(self, texts: Sequence[str]) -> list[bytes]:
        """Return token codes: the user's own where ``late`` was given, else the table's."""
        return self._late.encode_tokens(texts)

    def maxsim(self, words: Sequence[str], documents: Sequence[bytes]) -> list[tuple[float, ...]]:
        """Return late-interaction scores over codes of encode_tokens."""
        return self._late.maxsim(words, documents)

    @cached_property
    def _late(self) -> LateInteraction:
        return self._given_late or shared_maxsim()

    @cached_property
    def _calibration(self) -> Calibration | Calibrate:
        if self._given_calibration is not None:
            return self._given_calibration
        return probed_calibration(self.embed_documents, model=self.model_id)

    def _embed(self, texts: Sequence[str], dim: int | None) -> list[Floats]:
        vectors = self._answer(self._documents, list(texts))
        return checked(vectors, count=len(texts), dim=dim, model=self.model_id)

    def _answer(self, ask: Callable[[Any], object], what: object) -> object:
        """What foreign code answers; what it raises is told with the model's name."""
        try:
            return ask(what)
        except EngraphyError:
            raise
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            raise EmbedderError(model=self.model_id, problem=problem) from error


def adapted(embedder: object, *, model_id: str | None = None) -> CustomEmbedder:
    """Return any callable or embedder-like object as a checked embedder.

    An object gives ``embed_documents`` and may give ``embed_query``, ``dim``, ``model_id``,
    ``calibrate``, ``averages_words`` and the two methods of late interaction. ``model_id`` here
    wins over the object's; a callable's own name is the last resort.

    Raises InvalidInputError for what is neither, EmbedderError for a model id that is not text.
    """
    documents = getattr(embedder, "embed_documents", embedder)
    if not callable(documents):
        raise InvalidInputError(field="embedder", got=type(embedder).__name__, allowed=_FORMS)
    named = model_id or getattr(embedder, "model_id", None) or _name(embedder)
    if not isinstance(named, str):
        raise EmbedderError(model=repr(embedder), problem="its model_id is not text")
    return CustomEmbedder(
        documents,
        model_id=named,
        query=getattr(embedder, "embed_query", None),
        dim=getattr(embedder, "dim", None),
        calibration=getattr(embedder, "calibrate", None),
        late=embedder if isinstance(embedder, LateInteraction) else None,
        averages_words=getattr(embedder, "averages_words", False) is True,
    )


def _name(embedder: object) -> str:
    name = getattr(embedder, "__qualname__", type(embedder).__qualname__)
    return f"custom/{name}"

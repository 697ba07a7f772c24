"""Vectors from any endpoint that speaks OpenAI's ``/v1/embeddings``, over the standard library."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from engraphy.errors import EmbedderError, SettingsError
from engraphy.providers.bearer import Bearer, sendable
from engraphy.providers.calibration import Calibration
from engraphy.providers.http import Failure, checked_address, checked_key
from engraphy.providers.late import LateByTable
from engraphy.providers.probing import probed_calibration
from engraphy.providers.table import Floats
from engraphy.providers.vectors import checked, flat

LONGEST_ANSWER: Final = 64 * 1024 * 1024
_ENDPOINTS: Final = Path(__file__).with_name("data") / "endpoints.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where and how to ask.

    ``base_url`` ends before ``/embeddings``; ``dimensions`` is sent only where it is given;
    ``timeout`` is in seconds per request, ``batch`` in texts per request, ``retries`` counts
    further attempts after a busy or failing server; the prefixes go before each text, for
    models that tell questions from documents that way.
    """

    model: str
    base_url: str
    api_key: str | None = None
    dimensions: int | None = None
    timeout: float = 30.0
    batch: int = 64
    retries: int = 2
    query_prefix: str = ""
    document_prefix: str = ""

    def __post_init__(self) -> None:
        checked_address("base_url", self.base_url)
        checked_key("api_key", self.api_key)
        if self.timeout <= 0 or self.batch < 1 or self.retries < 0:
            raise SettingsError(
                setting="endpoint", problem="timeout > 0, batch >= 1 and retries >= 0 are allowed"
            )

    def __repr__(self) -> str:
        return f"Endpoint(model={self.model!r}, base_url={self.base_url!r})"


class OpenAICompatibleEmbedder(LateByTable):
    """An embedder behind an endpoint; the model is probed for its dimension and calibration."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        provider: str = "openai-compatible",
        calibration: Calibration | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Connect to nothing yet; ``pause`` waits the given seconds between attempts."""
        self._endpoint = endpoint
        self._given_calibration = calibration
        self._bearer = Bearer(
            address=endpoint.base_url.rstrip("/") + "/embeddings",
            api_key=endpoint.api_key,
            timeout=endpoint.timeout,
            retries=endpoint.retries,
            longest=LONGEST_ANSWER,
            pause=pause,
        )
        size = f"@{endpoint.dimensions}" if endpoint.dimensions else ""
        self.model_id = f"{provider}/{endpoint.model}{size}"

    @cached_property
    def dim(self) -> int:
        """Numbers per vector: as configured, or found out with one request."""
        return self._endpoint.dimensions or len(self._request(["dimension"], None)[0])

    def embed_documents(self, texts: Sequence[str]) -> list[Floats]:
        """Return one vector per text, in requests of at most ``batch`` texts.

        Raises EmbedderError where the endpoint cannot be reached, refuses, or answers nonsense.
        """
        prefixed = [self._endpoint.document_prefix + text for text in flat(texts)]
        size = self._endpoint.batch
        starts = range(0, len(prefixed), size)
        return [
            vector
            for start in starts
            for vector in self._request(prefixed[start : start + size], self.dim)
        ]

    def embed_query(self, text: str) -> Floats:
        """Return the vector of a question; raises as embed_documents does."""
        return self._request([self._endpoint.query_prefix + flat([text])[0]], self.dim)[0]

    def calibrate(self, cosine: float) -> float:
        """Return a cosine of two of these vectors on the common similarity scale [0, 1]."""
        return self._calibration(cosine)

    @cached_property
    def _calibration(self) -> Calibration:
        if self._given_calibration is not None:
            return self._given_calibration
        return probed_calibration(self.embed_documents, model=self.model_id)

    def _request(self, texts: Sequence[str], dim: int | None) -> list[Floats]:
        body: dict[str, object] = {
            "model": self._endpoint.model,
            "input": [sendable(text) for text in texts],
            "encoding_format": "float",
        }
        if self._endpoint.dimensions:
            body["dimensions"] = self._endpoint.dimensions
        answer = self._asked(body)
        vectors = _vectors(answer, model=self.model_id)
        return checked(vectors, count=len(texts), dim=dim, model=self.model_id)

    def _asked(self, body: dict[str, object]) -> bytes:
        answer = self._bearer.ask(body)
        if isinstance(answer, Failure):
            raise EmbedderError(model=self.model_id, problem=answer.problem)
        return answer


def from_spec(
    spec: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    dimensions: int | None = None,
    timeout: float = 30.0,
) -> OpenAICompatibleEmbedder:
    """Return the embedder named ``provider/model``; the model's own name may hold slashes.

    The address of openai, ollama, lmstudio and vllm is known; any other provider needs
    ``base_url``, which also wins over a known address.

    Raises SettingsError for a spec without a model, or a provider without an address.
    """
    provider, _, model = spec.partition("/")
    if not provider or not model:
        raise SettingsError(
            setting="embedder", problem=f"{spec!r} is not provider/model, such as openai/NAME"
        )
    known: dict[str, str] = json.loads(_ENDPOINTS.read_text("utf-8"))
    address = base_url or known.get(provider)
    if address is None:
        names = ", ".join(sorted(known))
        raise SettingsError(
            setting="embedder", problem=f"{provider!r} needs a base_url (known: {names})"
        )
    endpoint = Endpoint(
        model=model, base_url=address, api_key=api_key, dimensions=dimensions, timeout=timeout
    )
    return OpenAICompatibleEmbedder(endpoint, provider=provider)


def _vectors(answer: bytes, *, model: str) -> list[object]:
    """Return the vectors of an answer in the order of the texts."""
    try:
        rows = sorted(json.loads(answer)["data"], key=lambda row: row["index"])
        return [row["embedding"] for row in rows]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        problem = f"the answer is not an embeddings list: {error!r}"
        raise EmbedderError(model=model, problem=problem) from error

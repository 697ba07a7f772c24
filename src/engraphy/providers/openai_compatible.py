"""Vectors from any endpoint that speaks OpenAI's ``/v1/embeddings``, over the standard library."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from engraphy.errors import EmbedderError, SettingsError
from engraphy.providers.calibration import Calibration
from engraphy.providers.late import LateByTable
from engraphy.providers.probing import probed_calibration
from engraphy.providers.table import Floats
from engraphy.providers.vectors import checked, flat

LONGEST_ANSWER: Final = 64 * 1024 * 1024
LONGEST_PAUSE: Final = 10.0
FIRST_PAUSE: Final = 0.5
_TRANSIENT: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
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
        address = urlsplit(self.base_url)
        if address.scheme not in {"http", "https"} or not address.hostname:
            raise SettingsError(setting="base_url", problem=f"{self.base_url!r} is no http address")
        if self.timeout <= 0 or self.batch < 1 or self.retries < 0:
            raise SettingsError(
                setting="endpoint", problem="timeout > 0, batch >= 1 and retries >= 0 are allowed"
            )

    def __repr__(self) -> str:
        return f"Endpoint(model={self.model!r}, base_url={self.base_url!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    """Why a request failed, and whether and when another may succeed."""

    problem: str
    transient: bool
    pause: float | None = None


def _opener() -> OpenerDirector:
    """Return an opener that follows no redirects: the key must not travel to another host."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        HTTPHandler(),
        HTTPSHandler(),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener


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
        self._pause = pause
        self._opener = _opener()
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
        # Endpoints refuse the empty string; a space has the same meaning.
        body: dict[str, object] = {
            "model": self._endpoint.model,
            "input": [text or " " for text in texts],
            "encoding_format": "float",
        }
        if self._endpoint.dimensions:
            body["dimensions"] = self._endpoint.dimensions
        answer = self._post(json.dumps(body).encode("utf-8"))
        vectors = _vectors(answer, model=self.model_id)
        return checked(vectors, count=len(texts), dim=dim, model=self.model_id)

    def _post(self, body: bytes) -> bytes:
        """Return the answer of the first attempt that succeeds."""
        attempt = 0
        while isinstance(answer := self._attempt(body), _Failure):
            if not answer.transient or attempt == self._endpoint.retries:
                raise EmbedderError(model=self.model_id, problem=answer.problem)
            wanted = answer.pause if answer.pause is not None else FIRST_PAUSE * 2**attempt
            self._pause(min(wanted, LONGEST_PAUSE))
            attempt += 1
        return answer

    def _attempt(self, body: bytes) -> bytes | _Failure:
        headers = {"Content-Type": "application/json", "User-Agent": "engraphy"}
        if self._endpoint.api_key:
            headers["Authorization"] = f"Bearer {self._endpoint.api_key}"
        address = self._endpoint.base_url.rstrip("/") + "/embeddings"
        request = Request(address, data=body, headers=headers, method="POST")
        try:
            with self._opener.open(request, timeout=self._endpoint.timeout) as response:
                answer: bytes = response.read(LONGEST_ANSWER + 1)
        except HTTPError as error:
            return self._refusal(error)
        except (OSError, HTTPException) as error:
            return _Failure(problem=f"no answer from {address}: {error}", transient=True)
        if len(answer) > LONGEST_ANSWER:
            return _Failure(problem=f"more than {LONGEST_ANSWER} bytes came back", transient=False)
        return answer

    def _refusal(self, error: HTTPError) -> _Failure:
        with error:
            said = error.read(300).decode("utf-8", "replace")
        if self._endpoint.api_key:
            said = said.replace(self._endpoint.api_key, "***")
        wait = error.headers.get("Retry-After", "")
        return _Failure(
            problem=f"status {error.code}: {said}",
            transient=error.code in _TRANSIENT,
            pause=float(wait) if wait.isdecimal() and wait.isascii() else None,
        )


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
        raise SettingsError(setting="embedder", problem=f"{spec!r} is not provider/model")
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

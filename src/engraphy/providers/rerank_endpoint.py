"""Scores from any endpoint that speaks Cohere's ``/rerank`` (vLLM, Jina, LiteLLM, Voyage ...)."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from engraphy.errors import RerankerError, SettingsError
from engraphy.providers.http import (
    Failure,
    Post,
    checked_address,
    checked_key,
    opener,
    post,
    waited,
)
from engraphy.providers.reranking import checked
from engraphy.providers.vectors import flat

LONGEST_ANSWER: Final = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankEndpoint:
    """Where and how to ask: ``base_url`` ends before ``/rerank``; ``timeout`` in seconds per
    request; ``retries`` counts further attempts after a busy or failing server."""

    model: str
    base_url: str
    api_key: str | None = None
    timeout: float = 5.0
    retries: int = 0

    def __post_init__(self) -> None:
        checked_address("reranker", self.base_url)
        checked_key("reranker", self.api_key)
        if self.timeout <= 0 or self.retries < 0:
            raise SettingsError(setting="reranker", problem="timeout > 0 and retries >= 0")

    def __repr__(self) -> str:
        return f"RerankEndpoint(model={self.model!r}, base_url={self.base_url!r})"


class EndpointReranker:
    """A reranker behind an endpoint; nothing is connected to before the first question."""

    def __init__(
        self,
        endpoint: RerankEndpoint,
        *,
        provider: str = "endpoint",
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """``pause`` waits the given seconds between attempts."""
        self._endpoint, self._pause = endpoint, pause
        self._opener = opener()
        self.model_id = f"{provider}/{endpoint.model}"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score per text, in the order of the texts.

        Raises RerankerError where the endpoint cannot be reached, refuses, or answers nonsense.
        """
        if not texts:
            return []
        # Endpoints refuse the empty string; a space has the same meaning.
        body = {
            "model": self._endpoint.model,
            "query": flat([query])[0],
            "documents": [text or " " for text in flat(texts)],
        }
        answer = self._post(json.dumps(body).encode("utf-8"))
        return checked(self._read(answer, len(texts)), count=len(texts), model=self.model_id)

    def _post(self, body: bytes) -> bytes:
        attempt = 0
        while isinstance(answer := self._attempt(body), Failure):
            if not answer.transient or attempt == self._endpoint.retries:
                raise RerankerError(model=self.model_id, problem=answer.problem)
            self._pause(waited(answer, attempt))
            attempt += 1
        return answer

    def _attempt(self, body: bytes) -> bytes | Failure:
        key = self._endpoint.api_key
        wanted = Post(
            address=self._endpoint.base_url.rstrip("/") + "/rerank",
            body=body,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            secret=key,
            longest=LONGEST_ANSWER,
        )
        return post(self._opener, wanted, timeout=self._endpoint.timeout)

    def _read(self, answer: bytes, count: int) -> list[float]:
        """`results` or `data`, of rows with `index` and `relevance_score` (or `score`)."""
        try:
            parsed = json.loads(answer)
            rows = parsed["results"] if "results" in parsed else parsed["data"]
            by_place = {int(row["index"]): _score(row) for row in rows}
            return [by_place[place] for place in range(count)]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            problem = f"the answer is not a list of scores: {error!r}"
            raise RerankerError(model=self.model_id, problem=problem) from error


def _score(row: dict[str, object]) -> float:
    value = row["relevance_score"] if "relevance_score" in row else row["score"]
    return float(str(value))


def from_spec(
    spec: str, *, base_url: str | None = None, api_key: str | None = None
) -> EndpointReranker:
    """Return the reranker named ``provider/model`` at ``base_url``.

    Raises SettingsError for a spec without a model, or where no address is given.
    """
    provider, _, model = spec.partition("/")
    if not provider or not model:
        raise SettingsError(setting="reranker", problem=f"{spec!r} is not provider/model")
    if not base_url:
        problem = f"{spec!r} is no folder here; an endpoint needs ENGRAPHY_RERANKER_BASE_URL"
        raise SettingsError(setting="reranker", problem=problem)
    endpoint = RerankEndpoint(model=model, base_url=base_url, api_key=api_key)
    return EndpointReranker(endpoint, provider=provider)

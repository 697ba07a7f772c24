"""Scores from any endpoint that speaks Cohere's ``/rerank`` (vLLM, Jina, LiteLLM, Voyage ...)."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from engraphy.errors import RerankerError, SettingsError
from engraphy.providers.bearer import Bearer, sendable
from engraphy.providers.http import Failure, checked_address, checked_key
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
        self._endpoint = endpoint
        self._bearer = Bearer(
            address=endpoint.base_url.rstrip("/") + "/rerank",
            api_key=endpoint.api_key,
            timeout=endpoint.timeout,
            retries=endpoint.retries,
            longest=LONGEST_ANSWER,
            pause=pause,
        )
        self.model_id = f"{provider}/{endpoint.model}"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score per text, in the order of the texts.

        Raises RerankerError where the endpoint cannot be reached, refuses, or answers nonsense.
        """
        if not texts:
            return []
        body: dict[str, object] = {
            "model": self._endpoint.model,
            "query": flat([query])[0],
            "documents": [sendable(text) for text in flat(texts)],
        }
        answer = self._asked(body)
        return checked(self._read(answer, len(texts)), count=len(texts), model=self.model_id)

    def _asked(self, body: dict[str, object]) -> bytes:
        answer = self._bearer.ask(body)
        if isinstance(answer, Failure):
            raise RerankerError(model=self.model_id, problem=answer.problem)
        return answer

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
        raise SettingsError(
            setting="reranker", problem=f"{spec!r} is not provider/model, such as openai/NAME"
        )
    if not base_url:
        problem = f"{spec!r} is no folder here; an endpoint needs ENGRAPHY_RERANKER_BASE_URL"
        raise SettingsError(setting="reranker", problem=problem)
    endpoint = RerankEndpoint(model=model, base_url=base_url, api_key=api_key)
    return EndpointReranker(endpoint, provider=provider)

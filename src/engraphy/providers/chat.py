"""Language models behind an endpoint: OpenAI-compatible, Anthropic, Ollama."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engraphy.errors import ModelError, ModelTimeoutError, SettingsError
from engraphy.model.calls import Completion
from engraphy.providers.anthropic import MESSAGES
from engraphy.providers.clock import stopwatch
from engraphy.providers.dialect import Dialect, NONSENSE, Question, parsed
from engraphy.providers.http import (
    Failure,
    Post,
    checked_address,
    checked_key,
    opener,
    post,
    waited,
)
from engraphy.providers.ollama import CHAT
from engraphy.providers.openai_chat import COMPATIBLE, OPENAI

LONGEST_ANSWER: Final = 1024 * 1024
_NOT_UNDERSTOOD: Final = frozenset({400, 422})
_ENDPOINTS: Final = Path(__file__).with_name("data") / "model_endpoints.json"
_DIALECTS: Final[Mapping[str, Dialect]] = {
    "anthropic": MESSAGES,
    "ollama": CHAT,
    "openai": OPENAI,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatEndpoint:
    """Where and how to ask. `base_url` ends before the dialect's path; `answer_tokens` bound an
    answer, `retries` counts further attempts after a busy or failing server."""

    provider: str
    model: str
    base_url: str
    dialect: Dialect
    api_key: str | None = field(default=None, repr=False)
    answer_tokens: int = 1024
    retries: int = 2


class ChatModel:
    """A language model behind an endpoint; nothing is connected to before the first question."""

    def __init__(
        self, endpoint: ChatEndpoint, *, pause: Callable[[float], None] = time.sleep
    ) -> None:
        """`pause` waits the given seconds between attempts."""
        self.model_id = f"{endpoint.provider}/{endpoint.model}"
        self._endpoint = endpoint
        self._pause = pause
        self._opener = opener()
        self._body = endpoint.dialect.body

    def complete(
        self, prompt: str, *, system: str, schema: dict[str, object], timeout: float
    ) -> Completion:
        """The answer. Raises ModelTimeoutError where there is none within `timeout` seconds,
        ModelError where the endpoint cannot be reached, refuses, or answers nonsense."""
        asked = Question(
            model=self._endpoint.model,
            system=system,
            prompt=prompt,
            schema=schema,
            longest=self._endpoint.answer_tokens,
        )
        answer = self._answer(asked, timeout)
        try:
            return self._endpoint.dialect.read(parsed(answer))
        except NONSENSE as error:
            problem = f"its answer is not of the interface's shape ({type(error).__name__})"
            raise ModelError(model=self.model_id, problem=problem) from None

    def _answer(self, asked: Question, timeout: float) -> bytes:
        """The answer of the first attempt that succeeds before the deadline."""
        deadline, attempt = stopwatch() + timeout, 0
        while isinstance(answer := self._attempt(asked, deadline), Failure):
            if answer.late:
                raise ModelTimeoutError(model=self.model_id, seconds=timeout)
            if answer.status in _NOT_UNDERSTOOD and self._simplified():
                continue
            pause = waited(answer, attempt)
            tried = attempt == self._endpoint.retries
            if not answer.transient or tried or stopwatch() + pause >= deadline:
                raise ModelError(model=self.model_id, problem=answer.problem)
            self._pause(pause)
            attempt += 1
        return answer

    def _simplified(self) -> bool:
        """Whether there is a plainer body than what was not understood; it is used from now on."""
        plain = self._endpoint.dialect.plain
        if plain is None or self._body is plain:
            return False
        self._body = plain
        return True

    def _attempt(self, asked: Question, deadline: float) -> bytes | Failure:
        endpoint = self._endpoint
        wanted = Post(
            address=endpoint.base_url + endpoint.dialect.path,
            body=json.dumps(self._body(asked)).encode("utf-8"),
            headers=endpoint.dialect.headers(endpoint.api_key),
            secret=endpoint.api_key,
            longest=LONGEST_ANSWER,
        )
        return post(self._opener, wanted, timeout=max(0.001, deadline - stopwatch()))


def from_spec(
    spec: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    usual_keys: Mapping[str, str] | None = None,
    answer_tokens: int = 1024,
    retries: int = 2,
) -> ChatModel:
    """The model named `provider/model`; its own name may hold slashes.

    The addresses of anthropic, lmstudio, ollama, openai and vllm are known; any other provider
    needs `base_url` and is spoken to as OpenAI-compatible. `ollama` at an address that ends in
    `/v1` is too. `usual_keys`: keys by provider, used where no `api_key` is given, and only for
    the provider's own address: a key of theirs goes to nobody else.

    Raises SettingsError for a spec without a model, an unusable address or key.
    """
    provider, _, model = spec.partition("/")
    if not provider or not model:
        raise SettingsError(
            setting="model", problem=f"{spec!r} is not provider/model, such as openai/NAME"
        )
    known: dict[str, str] = json.loads(_ENDPOINTS.read_text("utf-8"))
    address = base_url or known.get(provider)
    if address is None:
        names = ", ".join(sorted(known))
        raise SettingsError(
            setting="model", problem=f"{provider!r} needs a base_url (known: {names})"
        )
    address = checked_address("model base_url", address)
    usual = (usual_keys or {}).get(provider) if address == known.get(provider) else None
    endpoint = ChatEndpoint(
        provider=provider,
        model=model,
        base_url=address,
        dialect=_dialect(provider, address),
        api_key=checked_key("model api_key", api_key or usual),
        answer_tokens=answer_tokens,
        retries=retries,
    )
    return ChatModel(endpoint)


def _dialect(provider: str, address: str) -> Dialect:
    if provider == "ollama" and address.endswith("/v1"):
        return COMPATIBLE
    return _DIALECTS.get(provider, COMPATIBLE)

"""A server with a provider behind its proxy."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.proxy.upstream import Upstream
from tests.serving.server import CLEAR, Served

from engraphy.proxy import routing
from engraphy.serving.options import Upstream as Configured


@dataclass
class Proxied:
    """A running server, the provider behind it, and a client's key."""

    served: Served
    upstream: Upstream
    token: str

    def post(
        self, path: str, body: Any, *, headers: Mapping[str, str] | None = None
    ) -> httpx2.Response:
        """A request as a client of the provider makes it; `body`: JSON, or its bytes."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        own = {"x-engraphy-token": self.token, "content-type": "application/json"}
        return httpx2.post(
            f"{self.served.url}{path}",
            content=data,
            headers={**own, **(headers or {})},
            timeout=30,
            verify=CLEAR,
        )

    def ask(self, *texts: Any, headers: Mapping[str, str] | None = None, **more: Any) -> Any:
        """A message of Anthropic's; texts, or lists of parts, are said in turn by the user and the
        assistant."""
        roles = ("user", "assistant")
        chat = [{"role": roles[n % 2], "content": text} for n, text in enumerate(texts)]
        body = {"model": "m", "max_tokens": 1000, "messages": chat, **more}
        return self.post("/proxy/anthropic/v1/messages", body, headers=headers)

    def sent(self) -> Any:
        """The body of the provider's last request."""
        return json.loads(self.upstream.seen[-1].body)


@pytest.fixture
def provider() -> Iterator[Upstream]:
    """A provider."""
    with Upstream() as upstream:
        yield upstream


@pytest.fixture
def opening() -> dict[str, Any]:
    """How the server's memory is opened; a test of another profile has its own."""
    return {"embedder": "none"}


@pytest.fixture
def patience() -> float:
    """Seconds that a request waits for its block: here as long as a busy machine takes."""
    return 60.0


@pytest.fixture
def proxied(
    tmp_path: Path,
    provider: Upstream,
    opening: dict[str, Any],
    patience: float,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Proxied]:
    """A server whose upstreams `anthropic` and `openai` are the provider; `keyed` has a key."""
    monkeypatch.setattr(routing, "PATIENCE", patience)
    told = {
        "anthropic": Configured(base=provider.url),
        "openai": Configured(base=f"{provider.url}/"),
        "keyed": Configured(base=f"{provider.url}/base", key="sk-configured-0001"),
    }
    with Served(path=tmp_path / "memory.db", opening=opening, more={"upstreams": told}) as one:
        yield Proxied(one, provider, one.token(role="write"))

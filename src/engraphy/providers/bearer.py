"""Questions to one address with a key as bearer, again after a busy or failing server."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.request import OpenerDirector

from engraphy.providers.http import Failure, Post, opener, post, waited


@dataclass(frozen=True, kw_only=True)
class Bearer:
    """Whom to ask and how: `address` in full; `timeout` in seconds per request; `retries` counts
    further attempts; `longest` bytes of an answer are read; `pause` waits the given seconds."""

    address: str
    api_key: str | None = field(repr=False)
    timeout: float
    retries: int
    longest: int
    pause: Callable[[float], None]

    def ask(self, body: Mapping[str, object]) -> bytes | Failure:
        """The answer of the first attempt that succeeds, or why the last one did not."""
        told, attempt = json.dumps(body).encode("utf-8"), 0
        while isinstance(answer := self._attempt(told), Failure):
            if not answer.transient or attempt == self.retries:
                break
            self.pause(waited(answer, attempt))
            attempt += 1
        return answer

    def _attempt(self, body: bytes) -> bytes | Failure:
        wanted = Post(
            address=self.address,
            body=body,
            headers={"Authorization": f"Bearer {self.api_key}"} if self.api_key else {},
            secret=self.api_key,
            longest=self.longest,
        )
        return post(self._opener, wanted, timeout=self.timeout)

    @cached_property
    def _opener(self) -> OpenerDirector:
        return opener()


def sendable(text: str) -> str:
    """A text as endpoints take it: they refuse the empty one; a space has the same meaning."""
    return text or " "

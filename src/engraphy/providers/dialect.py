"""What differs between endpoints of language models: the path, the key, the body, the answer."""

import json
from collections.abc import Callable
from typing import Any, Final

from engraphy.model.calls import Completion
from engraphy.record import Record

NAME: Final = "answer"
"""What the wanted JSON is called where an interface wants a name for it."""
NONSENSE: Final = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
"""What reading an answer raises that is not of the interface's shape."""


class Question(Record, frozen=True, kw_only=True):
    """One question: `model` by the provider's own name, `longest` in tokens of the answer."""

    model: str
    system: str
    prompt: str
    schema: dict[str, object]
    longest: int


class Dialect(Record, frozen=True, kw_only=True):
    """An interface. `read` raises one of NONSENSE for an answer that is not of its shape; `plain`
    is the body for a server that refuses one with a schema."""

    path: str
    headers: Callable[[str | None], dict[str, str]]
    body: Callable[[Question], dict[str, object]]
    read: Callable[[Any], Completion]
    plain: Callable[[Question], dict[str, object]] | None = None


def bearer(key: str | None) -> dict[str, str]:
    """The header that carries a key in most interfaces."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def counted(usage: Any, name: str) -> int | None:
    """A count of tokens as an answer tells it; None where it tells none, or nonsense."""
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and count >= 0 else None


def text(value: Any) -> str:
    """A text of an answer. Raises TypeError for anything else."""
    if not isinstance(value, str):
        raise TypeError("the answer has no text")
    return value


def parsed(answer: bytes) -> Any:
    """The JSON of an answer. Raises one of NONSENSE."""
    return json.loads(answer.decode("utf-8"))

"""What a request says: its conversation as plain messages, each with its place in the body."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from engraphy.model.outcome import Placed
from engraphy.proxy.clients import clients, is_agent, is_words
from engraphy.proxy.splice import Body, Insertion, Span, elements
from engraphy.record import Record

Row = dict[str, object]
Form = str
"""How a block stands among messages: `part` (at the end of the prompt), `system` or `developer`
(a message of its own)."""
SYSTEM = ("system", "developer")
_HEARD = 4_000
"""Characters of a tool's answer in which a memory is looked for."""


class Reading(Record, frozen=True, kw_only=True):
    """A conversation: `chat` as `Memory.inject` takes it, and the value of each message in the
    body, in the same order."""

    body: Body
    chat: Sequence[Row]
    spans: Sequence[Span]
    system: str = ""
    tokens: object = None
    """The most tokens an answer may have, as the client wrote it."""

    @property
    def model(self) -> str:
        """The model's name."""
        told = self.body.get("model")
        return told if isinstance(told, str) else ""

    @property
    def form(self) -> Form:
        """How the client itself says things between turns: as it does, every server it talks to
        understands it; a part of the prompt where it says none."""
        roles = [one.value.get("role") for one in self.spans if isinstance(one.value, dict)]
        return next((one for one in ("developer", "system") if one in roles), "part")

    def behind(self, at: int) -> Span:
        """The message behind whose end a message for the prompt `at` stands: what a host says to
        the same prompt stands before it."""
        last = at
        while last + 1 < len(self.chat) and self.chat[last + 1]["role"] == "system":
            last += 1
        return self.spans[last]


class Dialect(Record, frozen=True, kw_only=True):
    """How a provider's requests are read and edited. `paths`: what its addresses end with."""

    name: str
    paths: tuple[str, ...]
    read: Callable[[Body], Reading]
    place: Callable[[Reading, Placed, Form], Sequence[Insertion]]


def listed(body: Body, name: str) -> list[Span]:
    """The elements of a member that is a list; none where it is none."""
    span = body.members.get(name)
    if span is None or not isinstance(span.value, list):
        return []
    return elements(body.text, span.start)


def spoken(content: object, kinds: Collection[str]) -> str:
    """The words in a message's content: a text, or the parts of these kinds, without those that
    are a host's."""
    if isinstance(content, str):
        return content if is_words(content) else ""
    if not isinstance(content, list):
        return ""
    parts = (one for one in content if isinstance(one, dict) and str(one.get("type")) in kinds)
    found = (one.get("text") for one in parts)
    return "\n".join(text for text in found if isinstance(text, str) and is_words(text))


def heard(value: object) -> str:
    """The beginning of what a tool answered."""
    return value[:_HEARD] if isinstance(value, str) else _joined(value)


def _joined(value: object) -> str:
    if not isinstance(value, list):
        return ""
    texts = (one.get("text") for one in value if isinstance(one, dict))
    return "\n".join(one for one in texts if isinstance(one, str))[:_HEARD]


def conversation(reading: Reading, headers: Mapping[str, str]) -> str | None:
    """What the client calls this conversation; None where it gives it no name."""
    known = clients()
    for name in known.sessions:
        if told := headers.get(name):
            return told
    for name in known.named:
        told = reading.body.get(name)
        if isinstance(told, dict):
            told = told.get("id")
        if isinstance(told, str) and told:
            return told
    return _in_metadata(reading.body.get("metadata"))


def is_beside(reading: Reading, headers: Mapping[str, str]) -> bool:
    """Whether a call is no part of the conversation: a title, a probe, an agent's own agent."""
    known = clients()
    if any(name in headers for name in known.beside):
        return True
    if headers.get("x-claude-code-request-class", "main") != "main" or _is_errand_of_codex(headers):
        return True
    told = str(reading.tokens)
    if told.isdecimal() and len(told) < 9 and int(told) < known.least_tokens:
        return True
    if reading.body.get("tools"):
        return False
    last = next((str(one["content"]) for one in reversed(reading.chat) if one["content"]), "")
    wants = f"{reading.system[:_HEARD]}\n{last[:_HEARD]}"
    return is_agent(headers) or known.errand.search(wants) is not None


def _is_errand_of_codex(headers: Mapping[str, str]) -> bool:
    told = _object(headers.get("x-codex-turn-metadata"))
    kind, source = told.get("request_kind", "turn"), told.get("thread_source", "user")
    return (kind, source) != ("turn", "user")


def _in_metadata(told: object) -> str | None:
    """Claude Code tells its session inside a text; others a user's name, which is no session."""
    user = told.get("user_id") if isinstance(told, dict) else None
    found = _object(user).get("session_id")
    return found if isinstance(found, str) and found else None


def _object(text: object) -> Mapping[str, Any]:
    if not isinstance(text, str) or not text.startswith("{"):
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}

"""Turns of a conversation as frameworks hand them over: their words, and where they are kept."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engraphy.adapters.walls import Walls
from engraphy.errors import ConflictError, StaleDocumentError
from engraphy.memory import Memory
from engraphy.model.documents import Document
from engraphy.text.echo import own

ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant"}
_LONGEST = 20_000
_ATTEMPTS = 100
_LOOKED_BACK = 20
"""So many of the last blocks are looked through for what an answer repeats."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """The turns of one conversation, in their order, in a project of its own."""

    memory: Memory
    walls: Walls
    shelf: str

    def read(self) -> list[Any]:
        """What was added, oldest first."""
        return [one.data for one in self._held()]

    def add(self, turns: Sequence[tuple[Any, str]]) -> None:
        """Add turns, each as JSON and as words."""
        self._written(lambda held: _next(held, turns))

    def pop(self) -> Any:
        """Take out the last turn and return it; None where there is none."""
        gone = self._written(
            lambda held: [replace(x, removed=True, expected=x.version) for x in held[-1:]]
        )
        return gone[0].data if gone else None

    def clear(self) -> None:
        """Take out every turn."""
        self._put([Document(key=one.key, removed=True) for one in self._held()])

    def _held(self) -> list[Document]:
        return self.memory.documents(self.shelf, **self.walls.named())

    def _put(self, documents: Iterable[Document]) -> None:
        self.memory.put_documents(self.shelf, documents, **self.walls.named())

    def _written(self, change: Callable[[list[Document]], list[Document]]) -> list[Document]:
        """What a change of what is held now wrote; anew where another writer was first."""
        for _ in range(_ATTEMPTS):
            documents = change(self._held())
            try:
                self._put(documents)
            except StaleDocumentError:
                continue
            return documents
        raise ConflictError(path=self.memory.path, id=self.shelf)


def _next(held: Sequence[Document], turns: Sequence[tuple[Any, str]]) -> list[Document]:
    number = int(held[-1].key) + 1 if held else 0
    return [
        Document(key=f"{number + place:012d}", data=turn, text=words[:_LONGEST], expected=0)
        for place, (turn, words) in enumerate(turns)
    ]


def words(content: object) -> str:
    """The text of a message's content: text, or blocks of which some are text."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        return words(content.get("text") or content.get("content") or "")
    if isinstance(content, Iterable):
        return "\n".join(text for one in content if (text := words(one)))
    return ""


def message(role: object, content: object) -> dict[str, str] | None:
    """A message as `observe` takes it; None for what nobody said in words."""
    known, text = ROLES.get(str(role)), words(content)
    return {"role": known, "content": text} if known and text.strip() else None


@dataclass(frozen=True, slots=True)
class Companion:
    """What a framework asks for around a turn: a block before it, and learning after it."""

    memory: Memory
    walls: Walls

    def block(self, prompt: str, session: str | None = None) -> str:
        """What is remembered about a prompt, fenced; empty where nothing is worth it."""
        if not prompt.strip():
            return ""
        return self.memory.context(prompt, conversation=session, **self.walls.named()).text

    def learn(self, said: Iterable[Mapping[str, Any] | None], session: str | None = None) -> None:
        """Observe what was said, in the background; nobody waits for it. What the model only
        repeats of what it was given is no news (R-10)."""
        known = [one for one in said if one is not None]
        given = self._given() if any(one["role"] == "assistant" for one in known) else []
        news = [one for one in (_news(one, given) for one in known) if one["content"]]
        if news:
            self.memory.observe_later(news, session=session, **self.walls.named())

    def _given(self) -> list[str]:
        """What was given last within these walls, into whichever conversation."""
        found = self.memory.receipts(limit=_LOOKED_BACK, **self.walls.named())
        return [line.content for receipt in found for line in receipt.lines]


def _news(one: Mapping[str, Any], given: Sequence[str]) -> dict[str, Any]:
    content = own(one["content"], given) if one["role"] == "assistant" else one["content"]
    return {**one, "content": content}


def last_asked(said: Sequence[Mapping[str, Any] | None]) -> str:
    """The last words of the user."""
    asked = [str(one["content"]) for one in said if one is not None and one["role"] == "user"]
    return asked[-1] if asked else ""

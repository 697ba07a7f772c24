"""What every adapter stands on: an opened memory, and the walls that it keeps to."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict

from engraphy.asynchronous import AsyncMemory
from engraphy.errors import InvalidInputError
from engraphy.memory import Memory


class Named(TypedDict):
    """The walls as the verbs take them."""

    user: str | None
    agent: str | None
    project: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Walls:
    """Where an adapter reads and writes; None on a wall is what is shared there."""

    user: str | None = None
    agent: str | None = None
    project: str | None = None

    def named(self) -> Named:
        """As arguments of a verb."""
        return {"user": self.user, "agent": self.agent, "project": self.project}

    def within(self, project: str) -> "Walls":
        """The same user and agent, inside a project of its own."""
        return replace(self, project=project)

    def apart(self, project: str, session_id: object) -> "Walls":
        """The same user and agent, inside the project of one conversation. Raises
        InvalidInputError."""
        if not isinstance(session_id, str) or not session_id:
            got = repr(session_id)[:40]
            raise InvalidInputError(field="session_id", got=got, allowed="text, not empty")
        return self.within(f"{project}:{session_id}")


def opened(memory: Memory | AsyncMemory | str | Path | None, embedder: object = None) -> Memory:
    """The memory that is given, or the file at a path (with that embedder), or the user's own
    where it is None. Raises InvalidInputError for an opened one and another embedder, and for an
    AsyncMemory."""
    if isinstance(memory, AsyncMemory):
        allowed = "a Memory, or a path (one file may be open as both): calls run in threads anyway"
        raise InvalidInputError(field="memory", got="an AsyncMemory", allowed=allowed)
    if not isinstance(memory, Memory):
        return Memory(memory, embedder=embedder)
    if embedder is not None:
        allowed = "a path, or a memory that was opened with this embedder, and none here"
        raise InvalidInputError(field="memory", got="an opened one", allowed=allowed)
    return memory

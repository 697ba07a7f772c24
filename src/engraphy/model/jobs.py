"""What waits to be extracted in the background (C-01)."""

from engraphy.model.outcome import Message
from engraphy.model.scope import Scope
from engraphy.record import Record


class Job(Record, frozen=True, kw_only=True):
    """Messages that were handed over and are not extracted yet.

    `said_at`: when they were said, in microseconds UTC; `attempts`: how often it was begun.
    `failed`: set aside, and not tried again unless somebody asks for it; `why`: the error, or that
    its process ended. `done`: extracted; `results` then tells what became of which memory, by its
    id (created, reinforced ...), and the messages are gone.
    """

    id: str
    scope: Scope
    messages: tuple[Message, ...]
    said_at: int
    attempts: int = 0
    failed: bool = False
    why: str = ""
    done: bool = False
    results: tuple[tuple[str, str], ...] = ()

"""Reminders: memories with a cue, which are told once when a moment or a topic comes."""

from typing import Literal, NamedTuple

from engraphy.model.memory import Memory
from engraphy.record import Record

PENDING, REMINDED = "reminder", "reminded"
"""The tag of a memory that waits to be told, and of one that was."""
EACH = "each"
"""`Cue.every` of what is told whenever its topic comes up."""


class Every(NamedTuple):
    """Every `number` days, weeks, months or years; of a month on its `day` (0 = as it began)."""

    number: int
    unit: str
    day: int = 0


class Cue(Record, frozen=True, kw_only=True):
    """When a memory is to be told: from the moment `at` on, which is over at `until` (microseconds
    UTC; None = at no moment), or when a topic comes up (its words; "" = at none). `every`: how
    often again ("1 week", `EACH`; "" = once), by the wall clock of `zone`; `told_at`: when it was
    told last."""

    at: int | None = None
    until: int | None = None
    topic: str = ""
    every: str = ""
    zone: str = "UTC"
    told_at: int | None = None


Waiting = Literal["waiting", "due", "overdue", "told", "over"]


class Reminder(Record, frozen=True, kw_only=True):
    """A memory that asks to be told, and how it stands: it waits, is due, overdue, was told (and is
    done), or is over without having been told. Times in microseconds UTC; `ends_at`: when it is
    over even though nobody was reminded."""

    memory: Memory
    status: Waiting
    at: int | None = None
    topic: str = ""
    every: str = ""
    told_at: int | None = None
    ends_at: int | None = None

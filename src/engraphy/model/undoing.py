"""What looking back and undoing give to callers."""

from typing import Any

from engraphy.model.memory import Memory
from engraphy.record import Record


class LeftAlone(Record, frozen=True, kw_only=True):
    """What was not undone: of which line of the journal, of what, and why. `field` is empty where
    it is the whole of it."""

    line: int
    id: str
    why: str
    field: str = ""


class Undone(Record, frozen=True, kw_only=True):
    """What an undo did, or with `dry_run` would do: of which lines of the journal; the memories
    that came back, that were taken out (for as long as a purge), and that were changed back; how
    many relations, facts and parts were put back or taken away beside them; what was left, and
    why. `journal`: the lines that tell it, by whose numbers it can be undone itself."""

    dry_run: bool
    what: str
    lines: tuple[int, ...] = ()
    restored: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    beside: int = 0
    left: tuple[LeftAlone, ...] = ()
    journal: tuple[int, ...] = ()


class FieldChange(Record, frozen=True, kw_only=True):
    """One field of a memory, before and after; None where it has no value, or is not told."""

    field: str
    old: Any = None
    new: Any = None


class Deed(Record, frozen=True, kw_only=True):
    """One line of the journal for people: who did what to what, when and why. `fields`: what it
    changed of one memory; `count`: how many memories it is about. `erased`: its text was forgotten,
    only that it happened is known."""

    line: int
    at: int
    actor: str
    op: str
    target: str
    reason: str
    count: int = 1
    fields: tuple[FieldChange, ...] = ()
    erased: bool = False


class Audit(Record, frozen=True, kw_only=True):
    """Lines of the journal, and whether the whole of it is as it was written: `broken` is the
    number of the first line that was changed, removed or cut off, None where there is none. `head`:
    its last line and that line's hash, to be kept elsewhere. `differing`: the ids of memories and
    facts that do not stand as it says; None where nobody looked."""

    entries: tuple[Deed, ...]
    whole: bool
    broken: int | None = None
    head: str = ""
    differing: tuple[str, ...] | None = None


class Mirrored(Record, frozen=True, kw_only=True):
    """The file that holds the journal once more: how many of its lines tell what the journal says,
    and whether it tells all of it; `problem` says what is wrong with it."""

    path: str
    lines: int
    whole: bool
    problem: str = ""


class Point(Record, frozen=True, kw_only=True):
    """A named point of the journal: its line and when it was named."""

    name: str
    line: int
    at: int


class Altered(Record, frozen=True, kw_only=True):
    """A memory that two points hold differently, as it is at the later one."""

    memory: Memory
    fields: tuple[FieldChange, ...]


class Difference(Record, frozen=True, kw_only=True):
    """What is different between two lines of the journal, as the journal tells it: memories that
    came, that went, and that changed; what was forgotten since is in neither."""

    first: int
    second: int
    added: tuple[Memory, ...] = ()
    removed: tuple[Memory, ...] = ()
    changed: tuple[Altered, ...] = ()

"""What is known of one subject through time."""

from engraphy.model.kinds import Kind, State
from engraphy.model.memory import Memory
from engraphy.record import Record


class TimelineEntry(Record, frozen=True, kw_only=True):
    """One text of one memory: when it was true, and when it was what the store knew.

    True from `since` until `until` (None: it still is), known from `recorded_at` until
    `replaced_at` (None: it still is), microseconds UTC all. `replaced_at` is when an edit, or the
    memory `superseded_by`, took its place; `supersedes`: ids of the memories whose place it took.
    """

    memory_id: str
    version: int
    content: str
    kind: Kind
    state: State
    since: int
    until: int | None
    recorded_at: int
    replaced_at: int | None
    superseded_by: str | None = None
    supersedes: tuple[str, ...] = ()


class Timeline(Record, frozen=True, kw_only=True):
    """Everything that was told of a subject, oldest first; `memories` are the rows as they stand
    now, in the order in which they became true."""

    subject: str
    entries: tuple[TimelineEntry, ...] = ()
    memories: tuple[Memory, ...] = ()

"""Changes that leave everything in the journal: what is taken out for a while, named points."""

from engraphy.model.memory import Memory
from engraphy.record import Record


class Remove(Record, frozen=True, kw_only=True):
    """Take a memory out as maintenance does, with everything beside it: no read, count or export
    shows it, and the journal keeps it whole under its key, so that `Restore` brings it back.

    `expected`: the row the decision was made on; one that was edited, re-stated or moved since is
    a ConflictError. `facts`: ids of facts that were read out of it and go along. A pinned or an
    immutable one is a ProtectedError. `Forget` erases what is removed for good."""

    id: str
    expected: Memory | None = None
    facts: tuple[str, ...] = ()
    reason: str = ""


class Mark(Record, frozen=True, kw_only=True):
    """Name this point of the journal; what the store holds at it can be rebuilt."""

    name: str
    reason: str = ""

"""What a move from store to store did."""

from engraphy.record import Record


class MovedTable(Record, frozen=True, kw_only=True):
    """A table that was brought over: its rows, how many of them this call copied, and what stands
    for its contents (64 hexadecimal digits, equal on both sides)."""

    name: str
    rows: int
    copied: int
    digest: str


class Moved(Record, frozen=True, kw_only=True):
    """A move that is done and was compared. `resumed`: whether it had been begun before; `lines`:
    of the journal, whose hashes are equal one by one and whose chain is whole; `recalls` samples
    of questions were asked of both stores: `recalls_equal` gave the same, `recall_overlap` is the
    share of hits in common; `behind`: lines the source got while it was being read, which are not
    in the target."""

    source: str
    target: str
    tenants: int
    memories: int
    lines: int
    tables: tuple[MovedTable, ...]
    resumed: bool
    recalls: int = 0
    recalls_equal: int = 0
    recall_overlap: float = 1.0
    behind: int = 0


class Question(Record, frozen=True, kw_only=True):
    """What both stores are asked: the beginning of a memory's text, behind its walls."""

    tenant: str
    user: str | None
    agent: str | None
    project: str | None
    text: str

"""The databases of other programs that become a store of ours, and how each is told."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from engraphy.model.memory import Memory
from engraphy.model.scope import Tenant
from engraphy.stores.sqlite import letsgo_rows, lynkr_rows

_TELLING = frozenset(
    {"category", "importance", "trust", "sensitivity", "tags", "content_hash", "accessed_count"}
)
_LEAST_TELLING = 3
_PROXY = frozenset(
    {"id", "session_id", "memory_type", "content", "context", "importance", "created_at",
     "last_accessed", "access_count"}
)  # fmt: skip


class Dialect(NamedTuple):
    """A program: its name in file names and journals, its columns, its rows as memories."""

    name: str
    title: str
    needed: Collection[str]
    indexed: Collection[str]
    """Columns of its full-text index."""
    memories: Callable[[Iterable[Mapping[str, Any]], Tenant, int], list[Memory]]
    telling: Collection[str] = ()
    least_telling: int = 0

    @property
    def kept(self) -> str:
        """Where the file stays that a store was upgraded from: beside it, under its name with
        this."""
        return f".{self.name}"

    def fits(self, columns: Collection[str], indexed: Collection[str]) -> bool:
        """Whether a database with these columns is its."""
        own = set(columns)
        telling = len(own.intersection(self.telling)) >= self.least_telling
        return own.issuperset(self.needed) and set(indexed).issuperset(self.indexed) and telling


DIALECTS = (
    Dialect(
        name="letsgo",
        title="LetsGo",
        needed=("id", "content", "updated_at"),
        indexed=("content",),
        memories=letsgo_rows.memories,
        telling=_TELLING,
        least_telling=_LEAST_TELLING,
    ),
    Dialect(
        name="lynkr",
        title="Lynkr",
        needed=_PROXY,
        indexed=("content", "context"),
        memories=lynkr_rows.memories,
    ),
)


def dialect(columns: Collection[str], indexed: Collection[str]) -> Dialect | None:
    """The program whose database has these columns in `memories` and in its index."""
    return next((one for one in DIALECTS if one.fits(columns, indexed)), None)

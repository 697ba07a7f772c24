"""Lists page by page, where a page begins with the row of a number."""

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar
from urllib.parse import urlencode

from engraphy.dashboard.visit import Visit

Row = TypeVar("Row")
_MOST = 10_000


class Page(NamedTuple, Generic[Row]):
    """The rows of a page, the number of the first of them (from 1), and the addresses of the next
    page and of the very first one, '' for none."""

    rows: Sequence[Row]
    begins: int
    more: str
    first: str


def asked(visit: Visit, size: int) -> int:
    """How many rows have to be had to show the page that is asked for, and whether one follows."""
    return min(_start(visit) + size + 1, _MOST)


def cut(visit: Visit, path: str, rows: Sequence[Row], size: int, **query: str) -> Page[Row]:
    """The page that is asked for, of rows that begin with the very first one."""
    start = _start(visit)
    further = {**query, "from": str(start + size + 1)}
    more = f"{path}?{urlencode(further)}" if len(rows) > start + size else ""
    first = (f"{path}?{urlencode(query)}" if query else path) if start else ""
    return Page(rows[start : start + size], start + 1, more, first)


def _start(visit: Visit) -> int:
    return visit.number("from", 1, _MOST) - 1

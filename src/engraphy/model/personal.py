"""What tells who somebody is or how to reach them, found in a text."""

from typing import NamedTuple


class Personal(NamedTuple):
    """One finding: its kind, and where it stands, as character offsets `[start, end)`."""

    kind: str
    start: int
    end: int

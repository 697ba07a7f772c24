"""A statement in PostgreSQL's words, as the client tells it and as the server prepares it."""

import re
from typing import Self

OWN = "own_"
"""The name of the value that is the tenant."""
NUMBER = "number_"
"""The name of the value that is a number drawn for a new row."""
_VALUE = re.compile(r"%\((\w+)\)s")
_NONE = re.compile(r"IN \((\$\d+)(?:, NULL)+\)")
_LISTED = re.compile(r"UNNEST\(CAST\(%\((\w+)\)s AS (BIGINT|TEXT)\[\]\)\)")


class Texts(str):
    """A list of texts as PostgreSQL writes an array."""

    __slots__ = ()


class Numbers(str):
    """A list of numbers as PostgreSQL writes an array."""

    __slots__ = ()


_LISTS: dict[str, type[str]] = {"TEXT": Texts, "BIGINT": Numbers}


class Shape:
    """What the server prepares: `names` are its values `$1` ... in their order."""

    __slots__ = ("_parts", "names")

    def __init__(self, parts: tuple[bytes, ...], names: tuple[str, ...]) -> None:
        self._parts = parts
        self.names = names

    def told(self, tenant: bytes) -> bytes:
        """Its text for a tenant, given as a literal: so that its plan knows the partition."""
        return tenant.join(self._parts)


class Statement(str):
    """A statement as psycopg takes it; `numbered`: its first row is the number of the new row;
    `names`: its values but for the tenant; `lists`: which of them are lists, told as JSON,
    and of what."""

    __slots__ = ("_shapes", "lists", "names", "numbered")
    numbered: bool
    names: tuple[str, ...]
    lists: dict[str, type[str]]
    _shapes: dict[tuple[str, ...], Shape]

    def __new__(cls, text: str, *, numbered: bool = False) -> Self:
        """A statement in PostgreSQL's own words."""
        made = super().__new__(cls, text)
        made.numbered = numbered
        made.names = tuple(one for one in dict.fromkeys(_VALUE.findall(text)) if one != OWN)
        made.lists = {name: _LISTS[kind] for name, kind in _LISTED.findall(text)}
        made._shapes = {}
        return made

    def shape(self, missing: tuple[str, ...]) -> Shape:
        """What is prepared where these values are NULL, which is said in words: a plan then leaves
        out what hangs on them."""
        found = self._shapes.get(missing)
        if found is None:
            found = self._shapes[missing] = self._shaped(missing)
        return found

    def _shaped(self, missing: tuple[str, ...]) -> Shape:
        names = tuple(one for one in self.names if one not in missing)
        places = {one: f"${place}" for place, one in enumerate(names, start=1)}
        parts = (
            _VALUE.sub(lambda found: places.get(found[1], "NULL"), part).replace("%%", "%")
            for part in self.split(f"%({OWN})s")
        )
        # One value is looked up by itself; a list, with NULL in it too, is gone through.
        told = (_NONE.sub(r"IN (\1)", part) for part in parts)
        return Shape(tuple(part.encode() for part in told), names)

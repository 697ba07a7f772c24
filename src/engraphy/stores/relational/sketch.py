"""Memories of which only some fields are read: maintenance goes through all rows, once per pass."""

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from msgspec.structs import replace

from engraphy.model.memory import Memory, filled, part_of
from engraphy.model.scope import Scope
from engraphy.stores.relational import rows

_ALWAYS = frozenset({"id", "state", "version", "updated_at"})
_COLUMNS = {"scope": "session"}


class Sketch:
    """Makes memories of rows that hold some of their fields, all but channels."""

    def __init__(self, fields: frozenset[str]) -> None:
        names = [one for one in Memory.__dataclass_fields__ if one in fields | _ALWAYS]
        self._kind = part_of(frozenset(names))
        self._words = [
            (place, {one.value: one for one in rows.VOCABULARIES[name]}, rows.VOCABULARIES[name])
            for place, name in enumerate(names)
            if name in rows.VOCABULARIES
        ]
        self._lists = [place for place, name in enumerate(names) if name in rows.LISTS]
        self._flags = [place for place, name in enumerate(names) if name in rows.FLAGS]
        self._metadata = names.index("metadata") if "metadata" in names else None
        self._scope = names.index("scope") if "scope" in names else None
        self.columns = "".join(f", m.{_COLUMNS.get(name, name)}" for name in names)

    def memory(self, walls: Scope, row: Sequence[Any]) -> Memory:
        """The memory of a row: its number, then the columns; `walls` are the scope it is in.
        Raises ValueError where a value cannot be what was written."""
        _, *values = row
        for place, members, words in self._words:
            values[place] = members.get(values[place]) or words(values[place])
        for place in self._lists:
            told = values[place]
            values[place] = () if told == "[]" else tuple(json.loads(told))
        for place in self._flags:
            values[place] = bool(values[place])
        if self._metadata is not None and values[self._metadata]:
            values[self._metadata] = tuple((key, value) for key, value in values[self._metadata])
        if self._scope is not None:
            values[self._scope] = _within(walls, values[self._scope])
        return filled(self._kind, values)


@lru_cache(maxsize=1_024)
def _within(walls: Scope, session: str | None) -> Scope:
    return replace(walls, session=session)


@cache
def sketching(fields: frozenset[str]) -> Sketch:
    """What reads these fields."""
    return Sketch(fields)

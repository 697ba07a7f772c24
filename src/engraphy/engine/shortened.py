"""Ids told by their beginning: one memory that the caller sees, or none.

Only ids that are all of one length are found so, of which none is the beginning of another: an id
that is gone never turns into somebody else's.
"""

import re

from engraphy.engine.manage import whole
from engraphy.engine.parts import Engine
from engraphy.errors import InvalidInputError
from engraphy.model import View

_SHAPES = (
    (26, re.compile(r"(?=[A-Z]{0,24}\d)[0-9A-HJKMNP-TV-Z]{6,25}")),
    (36, re.compile(r"(?=[a-f-]{0,35}\d)(?:[0-9a-f]{6,8}|[0-9a-f]{8}-[0-9a-f-]{0,26})")),
)
"""Ours, and the UUIDs that an import may bring, each with its length; no word is one."""
_SHOWN = 5


def whole_id(engine: Engine, told: str, view: View) -> str:
    """The id of the one memory of this caller that begins so; else what was told. Raises
    InvalidInputError where several do."""
    for length, shape in _SHAPES:
        if shape.fullmatch(told):
            found = engine.store.ids_from(whole(view), told, length, _SHOWN + 1)
            if len(found) == 1:
                return found[0]
            if found:
                raise InvalidInputError(
                    field="id",
                    got=f"{told!r}, with which several begin",
                    allowed=f"more of it: {', '.join(found[:_SHOWN])}{_more(len(found))}",
                )
    return told


def _more(count: int) -> str:
    return " and more" if count > _SHOWN else ""

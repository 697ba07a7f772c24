"""The walls of a scope as the one key that their row is found by: what the function
`engraphy_place` of the schema makes of them."""

from collections.abc import Iterable
from itertools import product
from typing import Any

_WALLS = ("user", "agent", "project", "conversation")


def placed(name: str, bindings: Any) -> Any:
    """The values of a statement, with the key that `find_scope` looks for, or those of
    `visible_scopes`: each wall is the caller's own or shared."""
    if name == "find_scope":
        return {"place": _place([bindings[wall] for wall in _WALLS])}
    if name == "visible_scopes":
        sides = (dict.fromkeys((None, bindings[wall])) for wall in _WALLS)
        return {"seen": [_place(one) for one in product(*sides)]}
    return bindings


def _place(walls: Iterable[str | None]) -> str:
    return " ".join("-" if one is None else f"{len(one)}:{one}" for one in walls)

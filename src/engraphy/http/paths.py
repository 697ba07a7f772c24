"""Which method and path each operation has over HTTP."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from msgspec.structs import replace

from engraphy.model.granting import TokenRole
from engraphy.operations import OPERATIONS
from engraphy.operations.background import CONVERSATIONS
from engraphy.operations.rights import LOCAL, role_of
from engraphy.operations.shape import Argument, ArgumentType, Operation
from engraphy.record import Record

_AS_JSON: Mapping[str, ArgumentType] = {"messages": "objects", "input": "object", "result": "json"}
"""Arguments that are texts with JSON in them elsewhere, and JSON here."""
_NAMED = re.compile(r"{(\w+)(?::\w+)?}")


class Place(Record, frozen=True, kw_only=True):
    """An operation over HTTP. `in_path`: the arguments that its path names; `pattern`: what paths
    are its own, where one of them may have slashes in it."""

    operation: Operation
    method: str
    path: str
    pattern: str
    role: TokenRole
    in_path: tuple[str, ...]

    @property
    def rest(self) -> tuple[Argument, ...]:
        """The arguments that do not stand in the path."""
        return tuple(one for one in self.operation.arguments if one.name not in self.in_path)


@cache
def places() -> tuple[Place, ...]:
    """Every operation that may be reached from elsewhere, in the order of operations."""
    told = tomllib.loads(files("engraphy.http").joinpath("paths.toml").read_text("utf-8"))
    known = (*OPERATIONS, *CONVERSATIONS)
    return tuple(_place(_spoken(one), told) for one in known if one.name not in LOCAL)


def _spoken(one: Operation) -> Operation:
    """An operation as JSON speaks it: a chat is a list of objects, and no text with one in it."""
    arguments = tuple(
        replace(part, type=_AS_JSON.get(part.name, part.type)) for part in one.arguments
    )
    return replace(one, arguments=arguments)


def _place(one: Operation, told: Mapping[str, str]) -> Place:
    usual = f"POST /v1/{one.name.replace('_', '-')}"
    method, _, path = told.get(one.name, usual).partition(" ")
    return Place(
        operation=one,
        method=method,
        path=_NAMED.sub(r"{\1}", path),
        pattern=path,
        role=role_of(one.name),
        in_path=tuple(_NAMED.findall(path)),
    )

"""Toolsets: the documents' own tools, as data over the operations.

A tool renames an operation, its arguments and the fields of its answer, fixes some arguments and
closes the sets of others. It is run as every operation is, and answers in plain JSON values.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from engraphy.errors import InvalidInputError, UnknownFieldError
from engraphy.memory import Memory
from engraphy.operations import operation
from engraphy.operations.shape import Argument, ArgumentType, Operation, Values
from engraphy.plain import plain
from engraphy.text.rewrite import shortened

NAMES = ("layered", "letsgo", "titans")
_TYPES: Mapping[ArgumentType, tuple[type, ...]] = {
    "text": (str,),
    "file": (str,),
    "new_file": (str,),
    "integer": (int,),
    "number": (int, float),
    "flag": (bool,),
    "texts": (list, tuple),
}


class _Argument(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    help: str
    to: str = ""
    type: ArgumentType = "text"
    required: bool = False
    choices: list[str] = []
    values: dict[str, str | list[str]] = {}
    """What a choice means to the operation, where it has another name there, or several."""


class _Tool(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    operation: str
    help: str
    arguments: list[_Argument] = []
    fixed: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    preview: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Of each content only the beginning, so many characters of it; 0 = all."""


class _View(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    fields: dict[str, str] = {}
    kinds: dict[str, str] = {}


class _File(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    description: str
    missing: list[str] = []
    """Tools of the document that no operation carries yet."""
    scope: bool = True
    view: _View = msgspec.field(default_factory=_View)
    tools: list[_Tool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolset:
    """The tools of one document; `missing` names those that it lacks."""

    name: str
    description: str
    tools: tuple[Operation, ...]
    missing: tuple[str, ...] = field(default=())

    def tool(self, name: str) -> Operation:
        """The tool of that name. Raises InvalidInputError that lists the names."""
        for one in self.tools:
            if one.name == name:
                return one
        allowed = ", ".join(one.name for one in self.tools)
        raise InvalidInputError(field="tool", got=repr(name)[:60], allowed=allowed)

    def run(self, memory: Memory, name: str, values: Values) -> Any:
        """Run a tool by its name with the document's argument names; plain JSON values.

        Raises UnknownFieldError and InvalidInputError before anything is written.
        """
        return self.tool(name).run(memory, values)


@cache
def toolset(name: str) -> Toolset:
    """The toolset of that name. Raises InvalidInputError."""
    if name not in NAMES:
        raise InvalidInputError(field="toolset", got=repr(name)[:60], allowed=", ".join(NAMES))
    text = files("engraphy.operations").joinpath(f"toolsets/{name}.toml").read_text("utf-8")
    read = msgspec.convert(tomllib.loads(text), _File)
    made = tuple(_made(tool, operation(tool.operation), read) for tool in read.tools)
    return Toolset(name=name, description=read.description, tools=made, missing=tuple(read.missing))


def _made(tool: _Tool, verb: Operation, read: _File) -> Operation:
    known = {one.name: one for one in verb.arguments}
    for name in (*tool.fixed, *tool.defaults, *(one.to or one.name for one in tool.arguments)):
        if name not in known:
            problem = f"{tool.name}: {verb.name} takes no {name}"
            raise InvalidInputError(field="toolset", got=problem, allowed=", ".join(known))
    own = tuple(_argument(one, known[one.to or one.name]) for one in tool.arguments)
    named = {one.to or one.name for one in tool.arguments}
    spelled = {one.to: one.name for one in tool.arguments if one.to}
    walls = [known[name] for name in ("user", "agent", "project", "session") if name in known]
    arguments = (*own, *(one for one in walls if read.scope and one.name not in named))

    def run(memory: Memory, values: Values) -> Any:
        asked = _asked(tool, arguments, values)
        try:
            told = verb.run(memory, asked)
        except InvalidInputError as error:
            raise _spelled(error, spelled) from error
        return _viewed(plain(told), read.view, tool.preview)

    return Operation(name=tool.name, help=tool.help, arguments=arguments, run=run)


def _argument(one: _Argument, known: Argument) -> Argument:
    return Argument(
        name=one.name,
        type=one.type if one.type != "text" else known.type,
        help=one.help,
        required=one.required,
        choices=tuple(one.choices or known.choices),
    )


def _asked(tool: _Tool, arguments: tuple[Argument, ...], values: Values) -> dict[str, Any]:
    """The operation's arguments out of the tool's. Raises UnknownFieldError, InvalidInputError."""
    allowed = {one.name: one for one in arguments}
    for name in values:
        if name not in allowed:
            raise UnknownFieldError(got=repr(name), allowed=", ".join(allowed))
    renamed = {one.name: one for one in tool.arguments}
    asked = dict(tool.defaults)
    for name, one in allowed.items():
        value = values.get(name)
        if value is None:
            if one.required:
                raise InvalidInputError(field=name, got="nothing", allowed=one.help)
            continue
        _check(one, value)
        rule = renamed.get(name)
        target = rule.to or name if rule else name
        asked[target] = rule.values.get(value, value) if rule and rule.values else value
    return asked | tool.fixed


def _spelled(error: InvalidInputError, names: Mapping[str, str]) -> InvalidInputError:
    """The error of an operation, about the argument by the tool's own name."""
    field = str(error.details.get("field", "")).partition("[")[0]
    if field not in names or type(error) is not InvalidInputError:
        return error
    got, allowed = (error.details.get(key) for key in ("got", "allowed"))
    return InvalidInputError(field=names[field], got=got, allowed=allowed)


def _check(one: Argument, value: object) -> None:
    fits = isinstance(value, _TYPES[one.type]) and (
        one.type == "flag" or not isinstance(value, bool)
    )
    if not fits:
        got = f"{type(value).__name__} {repr(value)[:40]}"
        raise InvalidInputError(field=one.name, got=got, allowed=one.type)
    items = value if isinstance(value, list | tuple) else [value]
    for item in items if one.choices else ():
        if item not in one.choices:
            allowed = ", ".join(one.choices)
            raise InvalidInputError(field=one.name, got=repr(item)[:60], allowed=allowed)


def _viewed(value: Any, view: _View, preview: int = 0) -> Any:
    """An answer under the document's names: fields renamed, kinds as the nearest it has, of each
    content only its `preview` where that is asked for."""
    if isinstance(value, list | tuple):
        return [_viewed(one, view, preview) for one in value]
    if not isinstance(value, dict):
        return value
    shown: dict[Any, Any] = {}
    for name, one in value.items():
        told = view.kinds.get(one, one) if name == "kind" and isinstance(one, str) else one
        if preview and name == "content":
            shown["content_preview"] = shortened(" ".join(str(one).split()), preview)
        else:
            shown[view.fields.get(name, name)] = _viewed(told, view, preview)
    return shown

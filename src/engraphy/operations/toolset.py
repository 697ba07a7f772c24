"""Toolsets: the documents' own tools, and ours, as data over the operations.

A tool renames an operation, its arguments and the fields of its answer, fixes some arguments and
closes the sets of others. It is run as every operation is, and answers in plain JSON values.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import field

from engraphy.errors import InvalidInputError, UnknownFieldError
from engraphy.memory import Memory
from engraphy.operations import OPERATIONS
from engraphy.operations.checking import check
from engraphy.operations.reference import REFERENCE
from engraphy.operations.shape import Argument, ENVELOPES, LEAVE, Operation, Values
from engraphy.operations.toolset_file import FileArgument, FileTool, ToolsetFile
from engraphy.operations.viewing import viewed
from engraphy.plain import plain
from engraphy.record import Record

NAMES = ("cognitive", "default", "layered", "letsgo", "reference", "titans")
WALLS = ("user", "agent", "project", "session")
_KNOWN = {one.name: one for one in (*OPERATIONS, *REFERENCE)}


class Tool(Operation, frozen=True, kw_only=True):
    """An operation under a document's names, and what a door tells of it.

    `destructive`: what it takes away is gone; `idempotent`: twice is as once; `always`: a host
    should show it from the start; `hint`: words to find it by; `envelope`: the name under which a
    list stands in an object; `text`: the field of the answer that is all of it; `shown`: the one
    that stands in its text; `returns`: what it is like, as JSON Schema; `walls`: by which argument
    of its own a caller names a wall, or the session, where the door does not; `lifts`: by which
    flag it is lifted; `verb`: the operation's name.
    """

    within: Callable[[Memory, Values, Values], Any]
    verb: str = ""
    title: str = ""
    destructive: bool = False
    idempotent: bool = False
    always: bool = False
    hint: str = ""
    envelope: str = ""
    text: str = ""
    shown: str = ""
    returns: Mapping[str, Any] = field(default_factory=dict)
    walls: Mapping[str, str] = field(default_factory=dict)
    lifts: Mapping[str, str] = field(default_factory=dict)


class Toolset(Record, frozen=True, kw_only=True):
    """The tools of one document; `missing` names those that it lacks. `instructions` tell a model
    what the tools are for."""

    name: str
    description: str
    tools: tuple[Tool, ...]
    instructions: str = ""
    exact: bool = False
    shapes: Mapping[str, Any] = field(default_factory=dict)
    missing: tuple[str, ...] = field(default=())

    def tool(self, name: str) -> Tool:
        """The tool of that name. Raises InvalidInputError that lists the names."""
        for one in self.tools:
            if one.name == name:
                return one
        allowed = ", ".join(one.name for one in self.tools)
        raise InvalidInputError(field="tool", got=repr(name)[:60], allowed=allowed)

    def run(self, memory: Memory, name: str, values: Values, within: Values | None = None) -> Any:
        """Run a tool by its name with the document's argument names; plain JSON values.

        `within`: the walls (user, agent, project) that a door stands in, which are no arguments any
        more (None: what is shared), and the session that calls come from. Raises UnknownFieldError
        and InvalidInputError before anything is written.
        """
        return self.tool(name).within(memory, values, within or {})


@cache
def toolset(name: str) -> Toolset:
    """The toolset of that name. Raises InvalidInputError."""
    if name not in NAMES:
        raise InvalidInputError(field="toolset", got=repr(name)[:60], allowed=", ".join(NAMES))
    text = files("engraphy.operations").joinpath(f"toolsets/{name}.toml").read_text("utf-8")
    read = msgspec.convert(tomllib.loads(text), ToolsetFile)
    return Toolset(
        name=name,
        description=read.description,
        instructions=read.instructions.strip(),
        exact=read.exact,
        shapes=read.shapes,
        tools=tuple(_made(tool, _KNOWN[tool.operation], read) for tool in read.tools),
        missing=tuple(read.missing),
    )


def _made(tool: FileTool, verb: Operation, read: ToolsetFile) -> Tool:
    known = {one.name: one for one in verb.arguments}
    own = [one for one in tool.arguments if not one.lifts]
    for name in (*tool.fixed, *tool.defaults, *(one.to or one.name for one in own)):
        if name not in known:
            problem = f"{tool.name}: {verb.name} takes no {name}"
            raise InvalidInputError(field="toolset", got=problem, allowed=", ".join(known))
    named = {one.to or one.name for one in own}
    walls = [known[name] for name in WALLS if name in known]
    arguments = (
        *(_argument(one, known.get(one.to or one.name)) for one in tool.arguments),
        *(one for one in walls if read.scope and one.name not in named),
    )

    def within(memory: Memory, values: Values, standing: Values) -> Any:
        fixed = _fixed(verb, standing, in_session=read.in_session)
        asked = {**_usual(verb, standing), **_asked(tool, arguments, values, fixed)}
        try:
            told = verb.run(memory, asked)
        except InvalidInputError as error:
            raise _spelled(error, verb, own) from error
        return viewed(plain(told), read.view, preview=tool.preview, without=tool.without)

    return Tool(
        name=tool.name,
        help=tool.help,
        arguments=arguments,
        run=lambda memory, values: within(memory, values, {}),
        within=within,
        verb=verb.name,
        reads=verb.reads,
        title=tool.title,
        destructive=tool.destructive,
        idempotent=tool.idempotent,
        always=tool.always,
        hint=tool.hint,
        envelope=ENVELOPES.get(verb.name, ""),
        text=tool.text,
        shown=tool.shown,
        returns=tool.returns,
        walls=_walls(tool, verb, arguments, in_session=read.in_session),
        lifts={one.lifts: one.name for one in tool.arguments if one.lifts},
    )


def _argument(one: FileArgument, known: Argument | None) -> Argument:
    if known is None:
        return Argument(name=one.name, type="flag", help=one.help)
    return Argument(
        name=one.name,
        type=one.type if one.type != "text" else known.type,
        help=one.help,
        required=one.required,
        choices=tuple(one.choices or known.choices),
        parts=known.parts,
    )


def _fixed(verb: Operation, standing: Values, *, in_session: bool) -> dict[str, Any]:
    """The walls that a door stands in, which no caller of it names; a session is one only where
    the document closes memories into theirs."""
    takes = {one.name for one in verb.arguments}
    if not in_session:
        takes.discard("session")
    return {name: value for name, value in standing.items() if name in takes}


def _usual(verb: Operation, standing: Values) -> dict[str, Any]:
    """What the session of a door is to an operation where the caller names none: where something
    comes from, and what a block goes into. It narrows nothing that is read (R-05)."""
    session = standing.get("session")
    takes = {one.name for one in verb.arguments}
    if session is None:
        return {}
    told = {"session": session} if "session" in takes and not verb.reads else {}
    return {**told, "conversation": session} if "conversation" in takes else told


def _walls(
    tool: FileTool, verb: Operation, arguments: tuple[Argument, ...], *, in_session: bool
) -> dict[str, str]:
    renamed = {one.name: one for one in tool.arguments}
    fixed = _fixed(verb, dict.fromkeys(WALLS, ""), in_session=in_session)
    named = {_to(renamed, one.name): one.name for one in arguments}
    return {wall: named[wall] for wall in fixed if wall in named}


def _asked(
    tool: FileTool, arguments: tuple[Argument, ...], values: Values, fixed: Values
) -> dict[str, Any]:
    """The operation's arguments out of the tool's. Raises UnknownFieldError, InvalidInputError."""
    renamed = {one.name: one for one in tool.arguments}
    allowed = {one.name: one for one in arguments if _to(renamed, one.name) not in fixed}
    for name in values:
        if name not in allowed:
            raise UnknownFieldError(got=repr(name), allowed=", ".join(allowed))
    asked = {**tool.defaults, **fixed}
    for name, one in allowed.items():
        value = values.get(name)
        if value is None:
            if one.required:
                raise InvalidInputError(field=name, got="nothing", allowed=one.help)
            continue
        check(one, value)
        rule = renamed.get(name)
        if rule is not None and rule.lifts:
            if value:
                asked.pop(rule.lifts, None)
            continue
        asked[_to(renamed, name)] = rule.values.get(value, value) if rule and rule.values else value
    return asked | tool.fixed


def _to(renamed: Mapping[str, FileArgument], name: str) -> str:
    rule = renamed.get(name)
    return rule.to or name if rule is not None else name


def _spelled(
    error: InvalidInputError, verb: Operation, own: Sequence[FileArgument]
) -> InvalidInputError:
    """The error of an operation, about the argument by the tool's own name; where it is about none,
    as nothing was given to work on, with the arguments that the tool has for that."""
    if type(error) is not InvalidInputError:
        return error
    names = {one.to: one.name for one in own if one.to}
    field = str(error.details.get("field", "")).partition("[")[0]
    got, allowed = (error.details.get(key) for key in ("got", "allowed"))
    if field == verb.name:
        beside = {*WALLS, *(one.name for one in LEAVE)}
        free = [one.name for one in own if not one.required and (one.to or one.name) not in beside]
        return InvalidInputError(field=field, got=got, allowed=", ".join(free))
    if field not in names:
        return error
    return InvalidInputError(field=names[field], got=got, allowed=allowed)

"""The shape of a toolset's file (toolsets/NAME.toml)."""

from typing import Annotated, Any

import msgspec
from msgspec import Struct

from engraphy.operations.shape import ArgumentType
from engraphy.operations.viewing import View


class FileArgument(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An argument under a document's name; `to` is the operation's."""

    name: str
    help: str
    to: str = ""
    type: ArgumentType = "text"
    required: bool = False
    choices: list[str] = []
    values: dict[str, str | list[str]] = {}
    """What a choice means to the operation, where it has another name there, or several."""
    lifts: str = ""
    """A flag of the door's: what is written is on no side of this wall."""


class FileTool(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool: an operation with its arguments, fixed ones and defaults."""

    name: str
    operation: str
    help: str
    title: str = ""
    arguments: list[FileArgument] = []
    fixed: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    preview: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Of each content only the beginning, so many characters of it; 0 = all."""
    without: list[str] = []
    """Fields of the answer that are left out."""
    text: str = ""
    """The field of the answer that is all of it, as text."""
    shown: str = ""
    """The field of the answer that stands in the text beside the whole answer."""
    returns: dict[str, Any] = {}
    """What the answer is like, as JSON Schema."""
    destructive: bool = False
    idempotent: bool = False
    always: bool = False
    hint: str = ""


class ToolsetFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A toolset, as its file says it."""

    description: str
    instructions: str = ""
    missing: list[str] = []
    """Tools of the document that no operation carries yet."""
    scope: bool = True
    """Whether the walls are arguments of every tool."""
    in_session: bool = False
    """Whether what is read is of the session too, where a door has one."""
    exact: bool = False
    """Whether answers are told with everything that is empty in them."""
    shapes: dict[str, dict[str, Any]] = {}
    """Parts of `returns` that several tools share, by the name in their `$ref`."""
    view: View = msgspec.field(default_factory=View)
    tools: list[FileTool]

"""Toolsets as what the protocol lists: names, JSON Schemas, annotations, hints.

`tools/generate_mcp_tools.py` writes it to `tools/NAME.json`; a server reads only that.
"""

from collections.abc import Mapping
from typing import Any

from engraphy.operations.shape import Argument
from engraphy.operations.toolset import Tool, Toolset

_TYPES: Mapping[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "file": {"type": "string"},
    "new_file": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
}


def rendered(tools: Toolset) -> dict[str, Any]:
    """A toolset as plain JSON values: its instructions, and its tools in their order."""
    return {
        "description": tools.description,
        "instructions": tools.instructions,
        "tools": [_tool(one, tools.shapes) for one in tools.tools],
    }


def _tool(one: Tool, shapes: Mapping[str, Any]) -> dict[str, Any]:
    told = {
        "name": one.name,
        "title": one.title or one.name.replace("_", " ").capitalize(),
        "description": one.help,
        "inputSchema": _object(one.arguments),
        "annotations": _annotations(one),
    }
    if one.returns:
        told["outputSchema"] = _output(one.returns, shapes)
    if meta := _meta(one):
        told["_meta"] = meta
    return {"tool": told, "walls": dict(one.walls), "lifts": dict(one.lifts)}


def _object(arguments: tuple[Argument, ...]) -> dict[str, Any]:
    required = [one.name for one in arguments if one.required]
    made = {
        "type": "object",
        "properties": {one.name: _schema(one) for one in arguments},
        "additionalProperties": False,
    }
    return {**made, "required": required} if required else made


def _schema(one: Argument) -> dict[str, Any]:
    if one.type == "objects":
        kind = {"type": "array", "items": _object(one.parts)}
    elif one.type == "texts":
        kind = {"type": "array", "items": {"type": "string", **_choices(one)}}
    else:
        kind = {**_TYPES[one.type], **_choices(one)}
    return {**kind, "description": one.help}


def _choices(one: Argument) -> dict[str, Any]:
    return {"enum": list(one.choices)} if one.choices else {}


def _annotations(one: Tool) -> dict[str, bool]:
    """Nothing here reaches further than the user's own store."""
    told = {"readOnlyHint": one.reads, "openWorldHint": False}
    changes = {"destructiveHint": one.destructive, "idempotentHint": one.idempotent}
    return told if one.reads else {**told, **changes}


def _meta(one: Tool) -> dict[str, Any]:
    always = {"anthropic/alwaysLoad": True} if one.always else {}
    return {**always, **({"anthropic/searchHint": one.hint} if one.hint else {})}


def _output(returns: Mapping[str, Any], shapes: Mapping[str, Any]) -> dict[str, Any]:
    """A schema that stands alone: the shapes that it names are in it."""
    reference = returns.get("$ref")
    whole = dict(shapes[str(reference).rpartition("/")[2]]) if reference else dict(returns)
    used = {name: shape for name, shape in shapes.items() if f"#/$defs/{name}" in repr(whole)}
    return {**whole, "$defs": used} if used else whole

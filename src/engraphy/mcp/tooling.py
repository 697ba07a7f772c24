"""The tools of a server: what was rendered beforehand, and how a call gets to the desk."""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp_types import CallToolResult, TextContent, ToolAnnotations

from engraphy.errors import InvalidInputError
from engraphy.mcp.late import Late
from engraphy.mcp.options import Answer

NAMES = ("cognitive", "default", "layered", "letsgo", "reference", "titans")


def announced(name: str) -> dict[str, Any]:
    """What a toolset tells, as it was rendered. Raises InvalidInputError."""
    if name not in NAMES:
        raise InvalidInputError(field="toolset", got=repr(name)[:60], allowed=", ".join(NAMES))
    text = files("engraphy.mcp").joinpath(f"tools/{name}.json").read_text("utf-8")
    told: dict[str, Any] = json.loads(text)
    return told


class _Rendered(Tool):
    """A tool whose arguments are checked where they are known: by the toolset."""

    async def run(
        self,
        arguments: dict[str, Any],
        context: Context[Any, Any],
        convert_result: bool = False,  # noqa: ARG002 - it is a result already
    ) -> Any:
        """The result of a call."""
        return await self.fn(arguments, context)


def tools(
    told: Mapping[str, Any], late: Late, fixed: Sequence[str], *, reads_only: bool = False
) -> list[Tool]:
    """The tools of a toolset, in its order. `fixed`: the walls that the server stands in, which
    are no arguments then; `reads_only`: those that change nothing."""
    return [
        _tool(one, late, fixed)
        for one in told["tools"]
        if not reads_only or one["tool"]["annotations"]["readOnlyHint"]
    ]


def _tool(one: Mapping[str, Any], late: Late, fixed: Sequence[str]) -> Tool:
    told = one["tool"]
    name = told["name"]

    async def call(arguments: dict[str, Any], context: Context[Any, Any]) -> CallToolResult:
        async def beat(seconds: float) -> None:
            await context.report_progress(seconds, None, f"{name}: {seconds:.0f} s")

        return result(await late.work(lambda desk: desk.call(name, arguments), beat))

    return _Rendered(
        fn=call,
        name=name,
        title=told["title"],
        description=told["description"],
        parameters=_parameters(one, fixed),
        fn_metadata=FuncMetadata(arg_model=ArgModelBase, output_schema=told.get("outputSchema")),
        is_async=True,
        context_kwarg=None,
        annotations=ToolAnnotations.model_validate(told["annotations"]),
        meta=told.get("_meta"),
    )


def _parameters(one: Mapping[str, Any], fixed: Sequence[str]) -> dict[str, Any]:
    """The schema of the arguments, without those that the server's walls stand for, and without
    the flags that lift a wall that is none."""
    schema = one["tool"]["inputSchema"]
    gone = {name for wall, name in one["walls"].items() if wall in fixed}
    gone |= {name for wall, name in one["lifts"].items() if wall not in fixed}
    left = {name: part for name, part in schema["properties"].items() if name not in gone}
    required = [name for name in schema.get("required", ()) if name not in gone]
    rest = {key: part for key, part in schema.items() if key not in ("properties", "required")}
    return {**rest, "properties": left, **({"required": required} if required else {})}


def result(answer: Answer) -> CallToolResult:
    """An answer as the protocol has it."""
    return CallToolResult(
        content=[TextContent(type="text", text=answer.text)],
        structured_content=answer.structured,
        is_error=answer.failed,
    )

"""What may be typed next: ids, kinds, subjects and projects for the addresses of resources."""

from collections.abc import Callable, Mapping
from typing import Any, TYPE_CHECKING

from mcp.server import MCPServer
from mcp_types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

from engraphy.errors import EngraphyError
from engraphy.mcp.late import Late

if TYPE_CHECKING:
    from engraphy.mcp.desk import Desk

_MOST = 100
_VALUES: Mapping[str, Callable[["Desk"], list[str]]] = {
    "id": lambda desk: desk.ids(),
    "kind": lambda desk: desk.kinds(),
    "subject": lambda desk: desk.subjects(),
    "project": lambda desk: desk.projects(),
}


def add_completion(server: MCPServer[Any], late: Late) -> None:
    """Complete the variables of resource addresses from what the caller may see."""

    async def complete(
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,  # noqa: ARG001 - the SDK passes it
    ) -> Completion | None:
        known = _VALUES.get(argument.name)
        if known is None or not isinstance(ref, ResourceTemplateReference):
            return None
        begun = argument.value.casefold()
        try:
            values = await late.work(known)
        except EngraphyError:
            return None
        fit = [one for one in values if one.casefold().startswith(begun)]
        return Completion(values=fit[:_MOST], total=len(fit), has_more=len(fit) > _MOST)

    server.completion()(complete)  # type: ignore[no-untyped-call]

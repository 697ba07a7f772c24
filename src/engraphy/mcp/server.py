"""The server: its tools, resources, prompts and completion, over one store."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from mcp.server import MCPServer
from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

from engraphy import __version__
from engraphy.mcp.completing import add_completion
from engraphy.mcp.late import Late
from engraphy.mcp.options import Options
from engraphy.mcp.prompts import add_prompts, knowing
from engraphy.mcp.resources import add_resources
from engraphy.mcp.tooling import announced, tools

_WALLS = ("user", "agent", "project", "session")


def server(
    options: Options,
    *,
    verifier: TokenVerifier | None = None,
    auth: AuthSettings | None = None,
    late: Late | None = None,
) -> MCPServer[Any]:
    """A server that is ready at once; its memory opens with the first call, and closes with it.
    Raises InvalidInputError for a toolset that there is not."""
    told = announced(options.toolset)
    behind = late or Late(options)
    fixed = _fixed(options)

    @asynccontextmanager
    async def open_for_a_while(_: MCPServer[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            behind.close()

    async def warming(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """The memory is loaded once a client knows what there is to call."""
        found = await call_next(ctx)
        if ctx.method == "tools/list":
            behind.warm()
        return found

    made = MCPServer(
        "engraphy",
        title="Engraphy memory",
        description=told["description"],
        instructions=told["instructions"],
        version=__version__,
        tools=tools(told, behind, fixed, reads_only=options.reads_only),
        lifespan=open_for_a_while,
        log_level="WARNING",
        middleware=[warming, knowing],
        token_verifier=verifier,
        auth=auth,
    )
    add_resources(made, behind, fixed)
    add_prompts(made, behind)
    add_completion(made, behind)
    return made


def _fixed(options: Options) -> Sequence[str]:
    """The walls that callers do not name. Which project "auto" means is worked out later; where it
    is none, what is told is shared, and no caller reaches into another project either."""
    given = {name: getattr(options, name) for name in _WALLS}
    return [name for name, value in given.items() if value not in (None, "none")]

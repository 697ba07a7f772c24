"""`engraphy mcp`: the server for agents. Everything heavy is loaded when it starts, not before."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import click

from engraphy.errors import EngraphyError, MissingExtraError

_TOOLSETS = ("default", "cognitive", "layered", "letsgo", "reference", "titans")


@click.command()
@click.option(
    "--toolset",
    type=click.Choice(_TOOLSETS),
    default="default",
    help="the set of tools to offer [default: default]",
)
@click.option(
    "--transport", type=click.Choice(["stdio", "http"]), default="stdio", help="how agents connect"
)
@click.option("--host", default="127.0.0.1", help="for http [default: 127.0.0.1]")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8_765, help="for http [default: 8765]"
)
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    help="for http: a host name to answer to; may be repeated",
)
@click.option(
    "--token-file", type=click.Path(dir_okay=False), help="for http: a file with the token"
)
@click.option("--project", default="auto", help="a name, none, or auto (the agent's folder)")
@click.option("--user", "-u", help="the user it is about or for")
@click.option("--agent", help="the agent it belongs to")
@click.option("--session", default="auto", help="a name, none, or auto (as the agent says)")
@click.option("--db", "store", type=click.Path(dir_okay=False), help="the store's file")
@click.option("--profile", "knobs", help="the profile, by name or in a file")
@click.option("--tenant", help="the tenant; no other tenant's memories are seen")
@click.option("--embedder", help="none, static, minilm, multilingual or provider/model")
def mcp(
    *,
    transport: str,
    host: str,
    port: int,
    names: tuple[str, ...],
    token_file: str | None,
    **options: Any,
) -> None:
    """Serve the memory to agents over the Model Context Protocol.

    Over stdin and stdout, for the agent that starts it, or with --transport http at
    http://127.0.0.1:8765/mcp. Over HTTP callers must show the token of --token-file or
    ENGRAPHY_MCP_TOKEN; without one only this machine is served.

    What is remembered belongs to the project of the agent's folder, unless the agent keeps it for
    all projects. See docs/mcp.md.
    """
    try:
        chosen = _options(**options)
        if transport == "stdio":
            _runner("running", "over_stdio")(chosen)
            return
        token = import_module("engraphy.settings").bearer_token(token_file)
        _runner("web", "over_http")(chosen, host=host, port=port, token=token, names=names)
    except EngraphyError as error:
        click.echo(f"{type(error).__name__}: {error}", err=True)
        raise SystemExit(1) from error


def _options(
    store: str | None, knobs: str | None, tenant: str | None, embedder: str | None, **rest: Any
) -> Any:
    opening = {"path": store, "profile": knobs, "tenant": tenant, "embedder": embedder}
    return import_module("engraphy.mcp.options").Options(opening=opening, **rest)


def _runner(module: str, name: str) -> Callable[..., None]:
    """Something that runs a server. Raises MissingExtraError where the SDK is not installed."""
    try:
        found: Callable[..., None] = getattr(import_module(f"engraphy.mcp.{module}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("engraphy"):
            raise
        raise MissingExtraError(extra="mcp") from error
    return found

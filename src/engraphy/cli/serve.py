"""`engraphy serve`: the whole product as one process. Everything heavy is loaded when it starts."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

import click

from engraphy.cli.session import embedder_of, failing
from engraphy.errors import InvalidInputError, MissingExtraError
from engraphy.settings import environment

_TOOLSETS = ("default", "cognitive", "layered", "letsgo", "reference", "titans")
_OFFICIAL = {
    "anthropic": "https://api.anthropic.com",
    "openai": "https://api.openai.com",
    "gemini": "https://generativelanguage.googleapis.com",
}
_FIRST = "first token"
_OPEN = (
    "Other machines reach it, by plain HTTP: tokens and memories can be read on the way.\n"
    "Put TLS in front of it (docs/tasks/service.md), or listen at 127.0.0.1."
)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="the address to listen at")
@click.option("--port", type=click.IntRange(0, 65_535), default=8_765, show_default=True)
@click.option(
    "--allow-host", "names", multiple=True, help="a further host name to answer to; may be repeated"
)
@click.option(
    "--https", "secure", is_flag=True, help="callers reach it by https, through a reverse proxy"
)
@click.option(
    "--upstream",
    "upstreams",
    multiple=True,
    metavar="NAME[=URL]",
    help="a model's API to stand in front of: anthropic, openai, gemini, or NAME=URL",
)
@click.option(
    "--upstream-key",
    "keys",
    multiple=True,
    metavar="NAME=VARIABLE",
    help="the environment variable with its key [default: the client's own key is sent]",
)
@click.option(
    "--toolset", type=click.Choice(_TOOLSETS), default="default", help="the tools that /mcp offers"
)
@click.option("--no-dashboard", is_flag=True, help="serve no pages")
@click.option("--no-dreams", is_flag=True, help="run no maintenance")
@click.option("--db", "store", type=click.Path(dir_okay=False), help="the store's file")
@click.option("--profile", "knobs", help="the profile, by name or in a file")
@click.option("--tenant", help="whose first token is made, and whose memory is opened")
@click.option("--embedder", help="none, static, minilm, multilingual or provider/model")
@click.option("--no-embed", is_flag=True, help="search by words only, without an embedder")
@failing
def serve(
    *,
    store: str | None,
    knobs: str | None,
    tenant: str | None,
    embedder: str | None,
    no_embed: bool,
    no_dashboard: bool,
    no_dreams: bool,
    upstreams: tuple[str, ...],
    keys: tuple[str, ...],
    **rest: Any,
) -> None:
    """Serve the memory over HTTP: REST and OpenAPI, MCP, the dashboard, the proxy.

    Only callers with a token are answered. The first start makes one and shows it once;
    `engraphy token create` makes more. See docs/tasks/service.md.
    """
    opening = {
        "path": store,
        "profile": knobs,
        "tenant": tenant,
        "embedder": embedder_of(embedder, none=no_embed),
    }
    options = _loaded("engraphy.serving.options", "ServeOptions")(
        opening=opening,
        upstreams=_upstreams(upstreams, keys, environment()),
        dashboard=not no_dashboard,
        dream=not no_dreams,
        **rest,
    )
    stays = _loaded("engraphy.serving.options", "stays_here")(options.host)
    _loaded("engraphy.http.running", "serve")(options, ready=partial(_ready, stays=stays))


def _ready(address: str, memory: Any, *, stays: bool) -> None:
    """Tell where it is, and the first token, which is shown this once."""
    click.echo(f"engraphy serves {memory.path} at {address}", err=True)
    if not stays:
        click.echo(_OPEN, err=True)
    if any(one.role.value == "admin" and one.revoked_at is None for one in memory.grants()):
        click.echo("Tokens: engraphy token list | create NAME", err=True)
        return
    token = memory.grant(_FIRST, role="admin", clearance="secret").token
    click.echo(f"Token (admin; shown this once): {token}")
    click.echo(f"Dashboard: {address}/signin#{token}")


def _upstreams(
    told: Iterable[str], keys: Iterable[str], variables: Mapping[str, str]
) -> dict[str, Any]:
    """The upstreams by name. Raises InvalidInputError."""
    made = _loaded("engraphy.serving.options", "Upstream")
    named = dict(_pair(one, "--upstream-key", "NAME=VARIABLE") for one in keys)
    found: dict[str, Any] = {}
    for one in told:
        name, _, url = one.partition("=")
        if not (url.startswith(("http://", "https://")) or (name in _OFFICIAL and not url)):
            allowed = f"{', '.join(_OFFICIAL)}, or NAME=URL with any name"
            raise InvalidInputError(field="--upstream", got=one[:60], allowed=allowed)
        key = _key(named.pop(name, None), variables)
        found[name] = made(base=(url or _OFFICIAL[name]).rstrip("/"), key=key)
    if named:
        got = ", ".join(named)
        raise InvalidInputError(
            field="--upstream-key", got=got, allowed="names given by --upstream"
        )
    return found


def _pair(told: str, field: str, allowed: str) -> tuple[str, str]:
    name, sign, value = told.partition("=")
    if not (name and sign and value):
        raise InvalidInputError(field=field, got=told[:30], allowed=allowed)
    return name, value


def _key(variable: str | None, variables: Mapping[str, str]) -> str | None:
    if variable is None:
        return None
    if not variables.get(variable):
        raise InvalidInputError(
            field="--upstream-key",
            got=f"{variable}, which is not set",
            allowed="an environment variable that holds a key",
        )
    return variables[variable]


def _loaded(module: str, name: str) -> Callable[..., Any]:
    """Something of the server. Raises MissingExtraError where its packages are not installed."""
    try:
        found: Callable[..., Any] = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("engraphy"):
            raise
        raise MissingExtraError(extra="server") from error
    return found

"""How a server runs over HTTP: for this machine, or for whoever knows the token."""

import hmac
import socket
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import anyio
import uvicorn
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl

from engraphy.errors import SettingsError
from engraphy.mcp.late import Late
from engraphy.mcp.options import Options
from engraphy.mcp.running import leave, told_plainly
from engraphy.mcp.server import server
from engraphy.serving.listening import Server, address, bound, until_told
from engraphy.serving.options import EVERYWHERE, LOOPBACK, asked_under

PATH = "/mcp"
_CLIENT = "bearer"
_ENDING_SECONDS = 2


class Token:
    """The verifier of one static token."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        """Whoever knows the token is let in, and nobody else."""
        if not hmac.compare_digest(token.encode(), self._token):
            return None
        return AccessToken(token=token, client_id=_CLIENT, scopes=[])


def over_http(
    options: Options,
    *,
    host: str = "127.0.0.1",
    port: int = 8_765,
    token: str | None = None,
    names: Sequence[str] = (),
) -> None:
    """Serve whoever reaches `host` and `port` (0: any that is free) and knows the token. `names`:
    further Host names to answer to. Raises SettingsError where others than this machine could
    reach it and no token is asked for, InvalidInputError for an address that cannot be had or a
    name that no request can have."""
    if host not in LOOPBACK and token is None:
        problem = f"{host} can be reached by others: a server there needs a token"
        raise SettingsError(setting="--host", problem=problem)
    taken = bound(host, port)
    at = address(host, taken.getsockname()[1])
    verifier = None if token is None else Token(token)
    auth = None
    if verifier is not None:
        # Static tokens have no issuer; the SDK wants a name for one, and publishes nothing of it.
        auth = AuthSettings(
            issuer_url=AnyHttpUrl(at), resource_server_url=None, validate_token_resource=False
        )
    told_plainly()
    late = Late(options)
    made = server(options, verifier=verifier, auth=auth, late=late)
    app = made.streamable_http_app(
        streamable_http_path=PATH, host=host, transport_security=_security(host, names)
    )
    sys.stderr.write(f"engraphy mcp: {at}{PATH}\n")
    sys.stderr.flush()
    anyio.run(partial(_serve, app, taken, late))


async def _serve(app: Any, taken: socket.socket, late: Late) -> None:
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_graceful_shutdown=_ENDING_SECONDS
    )
    serving = Server(config)

    def end() -> None:
        serving.should_exit = True

    async with anyio.create_task_group() as group:
        group.start_soon(until_told, end)
        await serving.serve(sockets=[taken])
        group.cancel_scope.cancel()
    leave(late)


def _security(host: str, names: Sequence[str]) -> TransportSecuritySettings:
    """Which Host and Origin headers are answered: a page in a browser reaches this machine too."""
    told = (spelled for one in names for spelled in _spelled(asked_under(one)))
    known = [*dict.fromkeys((*LOOPBACK[:2], "[::1]", *_spelled(host), *told))]
    hosts = [spelled for one in known for spelled in (one, f"{one}:*")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{one}" for one in hosts for scheme in ("http", "https")],
    )


def _spelled(host: str) -> tuple[str, ...]:
    if host in EVERYWHERE:
        return ()
    return (f"[{host}]",) if ":" in host else (host,)

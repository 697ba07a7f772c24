"""How a server runs over HTTP: for this machine, or for whoever knows the token."""

import hmac
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import anyio
import uvicorn
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl

from engraphy.errors import InvalidInputError, SettingsError
from engraphy.mcp.late import Late
from engraphy.mcp.options import Options
from engraphy.mcp.running import leave, told_plainly
from engraphy.mcp.server import server

PATH = "/mcp"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
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
    reach it and no token is asked for, InvalidInputError for an address that cannot be had."""
    if host not in _LOOPBACK and token is None:
        problem = f"{host} can be reached by others: a server there needs a token"
        raise SettingsError(setting="--host", problem=problem)
    bound = _bound(host, port)
    at = _address(host, bound.getsockname()[1])
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
    anyio.run(partial(_serve, app, bound, late))


async def _serve(app: Any, bound: socket.socket, late: Late) -> None:
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_graceful_shutdown=_ENDING_SECONDS
    )
    serving = _Server(config)
    async with anyio.create_task_group() as group:
        group.start_soon(_until_told, serving)
        await serving.serve(sockets=[bound])
        group.cancel_scope.cancel()
    leave(late)


class _Server(uvicorn.Server):
    """One that leaves signals to us: after its end the process ends by itself, and not by them."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none; on Windows, where we hear of none, as usual."""
        if sys.platform == "win32":
            with super().capture_signals():
                yield
        else:
            yield


async def _until_told(serving: uvicorn.Server) -> None:
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as told:
        async for _ in told:
            serving.should_exit = True


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except (OSError, OverflowError) as error:
        bound.close()
        allowed = f"an address of this machine that is free ({error})"
        raise InvalidInputError(
            field="host and port", got=f"{host}:{port}", allowed=allowed
        ) from error
    return bound


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _security(host: str, names: Sequence[str]) -> TransportSecuritySettings:
    """Which Host and Origin headers are answered: a page in a browser reaches this machine too."""
    known = [*dict.fromkeys((*_LOOPBACK[:2], "[::1]", *_spelled(host), *names))]
    hosts = [spelled for one in known for spelled in (one, f"{one}:*")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{one}" for one in hosts for scheme in ("http", "https")],
    )


def _spelled(host: str) -> tuple[str, ...]:
    if host in ("0.0.0.0", "::"):
        return ()
    return (f"[{host}]",) if ":" in host else (host,)

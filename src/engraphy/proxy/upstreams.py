"""Where requests go, and what goes with them (P-22): nothing in a request chooses a host, a scheme
or a port, no token of ours leaves, and a client's key goes to its provider only."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import unquote_to_bytes, urlsplit

from engraphy.errors import InvalidInputError, NotFoundError, SettingsError
from engraphy.proxy.coding import accepted
from engraphy.serving.options import Upstream
from engraphy.serving.route import TOKEN_MARK

Header = tuple[bytes, bytes]
PREFIX = "/proxy/"
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_SEGMENT = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+")
_PATH = "a path as the provider documents it, without empty, dotted or encoded parts"
# Hop by hop (RFC 9110, 7.6.1), and what only concerns this server.
_NOT_FORWARDED = frozenset(
    b"connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer "
    b"transfer-encoding upgrade http2-settings expect host content-length accept-encoding cookie "
    b"forwarded via x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-port x-real-ip "
    b"origin referer".split()
)
_NOT_RETURNED = frozenset(
    b"connection keep-alive proxy-connection proxy-authenticate te trailer transfer-encoding "
    b"upgrade alt-svc set-cookie date".split()
)
_OURS = b"x-engraphy-"
_INSIDE = (".localhost", ".local", ".internal", ".lan", ".home.arpa", ".test")
_CREDENTIALS = (b"x-api-key", b"authorization", b"x-goog-api-key")
_USUAL = {"anthropic": b"x-api-key", "gemini": b"x-goog-api-key"}
_MARK = TOKEN_MARK.encode()


class NoUpstreamError(NotFoundError):
    """No upstream {name} is configured here. Configured: {known}."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An upstream as it is asked: scheme, host, port, the path in front of every request's own,
    and the key to show there."""

    scheme: str
    host: str
    port: int | None
    path: str
    key: str | None = field(default=None, repr=False)

    @property
    def authority(self) -> bytes:
        """The Host header."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return (name if self.port is None else f"{name}:{self.port}").encode("ascii")

    @property
    def inside(self) -> bool:
        """Whether whoever configured it may mean a machine of this network: it is an address, or a
        name that nobody outside has."""
        try:
            ip_address(self.host.partition("%")[0])
        except ValueError:
            return "." not in self.host or self.host.endswith(_INSIDE)
        return True


def place(name: str, upstream: Upstream) -> Place:
    """A configured upstream, checked. Raises SettingsError."""
    setting = f"upstream {name}"
    if NAME.fullmatch(name) is None:
        raise SettingsError(setting=setting, problem="a name is of a-z, 0-9, - and _")
    try:
        parts = urlsplit(upstream.base)
        port = parts.port
    except ValueError as error:
        raise SettingsError(setting=setting, problem="its address is no URL") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or not upstream.base.isascii():
        raise SettingsError(setting=setting, problem="its address begins with http:// or https://")
    if parts.username is not None or parts.query or parts.fragment:
        problem = "its address holds no user, query or fragment; a key is named apart"
        raise SettingsError(setting=setting, problem=problem)
    return Place(
        scheme=parts.scheme,
        host=parts.hostname,
        port=port,
        path=parts.path.rstrip("/"),
        key=upstream.key,
    )


def named(raw: bytes, places: Mapping[str, Place]) -> tuple[Place, str]:
    """The upstream that a path names, and the rest of the path. Raises NoUpstreamError,
    InvalidInputError."""
    text = raw.decode("latin-1")
    name, _, rest = text.removeprefix(PREFIX).partition("/")
    found = places.get(name)
    if not text.startswith(PREFIX) or found is None:
        known = ", ".join(sorted(places)) or "none"
        raise NoUpstreamError(name=repr(name)[:60], known=known)
    return found, f"/{checked(rest)}"


def checked(rest: str) -> str:
    """A path that means the same to every reader. Raises InvalidInputError."""
    parts = rest.removesuffix("/").split("/") if rest else []
    if not all(map(_is_plain, parts)):
        raise InvalidInputError(field="path", got="another one", allowed=_PATH)
    return rest


def _is_plain(part: str) -> bool:
    if _SEGMENT.fullmatch(part) is None:
        return False
    meant = unquote_to_bytes(part)
    return meant.strip(b".") != b"" and not any(sign < 32 or sign in b"/\\%\x7f" for sign in meant)


def target(found: Place, rest: str, query: bytes) -> bytes:
    """The request's target at the upstream. Raises InvalidInputError where it holds a token."""
    made = f"{found.path}{rest}".encode("latin-1") + (b"?" + query if query else b"")
    if _MARK in made or _MARK in unquote_to_bytes(made):
        raise InvalidInputError(
            field="address", got="a token", allowed="the token in a header, or as /t/TOKEN/proxy/"
        )
    return made


def forwarded(
    headers: Iterable[Header], found: Place, *, dialect: str, plain: bool
) -> list[Header]:
    """The headers for the upstream. `plain`: the body goes without its Content-Encoding."""
    given = [(name.lower(), value) for name, value in headers]
    named_by_client = _in_connection(given)
    dropped = _NOT_FORWARDED | named_by_client | ({b"content-encoding"} if plain else frozenset())
    told = [value for name, value in given if name == b"accept-encoding"]
    taken = accepted(b", ".join(told).decode("latin-1") if told else None)
    kept = [
        (name, value)
        for name, value in given
        if name not in dropped and not name.startswith(_OURS) and _MARK not in value
    ]
    made = [*kept, (b"accept-encoding", taken.encode("latin-1"))]
    return made if found.key is None else _with_key(made, given, found.key, dialect)


def _with_key(headers: list[Header], given: list[Header], key: str, dialect: str) -> list[Header]:
    """The configured key, where the client puts its own."""
    shown = {name for name, _ in given}
    usual = _USUAL.get(dialect, b"authorization")
    at = next((name for name in _CREDENTIALS if name in shown), usual)
    value = f"Bearer {key}" if at == b"authorization" else key
    rest = [one for one in headers if one[0] not in _CREDENTIALS]
    return [*rest, (at, value.encode("latin-1"))]


def returned(headers: Iterable[Header]) -> list[Header]:
    """The headers for the client: what the upstream said, but what concerns only its line."""
    given = [(name.lower(), value) for name, value in headers]
    dropped = _NOT_RETURNED | _in_connection(given)
    return [one for one in given if one[0] not in dropped]


def _in_connection(headers: Iterable[Header]) -> frozenset[bytes]:
    told = (value for name, value in headers if name == b"connection")
    return frozenset(one.strip().lower() for value in told for one in value.split(b","))

"""Closed by default (P-18): every route of the whole server refuses whoever may not use it.

The table beside this file, routes.txt, has a line for each route: methods, path, the least role of
a token ("anyone" where none is needed) and where the token may stand. A route without its line
fails here: decide who may use it first, then write the line.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest
from tests.serving.server import CLEAR, Served

from engraphy.http.app import routes
from engraphy.http.metrics import Metrics
from engraphy.http.protocol import Protocol
from engraphy.serving.options import ServeOptions
from engraphy.serving.route import COOKIE, Guarded

TABLE = Path(__file__).with_name("routes.txt")
OPEN = {
    "/healthz", "/readyz", "/v1/openapi.json", "/static/{name}", "/signin",
}  # fmt: skip
"""All that anyone may ask: whether it lives, what it offers, the page at which one signs in."""
METHODS = ("OPTIONS", "TRACE", "BREW", "PATCH", "PUT", "DELETE", "GET", "POST")
BODIES = ("POST", "PUT", "PATCH")
HOLE = r"{(\w+)(:path|:filled)?}"
HELD = {":path": ".*", ":filled": ".+"}
"""What each kind of hole in a path may hold."""
SECRET = "quetzalcoatlus"
ROLES = ("read", "write", "admin")
HOSTS = ("evil.example", "127.0.0.1.evil.example", "0.0.0.0", "localhost@evil.example")
ORIGINS = ("https://evil.example", "null", "http://127.0.0.1.evil.example", "http://[::1].evil")


class Row(NamedTuple):
    """A line of the table."""

    methods: tuple[str, ...]
    path: str
    role: str
    doors: tuple[str, ...]

    @property
    def place(self) -> str:
        """The path with something in its holes."""
        return re.sub(HOLE, lambda hole: "/x" if hole[2] == ":path" else "x", self.path)


def table() -> list[Row]:
    """What is written down."""
    lines = (line.split() for line in TABLE.read_text(encoding="utf-8").splitlines())
    return [
        Row(tuple(methods.split(",")), path, role, tuple(doors.split(",")))
        for methods, path, role, doors in (line for line in lines if line and line[0] != "#")
    ]


def offered(served: Served) -> list[Row]:
    """What the server has."""
    found = []
    for one in routes(served.house, Protocol(served.house), Metrics()):
        assert isinstance(one, Guarded), f"{one} is not behind the guard"
        methods = tuple(sorted((one.methods or set()) - {"HEAD"}))
        role = "anyone" if one.role is None else one.role.value
        found.append(Row(methods, one.path, role, tuple(sorted(one.doors))))
    return found


ROWS = table()
GUARDED = [row for row in ROWS if row.role != "anyone"]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all of it, with a memory that nobody here may read or change."""
    path = tmp_path_factory.mktemp("closed") / "memory.db"
    with Served(path=path) as served:
        served.memory.remember(f"The {SECRET} is kept", user="ada", tags=[SECRET])
        yield served


@pytest.fixture(scope="module")
def nobody(house: Served) -> Iterator[httpx2.Client]:
    """A client that shows nothing."""
    with httpx2.Client(base_url=house.url, timeout=30, verify=CLEAR) as client:
        yield client


def ask(client: httpx2.Client, row: Row, method: str | None = None, **more: Any) -> int:
    """The status; 401 also where a page sends whoever is not signed in to where one signs in. An
    answer never opens the server to pages of others, nor tells what is kept."""
    asked = method or row.methods[0]
    sent = {"content": b"{}"} | more if asked in BODIES else more
    place = sent.pop("place", row.place)
    with client.stream(asked, place, **sent) as answer:
        assert "access-control-allow-origin" not in answer.headers
        if "event-stream" not in answer.headers.get("content-type", ""):
            assert SECRET not in answer.read().decode()
        sent_away = answer.status_code == 303 and "cookie" in row.doors
        if sent_away and answer.headers["location"].startswith("/signin"):
            return 401
        return answer.status_code


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_every_route_has_its_line(house: Served) -> None:
    """The table and the server say the same; nothing new is open to anyone."""
    told = {(row.methods, row.path): row for row in ROWS}
    assert len(told) == len(ROWS)
    for row in offered(house):
        assert (row.methods, row.path) in told, f"a route without a line in routes.txt: {row}"
        assert told.pop((row.methods, row.path)) == row
    assert not told, f"lines of routes.txt without a route: {list(told)}"
    assert {row.path for row in ROWS if row.role == "anyone"} <= OPEN


def ids(row: Row) -> str:
    return f"{row.methods[0]} {row.path}"


def _at_other_doors(row: Row, good: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """A good token where this route does not look for one, and the status that says so."""
    yield 401, {"headers": {"Authorization": f"Basic {good}"}}
    yield 401, {"params": {"token": good, "access_token": good}}
    if "path" not in row.doors:
        yield 401, {"place": f"/t/{good}{row.place}"}
    cookie = {"Cookie": f"{COOKIE}={good}"}
    if "cookie" not in row.doors:
        yield 401, {"headers": cookie}
    elif row.methods[0] != "GET":
        yield 403, {"headers": cookie}
        yield 403, {"headers": {**cookie, "Origin": "http://localhost:1"}}


class Tokens(NamedTuple):
    """Tokens of one kind each."""

    good: str
    revoked: str
    less: dict[str, str]


@pytest.fixture(scope="module")
def tokens(house: Served) -> Tokens:
    """An administrator's, one that was taken back, and those of smaller roles."""
    gone = house.memory.grant("gone", role="admin")
    house.memory.revoke(gone.grant.id)
    less = {role: house.token(role=role) for role in ROLES[:-1]}
    return Tokens(house.token(), gone.token, less)


@pytest.mark.long
@pytest.mark.spec("P-18")
@pytest.mark.parametrize("row", GUARDED, ids=ids)
def test_a_route_is_closed(nobody: httpx2.Client, tokens: Tokens, row: Row) -> None:
    """No token, a wrong or revoked one, one at another door, too small a role; a foreign Host or
    Origin: refused, whatever route it is. (Methods and other tenants: below.)"""
    assert ask(nobody, row) == 401
    for token in ("egr_x_y", tokens.good[:-1], tokens.revoked):
        assert ask(nobody, row, headers=bearer(token)) == 401
    for status, more in _at_other_doors(row, tokens.good):
        assert ask(nobody, row, **more) == status, more
    for role in ROLES[: ROLES.index(row.role)]:
        assert ask(nobody, row, headers=bearer(tokens.less[role])) == 403, role
    good = bearer(tokens.good)
    assert ask(nobody, row, headers={**good, "Host": HOSTS[0]}) == 421
    assert ask(nobody, row, headers={**good, "Origin": ORIGINS[0]}) == 403


@pytest.mark.long
@pytest.mark.parametrize("row", [row for row in ROWS if row.path in ("/v1/stats", "/healthz", "/")])
def test_names_that_are_nearly_ours_are_foreign(
    nobody: httpx2.Client, tokens: Tokens, row: Row
) -> None:
    """Whatever stands in Host and Origin beside our own names, and whatever stands for a token."""
    good = bearer(tokens.good)
    for host in HOSTS:
        assert ask(nobody, row, headers={**good, "Host": host}) == 421, host
    for origin in ORIGINS:
        assert ask(nobody, row, headers={**good, "Origin": origin}) == 403, origin
    if row.role != "anyone":
        for token in ("null", "Bearer", tokens.good.upper(), f"{tokens.good}0", "egr__"):
            assert ask(nobody, row, headers=bearer(token)) == 401, token


PATTERNS = {
    row.path: re.compile(re.sub(HOLE, lambda hole: HELD.get(hole[2], "[^/]+"), row.path))
    for row in ROWS
}


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_other_methods_are_refused(nobody: httpx2.Client, tokens: Tokens, row: Row) -> None:
    """A method that no route of this path has: 405, with the best of tokens."""
    known = {
        method
        for one in ROWS
        if PATTERNS[one.path].fullmatch(row.place)
        for method in (*one.methods, *(["HEAD"] if "GET" in one.methods else []))
    }
    for method in [one for one in METHODS if one not in known][-3:]:
        assert ask(nobody, row, method, headers=bearer(tokens.good)) == 405, method


@pytest.mark.long
def test_another_tenant_sees_and_changes_nothing(house: Served, nobody: httpx2.Client) -> None:
    """Every route with the id of a memory in its path, and every body that names it, by an
    administrator of another tenant: nothing of it is told, and it stays as it was."""
    [row] = house.memory.list(user="ada")
    token = bearer(house.token(tenant="another"))
    named = {"id": row.id, "user": "ada", "target": row.id, "yes": True, "query": "kept"}
    for one in GUARDED:
        if one.path.startswith(("/proxy", "/live")):
            continue
        place = re.sub(r"{(\w+)(:path)?}", row.id, one.path)
        for method in one.methods:
            sent = {"json": named} if method in BODIES else {"params": {"user": "ada"}}
            answer = nobody.request(method, place, headers=token, timeout=30, **sent)
            assert answer.status_code < 500 or answer.status_code in (501, 503), (one, answer.text)
            assert SECRET not in answer.text, one
    assert house.memory.list(user="ada") == [row]


def test_a_server_is_for_this_machine() -> None:
    """Where nothing else is said it listens on loopback, and answers to its names alone."""
    options = ServeOptions()
    assert options.host == "127.0.0.1"
    assert options.hosts() == {"127.0.0.1", "localhost", "::1"}
    assert ServeOptions(host="0.0.0.0").hosts() == options.hosts()

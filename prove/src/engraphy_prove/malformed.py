"""Requests that nobody means: every value a protocol has no room for, as bytes for a socket."""

import json
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from engraphy.http.paths import Place, places
from engraphy_prove.hostile import texts

LARGE = 10_000_000
_METHODS = (
    "BREW",
    "TRACE",
    "PROPFIND",
    "GET GET",
    "get",
    "\x00",
    "POST" * 400,
    "",
    "PRI",
    "CONNECT",
)
_NUMBERS = (0, -1, 2**31, 2**63, -(2**63) - 1, 10**400, 1e308, -0.0, 0.5)
_ENCODINGS = ("utf-16", "utf-32", "latin-1", "utf-7", "cp1254", "utf-8-sig")
_TYPES = ("application/json", "text/plain", "application/x-www-form-urlencoded", "\xff", "a/b; c",
          "multipart/form-data; boundary=x", "application/json; charset=utf-16", "")  # fmt: skip
_IDS = ("x", "%00", "%ED%A0%80", "%FF", "..", "%2e%2e", "a" * 5_000, "%F0%9F%A7%A0", "'--", "*")
_VERSIONS = ("2025-06-18", "2025-11-25", "2026-07-28", "1", "\x00")
_TOOLS = ("remember", "recall", "search", "get", "list", "forget", "memory", "x", "")
_CHUNKS = (b'5\r\n{"a', b"zz\r\n", b"-1\r\n", b"F" * 40)
_HEADS = (b"Host: a\r\nHost", b"Hos\x00t", b" X")
_LONG = (60_000, 300_000)
_RPC = ("tools/call", "tools/list", "initialize", "ping", "resources/read", "prompts/get",
        "completion/complete", "logging/setLevel", "notifications/cancelled", "server/discover",
        "notifications/initialized", "sampling/createMessage", "x" * 1_000, "")  # fmt: skip


class Sent(NamedTuple):
    """What is written to a socket; `whole` where an answer has to come."""

    door: str
    data: bytes
    whole: bool = True


class Malformed:
    """Makes requests by chance, for a server at `host` whose administrator's token is `token`."""

    def __init__(self, chance: random.Random, host: str, token: str) -> None:
        self.chance, self.host, self.token = chance, host, token
        self._texts = texts(chance, 10**9)
        self._places: Sequence[Place] = [
            one for one in places() if one.operation.name not in ("dream", "compact")
        ]
        self._doors: dict[str, Callable[[], bytes]] = {
            "rest": self._rest,
            "query": self._query,
            "mcp": self._mcp,
            "compat": self._compat,
            "stores": self._stores,
            "pages": self._pages,
            "proxy": self._proxy,
            "wire": self._wire,
        }

    def request(self, number: int) -> Sent:
        """The next one; now and then one of 10 MB."""
        if number % 100 == 50:
            return Sent("large", self._large())
        door = self.chance.choice(list(self._doors))
        return Sent(door, self._doors[door](), whole=door != "wire")

    def http(self, method: str, path: str, body: bytes = b"", /, **headers: str) -> bytes:
        """A request that is whole on the wire."""
        given = {
            "Host": self.host, "Authorization": f"Bearer {self.token}",
            "Content-Length": str(len(body)), "Content-Type": "application/json",
            "Connection": "close",
        } | {name.replace("_", "-"): value for name, value in headers.items()}  # fmt: skip
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {one}" for name, one in given.items())]
        head = "\r\n".join(lines) + "\r\n\r\n"
        return head.encode("utf-8", "replace") + body

    def value(self, depth: int = 0) -> Any:
        """Any JSON value: of the wrong type, out of range, hostile."""
        pick = self.chance.random()
        if pick < 0.4 or depth > 3:
            return self.text()
        if pick < 0.55:
            return self.chance.choice(_NUMBERS[:5])
        if pick < 0.65:
            return self.chance.choice((None, True, False, [], {}, "", [[]], {"": None}))
        if pick < 0.85:
            return [self.value(depth + 1) for _ in range(self.chance.randint(0, 3))]
        return {self.text()[:30]: self.value(depth + 1) for _ in range(self.chance.randint(0, 3))}

    def text(self) -> str:
        """A hostile text; short, that there may be many."""
        return next(self._texts)[:300]

    def json(self, value: Any) -> bytes:
        """A value as JSON, often not quite."""
        told = json.dumps(value, ensure_ascii=self.chance.random() < 0.5)
        data = told.encode("utf-8", "surrogatepass")
        pick = self.chance.randint(0, 19)
        if pick == 0:
            return data[: self.chance.randint(0, len(data))]
        if pick == 1:
            return told.encode(self.chance.choice(_ENCODINGS), "replace")
        if pick == 2:
            name = b'"content": "a", ' * 2
            return data.replace(b"{", b"{" + name, 1)
        if pick == 3:
            levels = self.chance.choice((70, 1_000, 50_000))
            return b'{"content": ' + b"[" * levels + b"]" * levels + b"}"
        if pick == 4:
            number = self.chance.choice(
                (b"NaN", b"-Infinity", b"1" * 6_000, b"1e999", b"0x1", b"01")
            )
            return b'{"content": ' + number + b"}"
        if pick == 5:
            return bytes(self.chance.randrange(256) for _ in range(50))
        if pick == 6:
            return (
                b'{"content": "'
                + self.chance.choice((b"\\ud800", b"\\u0000", b"\xed\xa0\x80"))
                + b'"}'
            )
        return data

    def _named(self, place: Place) -> dict[str, Any]:
        given = {}
        for one in place.rest:
            if one.required or self.chance.random() < 0.3:
                fits = self.chance.random() < 0.5
                given[one.name] = self._fitting(one.type) if fits else self.value()
        if self.chance.random() < 0.2:
            given[self.text()[:40]] = self.value()
        return given

    def _fitting(self, kind: str) -> Any:
        made: dict[str, Callable[[], Any]] = {
            "integer": lambda: self.chance.choice(_NUMBERS[:5]),
            "number": lambda: self.chance.choice(_NUMBERS),
            "flag": lambda: True,
            "texts": lambda: [self.text()],
            "objects": lambda: [
                {"role": self.chance.choice(("user", "x")), "content": self.text()}
            ],
        }
        return made.get(kind, self.text)()

    def _path(self, path: str) -> str:
        while "{" in path:
            before, _, rest = path.partition("{")
            path = before + self.chance.choice(_IDS) + rest.partition("}")[2]
        return path

    def _rest(self) -> bytes:
        place = self.chance.choice(self._places)
        body = (
            self.json(self._named(place)) if self.chance.random() < 0.9 else self.json(self.value())
        )
        kind = "application/json" if self.chance.random() < 0.8 else self.chance.choice(_TYPES)
        return self.http(place.method, self._path(place.path), body, Content_Type=kind)

    def _query(self) -> bytes:
        place = self.chance.choice([one for one in self._places if one.method in ("GET", "DELETE")])
        pairs = [(name, self._word(value)) for name, value in self._named(place).items()]
        if pairs and self.chance.random() < 0.2:
            pairs.append(pairs[0])
        query = "&".join(f"{self._quoted(name)}={self._quoted(value)}" for name, value in pairs)
        return self.http(place.method, f"{self._path(place.path)}?{query}")

    def _word(self, value: Any) -> str:
        return value if isinstance(value, str) else json.dumps(value)

    def _quoted(self, text: str) -> str:
        if self.chance.random() < 0.1:
            return self.chance.choice(("%", "%FF", "%ED%A0%80", "%00", "%zz", "+", "&&", "=="))
        return quote(text.encode("utf-8", "surrogatepass"))

    def _mcp(self) -> bytes:
        method = self.chance.choice(_RPC)
        params: Any = {"name": self.chance.choice(_TOOLS), "arguments": self.value()}
        if method == "initialize":
            version = self.chance.choice(_VERSIONS)
            params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {}}
        if self.chance.random() < 0.3:
            params = self.value()
        told: Any = {"jsonrpc": "2.0", "id": self.value(3), "method": method, "params": params}
        if self.chance.random() < 0.1:
            told = [told, told]
        more = {"Accept": "application/json, text/event-stream"}
        if self.chance.random() < 0.7:
            more["MCP_Protocol_Version"] = self.chance.choice(_VERSIONS[:4])
        if self.chance.random() < 0.3:
            more["Mcp_Session_Id"] = self.chance.choice(("x", "0" * 32, "é"))
        verb = self.chance.choice(("POST",) * 8 + ("DELETE", "PUT"))
        return self.http(verb, "/mcp", self.json(told), **more)

    def _compat(self) -> bytes:
        paths = ("/v1/memories/", "/v3/memories/add/", "/v3/memories/search/", "/v1/batch/",
                 "/v2/memories/search/", "/mem0/memories", "/mem0/search", "/v1/feedback/",
                 "/v1/memories/x/", "/v1/entities/user/x/", "/v1/events/")  # fmt: skip
        told = {
            "messages": self.value(), "user_id": self.value(3), "query": self.value(2),
            "filters": self.value(), "metadata": self.value(), "top_k": self.value(3),
        }  # fmt: skip
        kept = {name: one for name, one in told.items() if self.chance.random() < 0.7}
        verb = self.chance.choice(("POST", "POST", "GET", "PUT", "DELETE"))
        return self.http(verb, self.chance.choice(paths), self.json(kept))

    def _stores(self) -> bytes:
        path = self._path(self.chance.choice((
            "/v1/memory_stores", "/v1/memory_stores/{id}", "/v1/memory_stores/{id}/memories",
            "/v1/memory_stores/{id}/memories/{id}", "/v1/memory_stores/{id}/memory_versions",
            "/v1/memory_stores?limit={id}", "/v1/memory_stores/{id}/archive",
        )))  # fmt: skip
        told = {"name": self.value(), "path": self.value(2), "content": self.value(2)}
        return self.http(self.chance.choice(("POST", "GET", "DELETE")), path, self.json(told))

    def _pages(self) -> bytes:
        paths = ("/signin", "/walls", "/theme", "/", "/graph", "/timeline", "/review/accept",
                 "/memories/{id}", "/memories/{id}/edit", "/search", "/journal", "/tokens/create",
                 "/reminders/later", "/sessions/one", "/static/{id}", "/dreams/one")  # fmt: skip
        pairs = "&".join(
            f"{name}={self._quoted(self.text())}"
            for name in ("token", "q", "user", "id", "page", "back", "text", "before", "role", "at")
            if self.chance.random() < 0.5
        )
        path = self._path(self.chance.choice(paths))
        if self.chance.random() < 0.5:
            return self.http("GET", f"{path}?{pairs}")
        kind = self.chance.choice(("application/x-www-form-urlencoded",) * 4 + _TYPES)
        return self.http(
            "POST", path, pairs.encode(), Content_Type=kind, Origin=f"http://{self.host}"
        )

    def _proxy(self) -> bytes:
        path = self.chance.choice((
            "/v1/messages", "/v1/chat/completions", "/v1/responses", "/v1/models", "/v1//x", "/%00",
            "/v1/messages?beta=%FF", "",
        ))  # fmt: skip
        told = {
            "model": self.value(3), "messages": self.value(), "input": self.value(),
            "system": self.value(), "stream": self.value(3), "tools": self.value(),
        }  # fmt: skip
        name = self.chance.choice(("anthropic", "openai", "anthropic", "openai", "nobody", "%00"))
        more = {"X_Engraphy_Token": self.token, "X_Engraphy_Session": self.text()[:20]}
        safe = {key: one.encode("ascii", "ignore").decode() for key, one in more.items()}
        plain = {key: "".join(c for c in one if c.isprintable()) for key, one in safe.items()}
        if self.chance.random() < 0.1:
            plain["Content_Encoding"] = self.chance.choice(
                ("gzip", "br", "zstd", "x", "gzip, gzip")
            )
        return self.http("POST", f"/proxy/{name}{path}", self.json(told), **plain)

    def _wire(self) -> bytes:
        whole = self.http("POST", "/v1/recall", b'{"query": "rope"}')
        return self.chance.choice((
            lambda: whole[: self.chance.randint(1, len(whole) - 1)],
            lambda: self.http(self.chance.choice(_METHODS), "/v1/recall"),
            lambda: self._chunked(self.chance.choice(_CHUNKS)),
            lambda: self.http("GET", "/v1/stats", X_Long="a" * self.chance.choice(_LONG)),
            lambda: self.http("GET", "/v1/stats", b"", **{f"X-{n}": "a" for n in range(2_000)}),
            lambda: self.http("GET", "/" + "a/" * 20_000),
            lambda: whole.replace(b"Content-Length: 17", b"Content-Length: 9" + b"9" * 30),
            lambda: whole.replace(b"Content-Length", b"Content-Length: 3\r\nContent-Length"),
            lambda: whole.replace(b"HTTP/1.1", self.chance.choice((b"HTTP/9.9", b"", b"HTTP/0.9"))),
            lambda: whole.replace(b"Host", self.chance.choice(_HEADS)),
            lambda: bytes(self.chance.randrange(256) for _ in range(self.chance.randint(1, 300))),
            lambda: whole.replace(b"Authorization", b"Authorization: Bearer \xff\xfe\r\nX"),
        ))()  # fmt: skip

    def _chunked(self, part: bytes) -> bytes:
        head = self.http("POST", "/v1/recall", Transfer_Encoding="chunked")
        return head.replace(b"Content-Length: 0\r\n", b"") + part

    def _large(self) -> bytes:
        unit = self.chance.choice(("a", "a ", "\u202e", "(", '\\"', "[", "\x00", "zebra. "))
        body = json.dumps({"content": (unit * LARGE)[:LARGE], "query": "x"}).encode()
        path = self.chance.choice(("/v1/memories", "/v1/recall", "/v3/memories/add/", "/mcp",
                                   "/signin", "/proxy/anthropic/v1/messages"))  # fmt: skip
        # Nearly as much as is allowed, too: what passes the door must be cheap behind it.
        if self.chance.random() < 0.5:
            short = (unit * LARGE)[: self.chance.choice((100_000, 2_000_000))]
            body = json.dumps({"content": short, "query": short[:1_000]}).encode()
        return self.http("POST", path, body, Accept="application/json, text/event-stream")

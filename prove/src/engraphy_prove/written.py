"""Lines that no client of MCP means, and which answers have to come to each."""

import json
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engraphy_prove.malformed import LARGE, Malformed

_LARGE_EVERY = 200
_METHODS = ("ping", "tools/call", "tools/list", "resources/read", "prompts/get", "initialize",
            "completion/complete", "logging/setLevel", "x", "", "rpc.discover")  # fmt: skip
_SILENT = ("notifications/x", "notifications/cancelled", "notifications/initialized", "x")
_NO_IDS: tuple[Any, ...] = (1.5, None, [1], {}, True, 1e400, -0.0)
_WRONG: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**63,
    1.5,
    "",
    [],
    ["a"],
    [None],
    {},
    {"a": 1},
    "\ud800",
)

Id = int | str | None


class Line(NamedTuple):
    """What is written. `asks`: for each answer that has to come the ids it may have."""

    kind: str
    data: bytes
    asks: Sequence[frozenset[Id]]


class Lines:
    """Makes lines by chance, for a server with these tools."""

    def __init__(self, chance: random.Random, tools: Sequence[dict[str, Any]]) -> None:
        self.chance, self.made = chance, Malformed(chance, "", "")
        self._number = 0
        self._tools = tools
        self._wrong = [
            (one["name"], argument, value)
            for one in tools
            for argument in one["inputSchema"]["properties"]
            for value in _WRONG
        ]
        chance.shuffle(self._wrong)
        self._kinds: dict[str, Callable[[], Line]] = {
            "argument": self._argument,
            "arguments": self._arguments,
            "envelope": self._envelope,
            "unnamed": self._unnamed,
            "batch": self._batch,
            "bytes": self._bytes,
            "cut": self._cut,
            "deep": self._deep,
            "twice": self._twice,
            "unasked": self._unasked,
        }

    def line(self, number: int) -> Line:
        """The next one; now and then one of 10 MB."""
        if number % _LARGE_EVERY == _LARGE_EVERY // 2:
            return self._large()
        # Each tool's each argument, with a value of each type, is the largest part.
        kind = "argument" if number % 2 else self.chance.choice(list(self._kinds))
        return self._kinds[kind]()

    def _id(self) -> int | str:
        self._number += 1
        return self.chance.choice((self._number, f"n-{self._number}", -self._number))

    def _request(self, **more: Any) -> tuple[int | str, dict[str, Any]]:
        own = self._id()
        return own, {"jsonrpc": "2.0", "id": own, "method": "ping", **more}

    def _asking(self, kind: str, own: Id, told: Any, *others: Id) -> Line:
        return Line(kind, written(told), [frozenset({own, *others})])

    def _called(self, kind: str, name: str, arguments: Any) -> Line:
        params = {"name": name, "arguments": arguments}
        own, told = self._request(method="tools/call", params=params)
        return self._asking(kind, own, told)

    def _argument(self) -> Line:
        """One argument of the wrong type, the others as they are asked for."""
        name, argument, value = self._wrong[self._number % len(self._wrong)]
        tool = next(one for one in self._tools if one["name"] == name)
        needed = dict.fromkeys(tool["inputSchema"].get("required", ()), "zebra")
        return self._called("argument", name, {**needed, argument: value})

    def _arguments(self) -> Line:
        """All of them by chance; or no object, or another tool."""
        tool = self.chance.choice(self._tools)
        given = {
            one: self.made.value()
            for one in tool["inputSchema"]["properties"]
            if self.chance.random() < 0.6
        }
        if self.chance.random() < 0.2:
            given[self.made.text()[:40]] = self.made.value()
        name = tool["name"] if self.chance.random() < 0.8 else self.made.value(3)
        return self._called("arguments", name, given if self.chance.random() < 0.8 else [given])

    def _envelope(self) -> Line:
        """A request of which the envelope is wrong, but for its id."""
        own, told = self._request(method=self.chance.choice(_METHODS))
        for name in ("method", "params", "jsonrpc"):
            if self.chance.random() < 0.4:
                told[name] = self.made.value(2)
        if self.chance.random() < 0.3:
            told.pop(self.chance.choice(("jsonrpc", "method")))
        return self._asking("envelope", own, told)

    def _unnamed(self) -> Line:
        """An id of a type that none has: the answer names none."""
        _, told = self._request(id=self.chance.choice(_NO_IDS))
        return self._asking("unnamed", None, told)

    def _batch(self) -> Line:
        ids = [self._id() for _ in range(self.chance.randint(0, 3))]
        told: list[Any] = [{"jsonrpc": "2.0", "id": one, "method": "ping"} for one in ids]
        told += self.chance.choice(([], [3], [{"jsonrpc": "2.0", "method": "notifications/x"}]))
        return Line("batch", written(told), [frozenset({one}) for one in ids or (None,)])

    def _bytes(self) -> Line:
        own, told = self._request()
        plain = json.dumps(told)
        data = self.chance.choice((
            plain.encode("utf-16-le"),
            b"x" + bytes(self.chance.randrange(256) for _ in range(60)).replace(b"\n", b" "),
            plain.encode() + plain.encode(),
            plain.replace('"ping"', "NaN").encode(),
            plain.replace("ping", "p\x01ng").encode(),
            plain.replace("ping", "p\udcffng").encode("utf-8", "surrogateescape"),
            b"\xef\xbb\xbf" + plain.encode(),
            plain.replace(", ", ",\r").encode(),
        ))  # fmt: skip
        return Line("bytes", data.replace(b"\n", b" "), [frozenset({own, None})])

    def _cut(self) -> Line:
        """A line of which the end is missing."""
        params = {"name": self._tools[0]["name"], "arguments": {"query": self.made.text()}}
        own, told = self._request(method="tools/call", params=params)
        data = written(told)
        return Line("cut", data[: self.chance.randint(1, len(data) - 1)], [frozenset({own, None})])

    def _deep(self) -> Line:
        own, told = self._request(method="tools/call", params={"name": "remember", "arguments": 0})
        levels = self.chance.choice((70, 300, 1_500, 50_000))
        opening, closing = self.chance.choice((("[", "]"), ('{"a":', "}")))
        deep = opening * levels + "1" + closing * levels
        data = json.dumps(told).replace('"arguments": 0', f'"arguments": {{"content": {deep}}}')
        return Line("deep", data.encode(), [frozenset({own})])

    def _twice(self) -> Line:
        """Two requests of one id, at once."""
        own, told = self._request()
        data = written(told)
        return Line("twice", data + b"\n" + data, [frozenset({own})] * 2)

    def _unasked(self) -> Line:
        """What nobody answers: notifications that mean nothing, answers to no question, nothing."""
        told = self.chance.choice((
            {"jsonrpc": "2.0", "method": self.chance.choice(_SILENT), "params": {"a": 1}},
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": [1]}},
            {"jsonrpc": "2.0", "id": 10**9, "result": self.made.value(2)},
            {"jsonrpc": "2.0", "id": 10**9, "error": self.made.value(2)},
        ))  # fmt: skip
        data = written(told) if self.chance.random() < 0.8 else self.chance.choice((b"", b" \t"))
        return Line("unasked", data, [])

    def _large(self) -> Line:
        unit = self.chance.choice(("a", "a ", "(", '"', "\x00", "zebra. "))
        content = (unit * LARGE)[:LARGE]
        return self._called("large", self._tools[0]["name"], {"content": content, "query": "x"})


def written(told: Any) -> bytes:
    """A message as it goes over the wire."""
    return json.dumps(told).encode()

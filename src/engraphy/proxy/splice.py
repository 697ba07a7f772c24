"""A request's JSON as text with places: to insert into it, and to change nothing else.

What a client sent is never written anew: key order, spaces, numbers and fields that nobody here
knows stay the bytes they were. An edit is a list of insertions at places of the text.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from engraphy.record import Record

_SPACE = re.compile(r"[ \t\n\r]*")


class Number(Record, frozen=True):
    """A number as it is written: nothing here counts with it, and none is too long."""

    written: str

    def __str__(self) -> str:
        return self.written


_DECODER: Any = json.JSONDecoder(parse_float=Number, parse_int=Number)
_SCAN: Callable[[str, int], tuple[Any, int]] = _DECODER.scan_once


class UnclearError(ValueError):
    """The body is no JSON object, or one that two readers could read differently."""


class Span(NamedTuple):
    """A value and where it stands: from `start` up to `end`."""

    start: int
    end: int
    value: Any


class Insertion(NamedTuple):
    """A text that is put in before the place `at`."""

    at: int
    text: str


class Body(Record, frozen=True):
    """A JSON object as a client sent it: its text, its members by name, and where it ends."""

    text: str
    members: Mapping[str, Span]

    def get(self, name: str) -> Any:
        """A member's value; None where there is none."""
        span = self.members.get(name)
        return None if span is None else span.value


def opened(data: bytes) -> Body:
    """A body read. Raises UnclearError."""
    try:
        text = data.decode("utf-8")
        start = _SPACE.match(text, 0).end()  # type: ignore[union-attr]
        found = members(text, start)
        last = max((one.end for one in found.values()), default=start + 1)
        if text[_after(text, last)] != "}" or text[_after(text, last) + 1 :].strip(" \t\n\r"):
            raise UnclearError
    except (ValueError, IndexError, StopIteration, RecursionError) as error:
        raise UnclearError from error
    return Body(text, found)


def members(text: str, start: int) -> dict[str, Span]:
    """The members of the object that begins at `start`. Raises UnclearError where one stands
    twice, ValueError, IndexError or StopIteration where it is no object."""
    found: dict[str, Span] = {}
    at = _opening(text, start, "{")
    while text[at] != "}":
        if text[at] != '"':
            raise UnclearError
        name, at = scanstring(text, at + 1, True)
        at = _after(text, at)
        if name in found or text[at] != ":":
            raise UnclearError
        at = _after(text, at + 1)
        value, end = _SCAN(text, at)
        found[name] = Span(at, end, value)
        at = _next(text, end, "}")
    return found


def elements(text: str, start: int) -> list[Span]:
    """The elements of the array that begins at `start`. Raises as `members` does."""
    found: list[Span] = []
    at = _opening(text, start, "[")
    while text[at] != "]":
        value, end = _SCAN(text, at)
        found.append(Span(at, end, value))
        at = _next(text, end, "]")
    return found


def applied(text: str, insertions: Iterable[Insertion]) -> str:
    """The text with all insertions; those at the same place stand in the order they are given."""
    parts: list[str] = []
    done = 0
    for one in sorted(insertions, key=lambda one: one.at):
        parts += (text[done : one.at], one.text)
        done = one.at
    return "".join((*parts, text[done:]))


def appended(text: str, array: Span, value: object) -> Insertion:
    """A value as the last element of an array."""
    held = elements(text, array.start)
    if not held:
        return Insertion(array.start + 1, written(value))
    return Insertion(held[-1].end, f",{written(value)}")


def after(one: Span, value: object) -> Insertion:
    """A value as the element behind another."""
    return Insertion(one.end, f",{written(value)}")


def before(one: Span, value: object) -> Insertion:
    """A value as the element in front of another."""
    return Insertion(one.start, f"{written(value)},")


def added(body: Body, name: str, value: object) -> Insertion:
    """A member at the end of the body, where none has this name."""
    last = max((one.end for one in body.members.values()), default=None)
    if last is None:
        return Insertion(body.text.index("{") + 1, f"{written(name)}:{written(value)}")
    return Insertion(last, f",{written(name)}:{written(value)}")


def longer(one: Span, more: str) -> Insertion:
    """A string with more behind it."""
    return Insertion(one.end - 1, written(more)[1:-1])


def wrapped(one: Span, opening: str, closing: str) -> Sequence[Insertion]:
    """A value with something around it."""
    return (Insertion(one.start, opening), Insertion(one.end, closing))


def written(value: object) -> str:
    """JSON of our own: ASCII, so that no encoding harms it."""
    return json.dumps(value, separators=(",", ":"))


def _opening(text: str, start: int, sign: str) -> int:
    if text[start] != sign:
        raise UnclearError
    return _after(text, start + 1)


def _next(text: str, end: int, closing: str) -> int:
    """Where the next member or element begins, or the closing sign stands."""
    at = _after(text, end)
    if text[at] == closing:
        return at
    if text[at] != ",":
        raise UnclearError
    at = _after(text, at + 1)
    if text[at] == closing:
        raise UnclearError
    return at


def _after(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]

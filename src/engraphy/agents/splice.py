"""Edits of a JSON file that leave every other byte of it: comments, order, spaces, line ends.

Agents keep their settings in JSON that people edit by hand, some with comments and trailing commas
(JSONC). A text is read into places (where each value begins and ends), and an edit replaces only
what lies between two places. No library of ours or on the registry edits JSONC in Python without
Node; the reader below is held to `json` on every text without comments.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from engraphy.errors import InvalidInputError
from engraphy.record import Record

_BLANK = re.compile(r"(?:[ \t\r\n\ufeff]++|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_PLAIN = re.compile(r"[-+.0-9A-Za-z]+")
_DEEPEST = 100
Path = Sequence[str]


class Value(Record, frozen=True, kw_only=True):
    """A value in a text: where it begins and ends, and what it says.

    `members`: of an object, by name; `entries`: of a list, in order.
    """

    start: int
    end: int
    said: Any
    members: "Mapping[str, Member] | None" = None
    entries: "Sequence[Value] | None" = None


class Member(Record, frozen=True, kw_only=True):
    """A name and its value; `start`: where the name begins."""

    start: int
    value: Value


def parsed(text: str) -> Value:
    """The value a text is, with its places; an empty text is an empty object.

    Raises InvalidInputError for what is no JSON, with the line.
    """
    if not text.strip("\ufeff \t\r\n"):
        return Value(start=len(text), end=len(text), said={}, members={})
    found = _value(text, _skipped(text, 0), 0)
    rest = _skipped(text, found.end)
    if rest != len(text):
        raise _broken(text, rest, "nothing more")
    return found


def with_member(text: str, path: Path, value: Any) -> str:
    """The text in which the member at a path says a value; what is missing on the way is made.

    Raises InvalidInputError where something on the way is no object.
    """
    root = parsed(text)
    if root.start == root.end:
        return _written(_nested(path, value), "", _unit(text)) + "\n"
    found, left = _followed(root, path)
    if not left:
        return _replaced(text, found, value)
    if found.members is None:
        raise _no("object", path[: len(path) - len(left)])
    return _put(text, found, left[0], _nested(left[1:], value))


def with_entry(text: str, path: Path, value: Any) -> str:
    """The text in whose list at a path a value stands last. Raises as `with_member` does."""
    root = parsed(text)
    found, left = _followed(root, path)
    if left or root.start == root.end:
        return with_member(text, path, [value])
    if found.entries is None:
        raise _no("list", path)
    return _put(text, found, None, value)


def without(text: str, path: Path, entry: int | None = None) -> str:
    """The text without a member, or without an entry of the list there; as it is where there is
    none. What stood around it stays, an emptied object or list too."""
    root = parsed(text)
    found, left = _followed(root, path if entry is not None else path[:-1])
    if left:
        return text
    if entry is not None:
        spans = [(one.start, one.end) for one in found.entries or ()]
        return _cut(text, found, spans, entry) if entry < len(spans) else text
    members = list((found.members or {}).items())
    names = [name for name, _ in members]
    if path[-1] not in names:
        return text
    spans = [(one.start, one.value.end) for _, one in members]
    return _cut(text, found, spans, names.index(path[-1]))


def _followed(root: Value, path: Path) -> tuple[Value, Path]:
    """The deepest value there is on a path, and what of the path is left."""
    for place, name in enumerate(path):
        if root.members is None or name not in root.members:
            return root, path[place:]
        root = root.members[name].value
    return root, ()


def _nested(path: Path, value: Any) -> Any:
    for name in reversed(path):
        value = {name: value}
    return value


def _replaced(text: str, found: Value, value: Any) -> str:
    if found.said == value:
        return text
    made = _written(value, _indent(text, found.start), _unit(text))
    return text[: found.start] + made + text[found.end :]


def _put(text: str, into: Value, name: str | None, value: Any) -> str:
    """The text with one more member or entry behind the others."""
    outer, unit, line = _indent(text, into.start), _unit(text), _line_end(text)
    inner = outer + unit
    head = "" if name is None else f"{json.dumps(name, ensure_ascii=False)}: "
    made = head + _written(value, inner, unit).replace("\n", line)
    ends = [one.value.end for one in (into.members or {}).values()]
    ends = ends or [one.end for one in into.entries or ()]
    if not ends:
        inside = text[into.start + 1 : into.end - 1]
        # A comment in an empty object stays above what is put there.
        kept = inside.rstrip(" \t\r\n") if inside.strip() else ""
        body = f"{kept}{line}{inner}{made}{line}{outer}"
        return text[: into.start + 1] + body + text[into.end - 1 :]
    last = ends[-1]
    comma = _comma(text, last)
    at = last if comma is None else comma
    lead = "," if comma is None else ""
    if "\n" not in text[into.start : into.end]:
        return text[:at] + f"{lead} {made}" + text[at:]
    at = _line_rest(text, at)
    # A comment behind the last value stays on its line; the comma goes before it.
    return text[:last] + lead + text[last:at] + f"{line}{inner}{made}" + text[at:]


def _cut(text: str, holder: Value, spans: Sequence[tuple[int, int]], place: int) -> str:
    """The text without one of several members or entries, and without its comma."""
    start, end = spans[place]
    comma = _comma(text, end)
    if comma is None and place > 0:
        before = _comma(text, spans[place - 1][1])
        text = text[: spans[place - 1][1]] + text[before:] if before else text
        moved = 0 if before is None else before - spans[place - 1][1]
        start, end = start - moved, end - moved
    end = comma if comma is not None else end
    lead = start
    while lead > holder.start + 1 and text[lead - 1] in " \t":
        lead -= 1
    alone = lead > 0 and text[lead - 1] == "\n"
    if alone and text[end:].lstrip(" \t").startswith(("\n", "\r\n")):
        rest = end + len(text[end:]) - len(text[end:].lstrip(" \t"))
        back = lead - (2 if text[lead - 2 : lead] == "\r\n" else 1)
        return text[:back] + text[rest:]
    if place == 0 and comma is not None:
        end += len(text[end:]) - len(text[end:].lstrip(" \t"))
        return text[:start] + text[end:]
    return text[:lead] + text[end:]


def _value(text: str, at: int, depth: int) -> Value:
    if depth > _DEEPEST:
        raise _broken(text, at, f"at most {_DEEPEST} values within one another")
    if text.startswith("{", at):
        return _object(text, at, depth)
    if text.startswith("[", at):
        return _list(text, at, depth)
    pattern = _STRING if text.startswith('"', at) else _PLAIN
    found = pattern.match(text, at)
    if found is None:
        raise _broken(text, at, "a value")
    return Value(start=at, end=found.end(), said=_said(text, at, found.group()))


def _said(text: str, at: int, word: str) -> Any:
    try:
        return json.loads(word)
    except ValueError as error:
        raise _broken(text, at, "a value") from error


def _object(text: str, start: int, depth: int) -> Value:
    members: dict[str, Member] = {}
    at = _skipped(text, start + 1)
    while not text.startswith("}", at):
        name = _STRING.match(text, at)
        if name is None:
            raise _broken(text, at, 'a name in double quotes, or "}"')
        colon = _skipped(text, name.end())
        if not text.startswith(":", colon):
            raise _broken(text, colon, '":"')
        value = _value(text, _skipped(text, colon + 1), depth + 1)
        members[_said(text, at, name.group())] = Member(start=at, value=value)
        at = _next(text, value.end, "}")
    said = {name: one.value.said for name, one in members.items()}
    return Value(start=start, end=at + 1, said=said, members=members)


def _list(text: str, start: int, depth: int) -> Value:
    entries: list[Value] = []
    at = _skipped(text, start + 1)
    while not text.startswith("]", at):
        entries.append(_value(text, at, depth + 1))
        at = _next(text, entries[-1].end, "]")
    said = [one.said for one in entries]
    return Value(start=start, end=at + 1, said=said, entries=tuple(entries))


def _next(text: str, end: int, closing: str) -> int:
    """Where the next member or entry begins, or the closing sign stands."""
    at = _skipped(text, end)
    if text.startswith(",", at):
        return _skipped(text, at + 1)
    if not text.startswith(closing, at):
        raise _broken(text, at, f'"," or "{closing}"')
    return at


def _skipped(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()


def _comma(text: str, end: int) -> int | None:
    """Behind the comma that follows a value; None where none does."""
    at = _skipped(text, end)
    return at + 1 if text.startswith(",", at) else None


def _line_rest(text: str, at: int) -> int:
    """Where the line that a value ends on ends, if nothing but blanks and a comment follows."""
    end = text.find("\n", at)
    told = text[at:end].removesuffix("\r") if end >= 0 else ""
    return at + len(told) if told.lstrip(" \t").startswith("//") else at


def _indent(text: str, at: int) -> str:
    """The blanks that the line of a place begins with."""
    begin = text.rfind("\n", 0, at) + 1
    found = re.compile(r"[ \t]*").match(text, begin)
    return found.group() if found else ""


def _unit(text: str) -> str:
    """One step of indentation, as the text has it; two spaces where it has none."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found.group(1) if found else "  "


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _written(value: Any, outer: str, unit: str) -> str:
    made = json.dumps(value, ensure_ascii=False, indent=unit)
    return made.replace("\n", f"\n{outer}")


def _no(kind: str, path: Path) -> InvalidInputError:
    where = ".".join(path) or "the file"
    return InvalidInputError(field=where, got="something else", allowed=f"a JSON {kind} there")


def _broken(text: str, at: int, wanted: str) -> InvalidInputError:
    line = text.count("\n", 0, at) + 1
    return InvalidInputError(
        field=f"line {line}", got=text[at : at + 20] or "the end", allowed=wanted
    )

"""Markdown as notes and rules are written in it: properties at the top, headings, bullets, text."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from datetime import date
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Any

from msgspec import field

from engraphy.errors import MissingExtraError
from engraphy.importers.notes import Notes
from engraphy.importers.reading import whole
from engraphy.record import Record

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_MOST_FRONT = 11_000
_DEEPEST = 16
_MOST_BITS = 64
_ALIAS = re.compile(r"(?:^|[\s\[{,:-])[&*][A-Za-z0-9_-]", re.MULTILINE)
_BRACKET = re.compile(r"[\[\]{}]")
_NESTED = re.compile(rf"(?:[-?:][ \t]++){{{_DEEPEST}}}")
_FENCE = re.compile(r"^\s*(```|~~~)")
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*)$")
_BULLET = re.compile(r"^(\s*)(?:[-*+]|\d{1,4}[.)])\s+(.*)$")
_COMMENTS = (("<!--", "-->"), ("%%", "%%"))
_RULE = re.compile(r"^\s*+(?:[-*_]\s*+){3,}+$|^[\s:|-]++$")
_LINK = re.compile(r"\[\[([^\[\]|#^]{0,300})(?:[#^][^\[\]|]{0,300})?(?:\|([^\[\]]{0,300}))?\]\]")
_EMBED = re.compile(r"!\[\[[^\[\]]{0,600}\]\]")
_LONG_LINE = 2_000
"""A line that is longer is neither a heading nor a rule: only words are looked for in it."""
_TAG = re.compile(r"(?<![\w#/&])#([A-Za-z_][\w/-]*)")
_BOX = re.compile(r"^\[([ xX/-])\]\s+")
_STATES = {" ": "open", "x": "done", "X": "done", "/": "started", "-": "cancelled"}
_BLOCK_ID = re.compile(r"\s\^[A-Za-z0-9-]+\s*$", re.MULTILINE)


class Piece(Record, frozen=True, kw_only=True):
    """A bullet (with what is nested in it) or a paragraph, and the headings it stands under."""

    text: str
    bullet: bool
    headings: tuple[str, ...] = ()
    line: int = 0


class Page(Record, frozen=True, kw_only=True):
    """A file: its properties and its text."""

    properties: Mapping[str, Any] = field(default_factory=dict)
    body: str = ""


def page(path: Path, notes: Notes) -> Page:
    """A Markdown file; properties that cannot be read are noted, and the text is what counts.
    Raises MissingExtraError where there are properties and nothing to read them."""
    raw = whole(path)
    coded = "utf-16" if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8"
    content = _decoded(raw, coded, path, notes).replace("\r\n", "\n")
    match = _FRONT.match(content)
    if match is None:
        return Page(body=content)
    return Page(properties=_properties(match[1], path, notes), body=content[match.end() :])


def _decoded(raw: bytes, coded: str, path: Path, notes: Notes) -> str:
    """A file's text; a line that is no UTF-8 is left out: half of it would be other letters."""
    try:
        return raw.decode(coded)
    except UnicodeDecodeError:
        if coded != "utf-8":
            notes.wrong(path, 1, f"it is not all {coded}")
            return raw.decode(coded, "replace")
    kept: list[str] = []
    for number, line in enumerate(raw.split(b"\n"), 1):
        try:
            kept.append(line.decode())
        except UnicodeDecodeError:
            kept.append("")
            notes.wrong(path, number, "it is no UTF-8: save the file as that, and import it again")
    return "\n".join(kept)


def _properties(front: str, path: Path, notes: Notes) -> Mapping[str, Any]:
    if not front.strip():
        return {}
    if len(front) > _MOST_FRONT or _ALIAS.search(front) or _deep(front):
        # Aliases are how few bytes become very many values; with depth a parser's time multiplies.
        notes.wrong(path, 1, "its properties are too long or too deep, or refer to one another")
        return {}
    try:
        yaml = import_module("yaml")
    except ImportError as error:
        raise MissingExtraError(extra="import") from error
    try:
        # The same, in C where it is there, which is ten times as quick.
        value = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(front).get_single_data()
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        notes.wrong(path, 1, f"its properties are no YAML: {error}")
        return {}
    return value if isinstance(value, dict) else {}


def _deep(front: str) -> bool:
    """Whether properties lie in very many others."""
    if _NESTED.search(front):
        return True
    steps = accumulate(1 if sign in "[{" else -1 for sign in _BRACKET.findall(front))
    return max(steps, default=0) > _DEEPEST


def pieces(body: str) -> Iterator[Piece]:
    """The bullets and paragraphs of a text; code, tables' rules and comments are none."""
    reader = _Reader()
    for number, line in enumerate(_spoken(body).split("\n"), 1):
        yield from reader.take(number, line)
    yield from reader.done()


class _Reader:
    """Lines on their way to pieces."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        self._held: list[str] = []
        self._bullet = self._code = False
        self._begun = 0

    def take(self, number: int, line: str) -> Iterator[Piece]:
        """The piece that a line ends, if it ends one."""
        if _FENCE.match(line):
            self._code = not self._code
            yield from self.done()
        elif self._code:
            return
        elif len(line) > _LONG_LINE:
            yield from self._words(number, line)
        elif heading := _HEADING.match(line):
            yield from self.done()
            depth = len(heading[1])
            above = [one for one in self._headings if one[0] < depth]
            name = heading[2].rstrip().rstrip("#").rstrip()
            self._headings = [*above, (depth, name)]
        elif not line.strip() or _RULE.match(line):
            yield from self.done()
        else:
            yield from self._words(number, line)

    def _words(self, number: int, line: str) -> Iterator[Piece]:
        found = _BULLET.match(line)
        nested = found is not None and bool(found[1]) and self._bullet and bool(self._held)
        if found is not None and not nested:
            yield from self.done()
            self._bullet, self._begun = True, number
            self._held.append(found[2].strip())
            return
        if not self._held:
            self._bullet, self._begun = False, number
        self._held.append(line.strip())

    def done(self) -> Iterator[Piece]:
        """The piece so far, ended."""
        text = "\n".join(self._held).strip()
        self._held.clear()
        if text:
            headings = tuple(name for _, name in self._headings)
            yield Piece(text=text, bullet=self._bullet, headings=headings, line=self._begun)


def _spoken(body: str) -> str:
    """The text without its comments, in as many lines."""
    for opens, closes in _COMMENTS:
        kept: list[str] = []
        place = 0
        while (begin := body.find(opens, place)) >= 0:
            end = body.find(closes, begin + len(opens))
            if end < 0:
                break
            kept += (body[place:begin], "\n" * body.count("\n", begin, end))
            place = end + len(closes)
        body = "".join((*kept, body[place:]))
    return body


def said(text: str) -> str:
    """A text as it reads: links by their names; embedded files, marks of blocks, boxes away."""
    if "[[" in text:
        text = _LINK.sub(lambda match: (match[2] or match[1]).strip(), _EMBED.sub("", text))
    if "^" in text:
        text = _BLOCK_ID.sub("", text)
    return (_BOX.sub("", text) if text.startswith("[") else text).strip()


def links(text: str) -> tuple[str, ...]:
    """The names that a text links to."""
    return tuple(dict.fromkeys(match[1].strip() for match in _LINK.finditer(text) if match[1]))


def tags(text: str) -> tuple[str, ...]:
    """The tags in a text."""
    return tuple(dict.fromkeys(match[1] for match in _TAG.finditer(text)))


def states(text: str) -> tuple[str, ...]:
    """How far a task is, by its box; of what is no task nothing."""
    box = _BOX.match(text)
    return (_STATES[box[1]],) if box else ()


def texts(value: object) -> list[str]:
    """A property that is a text, several of them, or a list of texts."""
    if isinstance(value, str):
        return [part for part in re.split(r"[,\s]+", value.strip()) if part]
    if isinstance(value, list):
        return [told.strip() for one in value if (told := plain(one)) is not None]
    return []


def plain(value: object) -> str | None:
    """A property that is one word, number or day, as text; None for anything larger."""
    small = not isinstance(value, int) or value.bit_length() <= _MOST_BITS
    return str(value) if isinstance(value, str | int | float | date) and small else None

"""Notes in Markdown: basic-memory's with observations and relations, and an Obsidian vault's."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from engraphy.importers.markdown import (
    Piece,
    links,
    page,
    pieces,
    plain,
    said,
    states,
    tags,
    texts,
)
from engraphy.importers.notes import Notes
from engraphy.importers.reading import files, modified, moment, name_of, text, undated
from engraphy.importers.source import Source, unknown
from engraphy.model import Kind
from engraphy.model.importing import Item
from engraphy.record import Record
from engraphy.text.aims import is_own_word
from engraphy.text.classify import classify
from engraphy.text.split import chunks

BASIC, OBSIDIAN = "basic-memory", "obsidian"
BASIC_EXPECTS = "a note, or a folder of notes (Markdown with '- [category] content #tag (context)')"
OBSIDIAN_EXPECTS = "a vault (a folder with .obsidian or .md files), or a note of it"
_OBSERVATION = re.compile(r"^\[([^\[\]()]{1,80})\]\s++(\S.*)$", re.DOTALL)
_BOX = re.compile(r"^[ xX/-]$")
_RELATION = re.compile(r"^([^\[\]]*)\[\[([^\]|]+)(?:\|[^\]]*)?\]\](?:\s*\(([^()]*)\))?\s*$")
_DATES = ("created", "created_at", "date", "updated", "modified")
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_LONGEST, _LONG, _MOST = 200, 1_200, 64
_LOOKED_AT = 50
_OWN = frozenset(
    {Kind.POLICY, Kind.CORRECTION, Kind.PREFERENCE, Kind.DECISION, Kind.WORKFLOW, Kind.PLAN}
)
"""Kinds of what somebody wants, wanted or changed."""
_LONGEST_LINE = 4_000


class _Note(Record, frozen=True, kw_only=True):
    """What a note says of itself."""

    name: str
    title: str
    tags: tuple[str, ...]
    at: int | None


def fits_basic(path: Path) -> bool:
    """Whether one of the first notes has an observation, and properties of basic-memory."""
    if path.is_file():
        return path.suffix == ".md" and _basic(path)
    return any(_basic(one) for one in islice(path.rglob("*.md"), _LOOKED_AT))


def fits_vault(path: Path) -> bool:
    """Whether it is a vault."""
    return path.is_dir() and (path / ".obsidian").is_dir()


def read_basic(path: Path, notes: Notes) -> Iterator[Item]:
    """A memory per observation and relation; what else a note says as well."""
    yield from _read(path, notes, BASIC_EXPECTS, observations=True)


def read_vault(path: Path, notes: Notes) -> Iterator[Item]:
    """A memory per paragraph and bullet of each note, of long ones per chunk."""
    yield from _read(path, notes, OBSIDIAN_EXPECTS, observations=False)


def _read(path: Path, notes: Notes, expects: str, *, observations: bool) -> Iterator[Item]:
    found = False
    for file in files(path, _named, notes) if path.is_dir() or _named(path) else ():
        inside = file.relative_to(path) if file != path else Path(file.name)
        if any(part.startswith(".") for part in inside.parts):
            continue
        found = True
        content = page(file, notes)
        note = _note(file, inside, content.properties, notes)
        for piece in pieces(content.body):
            if not observations or not piece.bullet or len(piece.text) > _LONGEST_LINE:
                yield from _prose(piece, note, notes)
            elif (seen := _OBSERVATION.match(piece.text)) and not _BOX.match(seen[1]):
                yield _observed(seen, note)
            elif related := _RELATION.match(piece.text):
                yield _related(related, note)
            else:
                yield from _prose(piece, note, notes)
    if not found:
        raise unknown(path, "which has no note (.md)", expects)


def _named(path: Path) -> bool:
    return path.suffix == ".md"


def _basic(path: Path) -> bool:
    content = page(path, Notes())
    own = {"permalink", "type"} & content.properties.keys()
    return bool(own) and any(
        piece.bullet and (_OBSERVATION.match(piece.text) or _RELATION.match(piece.text))
        for piece in pieces(content.body)
    )


def _note(file: Path, inside: Path, properties: Mapping[str, Any], notes: Notes) -> _Note:
    return _Note(
        name=text(properties.get("permalink")) or inside.with_suffix("").as_posix(),
        title=text(properties.get("title")) or file.stem,
        tags=tuple(one.lstrip("#") for one in texts(properties.get("tags"))),
        at=_moment(file, properties, notes),
    )


def _moment(file: Path, properties: Mapping[str, Any], notes: Notes) -> int | None:
    """When a note is of: as its properties say, or its name, which is a day's for a daily note;
    else when its file was changed last."""
    every = ((name, _single(properties[name])) for name in _DATES if properties.get(name))
    told = {name: value for name, value in every if value is not None}
    day = _DAY.match(file.stem)
    dates = [moment(one) for one in (*told.values(), day[0] if day else None)]
    at = next((one for one in dates if one is not None), None)
    if at is None and told:
        name = next(iter(told))
        notes.wrong(file, 1, undated(name, told[name]))
    return at if at is not None else modified(file)


def _single(value: object) -> str | None:
    """A property, also where it is written as a link, which is a list in a list."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return plain(value)


def _observed(seen: re.Match[str], note: _Note) -> Item:
    category, told = seen[1].strip(), seen[2].strip()
    words, _, context = told.rpartition("(") if told.endswith(")") else (told, "", "")
    if not words.strip():
        words, context = told, ""
    return _item(
        note,
        said(words),
        {
            "category": category[:_LONGEST],
            "context": context.removesuffix(")")[:_LONG],
            "tags": [*note.tags, *tags(words)][:_MOST],
            "entities": [one[:_LONGEST] for one in links(words)][:_MOST],
        },
    )


def _related(related: re.Match[str], note: _Note) -> Item:
    kind, target = related[1].strip() or "relates to", related[2].strip()
    return _item(
        note,
        f"{note.title} {kind.replace('_', ' ')} {target}",
        {
            "kind": "relationship",
            "context": (related[3] or "")[:_LONG],
            "entities": [note.title[:_LONGEST], target[:_LONGEST]],
            "tags": list(note.tags)[:_MOST],
        },
    )


def _prose(piece: Piece, note: _Note, notes: Notes) -> Iterator[Item]:
    told = said(piece.text)
    if not any(sign.isalnum() for sign in told):
        notes.skip("no text")
        return
    entities = [one[:_LONGEST] for one in links(piece.text)][:_MOST]
    for part in chunks(told, limit=_LONG):
        yield _item(
            note,
            part,
            {
                **_kind(part),
                "subtitle": " / ".join(piece.headings)[:_LONGEST],
                "context": " / ".join(piece.headings[-1:])[:_LONGEST],
                "tags": [*states(piece.text), *note.tags, *tags(part)][:_MOST],
                "entities": entities,
            },
        )


def _kind(told: str) -> dict[str, str]:
    """A description in which "must" or "never" stands is no rule, nor a preference: those are what
    a note says as its writer's own word."""
    describes = classify(told).kind in _OWN and not is_own_word(told)
    return {"kind": Kind.FACT.value} if describes else {}


def _item(note: _Note, content: str, fields: dict[str, Any]) -> Item:
    return Item(
        id=name_of(note.name, content),
        content=content,
        at=note.at,
        fields={"title": note.title[:_LONGEST], **fields},
    )


BASIC_SOURCE = Source(name=BASIC, expects=BASIC_EXPECTS, fits=fits_basic, items=read_basic)
OBSIDIAN_SOURCE = Source(name=OBSIDIAN, expects=OBSIDIAN_EXPECTS, fits=fits_vault, items=read_vault)

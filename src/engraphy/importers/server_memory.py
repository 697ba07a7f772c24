"""The reference MCP memory server: `memory.jsonl`, one entity or relation per line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engraphy.importers.notes import Notes
from engraphy.importers.reading import files, items, mapping, modified, name_of, records, text
from engraphy.importers.source import Source, unknown
from engraphy.model.importing import Item

NAME = "server-memory"
EXPECTS = (
    'lines of {"type": "entity", "name", "entityType", "observations"} and {"type": "relation", '
    '"from", "to", "relationType"} (memory.jsonl, or memory.json of earlier versions)'
)


def fits(path: Path) -> bool:
    """Whether its first line is an entity or a relation."""
    if not path.is_file() or path.suffix not in (".jsonl", ".json"):
        return False
    first = next((one for _, one in records(path, Notes())), {})
    return _entity(first) or _relation(first)


def read(path: Path, notes: Notes) -> Iterator[Item]:
    """A memory per observation, per relation, and per entity of which nothing was observed."""
    for file in files(path, _named, notes):
        known, at = False, modified(file)
        for _, record in records(file, notes):
            if _entity(record):
                known = True
                yield from _observed(record, at, notes)
            elif _relation(record):
                known = True
                yield _related(record, at)
            else:
                notes.skip("neither entity nor relation")
        if not known:
            raise unknown(file, "which has neither an entity nor a relation", EXPECTS)


def _named(path: Path) -> bool:
    return path.name in ("memory.jsonl", "memory.json")


def _entity(record: dict[str, Any]) -> bool:
    return record.get("type") == "entity" and bool(text(record.get("name")).strip())


def _relation(record: dict[str, Any]) -> bool:
    ends = ("from", "to", "relationType")
    return record.get("type") == "relation" and all(text(record.get(end)).strip() for end in ends)


def _observed(record: dict[str, Any], at: int | None, notes: Notes) -> Iterator[Item]:
    name, sort = text(record["name"]).strip(), text(record.get("entityType")).strip()
    fields = {"title": _words(name)[:200], "category": sort[:200], "entities": [name[:200]]}
    told = list(_observations(record.get("observations"), notes))
    for one in told:
        # An observation leaves out whom it is about.
        named = _words(name).lower() in one.lower() or name.lower() in one.lower()
        yield Item(
            id=name_of("observation", name, one),
            content=one if named else f"{_words(name)}: {one}",
            at=at,
            fields=fields,
        )
    if not told and sort:
        content = f"{_words(name)} ({_words(sort)})"
        yield Item(
            id=name_of("entity", name, sort),
            content=content,
            at=at,
            fields={**fields, "kind": "entity"},
        )
    elif not told:
        notes.skip("no text")


def _observations(found: object, notes: Notes) -> Iterator[str]:
    """The texts of a list; servers that grew out of this one keep objects with a text in it."""
    for one in [found] if isinstance(found, str) else items(found):
        number = isinstance(one, int | float) and not isinstance(one, bool)
        told = str(one) if number else text(one) or text(mapping(one).get("content"))
        if told.strip():
            yield told.strip()
        else:
            notes.skip("no text")


def _related(record: dict[str, Any], at: int | None) -> Item:
    ends = [text(record[key]).strip() for key in ("from", "relationType", "to")]
    return Item(
        id=name_of("relation", *ends),
        content=" ".join(map(_words, ends)),
        at=at,
        fields={"kind": "relationship", "entities": [ends[0][:200], ends[2][:200]]},
    )


def _words(name: str) -> str:
    return name.replace("_", " ")


SOURCE = Source(name=NAME, expects=EXPECTS, fits=fits, items=read)

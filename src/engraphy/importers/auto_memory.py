"""Claude Code's auto-memory: a folder with `MEMORY.md`, which points to files of one fact each."""

import re
from collections.abc import Iterator
from pathlib import Path

from engraphy.importers.markdown import page, said
from engraphy.importers.notes import Notes
from engraphy.importers.places import project, spelled
from engraphy.importers.reading import files, mapping, modified, name_of, records, text
from engraphy.importers.source import Source, unknown
from engraphy.model.importing import Item

NAME = "auto-memory"
EXPECTS = (
    "a memory folder (MEMORY.md and <fact>.md files) such as ~/.claude/projects/<folder>/memory"
)
_INDEX = "MEMORY.md"
_FOLDER = "memory"
_POINTS = re.compile(r"^\s*[-*]\s+\[([^\]]*)\]\(([^)]+\.md)\)")
_KINDS = {"user": "preference", "feedback": "policy", "project": "fact", "reference": "fact"}
_HEAD = 200


def fits(path: Path) -> bool:
    """Whether it is such a folder, a file of it, or a folder above one."""
    if path.is_file():
        return _named(path)
    below = next(path.rglob(f"{_FOLDER}/{_INDEX}"), None)
    return (path / _INDEX).is_file() or below is not None


def read(path: Path, notes: Notes) -> Iterator[Item]:
    """One memory per file of facts, and those lines of the index that point to no file."""
    found = False
    for file in files(path, _named, notes) if path.is_dir() or _named(path) else ():
        found = True
        own = _project(file.parent)
        yield from _index(file, own, notes) if file.name == _INDEX else _fact(file, own, notes)
    if not found:
        raise unknown(path, "which has no MEMORY.md", EXPECTS)


def _named(path: Path) -> bool:
    return path.suffix == ".md" and (path.parent / _INDEX).is_file()


def _fact(file: Path, own: str | None, notes: Notes) -> Iterator[Item]:
    found = page(file, notes)
    told = said(found.body)
    description = text(found.properties.get("description")).strip()
    if not (told or description):
        notes.skip("empty")
        return
    sort = text(mapping(found.properties.get("metadata")).get("type"))
    sort = sort or text(found.properties.get("type"))
    name = text(found.properties.get("name")) or file.stem
    content = told or description
    yield Item(
        id=name_of(own, file.name, content),
        content=content,
        at=modified(file),
        project=own,
        fields={
            "kind": _KINDS.get(sort, "fact"),
            "title": name[:200],
            "subtitle": description[:500],
            "category": sort[:100],
        },
    )


def _index(file: Path, own: str | None, notes: Notes) -> Iterator[Item]:
    """A line that points to a file says what the file says; only others are facts of their own."""
    at = modified(file)
    for line in page(file, notes).body.splitlines():
        told = line.strip().lstrip("-*# ").strip()
        points = _POINTS.match(line)
        if points and _there(file.parent / points[2]):
            notes.skip("a pointer to a file")
        elif line.lstrip().startswith("#") or not told:
            continue
        else:
            yield Item(id=name_of(own, file.name, told), content=said(told), at=at, project=own)


def _there(file: Path) -> bool:
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False


def _project(folder: Path) -> str | None:
    """The project of a memory folder: as the transcripts beside it tell, else as it is spelled."""
    home = folder.parent if folder.name == _FOLDER else folder
    for transcript in sorted(home.glob("*.jsonl")):
        for (_, record), _ in zip(records(transcript, Notes()), range(_HEAD), strict=False):
            if cwd := text(record.get("cwd")):
                return project(cwd)
    return spelled(home.name) if home.name.startswith("-") else None


SOURCE = Source(name=NAME, expects=EXPECTS, fits=fits, items=read)

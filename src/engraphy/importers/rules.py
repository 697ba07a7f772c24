"""What projects tell their agents: `AGENTS.md`, `CLAUDE.md`, `GEMINI.md`, `.cursor/rules/*.mdc`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engraphy.importers.markdown import Piece, page, pieces, said, texts
from engraphy.importers.notes import Notes
from engraphy.importers.places import project
from engraphy.importers.reading import files, modified, name_of, text
from engraphy.importers.source import Source, unknown
from engraphy.model import Kind
from engraphy.model.importing import Item
from engraphy.text.classify import classify

NAME = "rules"
EXPECTS = (
    "AGENTS.md, CLAUDE.md, GEMINI.md, .cursorrules or .cursor/rules/*.mdc, or a folder with one"
)
_NAMES = (
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "GEMINI.md",
    ".cursorrules",
    "copilot-instructions.md",
)
_RULES = ("rules", ".cursor")
_HOMES = (".claude", ".codex", ".gemini", ".cursor", ".github")
_SKIPPED = frozenset({"dist", "build", "vendor"})
_SHORTEST = 8
_LONGEST = 200


def fits(path: Path) -> bool:
    """Whether it is such a file, or a folder that has one at its top."""
    if path.is_file():
        return _named(path)
    beside = (path / ".cursor" / "rules").is_dir()
    return beside or any((path / name).is_file() for name in _NAMES)


def read(path: Path, notes: Notes) -> Iterator[Item]:
    """A memory per bullet and paragraph; of a rule with globs it holds for these files only."""
    if path.is_file() and not _named(path):
        raise unknown(path, "which is none of them", EXPECTS)
    for file in files(path, _named, notes):
        if _SKIPPED & set(file.relative_to(path).parts):
            continue
        found = page(file, notes)
        globs = [one.strip() for one in texts(found.properties.get("globs")) if one.strip()]
        own, at = _project(file), modified(file)
        for piece in pieces(found.body):
            told = said(piece.text)
            if told.startswith("@") and " " not in told:
                notes.skip("another file that is named")
            elif len(told) < _SHORTEST or told.endswith(":"):
                notes.skip("too short, or only announces")
            else:
                fields = _fields(file, piece, globs, text(found.properties.get("description")))
                name = name_of(own, file.name, told)
                yield Item(id=name, content=told, at=at, project=own, fields=fields)


def _named(path: Path) -> bool:
    cursor = path.suffix in (".mdc", ".md") and path.parent.parts[-2:] == _RULES[::-1]
    return path.name in _NAMES or cursor


def _fields(file: Path, piece: Piece, globs: list[str], description: str) -> dict[str, Any]:
    kind = classify(piece.text).kind
    kind = kind if kind in (Kind.PREFERENCE, Kind.POLICY, Kind.PITFALL) else Kind.POLICY
    fields: dict[str, Any] = {"kind": kind.value if piece.bullet else Kind.FACT.value}
    fields["title"] = (piece.headings[-1] if piece.headings else description)[:_LONGEST]
    fields["subtitle"] = file.name
    if globs:
        fields["scope_globs"] = globs
    return fields


def _project(file: Path) -> str | None:
    """The project that a file stands in; what stands in the home folder is for all of them."""
    folder = file.absolute().parent
    if folder.parts[-2:] == _RULES[::-1]:
        folder = folder.parent.parent
    elif folder.name in _HOMES:
        folder = folder.parent
    return project(str(folder))


SOURCE = Source(name=NAME, expects=EXPECTS, fits=fits, items=read)

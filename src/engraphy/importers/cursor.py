"""Cursor's transcripts: `~/.cursor/projects/<folder>/agent-transcripts/<id>/<id>.jsonl`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engraphy.importers.notes import Notes
from engraphy.importers.places import spelled
from engraphy.importers.reading import files, items, mapping, modified, name_of, records, text
from engraphy.importers.source import HOST, Source, TOOL, noise, unknown
from engraphy.model import Role
from engraphy.model.importing import Item

NAME = "cursor"
EXPECTS = "a transcript, or a folder of them such as ~/.cursor/projects (agent-transcripts/*.jsonl)"
_FOLDER = "agent-transcripts"
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_OPENS, _CLOSES = "<user_query>", "</user_query>"


def fits(path: Path) -> bool:
    """Whether it is such a transcript, or a folder that has one."""
    if path.is_dir():
        return next(path.rglob(f"{_FOLDER}/**/*.jsonl"), None) is not None
    return _named(path)


def read(path: Path, notes: Notes) -> Iterator[Item]:
    """The messages of user and assistant; they carry no times, so that of the file is theirs."""
    known = False
    for file in files(path, _named if path.is_dir() else _any, notes):
        own, at = _project(file), modified(file)
        for _, record in records(file, notes):
            known = known or "message" in record
            role = _ROLES.get(text(record.get("role")))
            if role is None:
                notes.skip("not a message")
            elif told := "\n".join(_texts(record, notes)).strip():
                yield Item(
                    id=name_of(file.stem, role.value, told),
                    content=told,
                    role=role,
                    at=at,
                    project=own,
                    session=file.stem,
                )
    if not known:
        raise unknown(path, "which has no line with a role and a message", EXPECTS)


def _any(path: Path) -> bool:  # noqa: ARG001 - a file that was named is read
    return True


def _named(path: Path) -> bool:
    return path.suffix == ".jsonl" and _FOLDER in path.parts


def _texts(record: dict[str, Any], notes: Notes) -> Iterator[str]:
    content = mapping(record.get("message")).get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else items(content)
    for block in map(mapping, blocks):
        told = text(block.get("text"))
        if block.get("type") != "text":
            notes.skip(TOOL)
        elif _OPENS in told:
            # What is between is the user's; around it stands what the editor adds.
            yield from (one.partition(_CLOSES)[0].strip() for one in told.split(_OPENS)[1:])
        elif noise(NAME, told):
            notes.skip(HOST)
        else:
            yield told


def _project(file: Path) -> str | None:
    parts = file.parts
    if _FOLDER not in parts or parts.index(_FOLDER) == 0:
        return None
    return spelled(parts[parts.index(_FOLDER) - 1])


SOURCE = Source(name=NAME, expects=EXPECTS, fits=fits, items=read)

"""Claude Code's transcripts: `~/.claude/projects/<folder>/<session>.jsonl`, one object per line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engraphy.importers.notes import Notes
from engraphy.importers.places import project
from engraphy.importers.reading import files, items, mapping, moment, name_of, records, text
from engraphy.importers.source import Course, HOST, SIDE, Source, TOOL, noise, unknown
from engraphy.model import Role
from engraphy.model.importing import Item

NAME = "claude-code"
EXPECTS = "a transcript (<session>.jsonl), or a folder of them such as ~/.claude/projects"
_SAID = ("user", "assistant")
_OWN = ("isMeta", "isCompactSummary", "isApiErrorMessage", "isVisibleInTranscriptOnly")
_NOTES = "memory/MEMORY.md"
_NOTED = "Claude's own notes (MEMORY.md), which --from auto-memory brings in"
_HEAD = 50
_NOBODY = "<synthetic>"


def fits(path: Path) -> bool:
    """Whether it is a transcript, or a folder that has one."""
    if path.is_dir():
        return any(_transcript(one) for one in _first(path.rglob("*.jsonl"), _HEAD))
    return path.suffix == ".jsonl" and _transcript(path)


def read(path: Path, notes: Notes) -> Iterator[Item]:
    """The messages of user and assistant, session by session in the order of their beginnings."""
    found = sorted(files(path, _named, notes), key=_begins)
    for _ in path.rglob(_NOTES):
        notes.skip(_NOTED)
    known = False
    for file in found:
        course, folder = Course(notes, file), ""
        for number, record in records(file, notes):
            known = known or "uuid" in record or "sessionId" in record
            folder = text(record.get("cwd")).strip() or folder
            at = course.at(record.get("timestamp"), number, "timestamp")
            yield from _message(record, file, (folder, at), notes)
    if not known:
        raise unknown(path, "which has no line with a sessionId", EXPECTS)


def _named(path: Path) -> bool:
    return path.suffix == ".jsonl"


def _transcript(path: Path) -> bool:
    heads = _first(records(path, Notes()), _HEAD)
    return any("sessionId" in one and ("uuid" in one or "type" in one) for _, one in heads)


def _begins(path: Path) -> tuple[int, str]:
    """When a session began, so that what was said later is heard later."""
    for _, record in _first(records(path, Notes()), _HEAD):
        at = moment(record.get("timestamp"))
        if at is not None:
            return at, str(path)
    return 0, str(path)


def _first(found: Iterator[Any], most: int) -> Iterator[Any]:
    for _, one in zip(range(most), found, strict=False):
        yield one


def _message(
    record: dict[str, Any], file: Path, stands: tuple[str, int | None], notes: Notes
) -> Iterator[Item]:
    """A line's message; `stands`: the folder and the moment, which hold until another line says
    them."""
    sort = text(record.get("type"))
    message = mapping(record.get("message"))
    if sort not in _SAID:
        notes.skip("not a message" if sort else "a line of no known kind")
        return
    if record.get("isSidechain"):
        notes.skip(SIDE)
        return
    if any(record.get(name) for name in _OWN) or message.get("model") == _NOBODY:
        notes.skip(HOST)
        return
    told = "\n".join(_texts(message.get("content"), notes)).strip()
    if not told:
        return
    session = text(record.get("sessionId")) or file.stem
    folder, at = stands
    yield Item(
        id=text(record.get("uuid")) or name_of(session, record.get("timestamp"), sort, told),
        content=told,
        role=Role.USER if sort == "user" else Role.ASSISTANT,
        at=at,
        project=project(folder),
        session=session,
    )


def _texts(content: object, notes: Notes) -> Iterator[str]:
    """The words of a message; tools, thoughts, pictures and what the host wrote are left out."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else items(content)
    for block in map(mapping, blocks):
        told = text(block.get("text"))
        if block.get("type") != "text":
            notes.skip(TOOL if "tool" in text(block.get("type")) else "no text")
        elif noise(NAME, told):
            notes.skip(HOST)
        elif told.strip():
            yield told


SOURCE = Source(name=NAME, expects=EXPECTS, fits=fits, items=read)

"""Codex's rollouts: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, of `{type, payload}` lines."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from engraphy.importers.notes import Notes
from engraphy.importers.places import project
from engraphy.importers.reading import files, items, mapping, moment, name_of, records, text
from engraphy.importers.source import Course, HOST, SIDE, Source, TOOL, noise, unknown
from engraphy.model import Role
from engraphy.model.importing import Item

NAME = "codex"
EXPECTS = "a rollout (rollout-*.jsonl), or a folder of them such as ~/.codex/sessions"
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_WORDS = ("input_text", "output_text", "text")


class _Session(Struct):
    """What a rollout says of itself."""

    id: str
    folder: str = ""
    at: int | None = None
    side: bool = False
    known: bool = False


def fits(path: Path) -> bool:
    """Whether it is a rollout, or a folder that has one."""
    if path.is_dir():
        return next(path.rglob("rollout-*.jsonl"), None) is not None
    return path.suffix == ".jsonl" and _session(path).known


def read(path: Path, notes: Notes) -> Iterator[Item]:
    """The messages of user and assistant, rollout by rollout in the order of their names."""
    known = False
    for file in sorted(files(path, _named, notes), key=_name):
        session = _session(file)
        known = known or session.known
        if session.side:
            notes.skip(SIDE)
            continue
        course = Course(notes, file, session.at)
        for number, record in records(file, notes):
            session.at = course.at(record.get("timestamp"), number, "timestamp")
            yield from _line(record, session, notes)
    if not known:
        raise unknown(path, "which has no line with a type and a payload", EXPECTS)


def _named(path: Path) -> bool:
    return path.suffix == ".jsonl" and path.name.startswith("rollout-")


def _name(path: Path) -> str:
    return path.name


def _session(path: Path) -> _Session:
    """What the first lines with its id and folder tell, wherever they stand."""
    found = _Session(id=path.stem)
    for number, (_, record) in enumerate(records(path, Notes())):
        payload = mapping(record.get("payload"))
        found.at = found.at or moment(record.get("timestamp"))
        found.known = found.known or bool(payload) or (number == 0 and "instructions" in record)
        if record.get("type") == "session_meta":
            found.id = text(payload.get("id")) or found.id
            found.folder = text(payload.get("cwd")) or found.folder
            found.side = isinstance(payload.get("source"), dict)
            break
        if number == 0 and "type" not in record:
            found.id = text(record.get("id")) or found.id
    return found


def _line(record: dict[str, Any], session: _Session, notes: Notes) -> Iterator[Item]:
    sort = record.get("type")
    if sort == "turn_context":
        session.folder = text(mapping(record.get("payload")).get("cwd")) or session.folder
        return
    # Rollouts of 2025 have the messages themselves as lines.
    payload = record if sort == "message" else mapping(record.get("payload"))
    if sort not in ("response_item", "message") or payload.get("type") != "message":
        called = "call" in text(payload.get("type"))
        notes.skip(TOOL if called else "not a message")
        return
    role = _ROLES.get(text(payload.get("role")))
    if role is None:
        notes.skip(HOST)
        return
    told = "\n".join(_texts(payload.get("content"), notes)).strip()
    if told:
        at = record.get("timestamp")
        yield Item(
            id=text(payload.get("id")) or name_of(at or session.id, role.value, told),
            content=told,
            role=role,
            at=session.at,
            project=project(session.folder),
            session=session.id,
        )


def _texts(content: object, notes: Notes) -> Iterator[str]:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else items(content)
    for block in map(mapping, blocks):
        told = text(block.get("text"))
        if block.get("type") not in _WORDS:
            notes.skip("no text")
        elif noise(NAME, told):
            notes.skip(HOST)
        elif told.strip():
            yield told


SOURCE = Source(name=NAME, expects=EXPECTS, fits=fits, items=read)

"""Gemini CLI's chats: `~/.gemini/tmp/<project>/chats/session-*.jsonl` (or `.json`, until 2026)."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engraphy.errors import EngraphyError
from engraphy.importers.notes import Notes
from engraphy.importers.places import project
from engraphy.importers.reading import (
    LARGEST_FILE,
    bytes_of,
    document,
    files,
    items,
    mapping,
    name_of,
    records,
    text,
    whole,
)
from engraphy.importers.source import Course, HIDDEN, HOST, SIDE, Source, noise, unknown
from engraphy.model import Role
from engraphy.model.importing import Item

NAME = "gemini"
EXPECTS = "a chat (session-*.jsonl or .json), or a folder of them such as ~/.gemini/tmp"
_ROLES = {"user": Role.USER, "gemini": Role.ASSISTANT}
_ROOT = ".project_root"
_LONGEST = 4_096


def fits(path: Path) -> bool:
    """Whether it is a chat, or a folder that has one."""
    if path.is_dir():
        return next(path.rglob("chats/session-*.json*"), None) is not None
    return _named(path)


def read(path: Path, notes: Notes) -> Iterator[Item]:
    """The messages of user and model, chat by chat in the order of their names."""
    known = False
    for file in sorted(files(path, _named, notes), key=_name):
        chat = _chat(file, notes)
        known = known or bool(chat)
        if chat.get("kind") == "subagent":
            notes.skip(SIDE)
            continue
        own = _project(file, chat)
        course, session = Course(notes, file, chat.get("startTime")), text(chat.get("sessionId"))
        for number, message in enumerate(map(mapping, items(chat.get("messages"))), 1):
            at = course.at(message.get("timestamp"), number, "timestamp")
            yield from _message(message, session, own, at, notes)
    if not known:
        raise unknown(path, "which has no sessionId and no messages", EXPECTS)


def _named(path: Path) -> bool:
    return path.suffix in (".json", ".jsonl") and path.name.startswith("session-")


def _name(path: Path) -> str:
    return path.name


def _chat(file: Path, notes: Notes) -> dict[str, Any]:
    """A chat as it stands in the end; empty where the file is none."""
    size = bytes_of(file)
    if size is None:
        notes.wrong(file, 1, "it is there no longer")
        return {}
    if size > LARGEST_FILE:
        notes.wrong(file, 1, f"a chat of more than {LARGEST_FILE >> 20} MB")
        return {}
    if file.suffix == ".jsonl":
        return _replayed(file, notes)
    try:
        found = dict(mapping(document(file)))
    except EngraphyError as error:
        notes.wrong(file, 1, error)
        return {}
    return found if items(found.get("messages")) else {}


def _replayed(file: Path, notes: Notes) -> dict[str, Any]:
    """A chat by its lines: of a message told again the newest that has words counts, one that was
    gone back behind is none."""
    told: dict[str, Any] = {}
    messages: dict[str, dict[str, Any]] = {}
    for _, record in records(file, notes):
        if isinstance(record.get("$rewindTo"), str):
            _gone_back(messages, record["$rewindTo"], notes)
            continue
        more = mapping(record.get("$set", record if "sessionId" in record else None))
        told |= {key: value for key, value in more.items() if key != "messages"}
        for one in map(mapping, [record, *items(more.get("messages"))]):
            own = one.get("id")
            if isinstance(own, str) and (_words(one.get("content")) or own not in messages):
                messages[own] = dict(one)
    if not told and not messages:
        return {}
    return {"sessionId": file.stem, **told, "messages": list(messages.values())}


def _gone_back(messages: dict[str, dict[str, Any]], id: str, notes: Notes) -> None:
    while id in messages:
        messages.popitem()
        notes.skip("gone back behind")


def _message(
    message: Mapping[str, Any], session: str, own: str | None, at: int | None, notes: Notes
) -> Iterator[Item]:
    role = _ROLES.get(text(message.get("type")))
    if role is None:
        notes.skip(HOST if message.get("type") else HIDDEN)
        return
    told = _words(message.get("content"))
    if not told:
        return
    if noise(NAME, told):
        notes.skip(HOST)
        return
    yield Item(
        id=text(message.get("id")) or name_of(session, message.get("timestamp"), told),
        content=told,
        role=role,
        at=at,
        project=own,
        session=session,
    )


def _words(content: object) -> str:
    if isinstance(content, str):
        return content.strip()
    found = content if isinstance(content, list) else [content]
    told = (one if isinstance(one, str) else text(mapping(one).get("text")) for one in found)
    return "\n".join(one for one in told if one.strip()).strip()


def _project(file: Path, chat: dict[str, Any]) -> str | None:
    """The project by its folder where the chat's own folder tells it; else by the name or hash
    under which Gemini CLI keeps it."""
    home = file.parent.parent
    root = home / _ROOT
    if root.is_file() and (bytes_of(root) or 0) <= _LONGEST:
        return project(whole(root).decode("utf-8", "replace").strip())
    told = text(chat.get("projectHash")) or (home.name if file.parent.name == "chats" else "")
    return f"gemini-{told[:64]}" if told else None


SOURCE = Source(name=NAME, expects=EXPECTS, fits=fits, items=read)

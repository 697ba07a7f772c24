"""Claude.ai's export: a ZIP file with `conversations.json` (an array, or lines), and others."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engraphy.importers.archive import has, objects
from engraphy.importers.markdown import pieces, said
from engraphy.importers.notes import Notes
from engraphy.importers.reading import MOST_OTHERS, items, mapping, moment, name_of, text
from engraphy.importers.source import Course, Source, TOOL, unknown
from engraphy.model import Role
from engraphy.model.importing import Item

NAME = "claude-ai"
EXPECTS = (
    "Claude.ai's export (a ZIP file, its folder, or conversations.json): an array of "
    'conversations with "chat_messages"'
)
_NAMES = ("conversations.json", "conversations.jsonl")
_MEMORIES, _PROJECTS = "memories.json", "projects.json"
_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT}
_TITLE = re.compile(r"\*\*([^*]{1,200})\*\*:?")
"""A line in bold is how it writes a heading."""
_WORDS = ("conversations_memory", "memory", "content", "text")


def fits(path: Path) -> bool:
    """Whether its first conversation is one of Claude.ai's."""
    if not has(path, _named):
        return False
    return "chat_messages" in next(objects(path, _named, Notes()), {})


def read(path: Path, notes: Notes) -> Iterator[Item]:
    """The messages of each conversation, on the branch that stands in the end; and what Claude.ai
    itself remembers, where the export has it."""
    known = False
    found = objects(path, _any if path.is_file() else _named, notes)
    for number, conversation in enumerate(found, 1):
        if not isinstance(conversation.get("chat_messages"), list):
            notes.skip("no conversation")
            if number >= MOST_OTHERS and not known:
                break
            continue
        known = True
        session = text(conversation.get("uuid"))
        course = Course(notes, path, conversation.get("created_at"))
        for message in _branch(conversation):
            at = course.at(message.get("created_at"), number, "created_at")
            yield from _message(message, session, at, notes)
    if not known:
        raise unknown(path, "which has no conversation with chat_messages", EXPECTS)
    if path.is_dir() or path.suffix.lower() == ".zip":
        yield from _beside(path, notes)


def _beside(path: Path, notes: Notes) -> Iterator[Item]:
    """What an export has beside its conversations."""
    for memory in objects(path, _remembers, notes):
        yield from _remembered(memory, notes)
    for _ in objects(path, _instructs, notes):
        notes.skip("a project's instructions and documents")


def _named(name: str) -> bool:
    return name in _NAMES


def _any(name: str) -> bool:
    return _named(name) or (name.endswith((".json", ".jsonl")) and "conversation" in name)


def _remembers(name: str) -> bool:
    return name == _MEMORIES


def _instructs(name: str) -> bool:
    return name == _PROJECTS


def _branch(conversation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The messages from the first to the current one; all of them where none is called that."""
    every = items(conversation.get("chat_messages"))
    told: list[Mapping[str, Any]] = [one for one in every if isinstance(one, dict)]
    by_id = {text(one.get("uuid")): one for one in told}
    own = text(conversation.get("current_leaf_message_uuid"))
    found: list[Mapping[str, Any]] = []
    while own in by_id:
        found.append(by_id.pop(own))
        own = text(found[-1].get("parent_message_uuid"))
    return found[::-1] or told


def _message(
    message: Mapping[str, Any], session: str, at: int | None, notes: Notes
) -> Iterator[Item]:
    role = _ROLES.get(text(message.get("sender")))
    if role is None:
        notes.skip("not a message")
        return
    told = _words(message, notes)
    if items(message.get("attachments")) or items(message.get("files")):
        notes.skip("an attachment")
    if told:
        since = message.get("created_at")
        yield Item(
            id=text(message.get("uuid")) or name_of(session, since, told),
            content=told,
            role=role,
            at=at,
            session=session or None,
        )


def _words(message: Mapping[str, Any], notes: Notes) -> str:
    """The blocks of text; the whole text where there are none, which has more than was said."""
    told: list[str] = []
    for block in map(mapping, items(message.get("content"))):
        if block.get("type") == "text":
            told.append(text(block.get("text")))
        else:
            notes.skip(TOOL if "tool" in text(block.get("type")) else "no text")
    joined = "\n".join(one for one in told if one.strip()).strip()
    return joined or ("" if told else text(message.get("text")).strip())


def _remembered(memory: Mapping[str, Any], notes: Notes) -> Iterator[Item]:
    """What Claude.ai remembers: a text for all conversations, and one for each project."""
    texts = [text(memory.get(name)) for name in _WORDS]
    texts += [text(one) for one in mapping(memory.get("project_memories")).values()]
    at = moment(memory.get("updated_at")) or moment(memory.get("created_at"))
    found, title = False, ""
    for piece in (piece for whole in texts for piece in pieces(whole)):
        told = said(piece.text)
        if headed := _TITLE.fullmatch(told):
            title = headed[1]
        elif told:
            found = True
            yield Item(id=name_of("memory", told), content=told, at=at, fields={"title": title})
    if not found:
        notes.skip("no text")


SOURCE = Source(name=NAME, expects=EXPECTS, fits=fits, items=read)

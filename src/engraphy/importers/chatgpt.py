"""ChatGPT's export: a ZIP file with `conversations.json`, or in parts `conversations-NNN.json`."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engraphy.importers.archive import has, objects
from engraphy.importers.notes import Notes
from engraphy.importers.reading import MOST_OTHERS, items, mapping, moment, name_of, text
from engraphy.importers.source import Course, HIDDEN, Source, TOOL, unknown
from engraphy.model import Role
from engraphy.model.importing import Item

NAME = "chatgpt"
EXPECTS = (
    "ChatGPT's export (a ZIP file, its folder, or conversations.json): an array of conversations "
    'with "mapping" and "current_node"'
)
_NAMES = re.compile(r"conversations(?:-\d+)?\.json\Z")
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_TYPES = ("text", "multimodal_text")
_CHANNELS = ("", "final")


def fits(path: Path) -> bool:
    """Whether its first conversation is one of ChatGPT's."""
    if not has(path, _named):
        return False
    return "mapping" in next(objects(path, _named, Notes()), {})


def read(path: Path, notes: Notes) -> Iterator[Item]:
    """The messages of each conversation, on the branch that stands in the end."""
    known = False
    found = objects(path, _any if path.is_file() else _named, notes)
    for number, conversation in enumerate(found, 1):
        nodes = conversation.get("mapping")
        if not isinstance(nodes, dict):
            notes.skip("no conversation")
            if number >= MOST_OTHERS and not known:
                break
            continue
        known = True
        if conversation.get("is_do_not_remember"):
            notes.skip("a conversation that is not to be remembered")
            continue
        session = text(conversation.get("conversation_id")) or text(conversation.get("id"))
        course = Course(notes, path, conversation.get("create_time"))
        for node, message in _branch(conversation, nodes):
            at = course.at(message.get("create_time"), number, "create_time")
            yield from _message(node, message, session, at, notes)
    if not known:
        raise unknown(path, "which has no conversation with a mapping", EXPECTS)


def _named(name: str) -> bool:
    return _NAMES.match(name) is not None


def _any(name: str) -> bool:
    return name.endswith(".json") and (_named(name) or "conversation" in name)


def _branch(
    conversation: Mapping[str, Any], nodes: Mapping[str, Any]
) -> list[tuple[str, Mapping[str, Any]]]:
    """The messages from the first to the current one."""
    own = text(conversation.get("current_node"))
    if own not in nodes:
        own = max(nodes, key=lambda one: _told_at(nodes[one]), default="")
    found: list[tuple[str, Mapping[str, Any]]] = []
    seen: set[str] = set()
    while own in nodes and own not in seen:
        seen.add(own)
        node = mapping(nodes[own])
        if isinstance(node.get("message"), dict):
            found.append((own, node["message"]))
        own = text(node.get("parent"))
    return found[::-1]


def _told_at(node: object) -> int:
    return moment(mapping(mapping(node).get("message")).get("create_time")) or 0


def _message(
    node: str, message: Mapping[str, Any], session: str, at: int | None, notes: Notes
) -> Iterator[Item]:
    role = _ROLES.get(text(mapping(message.get("author")).get("role")))
    if role is None or message.get("recipient") not in (None, "", "all"):
        notes.skip(TOOL)
        return
    content = mapping(message.get("content"))
    metadata = mapping(message.get("metadata"))
    hidden = message.get("weight") == 0 or metadata.get("is_visually_hidden_from_conversation")
    if hidden or text(message.get("channel")) not in _CHANNELS:
        notes.skip(HIDDEN)
    elif content.get("content_type") not in _TYPES:
        notes.skip("no text")
    elif told := _words(content.get("parts")):
        yield Item(
            id=text(message.get("id")) or name_of(session, node, told),
            content=told,
            role=role,
            at=at,
            session=session or None,
        )


def _words(parts: object) -> str:
    told = (one if isinstance(one, str) else text(mapping(one).get("text")) for one in items(parts))
    return "\n".join(one for one in told if one.strip()).strip()


SOURCE = Source(name=NAME, expects=EXPECTS, fits=fits, items=read)

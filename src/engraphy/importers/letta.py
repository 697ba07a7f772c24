"""Letta's agent files (`.af`): blocks of core memory, and the last messages of each agent."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engraphy.importers.notes import Notes
from engraphy.importers.reading import document, files, items, mapping, moment, name_of, text
from engraphy.importers.source import Course, HIDDEN, HOST, Source, TOOL, unknown
from engraphy.model import Role
from engraphy.model.importing import Item

NAME = "letta"
EXPECTS = 'an agent file (.af): JSON with "agents" and "blocks"'
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_SAID = "user_message"
_SPEAKS = "send_message"
"""The tool by which an agent of the older kinds speaks; what else it writes are thoughts."""
_LONGEST = 200


def fits(path: Path) -> bool:
    """Whether it is an agent file."""
    return path.is_file() and path.suffix == ".af"


def read(path: Path, notes: Notes) -> Iterator[Item]:
    """The blocks, paragraph by paragraph; then what agents and users said to one another."""
    for file in files(path, fits, notes):
        whole = mapping(document(file))
        if not {"agents", "blocks"} & whole.keys():
            raise unknown(file, "which has neither agents nor blocks", EXPECTS)
        made = moment(whole.get("created_at"))
        for block in map(mapping, items(whole.get("blocks"))):
            yield from _block(block, made, notes)
        for agent in map(mapping, items(whole.get("agents"))):
            yield from _agent(agent, Course(notes, file, whole.get("created_at")), notes)


def _block(block: Mapping[str, Any], at: int | None, notes: Notes) -> Iterator[Item]:
    label = text(block.get("label"))
    told = [part.strip() for part in text(block.get("value")).split("\n\n") if part.strip()]
    for one in told:
        yield Item(
            id=name_of("block", label, one),
            content=one,
            at=at,
            fields={
                "title": text(block.get("description"))[:_LONGEST] or label[:_LONGEST],
                "category": label[:_LONGEST],
                "tags": ["core"],
                "priority": "high",
            },
        )
    if not told:
        notes.skip("no text")


def _agent(agent: Mapping[str, Any], course: Course, notes: Notes) -> Iterator[Item]:
    session = text(agent.get("id")) or text(agent.get("name"))
    messages = [mapping(one) for one in items(agent.get("messages"))]
    by_tool = any(_sent(one) is not None for one in messages)
    for number, message in enumerate(messages, 1):
        role = _ROLES.get(text(message.get("role")))
        if role is None:
            notes.skip(TOOL if message.get("role") == "tool" else HOST)
            continue
        since = message.get("created_at")
        at = course.at(since, number, "created_at")
        spoken = by_tool and role is Role.ASSISTANT
        if told := (_aloud(message, notes) if spoken else _words(message, notes)):
            yield Item(
                id=text(message.get("id")) or name_of(session, since, told),
                content=told,
                role=role,
                at=at,
                session=session or None,
            )


def _aloud(message: Mapping[str, Any], notes: Notes) -> str:
    """What an agent said that speaks by a tool."""
    if items(message.get("content")) or text(message.get("content")).strip():
        notes.skip(HIDDEN)
    told = _sent(message)
    if told is None and items(message.get("tool_calls")):
        notes.skip(TOOL)
    return told or ""


def _sent(message: Mapping[str, Any]) -> str | None:
    """What is said by the tool for it; None where it is not called."""
    called = [mapping(mapping(one).get("function")) for one in items(message.get("tool_calls"))]
    spoken = [one.get("arguments") for one in called if one.get("name") == _SPEAKS]
    return "\n".join(map(_argument, spoken)).strip() if spoken else None


def _argument(arguments: object) -> str:
    try:
        told = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        return ""
    return text(mapping(told).get("message"))


def _words(message: Mapping[str, Any], notes: Notes) -> str:
    """What was said: Letta packs a user's message in JSON, beside events that nobody said."""
    content = message.get("content")
    blocks = [content] if isinstance(content, str) else items(content)
    texts = [one if isinstance(one, str) else text(mapping(one).get("text")) for one in blocks]
    told = "\n".join(one for one in texts if one.strip()).strip()
    if not told.startswith("{"):
        return told
    try:
        packed = json.loads(told)
    except (ValueError, RecursionError):
        return told
    if mapping(packed).get("type") not in (None, _SAID):
        notes.skip(HOST)
        return ""
    return text(mapping(packed).get("message")).strip() or told


SOURCE = Source(name=NAME, expects=EXPECTS, fits=fits, items=read)

"""Letta's agent files (`.af`): blocks of core memory, and the last messages of each agent."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engraphy.importers.notes import Notes
from engraphy.importers.reading import document, files, items, mapping, moment, name_of, text
from engraphy.importers.source import HOST, Source, TOOL, unknown
from engraphy.model import Role
from engraphy.model.importing import Item

NAME = "letta"
EXPECTS = 'an agent file (.af): JSON with "agents" and "blocks"'
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_SAID = "user_message"
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
            yield from _agent(agent, notes)


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


def _agent(agent: Mapping[str, Any], notes: Notes) -> Iterator[Item]:
    session = text(agent.get("id")) or text(agent.get("name"))
    for message in map(mapping, items(agent.get("messages"))):
        role = _ROLES.get(text(message.get("role")))
        if role is None:
            notes.skip(TOOL if message.get("role") == "tool" else HOST)
            continue
        at = message.get("created_at")
        if told := _words(message, notes):
            yield Item(
                id=text(message.get("id")) or name_of(session, at, told),
                content=told,
                role=role,
                at=moment(at),
                session=session or None,
            )


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

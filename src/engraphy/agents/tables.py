"""Edits of a TOML file that keep its comments and order, by tomlkit (extra `agents`)."""

from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from engraphy.agents.places import Program
from engraphy.agents.shape import Part, is_ours
from engraphy.errors import InvalidInputError


def with_members(text: str, part: Part, program: Program) -> str:
    """The text in which our tables say what they are to say. Raises InvalidInputError."""
    found = _parsed(text)
    for member in part.members:
        holder: Any = found
        for name in member.at[:-1]:
            if name not in holder:
                holder[name] = tomlkit.table(is_super_table=True)
            holder = holder[name]
        value = program.filled(member.value)
        value |= {"env": dict(program.env)} if program.env else {}
        said = holder.get(member.at[-1])
        if said is None or said.unwrap() != value:
            holder[member.at[-1]] = value
    return tomlkit.dumps(found)


def without_members(text: str, part: Part) -> str:
    """The text without our tables. Raises InvalidInputError."""
    found = _parsed(text)
    for member in part.members:
        holder: Any = found
        for name in member.at[:-1]:
            holder = holder.get(name, {})
        if member.at[-1] not in holder or not is_ours(holder[member.at[-1]].unwrap()):
            continue
        holder.remove(member.at[-1])
        if not holder and len(member.at) > 1:
            found.remove(member.at[0])
    return tomlkit.dumps(found)


def _parsed(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        allowed = "a file that can be read as TOML"
        raise InvalidInputError(field="TOML", got=str(error), allowed=allowed) from error

"""From an agent's files as they are to how they are to be: texts in, texts out."""

import json
import tomllib
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from msgspec.structs import replace

from engraphy.agents.places import Places, Program
from engraphy.agents.shape import Agent, Part, is_ours
from engraphy.agents.splice import parsed, with_entry, with_member, without
from engraphy.errors import EngraphyError, InvalidInputError, MissingExtraError, SettingsError
from engraphy.record import Record

_OURS = "engraphy"
_WHOLE = 4_000_000
"""The longest settings file that is read, in bytes."""


class Edit(Record, frozen=True, kw_only=True):
    """One file before and after; None = it is not there."""

    path: Path
    before: str | None
    after: str | None

    @property
    def changes(self) -> bool:
        """Whether anything is to be written."""
        return self.before != self.after


def installed(agent: Agent, places: Places, program: Program) -> list[Edit]:
    """The files that make an agent use this memory. Raises SettingsError."""
    return [
        _edit(places.path(agent, part), lambda text, part=part: _with(text, part, agent, program))
        for part in agent.file
    ]


def uninstalled(agent: Agent, places: Places) -> list[Edit]:
    """The files without what is ours; everything else in them stays. Raises SettingsError."""
    return [
        _edit(places.path(agent, part), lambda text, part=part: _without(text, part, agent))
        for part in agent.file
    ]


def is_installed(agent: Agent, places: Places) -> bool:
    """Whether any of an agent's files has something of ours in it."""
    return any(edit.changes for edit in uninstalled(agent, places))


def stopped(agent: Agent, places: Places) -> list[str]:
    """The settings of the user, or of a project, that keep an agent's hooks from firing; what is
    nearer counts."""
    layers = [places] if places.project is None else [places, replace(places, project=None)]
    found = []
    for part in agent.file:
        for stop in part.stops:
            for path in (one.path(agent, part) for one in layers):
                value = _member(path, part, stop.at)
                if value is stop.value:
                    found.append(f"{'.'.join(stop.at)} = {json.dumps(value)} in {path}")
                if value is not None:
                    break
    return found


def _member(path: Path, part: Part, at: Sequence[str]) -> Any:
    """What a file says under a name; None where it says nothing that can be read."""
    try:
        text = read(path) or ""
        return _found(tomllib.loads(text) if part.format == "toml" else parsed(text).said, at)
    except (EngraphyError, ValueError):
        return None


def _edit(path: Path, change: Any) -> Edit:
    before = read(path)
    try:
        return Edit(path=path, before=before, after=change(before))
    except InvalidInputError as error:
        raise SettingsError(setting=str(path), problem=str(error)) from error


def read(path: Path) -> str | None:
    """A settings file as it is; None = it is not there. Raises SettingsError."""
    try:
        if not path.exists():
            return None
        if path.stat().st_size > _WHOLE:
            raise SettingsError(setting=str(path), problem=f"it is over {_WHOLE} bytes")
        with path.open(encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(setting=str(path), problem=str(error)) from error


def _with(text: str | None, part: Part, agent: Agent, program: Program) -> str:
    if part.format == "whole":
        return _asset(part.asset, program)
    if part.format == "toml":
        return _tables().with_members(text or "", part, program)
    made = text or ""
    for member in part.members:
        if member.keep and _at(made, member.at) is not None:
            continue
        made = with_member(made, member.at, program.filled(member.value))
    for entry in part.entries:
        made = _with_once(made, entry.at, program.filled(entry.value), agent)
    return made


def _with_once(text: str, path: Sequence[str], value: Any, agent: Agent) -> str:
    """The text with an entry of ours, in the place of what an older version put there."""
    found = _at(text, path) or []
    ours = [place for place, one in enumerate(found) if _is_ours(one, agent)]
    if len(ours) == 1 and found[ours[0]] == value:
        return text
    for place in reversed(ours):
        text = without(text, path, place)
    return with_entry(text, path, value)


def _without(text: str | None, part: Part, agent: Agent) -> str | None:
    if text is None:
        return None
    if part.format == "whole":
        return None if _OURS in text else text
    if part.format == "toml":
        return _tables().without_members(text, part)
    for member in part.members:
        if not member.keep and is_ours(_at(text, member.at)):
            text = _emptied(without(text, member.at), member.at[:-1])
    for entry in part.entries:
        found = _at(text, entry.at)
        places = [at for at, one in enumerate(found or ()) if _is_ours(one, agent)]
        for place in reversed(places):
            text = without(text, entry.at, place)
        text = _emptied(text, entry.at) if places else text
    return text


def _emptied(text: str, path: Sequence[str]) -> str:
    """The text without objects and lists on a path in which nothing is left."""
    while path and _at(text, path) in ({}, []):
        text = without(text, path)
        path = path[:-1]
    return text


def _at(text: str, path: Sequence[str]) -> Any:
    return _found(parsed(text).said, path)


def _found(said: Any, path: Sequence[str]) -> Any:
    for name in path:
        if not isinstance(said, dict) or name not in said:
            return None
        said = said[name]
    return said


def _is_ours(entry: Any, agent: Agent) -> bool:
    """Whether an entry of a list calls our hook, whatever the program's path was."""
    return is_ours(entry) and any(
        all(word in command for word in ("hook", agent.name)) for command in _commands(entry)
    )


def _commands(entry: Any) -> Iterator[str]:
    if isinstance(entry, dict):
        if isinstance(entry.get("command"), str):
            said = entry.get("args")
            yield " ".join([entry["command"], *map(str, said if isinstance(said, list) else ())])
        for one in entry.values():
            yield from _commands(one)
    elif isinstance(entry, list):
        for one in entry:
            yield from _commands(one)


def _asset(name: str, program: Program) -> str:
    text = files("engraphy.agents").joinpath("assets", name).read_text(encoding="utf-8")
    return text.replace('"{engraphy}"', json.dumps([program.path, *program.before]))


class _Tables(Protocol):
    def with_members(self, text: str, part: Part, program: Program) -> str: ...
    def without_members(self, text: str, part: Part) -> str: ...


def _tables() -> _Tables:
    try:
        room: Any = import_module("engraphy.agents.tables")
    except ImportError as error:
        raise MissingExtraError(extra="agents") from error
    found: _Tables = room
    return found

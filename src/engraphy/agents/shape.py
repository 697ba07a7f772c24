"""What an agent's settings must say, as data: `agents.toml` over this strict shape."""

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

from engraphy.errors import InvalidInputError

_OURS = "engraphy"


class Member(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A member that is set; with `keep` only where there is none, and it stays when we go."""

    at: tuple[str, ...]
    value: Any
    keep: bool = False


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A value that stands once in a list."""

    at: tuple[str, ...]
    value: Any


class Stop(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A member that, where it has this value, keeps every hook from firing."""

    at: tuple[str, ...]
    value: bool


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file of an agent's settings.

    `user`, `project`: where it lies for one person or inside one project, empty where an agent has
    none; `other`: names it has instead where one of these is there; `asset`: a file of ours that is
    written whole; `stops`: by which of its members a user switches all hooks off.
    """

    user: str
    project: str = ""
    other: tuple[str, ...] = ()
    format: Literal["json", "toml", "whole"] = "json"
    members: tuple[Member, ...] = ()
    entries: tuple[Entry, ...] = ()
    stops: tuple[Stop, ...] = ()
    asset: str = ""


class Home(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A variable that names another folder for an agent's settings."""

    variable: str
    instead_of: str


class Agent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program with an agent in it. `signs`, `programs`: by which it is known to be here; `after`:
    what the user does next."""

    name: str
    title: str
    signs: tuple[str, ...]
    programs: tuple[str, ...]
    after: str
    home: Home | None = None
    file: tuple[Part, ...]

    @property
    def has_hooks(self) -> bool:
        """Whether it calls hooks; one without them has its tools only."""
        return any(one.entries or one.asset for one in self.file)


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    agent: tuple[Agent, ...]


@cache
def agents() -> Mapping[str, Agent]:
    """Every agent that is known, by its name."""
    text = files("engraphy.agents").joinpath("agents.toml").read_text(encoding="utf-8")
    found = msgspec.convert(tomllib.loads(text), _File)
    return {one.name: one for one in found.agent}


def agent(name: str) -> Agent:
    """The agent of that name. Raises InvalidInputError."""
    known = agents()
    if name not in known:
        raise InvalidInputError(field="agent", got=name, allowed=", ".join(known))
    return known[name]


def is_ours(value: object) -> bool:
    """Whether a setting that is there names our program: what stands under our name may be
    somebody else's, who gets it back."""
    return value is not None and _OURS in json.dumps(value, default=str)

"""Where an agent's settings lie on this machine, and what program they are to call."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import platformdirs

from engraphy.agents.shape import Agent, Part
from engraphy.errors import InvalidInputError, SettingsError
from engraphy.record import Record

_HOME, _DATABASE = "ENGRAPHY_HOME", "ENGRAPHY_DATABASE"
_CARRIED = (
    _HOME,
    _DATABASE,
    "ENGRAPHY_PROFILE",
    "ENGRAPHY_EMBEDDER",
    "ENGRAPHY_TENANT",
    "ENGRAPHY_KEY_FILE",
)
"""Settings that a server started by an agent may not inherit from the shell."""
_ENDING = ".exe" if sys.platform == "win32" else ""
_AS_MODULE = ("-P", "-m", "engraphy.cli")
"""`-P`: an agent starts programs in the folder it works in, and a module of ours is never what a
repository calls by the same name."""


def told(environment: Mapping[str, str]) -> list[str]:
    """The settings that say here which memory it is and how it is opened."""
    return [name for name in _CARRIED if environment.get(name)]


def _has_password(place: str) -> bool:
    """Whether a database's address has a password in it, which is written into no settings."""
    try:
        parts = urlsplit(place)
        return parts.password is not None or "password" in parts.query.lower()
    except ValueError:
        return True


class Places(Record, frozen=True, kw_only=True):
    """Folders, and the settings of the environment that count here.

    `project`: the folder of one project; None = settings of the user, for all projects.
    """

    home: Path
    config: Path
    environment: Mapping[str, str]
    project: Path | None = None

    @classmethod
    def here(cls, environment: Mapping[str, str], project: Path | None = None) -> "Places":
        """Those of this user on this machine."""
        config = platformdirs.user_config_path(roaming=True)
        return cls(home=Path.home(), config=config, environment=environment, project=project)

    def path(self, agent: Agent, part: Part) -> Path:
        """Where a file lies. Raises InvalidInputError where an agent has none for a project."""
        if self.project is not None:
            if not part.project:
                allowed = f"settings of the user: {agent.title} has none for one project"
                raise InvalidInputError(field="scope", got="project", allowed=allowed)
            found = self.project / part.project
        else:
            found = self._of_user(part.user, agent)
        others = (found.with_name(name) for name in part.other)
        return self._inside(next((one for one in others if one.exists()), found))

    def _inside(self, path: Path) -> Path:
        """The path, unless a link of somebody else's repository leads it elsewhere. Raises
        SettingsError."""
        if self.project is not None:
            top = os.path.realpath(self.project)
            if not Path(os.path.realpath(path)).is_relative_to(top):
                raise SettingsError(setting=str(path), problem="a link leads out of the project")
        return path

    def is_here(self, agent: Agent) -> bool:
        """Whether an agent is on this machine, as far as can be seen."""
        folders = (self._of_user(sign, agent) for sign in agent.signs)
        search = self.environment.get("PATH")
        return any(one.exists() for one in folders) or any(
            shutil.which(name, path=search) for name in agent.programs
        )

    def _of_user(self, path: str, agent: Agent) -> Path:
        if agent.home is not None:
            instead = self.environment.get(agent.home.variable)
            if instead and path.startswith(f"{agent.home.instead_of}/"):
                return Path(instead) / path.removeprefix(f"{agent.home.instead_of}/")
        if path.startswith("~/"):
            return self.home / path.removeprefix("~/")
        return self.config / path.removeprefix("{config}/")


class Program(Record, frozen=True, kw_only=True):
    """What is called: a path and the arguments before ours; `mcp`: those of the server; `env`:
    what it is to find in its environment; `windows`: whose shells read a line."""

    path: str
    before: tuple[str, ...] = ()
    mcp: tuple[str, ...] = ("mcp",)
    env: Mapping[str, str]
    windows: bool = sys.platform == "win32"

    @classmethod
    def here(cls, environment: Mapping[str, str]) -> "Program":
        """The program that runs now, by its full path: an agent may have another PATH."""
        beside = Path(sys.executable).with_name(f"engraphy{_ENDING}")
        found = str(beside) if beside.exists() else shutil.which("engraphy")
        env = {name: environment[name] for name in told(environment)}
        if _has_password(env.get(_DATABASE, "")):
            del env[_DATABASE]
        if found is None:
            return cls(path=sys.executable, before=_AS_MODULE, env=env)
        return cls(path=found, env=env)

    def filled(self, value: Any) -> Any:
        """A value of the data with this program in it."""
        if isinstance(value, str):
            return value.replace("{engraphy}", self.path).replace("{shell}", self._shell())
        if isinstance(value, list | tuple):
            return [one for part in value for one in self._spread(part)]
        if isinstance(value, Mapping):
            said = {name: self.filled(one) for name, one in value.items()}
            if "env" in said:
                said["env"] = dict(self.env)
            if self.before and said.get("command") == self.path:
                said["args"] = [*self.before, *said.get("args", ())]
            return said
        return value

    def _shell(self) -> str:
        """The program as a line of a shell: single quotes are none to those of Windows."""
        words = (self.path, *self.before)
        return subprocess.list2cmdline(words) if self.windows else shlex.join(words)

    def _spread(self, part: Any) -> list[Any]:
        if part == "{mcp}":
            return list(self.mcp)
        if part == "{engraphy}":
            return [self.path, *self.before]
        return [self.filled(part)]

"""An opened memory as hooks use it, and what they do with an event, without a process."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from engraphy import here
from engraphy.hooks import answer, spool, working
from engraphy.hooks.event import Event, keeps, told_event
from engraphy.hooks.opened import Opened

_NUMBERS = count()


class Hooks:
    """Hooks in one process: `tell` an event, and what waits is worked off at once."""

    def __init__(self, home: Path) -> None:
        self.home = str(home)
        self.opened = Opened()
        self.memory = self.opened.memory

    def event(self, agent: str, name: str, payload: Any) -> Event:
        """The event of a payload."""
        words = [agent, name, f"{next(_NUMBERS):016x}-1", str(here.now()), "2f"]
        return told_event(words, json.dumps(payload).encode())

    def tell(self, agent: str, name: str, payload: Any) -> str:
        """What an agent would read; "" for nothing."""
        event = self.event(agent, name, payload)
        if keeps(event):
            spool.put(self.home, event)
        found = working.answer(self.opened, event)
        text = answer.written(agent, event.event, "" if found is None else found.text)
        working.drain(self.opened, self.home)
        return text.decode()

    def texts(self, project: str | None) -> list[str]:
        """What is remembered in a project."""
        return [one.content for one in self.memory.list(project=project, limit=1000)]


@pytest.fixture
def hooks(own_home: Path) -> Iterator[Hooks]:
    made = Hooks(own_home)
    yield made
    made.opened.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "shop"
    made.mkdir()
    return made

"""Values that changed: whether finding the old one again and again made it stronger."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engraphy.benchmarks.cases import Turn
from engraphy.benchmarks.life_stories import Shift, Story
from engraphy.errors import NotFoundError
from engraphy.memory import Memory
from engraphy.model import Memory as Row
from engraphy.model import State

_GROWS = ("stability", "utility", "access_count")


@dataclass(slots=True)
class _Old:
    """A memory of an old value, and its numbers when it was first seen superseded."""

    shift: int
    ended: Row | None = None
    now: Row | None = None


@dataclass(slots=True)
class Watch:
    """The old values of a story, from the moment their new ones were told."""

    story: Story
    _told: set[str] = field(default_factory=set)
    _old: dict[str, _Old] = field(default_factory=dict)

    def told(self, turn: Turn, held: Mapping[str, Sequence[Turn]]) -> None:
        """Watch the memories of every value that this turn was the last to change."""
        self._told.add(turn.source)
        for place, shift in enumerate(self.story.shifts):
            if turn.source in shift.new and shift.new <= self._told:
                self._watch(place, shift, held)

    def _watch(self, place: int, shift: Shift, held: Mapping[str, Sequence[Turn]]) -> None:
        for one, turns in held.items():
            if any(turn.source in shift.old for turn in turns):
                self._old.setdefault(one, _Old(place))

    def look(self, memory: Memory, user: str) -> None:
        """Read the old values as they stand; the first look at a superseded one is remembered."""
        for one, old in self._old.items():
            try:
                old.now = memory.get(one, touch=False, user=user)
            except NotFoundError:
                continue
            if old.ended is None and old.now.state is State.SUPERSEDED:
                old.ended = old.now

    def told_of(self, memory: Memory, user: str) -> list[dict[str, Any]]:
        """A row for each old memory: whether it ended, and what grew since it had."""
        self.look(memory, user)
        return [
            {
                "case": self.story.case.id,
                "corpus": self.story.corpus,
                "shift": old.shift,
                "state": old.now.state.value,
                "grew": [] if old.ended is None else _grown(old.ended, old.now),
            }
            for old in self._old.values()
            if old.now is not None
        ]


def _grown(before: Row, now: Row) -> list[str]:
    return [name for name in _GROWS if getattr(now, name) > getattr(before, name)]

"""The course of a simulated year: what is told, asked and dreamt, in the order it happens."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from engraphy.benchmarks.cases import Question, Turn
from engraphy.benchmarks.life_stories import Story

DAY = 86_400_000_000
_HOUR = 3_600_000_000
YEAR_DAYS = 365
MONTH_DAYS = 30
_NIGHT = 3 * _HOUR
"""A dream is at three in the night."""
_ASKED = 20 * _HOUR
"""Questions are asked in the evening."""

What = Literal["turn", "night", "month", "end"]


class Event(NamedTuple):
    """Something that happens at `at` (microseconds UTC); `turn` where something is told."""

    at: int
    what: What
    turn: Turn | None = None


def course(turns: Sequence[Turn], every: int) -> Iterator[Event]:
    """A year from the day of the first turn, or until the last turn where that is later.

    A night is dreamt where something was told since the last one, and else every `every` nights;
    after each month there is an evening of questions, and one at the end.
    """
    first = turns[0].at // DAY
    last = max(first + YEAR_DAYS, max(turn.at for turn in turns) // DAY + 1)
    by_day: dict[int, list[Turn]] = {}
    for turn in turns:
        by_day.setdefault(turn.at // DAY, []).append(turn)
    slept, told = first, False
    for day in range(first, last):
        night = day * DAY + _NIGHT
        if told or day - slept >= every:
            yield Event(night, "night")
            slept, told = day, False
        for turn in by_day.get(day, ()):
            yield Event(turn.at, "turn", turn)
            told = True
        if (day - first + 1) % MONTH_DAYS == 0:
            yield Event(day * DAY + _ASKED, "month")
    yield Event(last * DAY + _NIGHT, "night")
    yield Event(last * DAY + _ASKED, "end")


class Asking:
    """Which questions are asked when: every other one in the month its evidence was complete, and
    at the end all; those about a changed value every month from then on."""

    def __init__(self, story: Story) -> None:
        self.every = story.case.questions
        self._waiting = list(story.case.questions[::2])
        self._repeated = [one for one in story.case.questions if one.stale]
        self._told: set[str] = set()
        self.asked: set[str] = set()

    def tell(self, turn: Turn) -> None:
        """Count a turn as told."""
        self._told.add(turn.source)

    def month(self) -> list[Question]:
        """The questions of this month, of which every gold source was told by now."""
        now = [one for one in self._waiting if one.gold <= self._told]
        self._waiting = [one for one in self._waiting if not one.gold <= self._told]
        again = [one for one in self._repeated if one.gold <= self._told and one not in now]
        self.asked |= {one.id for one in (*now, *again)}
        return [*now, *again]

"""A believable year of one developer in a store: what the browser is shown.

Everything goes in through the verbs, on a clock that goes through the year; only jobs that failed
and what a model cost are put beside them, as no model and no crash is at hand.
"""

import re
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from engraphy import Memory
from engraphy.engine import pending
from engraphy.model import Message, Role
from engraphy.model.calls import CallLimits, CallOutcome, ModelCall

DAY = 86_400_000_000
_HOUR = DAY // 24
_MINUTE = _HOUR // 60
_DATA = Path(__file__).with_name("year.toml")
PROFILE = str(Path(__file__).with_name("year-profile.toml"))
"""What it is lived with, and what it has to be served with."""
_DREAM_EVERY = 9
_ASK_EVERY = 4
_COMING = re.compile(r"\{([+-]\d+)\}")

Deed = Callable[[], object]


class Clock:
    """The moment it is in the year, in microseconds UTC; each look is a little later."""

    def __init__(self, at: int) -> None:
        self.at = at

    def __call__(self) -> int:
        self.at += 1_000
        return self.at


class Year:
    """The events of a year that ends at `end` (microseconds UTC), for an open memory."""

    def __init__(self, memory: Memory, clock: Clock, end: int) -> None:
        self.memory, self.clock, self.end = memory, clock, end
        self.told: Mapping[str, Any] = tomllib.loads(_DATA.read_text(encoding="utf-8"))
        self.walls = {name: self.told[name] for name in ("user", "project")}
        self.ids: dict[str, str] = {}

    def live(self) -> None:
        """Everything in the order it happens."""
        for at, deed in sorted(self._events(), key=lambda one: one[0]):
            self.clock.at = max(self.clock.at, at)
            deed()
        self._link()
        self._aside()

    def _moment(self, ago: int, hour: float) -> int:
        day = (self.end // DAY - ago) * DAY
        return min(day + round(hour * _HOUR), self.end - _MINUTE)

    def _events(self) -> Iterator[tuple[int, Deed]]:
        yield from self._told()
        yield from self._nights()
        for number, (ago, name, prompts, tools) in enumerate(self.told["sessions"]):
            at = self._moment(ago, 9 + number % 3)
            yield at, partial(self._session, name, prompts, tools)

    def _told(self) -> Iterator[tuple[int, Deed]]:
        yield from self._said()
        yield from self._beside()
        for ago, *rest in self.told["kept"]:
            yield self._moment(ago, 14), partial(self._keep, *rest)
        for ago, *rest in self.told["procedures"]:
            yield self._moment(ago, 13), partial(self._procedure, *rest)

    def _said(self) -> Iterator[tuple[int, Deed]]:
        walls, told = self.walls, self.told
        for ago, text in told["said"]:
            named = {**walls, "session": f"day-{ago}"}
            yield self._moment(ago, 10), partial(self._say, text, named)
        for ago, text in told["reminders"]:
            words = _COMING.sub(self._day, text)
            named = {**walls, "session": f"day-{ago}"}
            yield self._moment(ago, 11), partial(self._say, words, named)

    def _beside(self) -> Iterator[tuple[int, Deed]]:
        memory, walls, told = self.memory, self.walls, self.told
        for ago, text in told["private"]:
            kept = partial(memory.remember, text, user=walls["user"], sensitivity="private")
            yield self._moment(ago, 19), kept
        for ago, *triple in told["facts"]:
            yield self._moment(ago, 15), partial(memory.fact, *triple, **walls)
        for ago, origin, text in told["held"]:
            yield self._moment(ago, 16), partial(memory.remember, text, origin=origin, **walls)
        for ago, text, outcome, lesson in told["episodes"]:
            kept = partial(memory.episode, text, outcome=outcome, lesson=lesson, **walls)
            yield self._moment(ago, 17), kept

    def _day(self, found: re.Match[str]) -> str:
        at = (self.end // DAY + int(found[1])) * DAY
        return datetime.fromtimestamp(at / 1_000_000, UTC).strftime("%d %B %Y").lstrip("0")

    def _nights(self) -> Iterator[tuple[int, Deed]]:
        asked = self.told["asked"]
        for ago in range(360, 0, -1):
            if ago % _ASK_EVERY == 0:
                question = asked[ago // _ASK_EVERY % len(asked)]
                yield self._moment(ago, 18), partial(self.memory.recall, question, **self.walls)
            if ago % _DREAM_EVERY == 1:
                yield self._moment(ago, 3), self.memory.dream

    def _say(self, text: str, named: Mapping[str, str]) -> None:
        self.memory.observe([{"role": "user", "content": text}], **named)

    def _keep(self, kind: str, title: str, text: str, tags: list[str], importance: float) -> None:
        kept = self.memory.remember(
            text, kind=kind, title=title, tags=tags, importance=importance, **self.walls
        )
        if kept.memory is not None:
            self.ids[title] = kept.memory.id

    def _procedure(self, name: str, trigger: str, steps: list[str], good: int, bad: int) -> None:
        made = self.memory.procedure(name, steps, trigger=trigger, **self.walls).memory
        for number in range(good + bad if made else 0):
            self.memory.report(made.id, success=number >= bad, **self.walls)

    def _session(self, name: str, prompts: list[str], tools: list[list[str]]) -> None:
        memory, named = self.memory, {**self.walls, "session": name}
        memory.start_session(name, **self.walls)
        each = max(1, -(-len(tools) // len(prompts)))
        for number, prompt in enumerate(prompts):
            self.clock.at += 6 * _MINUTE
            memory.context(prompt, conversation=name, **self.walls)
            memory.observe([{"role": "user", "content": prompt}], **named)
            for tool, told, output, changed in tools[number * each : (number + 1) * each]:
                self.clock.at += 2 * _MINUTE
                memory.observe_tool(
                    tool,
                    output,
                    input={"command" if tool == "Bash" else "file_path": told},
                    files_modified=[changed] if changed else [],
                    **named,
                )
        if name != self.told["sessions"][-1][1]:
            memory.end_session(name, **self.walls)

    def _link(self) -> None:
        for first, second, kind in self.told["links"]:
            if first in self.ids and second in self.ids:
                self.memory.link(self.ids[first], self.ids[second], kind, **self.walls)
        for title in ("Secrets", "How a forecast is made"):
            self.memory.pin(self.ids[title], **self.walls)
        self.memory.protect(self.ids["Version freeze"], **self.walls)

    def _aside(self) -> None:
        """What no verb makes: a job that failed, one that waits, and a model's ledger."""
        engine = self.memory._engine
        scope = self.memory._scope(self.walls["user"], None, self.walls["project"], "voice-notes")
        words = (Message(role=Role.USER, content="The buoy of Sines answers on channel 12 now."),)
        failed = pending.Pending(
            name=f"{pending.FAILED}01sines",
            scope=scope,
            messages=words,
            at=self.end - 3 * DAY,
            tries=3,
            why="StoreBusyError: the store stayed locked for 30 s by another process",
        )
        pending.put(engine, [failed])
        for ago in range(29, -1, -1):
            for number in range(1 + ago * ago * 7 % 6):
                ended = CallOutcome.TIMEOUT if (ago * 3 + number) % 23 == 0 else CallOutcome.OK
                at = self._moment(ago, 9 + number)
                asked, said = 700 + ago * ago * 13 % 500 + number * 41, 60 + number * 9
                skill = ("formation", "contradiction")[number % 2]
                call = ModelCall(
                    model="ollama/qwen3:4b",
                    skill=skill,
                    outcome=ended,
                    prompt_tokens=asked,
                    completion_tokens=said,
                    cost=round(asked * 2e-7 + said * 8e-7, 6),
                    milliseconds=400 + 37 * number,
                )
                begun = engine.store.begin_call(
                    self.memory.tenant, call, CallLimits(since=at), now=at
                )
                if isinstance(begun, int):
                    engine.store.finish_call(self.memory.tenant, begun, call)


def build(path: Path, *, end: int | None = None, tenant: str | None = None) -> None:
    """Make a store with the year that ends at `end` (microseconds UTC; now)."""
    last = time.time_ns() // 1_000 if end is None else end
    clock = Clock((last // DAY - 365) * DAY)
    with Memory(path, clock=clock, tenant=tenant, profile=PROFILE) as memory:
        Year(memory, clock, last).live()


if __name__ == "__main__":
    build(Path(sys.argv[1]))

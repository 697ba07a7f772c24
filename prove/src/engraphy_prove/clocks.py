"""P-23: clocks that jump. Through a clock that goes 25 years ahead, 25 years back, an hour to and
fro, or stands still: what is listed is listed in the order it was written, nothing ends before its
end by the clock, no age is negative, and no number leaves its range."""

import math
import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import engraphy
from engraphy.model.memory import Memory
from engraphy.model.query import View
from engraphy_prove.builds import Wrapped, opening, wrapping
from engraphy_prove.proof import Build, Findings, Trial
from engraphy_prove.workload import word

DAY = 86_400_000_000
_START = 1_792_836_000_000_000
"""Saturday, 24 October 2026, 10:00 UTC: the night after, clocks of Europe go back."""
_YEARS = 25 * 365
_ZONES = ("Europe/Berlin", "America/New_York", "Europe/Istanbul", "Australia/Lord_Howe", "UTC")
_PROFILES = ("default", "letsgo", "layered", "cognitive")
_STEPS = 24
_HOUR = 3_600_000_000


@dataclass
class _Clock:
    """A clock that is wherever it is put."""

    at: int = _START

    def __call__(self) -> int:
        return self.at


@dataclass
class _Walk:
    """One store on one clock; what was written with an end, in the order it was written."""

    memory: Any
    clock: _Clock
    chance: random.Random
    written: list[tuple[str, int | None]] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)


def clocks(trial: Trial) -> Findings:
    """`rounds` walks of a clock, each in a zone and a profile."""
    chance, findings, met = random.Random(trial.seed), Findings(), Counter[str]()
    before = os.environ.get("TZ")
    try:
        for number in range(trial.rounds):
            zone, profile = chance.choice(_ZONES), _PROFILES[number % len(_PROFILES)]
            os.environ["TZ"] = zone
            time.tzset()
            clock = _Clock()
            with opening(trial.build):
                memory = engraphy.Memory(
                    trial.folder / f"{number}.db", embedder="none", profile=profile, clock=clock
                )
            with closing(memory):
                walk = _Walk(memory, clock, chance)
                for what in _walked(walk, met):
                    findings.breach(f"walk {number} ({profile}, {zone}): {what}")
                    if trial.until_caught:
                        break
            findings.tried += 1
            if trial.until_caught and findings.breaches:
                break
    finally:
        os.environ.pop("TZ", None) if before is None else os.environ.update(TZ=before)
        time.tzset()
    told = ", ".join(f"{count} {name}" for name, count in sorted(met.items()))
    findings.figure = f"{findings.tried} walks ({told})"
    return findings


def _walked(walk: _Walk, met: Counter[str]) -> Iterator[str]:
    for _ in range(_STEPS):
        name, days = walk.chance.choice(
            (
                ("ahead", walk.chance.randrange(1, _YEARS)),
                ("back", -walk.chance.randrange(1, _YEARS)),
                ("an hour to or fro", walk.chance.choice((-1, 1)) / 24),
                ("a day", 1.0),
                ("still", 0.0),
            )
        )
        walk.clock.at = min(
            max(walk.clock.at + round(days * DAY), _START - _YEARS * DAY), _START + _YEARS * DAY
        )
        met[name] += 1
        _write(walk)
        if walk.chance.random() < 0.2:
            walk.memory.purge_expired()
        yield from _wrong(walk)


def _write(walk: _Walk) -> None:
    days = walk.chance.choice((None, 1 / 24, 1, 30, 400))
    text = f"The {word(walk.chance)} opens the {word(walk.chance)}"
    done = walk.memory.remember(text, **({} if days is None else {"ttl_days": days}))
    told = None if days is None else walk.clock.at + round(days * DAY)
    # Where none is asked for, a profile may set one.
    ends = done.memory.expires_at if told is None else told
    walk.written.append((done.memory.id, ends))


def _wrong(walk: _Walk) -> Iterator[str]:
    """What is wrong with what the memory shows at this moment."""
    rows = walk.memory.list(limit=1_000, order="oldest")
    yield from _order(walk, [row.id for row in rows])
    yield from _ends(walk, {row.id for row in rows})
    for one in walk.memory.survey().sample:
        if one.age_days < 0 or not math.isfinite(one.age_days):
            yield f"{one.id} is {one.age_days} days old"
    for hit in walk.memory.recall(rows[-1].content if rows else "opens", touch=False):
        if not 0.0 <= hit.score <= 1.0 or not all(map(math.isfinite, hit.why.values())):
            yield f"a score of {hit.score}"


def _order(walk: _Walk, shown: list[str]) -> Iterator[str]:
    """Lists and the journal go by the number of a row and of a line, whatever the clock said."""
    written = [name for name, _ in walk.written]
    if shown != [name for name in written if name in set(shown)]:
        yield "a list is not in the order of writing"
    engine = walk.memory._engine  # noqa: SLF001 - the journal as it is
    lines = engine.store.journal(engine.tenant, limit=10_000)
    told = [line.target_id for line in lines if line.op == "insert"]
    if told != written:
        yield "the journal is not in the order of writing"


def _ends(walk: _Walk, shown: set[str]) -> Iterator[str]:
    """Nothing is over before its end by the clock; a purge may have taken it when it was."""
    now = walk.clock.at
    walk.gone |= {name for name, ends in walk.written if ends is not None and ends <= now}
    for name, ends in walk.written:
        if name not in walk.gone | shown:
            early = "" if ends is None else f" {(ends - now) / DAY:.2f} days early"
            yield f"{name} is over{early}"


class _ByTime(Wrapped):
    """Lists by when it was written by the clock."""

    def page(self, view: View, listing: Any) -> list[Memory]:
        found: list[Memory] = self.inner.page(view, listing)
        return sorted(found, key=lambda row: row.recorded_at)


class _Early(Wrapped):
    """Lets everything end an hour early: as one does who counts in local time."""

    def page(self, view: View, listing: Any) -> list[Memory]:
        rows: list[Memory] = self.inner.page(view, listing)
        return [row for row in rows if row.expires_at is None or row.expires_at > view.now + _HOUR]


BY_TIME = Build(name="lists by the clock", open=wrapping(_ByTime))
EARLY = Build(name="ends an hour early", open=wrapping(_Early))

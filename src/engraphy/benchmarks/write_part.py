"""What every part of the measure of the way in is made of: its ground, and what it gives back."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engraphy.benchmarks.data import known
from engraphy.benchmarks.precision_store import Replay
from engraphy.benchmarks.run import Opening, Progress
from engraphy.benchmarks.write_figures import Bar, Group, Row
from engraphy.memory import Memory

MINUTE = 60_000_000
START = 1_735_725_600_000_000
"""2025-01-01 10:00 UTC: when the stories of cases without dates begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What a part stands on. `data`: the folder with one folder per data set, if any was given."""

    opening: Opening
    data: Path | None = None
    tell: Progress | None = None

    def folder(self, name: str) -> Path | None:
        """The folder of one data set; None where it is not there."""
        found = None if self.data is None else self.data / name
        return found if found is not None and found.exists() else None

    @contextmanager
    def memory(self) -> Iterator[tuple[Memory, Replay]]:
        """A fresh memory and its clock, which stands at the moment of the story told."""
        clock = Replay(START)
        with (
            TemporaryDirectory() as folder,
            Memory(
                Path(folder) / "bench.db",
                profile=self.opening.profile,
                embedder=self.opening.embedder,
                clock=clock,
                overrides=self.opening.overrides,
            ) as memory,
        ):
            yield memory, clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part's result. `wrong`: a row for each case that went wrong, with its id and why."""

    groups: Sequence[Group]
    definitions: Mapping[str, str]
    bars: Sequence[Bar] = ()
    wrong: Sequence[Row] = ()
    data: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each file that was read."""

    def row(self) -> dict[str, Any]:
        """As JSON."""
        met = (bar.row(self.groups) for bar in self.bars)
        return {
            "data_sha256": dict(self.data),
            "data": {
                name: known(digest) or "not a known file" for name, digest in self.data.items()
            },
            "groups": [group.row() for group in self.groups],
            "bars": [row for row in met if row is not None],
            "definitions": dict(self.definitions),
            "wrong": list(self.wrong),
        }


Measure = Callable[[Ground], Part]


def halves(place: int) -> str:
    """Which half the thing at this place of its file belongs to: rules may be tuned on the even
    ones, figures are reported on the odd ones."""
    return "reporting" if place % 2 else "tuning"


def wrong(ground: Ground, id: str, why: str, **texts: str) -> Row:
    """A row of what went wrong; with the texts only where they were asked for."""
    return {"id": id, "why": why, **(texts if ground.opening.texts else {})}

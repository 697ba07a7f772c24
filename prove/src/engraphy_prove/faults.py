"""P-03: every n-th I/O error, and a full disk.

Each round takes a copy of a small store, lets one operation of the disk fail (or every write from
one on: a full disk), mends the disk once the caller has been told, and goes on working. No point is
taken twice: a point is a story, a kind of operation, its number among those, and whether the disk
is full. The points of a story are walked to the end before another story begins.
"""

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, count, zip_longest
from pathlib import Path
from typing import NamedTuple

from engraphy.errors import EngraphyError
from engraphy.ports import Store
from engraphy_prove.builds import SOUND
from engraphy_prove.faulty import CODES, Fault, Faulty
from engraphy_prove.proof import Build, Findings, Trial
from engraphy_prove.workload import Script, disagreements, held, put, script

BEFORE = 12
STEPS = 24
FILE = "memories.db"
VFS = "engraphy-faulty"
_FILLING = ("xWrite", "xTruncate")
"""The operations at which a disk can be found full."""
Held = dict[str, tuple[str, int]]


class _Point(NamedTuple):
    """The `at`-th operation of the kind `op` fails, alone or (`full`) with all after it."""

    op: str
    at: int
    full: bool


@dataclass(frozen=True, slots=True)
class _Story:
    """Steps, the folder of the store that the first of them left, and how many operations of each
    kind the others take."""

    script: Script
    template: Path
    totals: Counter[str]


@dataclass(slots=True)
class _Tally:
    hits: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    unasked: Counter[str] = field(default_factory=Counter)
    """Faults after which the caller had all that was asked for, and no error."""
    late: int = 0
    missed: int = 0
    stories: int = 0
    operations: int = 0


def faults(trial: Trial) -> Findings:
    """Let the disk fail at `rounds` different points, in turn in each kind of operation; a fault
    that was not met is not counted, and another takes its place."""
    fault, findings, tally = Fault(), Findings(), _Tally()
    vfs = Faulty(VFS, fault)
    try:
        for story, point in _walk(trial, fault, tally):
            fault.arm(point.op, point.at, full=point.full)
            answered = tally.errors.total()
            wrong = _round(trial, story, fault, tally)
            name = "full disk" if point.full else point.op
            for what in wrong:
                findings.breach(f"{name} {point.at} ({fault.hit[:1]}): {what}")
            tally.missed += not fault.hit
            tally.hits.update([name] if fault.hit else [])
            tally.unasked.update([name] if fault.hit and tally.errors.total() == answered else [])
            if tally.hits.total() == trial.rounds or (wrong and trial.until_caught):
                break
            if tally.missed > trial.rounds:
                findings.breach(f"{tally.missed} faults were never met")
                break
    finally:
        vfs.unregister()
    findings.tried = tally.hits.total() + tally.missed
    findings.figure = (
        f"{tally.hits.total()} different faults that were met, among {tally.operations} operations"
        f" of {tally.stories} stories: {_told(tally.hits)}; {tally.missed} not met; answered with"
        f" {_told(tally.errors)}; {tally.late} came after a commit; with nothing refused and all of"
        f" it there: {_told(tally.unasked)}"
    )
    return findings


def _walk(trial: Trial, fault: Fault, tally: _Tally) -> Iterator[tuple[_Story, _Point]]:
    """Every point of one story after the other, each once."""
    for number in count():
        chance = random.Random(f"{trial.seed} {number}")
        story = _begun(trial, script(chance, STEPS, words=60), number, fault)
        tally.stories += 1
        tally.operations += story.totals.total()
        for point in _points(story.totals, chance):
            yield story, point


def _points(totals: Counter[str], chance: random.Random) -> Iterator[_Point]:
    """Every point of a story in turns of the kinds, so that the first ones are of all of them."""
    kinds = [*((op, False) for op in totals), *((op, True) for op in _FILLING)]
    places = [
        [_Point(op, at, full) for at in chance.sample(range(1, most + 1), most)]
        for op, full in kinds
        if (most := totals[op])
    ]
    return (point for point in chain.from_iterable(zip_longest(*places)) if point)


def _begun(trial: Trial, told: Script, number: int, fault: Fault) -> _Story:
    """The story with its store, gone through once without a fault to count its operations."""
    story = _Story(told, trial.folder / f"template-{number}", Counter())
    story.template.mkdir()
    store = SOUND.open(str(story.template / FILE))
    for changes in told.steps[:BEFORE]:
        put(store, changes)
    store.close()
    fault.arm("", 0, full=False)
    _round(trial, story, fault, _Tally())
    story.totals.update({op: fault.seen[op] for op in sorted(fault.seen) if op in CODES})
    return story


def _round(trial: Trial, story: _Story, fault: Fault, tally: _Tally) -> list[str]:
    place = trial.folder / "round"
    shutil.copytree(story.template, place)
    path = str(place / FILE)
    try:
        expected, wrong = _work(trial.build, path, story.script, fault, tally)
        fault.mend()
        return wrong + _after(path, expected)
    finally:
        fault.mend()
        shutil.rmtree(place)


def _work(
    build: Build, path: str, story: Script, fault: Fault, tally: _Tally
) -> tuple[Held, list[str]]:
    """Open and go through the story; what was refused is repeated once the disk is mended."""
    opened: list[Store] = []
    wrong = _twice(lambda: opened.append(build.open(path, vfs=VFS)), fault, tally)
    expected = dict(story.held[BEFORE])
    if not opened:
        return expected, wrong
    (store,) = opened
    for number in range(BEFORE, STEPS):
        fault.begin()
        step = _Step(store, story, number, fault)
        wrong += _twice(step.take, fault, tally, step.look)
        if wrong:
            break
        expected = story.held[number + 1]
    return expected, wrong + _twice(store.close, fault, tally)


def _twice(
    call: Callable[[], object],
    fault: Fault,
    tally: _Tally,
    between: Callable[[], list[str]] = list,
) -> list[str]:
    """Call; on a typed error mend the disk, look at what stands, and call again."""
    try:
        call()
    except EngraphyError as error:
        tally.errors[type(error).__name__] += 1
        tally.late += fault.late
    except Exception as error:  # noqa: BLE001 - an untyped error is the finding
        return [f"untyped {type(error).__name__}: {error}"]
    else:
        return []
    fault.mend()
    try:
        wrong = between()
        if not wrong:
            call()
    except Exception as error:  # noqa: BLE001 - the disk is mended: nothing may fail now
        return [f"still failing on a mended disk: {type(error).__name__}: {error}"]
    return wrong


@dataclass(slots=True)
class _Step:
    """One step of the story on a store."""

    store: Store
    story: Script
    number: int
    fault: Fault
    done: bool = False

    def take(self) -> None:
        if not self.done:
            put(self.store, self.story.steps[self.number])

    def look(self) -> list[str]:
        """What must stand after the step was refused: what stood before it.

        APSW raises what a checkpoint met although the commit before it is done and SQLite says so;
        then, and only then, the step may be written as a whole.
        """
        found = held(self.store)
        if found == self.story.held[self.number]:
            return []
        self.done = self.fault.late and found == self.story.held[self.number + 1]
        return [] if self.done else [f"step {self.number} was refused, yet the rows changed"]


def _after(path: str, expected: Held) -> list[str]:
    try:
        store = SOUND.open(path)
    except EngraphyError as error:
        return [f"it does not open any more: {error}"]
    try:
        found = held(store)
        lost = len(expected.keys() - found.keys())
        wrong = [] if found == expected else [f"{lost} acknowledged rows lost or others changed"]
        return wrong + disagreements(store)
    finally:
        store.close()


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.most_common()) or "nothing"

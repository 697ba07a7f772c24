"""P-03: every n-th I/O error, and a full disk.

Each round takes a copy of a small store, lets one operation of the disk fail (or every write from
one on: a full disk), mends the disk once the caller has been told, and goes on working.
"""

import random
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

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
Held = dict[str, tuple[str, int]]


def faults(trial: Trial) -> Findings:
    """Let the disk fail at `rounds` points of the same work, in turn in each kind of operation."""
    chance = random.Random(trial.seed)
    story = script(chance, STEPS, words=60)
    _template(trial.folder / "template", story)
    fault, findings, tally = Fault(), Findings(tried=trial.rounds), _Tally()
    vfs = Faulty(VFS, fault)
    try:
        totals = _totals(trial, story, fault)
        kinds = [*((op, False) for op in totals), ("xWrite", True), ("xTruncate", True)]
        for number in range(trial.rounds):
            op, full = kinds[number % len(kinds)]
            fault.arm(op, chance.randint(1, totals[op]), full=full)
            for what in _round(trial, story, fault, tally):
                findings.breach(f"{op} {fault.at} {'full ' * full}({fault.hit[:1]}): {what}")
            tally.hits.update(["full disk" if full else op] if fault.hit else ["none"])
    finally:
        vfs.unregister()
    findings.figure = (
        f"{trial.rounds} faults in {sum(totals.values())} operations: {_told(tally.hits)}; "
        f"answered with {_told(tally.errors)}; {tally.late} came after a commit"
    )
    return findings


@dataclass(slots=True)
class _Tally:
    hits: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    late: int = 0


def _template(place: Path, story: Script) -> None:
    place.mkdir()
    store = SOUND.open(str(place / FILE))
    for changes in story.steps[:BEFORE]:
        put(store, changes)
    store.close()


def _totals(trial: Trial, story: Script, fault: Fault) -> Counter[str]:
    fault.arm("", 0, full=False)
    _round(trial, story, fault, _Tally())
    return Counter({op: fault.seen[op] for op in sorted(fault.seen) if op in CODES})


def _round(trial: Trial, story: Script, fault: Fault, tally: _Tally) -> list[str]:
    place = trial.folder / "round"
    shutil.copytree(trial.folder / "template", place)
    path = str(place / FILE)
    try:
        expected, wrong = _work(trial.build, path, story, fault, tally)
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

"""P-03: every n-th I/O error, and a full disk.

Each round takes a copy of a small store, lets one operation of the disk fail (or every write from
one on: a full disk), and goes on working as a caller would.
"""

import random
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engraphy.errors import EngraphyError
from engraphy.ports import Store
from engraphy_prove.builds import SOUND
from engraphy_prove.faulty import Fault, Faulty, Kind
from engraphy_prove.proof import Build, Findings, Trial
from engraphy_prove.workload import Script, disagreements, held, put, script

BEFORE = 12
STEPS = 24
FILE = "memories.db"
VFS = "engraphy-faulty"
Held = dict[str, tuple[str, int]]


def faults(trial: Trial) -> Findings:
    """Let the disk fail at `rounds` points of the same work, spread over all its operations."""
    chance = random.Random(trial.seed)
    story = script(chance, STEPS, words=60)
    _template(trial.folder / "template", story)
    fault = Fault()
    vfs = Faulty(VFS, fault)
    findings, errors, hits = Findings(), Counter[str](), Counter[str]()
    try:
        totals = {kind: _total(trial, story, fault, kind) for kind in ("once", "full")}
        for number in range(trial.rounds):
            kind: Kind = "full" if number % 4 == 3 else "once"
            fault.kind, fault.seen, fault.hit = kind, 0, []
            fault.at = chance.randrange(totals[kind]) + 1
            point = f"{kind} at {fault.at}"
            for what in _round(trial, story, fault, errors):
                findings.breach(f"{point} ({', '.join(fault.hit[:1])}): {what}")
            hits.update(hit.split(" ", 1)[0] for hit in fault.hit[:1])
    finally:
        vfs.unregister()
    findings.tried = trial.rounds
    findings.figure = (
        f"{sum(hits.values())} faults hit in {trial.rounds} runs of {totals['once']} operations: "
        f"{_told(hits)}; answered with {_told(errors)}"
    )
    return findings


def _template(place: Path, story: Script) -> None:
    place.mkdir()
    store = SOUND.open(str(place / FILE))
    for changes in story.steps[:BEFORE]:
        put(store, changes)
    store.close()


def _total(trial: Trial, story: Script, fault: Fault, kind: Kind) -> int:
    fault.kind, fault.seen, fault.at = kind, 0, 0
    _round(trial, story, fault, Counter())
    return fault.seen


def _round(trial: Trial, story: Script, fault: Fault, errors: Counter[str]) -> list[str]:
    place = trial.folder / "round"
    shutil.copytree(trial.folder / "template", place)
    path = str(place / FILE)
    try:
        expected, wrong = _work(trial.build, path, story, fault, errors)
        fault.mend()
        return wrong + _after(path, expected)
    finally:
        fault.mend()
        shutil.rmtree(place)


def _work(
    build: Build, path: str, story: Script, fault: Fault, errors: Counter[str]
) -> tuple[Held, list[str]]:
    """Open and go through the story; what was refused is repeated once the disk is mended."""
    opened: list[Store] = []
    wrong = _twice(lambda: opened.append(build.open(path, vfs=VFS)), fault, errors)
    expected = dict(story.held[BEFORE])
    if not opened:
        return expected, wrong
    (store,) = opened
    for number in range(BEFORE, STEPS):
        fault.begin()
        step = _Step(store, story, number, fault)
        wrong += _twice(step.take, fault, errors, step.look)
        if wrong:
            break
        expected = story.held[number + 1]
    return expected, wrong + _twice(store.close, fault, errors)


def _twice(
    call: Callable[[], object],
    fault: Fault,
    errors: Counter[str],
    between: Callable[[], list[str]] = list,
) -> list[str]:
    """Call; on a typed error mend the disk, look at what stands, and call again."""
    try:
        call()
    except EngraphyError as error:
        errors[type(error).__name__] += 1
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

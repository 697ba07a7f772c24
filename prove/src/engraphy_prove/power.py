"""P-02: an acknowledged write survives a power cut."""

import random
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from engraphy import Memory
from engraphy.errors import EngraphyError, NotFoundError
from engraphy.stores.sqlite.logs import KEPT, LOG
from engraphy.testing import ToyEmbedder
from engraphy_prove.builds import SOUND, opening
from engraphy_prove.proof import Build, Findings, Trial
from engraphy_prove.recording import (
    Acknowledged,
    Disk,
    Event,
    Recorder,
    Sync,
    WAYS,
    Way,
    below_checksums,
)
from engraphy_prove.workload import (
    DIM,
    MODEL,
    Script,
    TENANT,
    disagreements,
    fresh,
    held,
    put,
    script,
)

STEPS = 240
REOPENINGS = 3
EARLY, EARLY_SHARE = 120, 0.1
REMEMBERED = 4
"""Each so many cuts falls into what goes through `Memory`, which writes so much less often."""
FILE = "memories.db"


@dataclass(frozen=True, slots=True)
class _Told:
    """What reached the disk while something wrote, and what it held after each write."""

    log: list[Event]
    held: list[dict[str, tuple[str, int]]]


def power(trial: Trial) -> Findings:
    """Cut the power at `rounds` random points of three recorded runs, two through the store, of
    which one writes no checksums of pages, and one through the public `Memory`, and open what is
    left."""
    chance = random.Random(trial.seed)
    told = [
        _recorded(trial, script(chance, STEPS, words=120), _layered),
        _remembered(trial, chance),
        _recorded(trial, script(chance, STEPS, words=120), _recording),
    ]
    share = trial.rounds // REMEMBERED
    findings, kept = Findings(tried=trial.rounds), dict.fromkeys(WAYS, 0)
    for one, count in zip(told, (trial.rounds - 2 * share, share, share), strict=True):
        _cut(trial, one, [_moment(chance, len(one.log)) for _ in range(count)], findings, kept)
    shares = ", ".join(f"{count} {way}" for way, count in kept.items())
    events = [event for one in told for event in one.log]
    syncs = sum(isinstance(event, Sync) for event in events)
    findings.figure = (
        f"{trial.rounds} power cuts ({shares}; {share} through Memory, {share} in a file without"
        f" checksums of pages) in {len(events)} disk events with {syncs} syncs;"
        f" {sum(len(one.held) - 1 for one in told)} writes"
    )
    return findings


def _cut(
    trial: Trial, told: _Told, moments: list[int], findings: Findings, kept: dict[Way, int]
) -> None:
    chance = random.Random(trial.seed + len(told.log))
    disk, position = Disk(), 0
    for number, cut in enumerate(sorted(moments)):
        for event in told.log[position:cut]:
            disk.advance(event)
        position = cut
        way = WAYS[number % len(WAYS)]
        kept[way] += 1
        place = _left(trial.folder, disk, number, chance)
        for what in _wrong(told, disk.acknowledged, place):
            findings.breach(f"{way} of cut {number} at event {cut}: {what}")
        shutil.rmtree(place)


def _moment(chance: random.Random, length: int) -> int:
    """Any moment of the log; the making of the file is over in the first ones, so oftener there."""
    return chance.randrange(EARLY if chance.random() < EARLY_SHARE else length)


def _recorded(trial: Trial, story: Script, noting: "_Noting") -> _Told:
    """A run through the store, with what is beside a row, which is opened anew now and then."""
    place = trial.folder / noting.__name__
    place.mkdir()
    with noting(trial.build) as (recorder, build):
        store = build.open(str(place / FILE))
        for number, changes in enumerate(story.steps):
            if number and number % (STEPS // (REOPENINGS + 1)) == 0:
                store.close()
                store = build.open(str(place / FILE))
            put(store, changes)
            recorder.log.append(Acknowledged(number + 1))
        store.close()
        return _Told(list(recorder.log), story.held)


def _remembered(trial: Trial, chance: random.Random) -> _Told:
    """A run through the public class: remembered, edited, forgotten."""
    place = trial.folder / "remembered"
    place.mkdir()
    held_ = [dict[str, tuple[str, int]]()]
    embedder = ToyEmbedder(dim=DIM, model_id=MODEL)
    with _layered(trial.build) as (recorder, build), opening(build):
        with Memory(place / FILE, tenant=TENANT, embedder=embedder) as memory:
            for number in range(STEPS // REMEMBERED):
                held_.append(_written(memory, chance, held_[-1]))
                recorder.log.append(Acknowledged(number + 1))
        return _Told(list(recorder.log), held_)


def _written(
    memory: Memory, chance: random.Random, before: Mapping[str, tuple[str, int]]
) -> dict[str, tuple[str, int]]:
    """One write, and what stands after it; what a careless build has lost already stands here
    still, and is missed where the power is cut."""
    made, draw = dict(before), chance.random()
    text = fresh(chance, "", words=chance.randint(3, 200)).content
    name = chance.choice(sorted(made)) if made else ""
    if not made or draw < 0.6:
        row = memory.remember(text).memory
        assert row is not None
        made[row.id] = (row.content, row.version)
        return made
    with suppress(NotFoundError):
        if draw < 0.85:
            row = memory.update(name, text)
            made[row.id] = (row.content, row.version)
        else:
            memory.forget(name)
            del made[name]
    return made


@contextmanager
def _recording(build: Build) -> Iterator[tuple[Recorder, Build]]:
    """The build on a disk that notes everything; below no layer that makes checksums."""
    name = f"recorder-{build.name}"
    recorder = Recorder(name)
    try:
        yield (
            recorder,
            replace(build, open=lambda path, vfs=None: build.open(path, vfs=vfs or name)),
        )
    finally:
        recorder.unregister()


@contextmanager
def _layered(build: Build) -> Iterator[tuple[Recorder, Build]]:
    """The same, and above that disk the layer that makes checksums of pages."""
    name = f"recorder below checksums, {build.name}"
    recorder = Recorder(name)
    try:
        with below_checksums(name):
            yield recorder, build
    finally:
        recorder.unregister()


_Noting = Callable[[Build], AbstractContextManager[tuple[Recorder, Build]]]


def _left(folder: Path, disk: Disk, number: int, chance: random.Random) -> Path:
    place = folder / f"cut-{number}"
    place.mkdir()
    for name, data in disk.after_cut(WAYS[number % len(WAYS)], chance).items():
        (place / name).write_bytes(data)
    log = place / f"{FILE}{LOG}"
    if log.exists() and chance.random() < 0.5:
        # Its second name may be on the disk already, or not yet.
        (place / f"{FILE}{KEPT}").hardlink_to(log)
    return place


def _wrong(told: _Told, acknowledged: int, place: Path) -> list[str]:
    possible = told.held[acknowledged : acknowledged + 2]
    if not any(place.iterdir()):
        return [] if acknowledged == 0 else ["no file is left"]
    try:
        store = SOUND.open(str(place / FILE))
    except EngraphyError as error:
        return [f"it does not open: {error}"]
    try:
        found = held(store)
        if found not in possible:
            missing = sorted(set(possible[0]) - set(found))
            return [f"not the acknowledged rows: {len(missing)} missing, {len(found)} found"]
        return disagreements(store)
    except EngraphyError as error:
        return [f"it cannot be read: {error}"]
    finally:
        store.close()

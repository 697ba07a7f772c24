"""P-02: an acknowledged write survives a power cut."""

import random
import shutil
from pathlib import Path

from engraphy.errors import EngraphyError
from engraphy_prove.builds import SOUND
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.recording import Acknowledged, Disk, Event, Recorder, Sync, WAYS
from engraphy_prove.workload import Script, disagreements, held, put, script

STEPS = 240
REOPENINGS = 3
EARLY, EARLY_SHARE = 120, 0.1
FILE = "memories.db"


def power(trial: Trial) -> Findings:
    """Cut the power at `rounds` random points of a recorded run and open what is left."""
    chance = random.Random(trial.seed)
    story = script(chance, STEPS, words=120)
    log = _recorded(trial, story)
    cuts = sorted(_moment(chance, len(log)) for _ in range(trial.rounds))
    findings, disk, position = Findings(), Disk(), 0
    kept = dict.fromkeys(WAYS, 0)
    for number, cut in enumerate(cuts):
        for event in log[position:cut]:
            disk.advance(event)
        position = cut
        way = WAYS[number % len(WAYS)]
        kept[way] += 1
        place = _left(trial.folder, disk, number, chance)
        for what in _wrong(story, disk.acknowledged, place):
            findings.breach(f"{way} of cut {number} at event {cut}: {what}")
        shutil.rmtree(place)
    findings.tried = len(cuts)
    shares = ", ".join(f"{count} {way}" for way, count in kept.items())
    syncs = sum(isinstance(event, Sync) for event in log)
    findings.figure = (
        f"{len(cuts)} power cuts ({shares}) in {len(log)} disk events with {syncs} syncs; "
        f"{STEPS} acknowledged writes"
    )
    return findings


def _moment(chance: random.Random, length: int) -> int:
    """Any moment of the log; the making of the file is over in the first ones, so oftener there."""
    return chance.randrange(EARLY if chance.random() < EARLY_SHARE else length)


def _recorded(trial: Trial, story: Script) -> list[Event]:
    place = trial.folder / "recorded"
    place.mkdir()
    recorder = Recorder(f"recorder-{trial.build.name}")
    store = trial.build.open(str(place / FILE), vfs=f"recorder-{trial.build.name}")
    for number, changes in enumerate(story.steps):
        if number and number % (STEPS // (REOPENINGS + 1)) == 0:
            store.close()
            store = trial.build.open(str(place / FILE), vfs=f"recorder-{trial.build.name}")
        put(store, changes)
        recorder.log.append(Acknowledged(number + 1))
    store.close()
    log = list(recorder.log)
    recorder.unregister()
    return log


def _left(folder: Path, disk: Disk, number: int, chance: random.Random) -> Path:
    place = folder / f"cut-{number}"
    place.mkdir()
    for name, data in disk.after_cut(WAYS[number % len(WAYS)], chance).items():
        (place / name).write_bytes(data)
    return place


def _wrong(story: Script, acknowledged: int, place: Path) -> list[str]:
    possible = story.held[acknowledged : acknowledged + 2]
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

"""P-05: a damaged file never lies and is never thrown away.

Each round damages a copy of a store: flipped bits, cut ends, overwritten pages, lost sidecars. A
copy of that is opened and read, another one is repaired.
"""

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import engraphy
from engraphy.errors import EngraphyError, StoreError
from engraphy.model.memory import Memory
from engraphy.model.query import Listing, Term
from engraphy.ports import Store
from engraphy.stores.sqlite.pages import BadCellError, Image
from engraphy.stores.sqlite.repairing import Repaired, repair
from engraphy.testing.doubles import ToyEmbedder
from engraphy_prove.builds import SOUND
from engraphy_prove.discarding import BY_QUERIES, DISCARDING, REPAIRS
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.workload import DIM, EVERYTHING, MODEL, TENANT, held, put, script

STEPS = 160
FILE = "memories.db"
COLUMNS = 60
"""A record of so many columns is a memory."""
SIDECARS = ("-wal", "-shm", ".lock")
WAYS = ("flip", "flips", "cut", "page", "zeros", "sidecar", "log")
Files = dict[str, bytes]
CARELESS_BUILDS = (BY_QUERIES, DISCARDING)


def damage(trial: Trial) -> Findings:
    """Damage a store in `rounds` ways, read it, repair it, and look at what is left."""
    chance = random.Random(trial.seed)
    whole, logged = _template(trial.folder / "template", chance)
    findings, tally = Findings(tried=trial.rounds), Counter[str]()
    for number in range(trial.rounds):
        way = WAYS[number % len(WAYS)]
        story = logged if way in {"sidecar", "log"} else whole
        spoiled = _spoiled(story.files, way, chance)
        for what in _round(trial, story, spoiled, tally):
            findings.breach(f"{way} in round {number}: {what}")
        if findings.breaches and trial.until_caught:
            findings.tried = number + 1
            break
    told = ", ".join(f"{count} {name}" for name, count in tally.most_common())
    findings.figure = f"{findings.tried} damaged files of {len(whole.held)} memories: {told}"
    return findings


@dataclass(frozen=True, slots=True)
class _Story:
    """The bytes of a store by their names, what it holds, and every text that it ever held."""

    files: Files
    held: dict[str, tuple[str, int]]
    rows: dict[str, Memory]
    texts: frozenset[str]


def _template(place: Path, chance: random.Random) -> tuple[_Story, _Story]:
    """A store that was closed, and the same while it is open, with a log."""
    place.mkdir()
    made = script(chance, STEPS, words=40)
    texts = frozenset(content for held_ in made.held for content, _ in held_.values())
    store = SOUND.open(str(place / FILE))
    for changes in made.steps:
        put(store, changes)
    rows = {row.id: row for row in store.dump(EVERYTHING)}
    logged = _Story(_files(place), made.held[-1], rows, texts)
    store.close()
    return _Story(_files(place), made.held[-1], rows, texts), logged


def _files(place: Path) -> Files:
    return {file.name.removeprefix(FILE): file.read_bytes() for file in place.iterdir()}


def _spoiled(files: Files, way: str, chance: random.Random) -> Files:
    made, name = dict(files), "-wal" if way == "log" else ""
    data = bytearray(made[name])
    if way == "sidecar":
        for gone in chance.sample(SIDECARS, chance.randint(1, len(SIDECARS))):
            made.pop(gone, None)
        return made
    if way in {"flip", "flips", "log"}:
        for _ in range(1 if way == "flip" else chance.choice([4, 16, 64])):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif way == "cut":
        del data[chance.randrange(1, len(data)) :]
    else:
        start = chance.randrange(len(data) // 4096) * 4096
        data[start : start + 4096] = chance.randbytes(4096) if way == "page" else bytes(4096)
    made[name] = bytes(data)
    return made


def _round(trial: Trial, story: _Story, spoiled: Files, tally: Counter[str]) -> Iterator[str]:
    place = _laid(trial.folder / "read", spoiled)
    try:
        yield from _read(trial, story, place, tally)
        if not place.exists() or not place.stat().st_size:
            yield "the file was thrown away"
    finally:
        shutil.rmtree(place.parent)
    place = _laid(trial.folder / "repaired", spoiled)
    try:
        yield from _repaired(trial, story, spoiled, place, tally)
    finally:
        shutil.rmtree(place.parent)


def _laid(folder: Path, files: Files) -> Path:
    folder.mkdir()
    for name, data in files.items():
        (folder / f"{FILE}{name}").write_bytes(data)
    return folder / FILE


def _read(trial: Trial, story: _Story, place: Path, tally: Counter[str]) -> Iterator[str]:
    """What a damaged file shows: what was written, or a typed error."""
    try:
        store = trial.build.open(str(place))
    except StoreError:
        tally["not opened"] += 1
        return
    except EngraphyError as error:
        tally[f"not opened ({type(error).__name__})"] += 1
        return
    except Exception as error:  # noqa: BLE001 - an untyped error is the finding
        yield f"opening: untyped {type(error).__name__}: {error}"
        return
    tally["opened"] += 1
    for name, read in _READS.items():
        yield from _shown(name, read, store, story)
    with suppress(EngraphyError):
        shown = list(store.dump(EVERYTHING))
        other = any(row.id in story.rows and row != story.rows[row.id] for row in shown)
        tally["with another field than was written"] += other and len(shown) == len(story.rows)
    store.close()


def _shown(name: str, read: "_Read", store: Store, story: _Story) -> Iterator[str]:
    try:
        found = read(store, story)
    except EngraphyError:
        return
    except Exception as error:  # noqa: BLE001 - an untyped error is the finding
        yield f"{name}: untyped {type(error).__name__}: {error}"
        return
    wrong = [text for text in found if text not in story.texts]
    if wrong:
        yield f"{name} shows {len(wrong)} texts that nobody wrote"
    if name == "dump" and not found:
        yield "it shows an empty store"


def _texts(rows: object) -> list[str]:
    return [row.content for row in rows]  # type: ignore[attr-defined]


def _searched(store: Store, story: _Story) -> list[str]:
    own = next(iter(story.held.values()))[0].split(" ", 1)[0]
    found = store.search_text(EVERYTHING, [Term(term=own, surface=own)], 3).matches
    return _texts(store.get(EVERYTHING, [match.id for match in found]))


_Read = Callable[[Store, _Story], list[str]]
_READS: Mapping[str, _Read] = {
    "dump": lambda store, _: _texts(store.dump(EVERYTHING)),
    "page": lambda store, _: _texts(store.page(EVERYTHING, Listing(limit=999))),
    "get": lambda store, story: _texts(store.get(EVERYTHING, list(story.held))),
    "search": _searched,
    "check": lambda store, _: [str(one) for one in store.check(deep=True)][:0],
    "journal": lambda store, _: [
        str(one) for one in store.journal(EVERYTHING.scope.tenant, limit=999)
    ][:0],
}


def _repaired(
    trial: Trial, story: _Story, spoiled: Files, place: Path, tally: Counter[str]
) -> Iterator[str]:
    """What a repair keeps: the bytes as they were, and every row that was not touched."""
    try:
        done = REPAIRS.get(trial.build.name, repair)(str(place))
    except EngraphyError as error:
        tally[f"not repaired ({type(error).__name__})"] += 1
        if place.read_bytes() != spoiled[""]:
            yield "it was not repaired, yet its bytes are others"
        if any(_untouched(story, spoiled)):
            yield f"not repaired, though there are undamaged rows: {error}"
        return
    except Exception as error:  # noqa: BLE001 - an untyped error is the finding
        yield f"repair: untyped {type(error).__name__}: {error}"
        return
    tally["repaired" if done.needed else "sound"] += 1
    if done.needed and _bytes_of(done) != (spoiled[""], spoiled.get("-wal", b"")):
        yield "the original bytes are not kept"
    store = SOUND.open(str(place))
    try:
        found = held(store)
        wrong = [name for name, (text, _) in found.items() if text not in story.texts]
        if wrong:
            yield f"{len(wrong)} memories have a text that nobody wrote"
        due = _untouched(story, spoiled)
        tally["undamaged rows"] += len(due)
        missing = [name for name, text in due.items() if found.get(name, ("",))[0] != text]
        if missing:
            yield f"{len(missing)} of {len(due)} undamaged rows are lost"
    finally:
        store.close()
    yield from _used(place)


def _used(place: Path) -> Iterator[str]:
    """Whether a repaired store is one that its owner opens as ever, with the same embedder."""
    embedder = ToyEmbedder(dim=DIM, model_id=MODEL)
    try:
        with engraphy.Memory(place, embedder=embedder, tenant=str(TENANT)) as memory:
            memory.list(limit=1)
            memory.recall("what is there?", limit=1)
    except EngraphyError as error:
        yield f"it does not open after the repair: {type(error).__name__}: {error}"
    except Exception as error:  # noqa: BLE001 - an untyped error is the finding
        yield f"opening after the repair: untyped {type(error).__name__}: {error}"


def _bytes_of(done: Repaired) -> tuple[bytes, bytes]:
    if not done.original:
        return b"", b""
    log = Path(f"{done.original}-wal")
    return Path(done.original).read_bytes(), log.read_bytes() if log.exists() else b""


class _Told(Image):
    """An image that tells which pages it was asked for."""

    asked: set[int]

    def page(self, number: int) -> bytes:
        self.asked.add(number)
        return super().page(number)


def _untouched(story: _Story, spoiled: Files) -> dict[str, str]:
    """The memories whose pages, and those of the walls they stand behind, are as they were."""
    before, after = _image(story.files), _image(spoiled)
    same = {
        number
        for number in range(1, min(before.count, after.count) + 1)
        if before.page(number) == after.page(number)
    }
    due: dict[str, str] = {}
    for number in range(1, before.count + 1):
        before.asked = set()
        for row in before.rows(number):
            if not isinstance(row, BadCellError) and len(row.values) > COLUMNS:
                name, text = str(row.values[1]), str(row.values[4])
                if before.asked | {number} <= same and name in story.held:
                    due[name] = text
            before.asked = set()
    return due if _walls(before) <= same else {}


def _walls(image: _Told) -> set[int]:
    """The pages on which the walls of this story are written."""
    return {
        number
        for number in range(1, image.count + 1)
        for row in image.rows(number)
        if not isinstance(row, BadCellError)
        if row.rowid is not None and len(row.values) == 6
        if row.values[0] is None and row.values[1] == str(EVERYTHING.scope.tenant)
    }


def _image(files: Files) -> _Told:
    made = _Told.__new__(_Told)
    made.asked = set()
    Image.__init__(made, files[""], files.get("-wal", b""))
    return made

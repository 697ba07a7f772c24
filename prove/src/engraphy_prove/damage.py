"""P-05: a damaged file never lies and is never thrown away.

Each round damages a copy of a store: flipped bits, cut ends, overwritten pages, lost sidecars. A
copy of that is opened and read, another one is repaired.
"""

import random
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import engraphy
from engraphy.errors import EngraphyError, StoreError
from engraphy.model.memory import Memory
from engraphy.model.query import Listing, Term, View
from engraphy.ports import Store
from engraphy.stores.sqlite.repairing import Repaired, repair
from engraphy.testing.doubles import ToyEmbedder
from engraphy_prove.builds import SOUND
from engraphy_prove.discarding import BY_QUERIES, DISCARDING, REPAIRS, TRUSTING
from engraphy_prove.fields import said
from engraphy_prove.homes import HOMES, VIEWS
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.stories import FILE, Files, Story, template
from engraphy_prove.untouched import due
from engraphy_prove.workload import DIM, MODEL, TENANT

SIDECARS = ("-wal", "-shm", ".lock")
WAYS = ("field", "flip", "flips", "cut", "page", "field", "zeros", "wall", "sidecar", "log")
CARELESS_BUILDS = (BY_QUERIES, DISCARDING, TRUSTING)


def damage(trial: Trial) -> Findings:
    """Damage a store in `rounds` ways, read it, repair it, and look at what is left."""
    chance = random.Random(trial.seed)
    whole, logged = template(trial.folder / "template", chance)
    findings, tally = Findings(tried=trial.rounds), Counter[str]()
    for number in range(trial.rounds):
        way = WAYS[number % len(WAYS)]
        story = logged if way in {"sidecar", "log"} else whole
        spoiled = _spoiled(story, way, chance)
        for what in _round(trial, story, spoiled, tally):
            findings.breach(f"{way} in round {number}: {what}")
        if findings.breaches and trial.until_caught:
            findings.tried = number + 1
            break
    told = ", ".join(f"{count} {name}" for name, count in tally.most_common())
    findings.figure = f"{findings.tried} damaged files of {len(whole.rows)} memories: {told}"
    return findings


def _spoiled(story: Story, way: str, chance: random.Random) -> Files:
    made = dict(story.files)
    # A log that was just brought in is empty.
    name = "-wal" if way == "log" and made.get("-wal") else ""
    data = bytearray(made[name])
    if way == "sidecar":
        for gone in chance.sample(SIDECARS, chance.randint(1, len(SIDECARS))):
            made.pop(gone, None)
        return made
    if way in {"flip", "flips", "log"}:
        for _ in range(1 if way == "flip" else chance.choice([4, 16, 64])):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif way == "field":
        name = chance.choice(sorted(story.fields))
        data[chance.choice(story.fields[name])] ^= 1 << chance.randrange(8)
    elif way == "wall":
        data[_wall(story, bytes(data), chance)] ^= 1 << chance.randrange(2)
    elif way == "cut":
        del data[chance.randrange(1, len(data)) :]
    else:
        start = chance.randrange(len(data) // 4096) * 4096
        data[start : start + 4096] = chance.randbytes(4096) if way == "page" else bytes(4096)
    made[name] = bytes(data)
    return made


def _wall(story: Story, data: bytes, chance: random.Random) -> int:
    """Where something tells whose a row is: the number of a scope before a text, or the last letter
    of a tenant's or a user's name."""
    if chance.random() < 0.5:
        rows = [row.content.encode() for row in story.rows.values()]
        found = [place - 1 for row in rows if (place := data.find(row)) > 0]
    else:
        names = {name for home in HOMES for name in (home.tenant, home.user) if name}
        marks = [re.escape(name.encode()) for name in sorted(names)]
        found = [match.end() - 1 for match in re.finditer(b"|".join(marks), data)]
    return chance.choice(found)


def _round(trial: Trial, story: Story, spoiled: Files, tally: Counter[str]) -> Iterator[str]:
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


def _read(trial: Trial, story: Story, place: Path, tally: Counter[str]) -> Iterator[str]:
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
        shown = [row for view in VIEWS for row in store.dump(view)]
        other = any(row.id in story.rows and row != story.rows[row.id] for row in shown)
        tally["with another count than was written"] += other and len(shown) == len(story.rows)
    store.close()


def _shown(name: str, read: "_Read", store: Store, story: Story) -> Iterator[str]:
    count = 0
    for view in VIEWS:
        try:
            found = read(store, view, story)
        except EngraphyError:
            return
        except Exception as error:  # noqa: BLE001 - an untyped error is the finding
            yield f"{name}: untyped {type(error).__name__}: {error}"
            return
        count += len(found)
        yield from _wrong(f"{name} shows", found, view, story)
    if name == "dump" and not count:
        yield "it shows an empty store"


def _wrong(told: str, found: Iterable[Memory], view: View, story: Story) -> Iterator[str]:
    """Texts that nobody wrote, or that were written behind other walls; and fields."""
    rows = list(found)
    made_up = [row for row in rows if row.content not in story.texts]
    if made_up:
        yield f"{told} {len(made_up)} texts that nobody wrote"
    others = [row for row in rows if story.texts.get(row.content, view.scope) != view.scope]
    if others:
        yield f"{told} {len(others)} texts of somebody else"
    fields = [row.id for row in rows if said(row) not in story.ever]
    if fields and not made_up and not others:
        yield f"{told} fields that nobody wrote: {', '.join(fields)}"


def _nothing(_: object) -> list[Memory]:
    """What is only asked for; nothing of it is compared."""
    return []


def _searched(store: Store, view: View, story: Story) -> list[Memory]:
    own = next(row for row in story.rows.values() if row.scope == view.scope)
    word = own.content.split(" ", 1)[0]
    found = store.search_text(view, [Term(term=word, surface=word)], 3).matches
    return list(store.get(view, [match.id for match in found]))


_Read = Callable[[Store, View, Story], list[Memory]]
_READS: Mapping[str, _Read] = {
    "dump": lambda store, view, _: list(store.dump(view)),
    "page": lambda store, view, _: list(store.page(view, Listing(limit=999))),
    "get": lambda store, view, story: list(store.get(view, list(story.rows))),
    "search": _searched,
    "check": lambda store, _, __: _nothing(store.check(deep=True)),
    "journal": lambda store, view, _: _nothing(store.journal(view.scope.tenant, limit=999)),
}


def _repaired(
    trial: Trial, story: Story, spoiled: Files, place: Path, tally: Counter[str]
) -> Iterator[str]:
    """What a repair keeps: the bytes as they were, and every row that was not touched."""
    try:
        done = REPAIRS.get(trial.build.name, repair)(str(place))
    except EngraphyError as error:
        tally[f"not repaired ({type(error).__name__})"] += 1
        if place.read_bytes() != spoiled[""]:
            yield "it was not repaired, yet its bytes are others"
        if due(story.stands, story.image, spoiled)[0]:
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
        held = dict[str, Memory]()
        for view in VIEWS:
            rows = list(store.dump(view))
            held |= {row.id: row for row in rows}
            yield from _wrong("repaired it shows", rows, view, story)
        whole, alone = due(story.stands, story.image, spoiled)
        tally["undamaged rows"] += len(whole)
        tally["others of which each page that says whose they are was touched"] += alone
        missing = [name for name in whole if held.get(name) != story.rows[name]]
        if missing:
            yield f"{len(missing)} of {len(whole)} undamaged rows are lost"
        tally["rows back"] += len(held)
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

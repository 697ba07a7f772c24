"""P-05: a damaged file never lies and is never thrown away.

Each round damages a copy of a store: flipped bits, cut ends, overwritten pages, lost sidecars. A
copy of that is opened and read, another one is repaired.
"""

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import engraphy
from engraphy.errors import EngraphyError, StoreError
from engraphy.model.memory import Memory
from engraphy.model.query import Listing, Term, View
from engraphy.ports import Store
from engraphy.stores.sqlite.logs import KEPT, LOG
from engraphy.stores.sqlite.repairing import Repaired, repair
from engraphy.testing.doubles import ToyEmbedder
from engraphy_prove.builds import SOUND
from engraphy_prove.discarding import BY_QUERIES, DISCARDING, REPAIRS, TRUSTING
from engraphy_prove.fields import counted, said
from engraphy_prove.homes import VIEWS
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.shown import SEEN, is_told
from engraphy_prove.spoiling import CERTAIN, WAYS, spoiled
from engraphy_prove.stories import FILE, Files, Story, template
from engraphy_prove.untouched import due
from engraphy_prove.workload import DIM, MODEL, TENANT

CARELESS_BUILDS = (BY_QUERIES, DISCARDING, TRUSTING)


def damage(trial: Trial) -> Findings:
    """Damage a store in `rounds` ways, read it, repair it, and look at what is left."""
    chance = random.Random(trial.seed)
    whole, logged = template(trial.folder / "template", chance)
    findings, tally = Findings(tried=trial.rounds), Counter[str]()
    for number in range(trial.rounds):
        way = WAYS[number % len(WAYS)]
        story = logged if way in {"sidecar", "log"} else whole
        damaged = spoiled(story, way, chance)
        for what in _round(trial, story, damaged, tally, certain=way in CERTAIN):
            findings.breach(f"{way} in round {number}: {what}")
        if findings.breaches and trial.until_caught:
            findings.tried = number + 1
            break
    told = ", ".join(f"{count} {name}" for name, count in tally.most_common())
    stores = f"damaged files with checksums of pages, of {len(whole.rows)} memories"
    findings.figure = f"{findings.tried} {stores}: {told}"
    return findings


def _round(
    trial: Trial, story: Story, damaged: Files, tally: Counter[str], *, certain: bool
) -> Iterator[str]:
    place = _laid(trial.folder / "read", damaged)
    try:
        yield from _read(trial, story, place, tally, certain=certain)
        if not place.exists() or not place.stat().st_size:
            yield "the file was thrown away"
    finally:
        shutil.rmtree(place.parent)
    place = _laid(trial.folder / "repaired", damaged)
    try:
        yield from _repaired(trial, story, damaged, place, tally)
    finally:
        shutil.rmtree(place.parent)


def _laid(folder: Path, files: Files) -> Path:
    folder.mkdir()
    for name, data in files.items():
        (folder / f"{FILE}{name}").write_bytes(data)
    if {LOG, KEPT} <= files.keys():
        # One file under two names, as it was.
        (folder / f"{FILE}{KEPT}").unlink()
        (folder / f"{FILE}{KEPT}").hardlink_to(folder / f"{FILE}{LOG}")
    return folder / FILE


def _read(
    trial: Trial, story: Story, place: Path, tally: Counter[str], *, certain: bool
) -> Iterator[str]:
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
        yield from _shown(name, read, store, story, certain=certain)
    for view in VIEWS:
        yield from _beside("it shows", store, view, story)
    store.close()


def _shown(name: str, read: "_Read", store: Store, story: Story, *, certain: bool) -> Iterator[str]:
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
        if any(row not in story.seen for row in found):
            yield f"{name} shows a memory as it never was"
    if name == "dump" and not count:
        yield "it shows an empty store"
    if name in {"dump", "page", "get"} and certain and count != len(story.rows):
        yield f"{name} shows {count} of {len(story.rows)} memories, and no error"


def _beside(told: str, store: Store, view: View, story: Story) -> Iterator[str]:
    """What is shown beside memories that nobody wrote."""
    ids = [row.id for row in story.rows.values() if replace(row.scope, session=None) == view.scope]
    for name, read in SEEN.items():
        try:
            found = read(store, view, ids)
        except EngraphyError:
            continue
        except Exception as error:  # noqa: BLE001 - an untyped error is the finding
            yield f"{name}: untyped {type(error).__name__}: {error}"
            continue
        wrong = [one for one in found if not is_told(one, story.seen)]
        if wrong:
            yield f"{told} {len(wrong)} {name} that nobody wrote, as {wrong[0]}"


def _wrong(told: str, found: Iterable[Memory], view: View, story: Story) -> Iterator[str]:
    """Texts that nobody wrote, or that were written behind other walls; and fields."""
    rows = list(found)
    made_up = [row for row in rows if row.content not in story.texts]
    if made_up:
        yield f"{told} {len(made_up)} texts that nobody wrote"
    others = [row for row in rows if story.texts.get(row.content, view.scope) != view.scope]
    if others:
        yield f"{told} {len(others)} texts of somebody else"
    fields = [row.id for row in rows if not {said(row), counted(row)} <= story.ever]
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
}


def _repaired(
    trial: Trial, story: Story, damaged: Files, place: Path, tally: Counter[str]
) -> Iterator[str]:
    """What a repair keeps: the bytes as they were, and every row that was not touched."""
    try:
        done = REPAIRS.get(trial.build.name, repair)(str(place))
    except EngraphyError as error:
        tally[f"not repaired ({type(error).__name__})"] += 1
        if place.read_bytes() != damaged[""]:
            yield "it was not repaired, yet its bytes are others"
        if due(story.stands, story.image, damaged)[0]:
            yield f"not repaired, though there are undamaged rows: {error}"
        return
    except Exception as error:  # noqa: BLE001 - an untyped error is the finding
        yield f"repair: untyped {type(error).__name__}: {error}"
        return
    tally["repaired" if done.needed else "sound"] += 1
    if done.needed and _bytes_of(done) != (damaged[""], damaged.get("-wal", b"")):
        yield "the original bytes are not kept"
    store = SOUND.open(str(place))
    try:
        held = dict[str, Memory]()
        for view in VIEWS:
            rows = list(store.dump(view))
            held |= {row.id: row for row in rows}
            yield from _wrong("repaired it shows", rows, view, story)
            yield from _beside("repaired it shows", store, view, story)
        whole, alone = due(story.stands, story.image, damaged)
        tally["undamaged rows"] += len(whole)
        tally["others of which each page that says whose they are was touched"] += alone
        missing = [
            name for name in whole if name not in held or said(held[name]) != said(story.rows[name])
        ]
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

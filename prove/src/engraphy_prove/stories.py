"""What the proof of damage damages: the files of a store, and all that was ever written there."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import apsw

from engraphy.model.change import Change
from engraphy.model.memory import Memory
from engraphy.model.query import View
from engraphy.model.scope import Scope
from engraphy.ports import Store
from engraphy.stores.sqlite.pages import Image
from engraphy_prove.builds import SUMMED
from engraphy_prove.fields import Said, at_first, counted, moves, places, said, settled
from engraphy_prove.homes import VIEWS
from engraphy_prove.shown import TABLES, beside, everything
from engraphy_prove.untouched import Stand, image, stands
from engraphy_prove.workload import ACTOR, T0, script

STEPS = 40
"""Of each home."""
FILE = "memories.db"
Files = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Story:
    """The bytes of a store by their names, what it holds, where that stands, every text that it
    ever held, with the home of each, all that memories ever said, and all that was ever seen of
    anything; where each field of memories stands in the file, and the pages of each table."""

    files: Files
    image: Image
    rows: dict[str, Memory]
    stands: Mapping[str, Stand]
    texts: Mapping[str, Scope]
    ever: AbstractSet[Said]
    seen: frozenset[object]
    fields: Mapping[str, list[int]]
    pages: Mapping[str, list[int]]

    @staticmethod
    def of(place: Path, rows: dict[str, Memory], ever: Iterable[object]) -> "Story":
        """The story of the files in a folder."""
        files, seen = _files(place), frozenset(ever)
        told = [one for one in seen if isinstance(one, Memory)]
        pages = defaultdict[str, list[int]](list)
        for name, page in _asked(place, f"SELECT name, pageno FROM dbstat WHERE name IN {TABLES}"):
            pages[name].append(page)
        columns = [
            name for (name,) in _asked(place, "SELECT name FROM pragma_table_info('memories')")
        ]
        return Story(
            files,
            image(files),
            rows,
            stands(files),
            {row.content: replace(row.scope, session=None) for row in told},
            frozenset(chain(map(said, told), map(counted, told), map(at_first, told))),
            seen,
            places(files[""], columns, rows),
            pages,
        )


def template(place: Path, chance: random.Random) -> tuple[Story, Story]:
    """A store that was closed, and the same while it is open, with a log."""
    place.mkdir()
    ever, store = set[object](), SUMMED.open(str(place / FILE))
    for number, view in enumerate(VIEWS):
        home = view.scope
        made = script(chance, STEPS, words=40, scope=home, first=number * STEPS)
        steps = chain(made.steps, _moved(chance, store, view))
        for changes in steps:
            numbers = store.apply(home.tenant, changes, now=T0, actor=ACTOR)
            last = min(numbers, default=1) - 1
            held = list(store.dump(view))
            ever.update(held, everything(store, view, [row.id for row in held], last))
    rows = {row.id: row for view in VIEWS for row in store.dump(view)}
    logged = Story.of(place, rows, ever)
    store.close()
    return Story.of(place, rows, ever), logged


def _moved(chance: random.Random, store: Store, view: View) -> Iterator[list[Change]]:
    yield from moves(chance, list(store.dump(view)))
    yield [settled(list(store.dump(view)))]
    yield from beside(chance, list(store.dump(view)))


def _asked(place: Path, text: str) -> list[tuple[Any, ...]]:
    with closing(apsw.Connection(str(place / FILE), apsw.SQLITE_OPEN_READONLY)) as connection:
        return connection.execute(text).fetchall()


def _files(place: Path) -> Files:
    return {file.name.removeprefix(FILE): file.read_bytes() for file in place.iterdir()}

"""Ways to damage the files of a store."""

import random
import re
from collections.abc import Callable, Mapping

from engraphy_prove.homes import HOMES
from engraphy_prove.stories import Files, Story

SIDECARS = ("-wal", "-wal-kept", "-shm", ".lock")
WAYS = (
    "field", "beside", "flip", "flips", "cut", "page", "field", "zeros", "wall", "beside",
    "sidecar", "log",
)  # fmt: skip
CERTAIN = frozenset(WAYS) - {"sidecar", "log"}
"""After these, what is shown without an error is all there was: no log has lost anything."""
_PAGE = 4096


def spoiled(story: Story, way: str, chance: random.Random) -> Files:
    """The files of a story once they were damaged."""
    made = dict(story.files)
    if way == "sidecar":
        for gone in chance.sample(SIDECARS, chance.randint(1, len(SIDECARS))):
            made.pop(gone, None)
        return made
    # A log that was just brought in is empty.
    suffix = "-wal" if way == "log" and made.get("-wal") else ""
    data = bytearray(made[suffix])
    _WAYS[way](story, data, chance)
    made[suffix] = bytes(data)
    return made


def _flip(data: bytearray, place: int, chance: random.Random, bits: int = 8) -> None:
    data[place] ^= 1 << chance.randrange(bits)


def _one(_: Story, data: bytearray, chance: random.Random) -> None:
    _flip(data, chance.randrange(len(data)), chance)


def _many(_: Story, data: bytearray, chance: random.Random) -> None:
    for _number in range(chance.choice([4, 16, 64])):
        _flip(data, chance.randrange(len(data)), chance)


def _field(story: Story, data: bytearray, chance: random.Random) -> None:
    """A bit of one field of a memory."""
    column = chance.choice(sorted(story.fields))
    _flip(data, chance.choice(story.fields[column]), chance)


def _beside(story: Story, data: bytearray, chance: random.Random) -> None:
    """A few bits of one page of one table."""
    page = chance.choice(story.pages[chance.choice(sorted(story.pages))])
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        _flip(data, (page - 1) * _PAGE + chance.randrange(_PAGE), chance)


def _wall(story: Story, data: bytearray, chance: random.Random) -> None:
    """Where something tells whose a row is: the number of a scope before a text, or the last letter
    of a tenant's or a user's name."""
    if chance.random() < 0.5:
        rows = [row.content.encode() for row in story.rows.values()]
        found = [place - 1 for row in rows if (place := data.find(row)) > 0]
    else:
        names = {name for home in HOMES for name in (home.tenant, home.user) if name}
        marks = [re.escape(name.encode()) for name in sorted(names)]
        found = [match.end() - 1 for match in re.finditer(b"|".join(marks), data)]
    _flip(data, chance.choice(found), chance, bits=2)


def _cut(_: Story, data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(1, len(data)) :]


def _noise(_: Story, data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data) // _PAGE) * _PAGE
    data[start : start + _PAGE] = chance.randbytes(_PAGE)


def _zeros(_: Story, data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data) // _PAGE) * _PAGE
    data[start : start + _PAGE] = bytes(_PAGE)


_WAYS: Mapping[str, Callable[[Story, bytearray, random.Random], None]] = {
    "flip": _one,
    "flips": _many,
    "log": _many,
    "field": _field,
    "beside": _beside,
    "wall": _wall,
    "cut": _cut,
    "page": _noise,
    "zeros": _zeros,
}

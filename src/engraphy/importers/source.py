"""What an importer is: a name, how its files are known, and what is read from them."""

import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from engraphy.errors import InvalidInputError
from engraphy.importers.notes import Notes
from engraphy.importers.reading import moment, undated
from engraphy.model.importing import Item
from engraphy.record import Record

HOST = "the host's own words"
TOOL = "use of a tool"
SIDE = "a side conversation"
HIDDEN = "not said or shown"


class Source(Record, frozen=True, kw_only=True):
    """`expects`: in words, what is read; `fits`: whether a path looks like it; `items`: what is
    read from it, in a stream. Parts that are no memory are noted."""

    name: str
    expects: str
    fits: Callable[[Path], bool]
    items: Callable[[Path, Notes], Iterator[Item]]


class Course:
    """The moments of a conversation: a message that tells none was said after the one before it,
    the first when the conversation began; one that cannot be read is noted with its place."""

    def __init__(self, notes: Notes, place: str | Path, began: object = None) -> None:
        self._notes, self._place, self._at = notes, place, moment(began)

    def at(self, told: object, number: int, name: str) -> int | None:
        """When a message was said that tells `told` by a field of this name, in that line or
        part."""
        found = moment(told)
        if found is None and told:
            self._notes.wrong(self._place, number, undated(name, told))
        self._at = found or self._at
        return self._at


def unknown(path: Path, got: str, expects: str) -> InvalidInputError:
    """A path that holds something else than its source has."""
    return InvalidInputError(
        field="path", got=f"{path.name or str(path)!r}, {got}", allowed=expects
    )


def noise(source: str, text: str) -> bool:
    """Whether a text is one that a host puts under the user's name."""
    return text.lstrip().startswith(_begins()[source])


@cache
def _begins() -> dict[str, tuple[str, ...]]:
    read = files("engraphy.importers").joinpath("noise.toml").read_text("utf-8")
    return {name: tuple(table["begins"]) for name, table in tomllib.loads(read).items()}

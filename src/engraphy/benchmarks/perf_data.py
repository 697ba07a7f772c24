"""Memories made in code: about 40 words each with Zipf frequencies, in scopes with a heavy tail.

The commonest words are the product's own English stop words, the others are put together from
syllables, so that text is about as repetitive as English and belongs to nobody. Everything follows
from one seed.
"""

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, islice, product
from pathlib import Path

import msgspec

from engraphy.model import Memory, Scope, Tenant
from engraphy.text.stopwords import stop_words
from engraphy.write.imported import FORMAT, FORMAT_VERSION

LAYOUTS = ("tail", "one")
LARGEST = 0.26
SCOPES = 200
PART = 100_000
_SEED = 7
_WORDS = 20_000
_SHIFT = 2.7
_LENGTH, _SPREAD = 40, 12
_SHORTEST = 8
_ONSETS = (*"bcdfghjklmnprstvwz", "br", "cl", "dr", "fl", "gr", "pl", "st", "tr")
_VOWELS = (*"aeiou", "ai", "ea", "ou")
_START = 1_735_689_600_000_000
_STEP = 300_000_000
_HEAD = json.dumps({"format": FORMAT, "version": FORMAT_VERSION}) + "\n"


class Zipf:
    """A seeded source of words whose frequency falls with their rank (Mandelbrot's shift)."""

    def __init__(self, seed: int = _SEED) -> None:
        self.draw = random.Random(seed)
        made = ("".join(part) for part in product(_ONSETS, _VOWELS, _ONSETS, _VOWELS))
        common = sorted(stop_words("en"), key=lambda word: (len(word), word))
        kept = list(made)
        self.draw.shuffle(kept)
        self.common = len(common)
        self.words = [*common, *(word for word in kept if word not in stop_words("en"))][:_WORDS]
        weights = (1.0 / (rank + _SHIFT) for rank in range(1, len(self.words) + 1))
        self._cumulated = list(accumulate(weights))

    def text(self, words: int) -> str:
        """So many words."""
        return " ".join(self.draw.choices(self.words, cum_weights=self._cumulated, k=words))

    def statement(self) -> str:
        """A text of about 40 words."""
        return self.text(max(_SHORTEST, round(self.draw.gauss(_LENGTH, _SPREAD))))

    def question(self, about: str) -> str:
        """A question of 3 stop words and 4 rarer words of `about`."""
        telling = [word for word in about.split() if word not in self.words[: self.common]]
        asked = self.draw.sample(telling, min(4, len(telling)))
        return " ".join([*self.words[5:8], *asked])


def owners(count: int, layout: str, draw: random.Random) -> Sequence[str]:
    """Whose each memory is: "one" user, or 200 users of whom one has 26 % and the others a
    Zipf tail."""
    if layout == "one":
        return ["u0"] * count
    rest = [1.0 / rank for rank in range(1, SCOPES)]
    share = (1.0 - LARGEST) / sum(rest)
    weights = [LARGEST, *(share * weight for weight in rest)]
    return draw.choices([f"u{number}" for number in range(SCOPES)], weights, k=count)


def memories(count: int, layout: str) -> Iterator[Memory]:
    """So many memories, five minutes apart from 2025 on."""
    source = Zipf()
    for number, user in enumerate(owners(count, layout, random.Random(_SEED))):
        at = _START + number * _STEP
        yield Memory(
            id=f"{number:026d}",
            scope=Scope(tenant=Tenant("default"), user=user, session=f"s{number // 20}"),
            content=source.statement(),
            valid_from=at,
            recorded_at=at,
            updated_at=at,
        )


def write_export(path: Path, rows: Iterator[Memory]) -> None:
    """An export file that `Memory.import_` takes."""
    with path.open("w", encoding="utf-8") as file:
        file.write(_HEAD)
        file.writelines(map(_line, rows))


def write_parts(folder: Path, rows: Iterator[Memory], most: int = PART) -> tuple[list[Path], str]:
    """Exports of at most `most` memories each, to be imported one after another, as an import
    holds its file whole; and the SHA-256 that one export of all would have. One row is held at a
    time."""
    told, parts = hashlib.sha256(_HEAD.encode()), list[Path]()
    for first in rows:
        path = folder / f"export-{len(parts)}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            file.write(_HEAD)
            for line in map(_line, chain([first], islice(rows, most - 1))):
                file.write(line)
                told.update(line.encode())
        parts.append(path)
    return parts, told.hexdigest()


def _line(row: Memory) -> str:
    return json.dumps({"record": "memory", **msgspec.to_builtins(row)}) + "\n"

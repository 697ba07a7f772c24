"""A linear model of small talk, for what no list of phrases foresees. English and Turkish.

Multinomial logistic regression over runs of one to three words. Words that small talk does not use
are all one sign, so that a sentence with content of its own is told by having it. Trained by
`tools/train_trivial.py`; the weights are data.
"""

import math
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from engraphy.text.datafiles import raw
from engraphy.text.wordlists import key

OTHER = "other"
LIKELY = 0.75
"""The probability of small talk from which a sentence counts as such."""
MOST_WORDS = 24
SCALE = 16
"""Weights are stored as whole sixteenths, relative to those of `OTHER`."""
UNKNOWN = "?"

_FILE = "trivial_weights.txt"
_WORD = re.compile(r"[^\W_]++(?:['’-][^\W_]++)*+")
_MOST_UNKNOWN, _MOST_COUNTED = 4, 12


class Weights(NamedTuple):
    """The model: its classes, the weight of each feature by class, and the words it knows."""

    classes: tuple[str, ...]
    features: Mapping[str, tuple[int, ...]]
    known: frozenset[str]


def chatter(sentence: str) -> str | None:
    """The class of small talk a sentence belongs to, or None where that is not likely."""
    if len(_WORD.findall(sentence)) > MOST_WORDS:
        return None
    found = words_of(sentence)
    if not found or strange(found):
        return None
    scores = logits(found)
    top = max(scores)
    shares = [math.exp(score - max(top, 0.0)) for score in scores]
    small = sum(shares)
    if small / (small + math.exp(-max(top, 0.0))) < LIKELY:
        return None
    return weights().classes[scores.index(top)]


def strange(found: list[str]) -> bool:
    """Whether no word is one that small talk uses."""
    return weights().known.isdisjoint(found)


def logits(found: list[str]) -> list[float]:
    """The log odds of each class of small talk against everything else."""
    model = weights()
    sums = [0] * len(model.classes)
    for name in features(found, model.known):
        row = model.features.get(name)
        if row is not None:
            sums = [one + more for one, more in zip(sums, row, strict=True)]
    return [total / SCALE for total in sums]


def words_of(sentence: str) -> list[str]:
    """The words of a sentence as keys, with straight apostrophes."""
    return [key(word).replace("’", "'") for word in _WORD.findall(sentence)]


def features(found: list[str], known: frozenset[str]) -> set[str]:
    """The signs of a sentence: its known words, runs of two and three with the borders, how many
    words are unknown and how many there are."""
    masked = [word if word in known else UNKNOWN for word in found]
    framed = ["^", *masked, "$"]
    signs = {"", *(word for word in masked if word != UNKNOWN)}
    signs.update(runs(framed, 2))
    signs.update(runs(framed, 3))
    signs.add(f"?{min(masked.count(UNKNOWN), _MOST_UNKNOWN)}")
    signs.add(f"#{min(len(found), _MOST_COUNTED)}")
    return signs


def runs(framed: list[str], size: int) -> Iterator[str]:
    """The runs of so many words, joined by spaces."""
    for start in range(len(framed) - size + 1):
        yield " ".join(framed[start : start + size])


@cache
def weights() -> Weights:
    """The packaged model."""
    text = raw(_FILE)
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("# ")]
    classes = tuple(rows[0][1].split())
    table = {name: tuple(map(int, values.split())) for name, values in rows[1:]}
    known = frozenset(name for name in table if name[:1].isalnum() and " " not in name)
    return Weights(classes, table, known)

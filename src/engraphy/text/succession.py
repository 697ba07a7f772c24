"""How likely a new statement takes the place of an older one, in whatever words (D-08).

A small network over the traits of the pair, plus a weight for each of its words
(`engraphy.text.pairing`). It knows no attribute: it has learned from pairs of statements how people
tell a change, and what only looks like one. Trained by `tools/train_succession.py`; the weights are
data (`lexicon/succession_weights.txt`). English and Turkish.
"""

import math
from collections.abc import Mapping
from functools import cache
from operator import mul
from typing import NamedTuple

from engraphy.text.belonging import tells_of_another
from engraphy.text.canonical import both, for_once
from engraphy.text.causes import causal, content_stems
from engraphy.text.datafiles import raw
from engraphy.text.ending import of_another_thing
from engraphy.text.numbered import of_another_number
from engraphy.text.pairing import Side, marks, modified, side, traits
from engraphy.text.parts import reading_of
from engraphy.text.replacing import (
    given_up_by_another,
    leaves_another,
    of_former,
    told_of_another,
)
from engraphy.text.split import sentences
from engraphy.text.wordlists import pattern, plain

_FILE = "succession_weights.txt"
SCALE = 64
"""Weights of words are stored as whole sixty-fourths."""
_FAR = 30.0
_REMINDER = 8


class Trait(NamedTuple):
    """How a trait counts: its mean and spread, its own weight, and its weight in each unit."""

    mean: float
    spread: float
    weight: float
    units: tuple[float, ...]


class Weights(NamedTuple):
    """The model: its traits, the units' biases and weights, the bias, the weight of each word."""

    traits: Mapping[str, Trait]
    biases: tuple[float, ...]
    outputs: tuple[float, ...]
    bias: float
    words: Mapping[str, int]
    direct: tuple[float, ...]
    """The traits' own weights, in their order."""
    units: tuple[tuple[float, ...], ...]
    """The weights of all traits by unit."""


def succession(new: str, old: str, *, just: bool = False) -> float:
    """The probability, in (0, 1), that `old` no longer holds as told because of `new`.

    `just`: `old` was told right before `new`, in one conversation. Of both 300 characters count.
    """
    model = weights()
    new, old = both(new, old)
    found = traits(new, old, just=just)
    total = model.bias + sum(model.words.get(mark, 0) for mark in marks(new, old)) / SCALE
    values = [(found[name] - one.mean) / one.spread for name, one in model.traits.items()]
    total = sum(map(mul, values, model.direct), total)
    for weights_of, unit_bias, output in zip(model.units, model.biases, model.outputs, strict=True):
        total += math.tanh(sum(map(mul, values, weights_of), unit_bias)) * output
    return 1 / (1 + math.exp(-max(-_FAR, min(_FAR, total))))


def excluded(new: str, old: str) -> bool:
    """Whether it is certain, whatever the model says, that `new` leaves `old` as it is.

    It states nothing, tells of a change that was given up, asks only to keep something in mind, or
    is the old statement word for word, but of another thing ("nightly backups", "weekly backups");
    or the old one alone tells of what came first, or of another number in a row; or somebody who is
    not named there gives something up; or it tells what came of the old one, or where the thing is,
    or of somebody else's.
    """
    if for_once(new):
        return True
    new, old = both(new, old)
    mine, theirs = side(new), side(old)
    if of_former(new, old) or of_another_number(new, old) or not reading_of(new).parts:
        return True
    if leaves_another(new, old) or _of_its_effect(new, old):
        return True
    if tells_of_another(new, old) or of_another_thing(new, old):
        return True
    if told_of_another(new, old) or (given_up_by_another(new, old) and len(sentences(new)) == 1):
        return True
    if pattern("slotwords", "given_up").search(plain(mine.text)) is not None:
        return True
    kept = len(mine.part.spelled) <= _REMINDER
    return (kept and pattern("succession", "kept").search(plain(mine.text)) is not None) or (
        _of_another(mine, theirs)
    )


def _of_its_effect(new: str, old: str) -> bool:
    """Whether one of two statements names a cause that the other tells, which says nothing of its
    effect: both still hold."""
    for one, other in ((new, old), (old, new)):
        said = causal(one)
        if said is not None:
            cause, effect, told = map(content_stems, (said.cause, said.effect, other))
            if cause and cause <= told and told.isdisjoint(effect):
                return True
    return False


def _of_another(new: Side, old: Side) -> bool:
    """Whether two statements in the same words give other values, and the one denies its own, gives
    two that differ, or has another word before what both speak of."""
    kinds = new.forms.keys() & old.forms.keys()
    apart = [one for one in kinds if not new.forms[one] & old.forms[one]]
    mine, theirs = new.part.anchors, old.part.anchors
    if not apart or len(apart) < len(new.forms):
        return False
    if mine == theirs:
        return len(apart) > 1 or (new.denied and not old.denied)
    alone = len(mine - theirs) == 1 and len(theirs - mine) == 1
    return alone and modified(new.part, old.part, mine & theirs)


@cache
def weights() -> Weights:
    """The packaged model."""
    text = raw(_FILE)
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    numbers = {row[1]: tuple(map(float, row[2].split())) for row in rows if row[0] == "trait"}
    [bias, biases, outputs] = (
        tuple(map(float, row[1].split())) for row in rows if row[0] == "units"
    )
    return Weights(
        {name: Trait(row[0], row[1], row[2], row[3:]) for name, row in numbers.items()},
        biases,
        outputs,
        bias[0],
        {row[1]: int(row[2]) for row in rows if row[0] == "word"},
        tuple(row[2] for row in numbers.values()),
        tuple(zip(*(row[3:] for row in numbers.values()), strict=True)),
    )

"""Pairs of statements that are one, and pairs that only look like it, by a seed.

The statements are data: slot_duplicates.toml.
"""

import random
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Annotated

import msgspec

from engraphy.benchmarks.slot_shapes import DuplicatePair, Language

Text = Annotated[str, msgspec.Meta(min_length=1)]
_EACH = 14
"""How many statements each dress is put on."""


class Variants(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One statement with {x}, and what stands there in turn."""

    kind: Text
    text: Text
    values: Annotated[tuple[Text, ...], msgspec.Meta(min_length=2)]


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The statements of one language; `numbered` hold a number, which no dress changes."""

    statements: tuple[Text, ...]
    numbered: tuple[Text, ...]
    openers: tuple[Text, ...]
    closers: tuple[Text, ...]
    same: tuple[Variants, ...] = ()
    apart: tuple[Variants, ...]


class Both(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The file."""

    en: Said
    tr: Said


Dress = Callable[[str, Said, Language, random.Random], str]


@cache
def said() -> Both:
    """The data, read strictly."""
    text = files(__package__).joinpath("slot_duplicates.toml").read_bytes()
    return msgspec.toml.decode(text, type=Both, strict=True)


def pairs(language: Language, seed: int) -> Iterator[DuplicatePair]:
    """The pairs of one language, those that are the same first."""
    told: Said = getattr(said(), language)
    draw = random.Random(f"{seed} {language} pairs")
    for kind, dress in _DRESSES.items():
        some = draw.sample(told.statements, min(_EACH, len(told.statements)))
        texts = told.numbered if kind == "numeral" else some
        for number, text in enumerate(texts, 1):
            other = dress(text, told, language, draw)
            first, second = (text, other) if draw.random() < 0.5 else (other, text)
            yield _pair(language, kind, number, first, second, same=True)
    yield from _variants(language, told.same, same=True)
    yield from _variants(language, told.apart, same=False)


def _variants(
    language: Language, rows: tuple[Variants, ...], *, same: bool
) -> Iterator[DuplicatePair]:
    count: dict[str, int] = {}
    for row in rows:
        for first, second in combinations(row.values, 2):
            number = count[row.kind] = count.get(row.kind, 0) + 1
            a, b = (row.text.replace("{x}", value) for value in (first, second))
            yield _pair(language, row.kind, number, a, b, same=same)


def _pair(
    language: Language, kind: str, number: int, a: str, b: str, *, same: bool
) -> DuplicatePair:
    name = f"pair-{language}-{kind}-{number}"
    return DuplicatePair(id=name, language=language, kind=kind, a=a, b=b, same=same)


def lowered(text: str, language: Language) -> str:
    """In small letters; Turkish has a dotless one."""
    return (text.replace("I", "ı").replace("İ", "i") if language == "tr" else text).lower()


def raised(text: str, language: Language) -> str:
    """In capital letters; Turkish has a dotted one."""
    return (text.replace("i", "İ") if language == "tr" else text).upper()


def _exact(text: str, _: Said, __: Language, ___: random.Random) -> str:
    return text


def _one_of(draw: random.Random, dressed: tuple[str, ...], text: str) -> str:
    return draw.choice([one for one in dressed if one != text])


def _case(text: str, _: Said, language: Language, draw: random.Random) -> str:
    return _one_of(draw, (lowered(text, language), raised(text, language)), text)


def _punctuation(text: str, _: Said, __: Language, draw: random.Random) -> str:
    bare = text.removesuffix(".")
    dressed = (bare, f"{bare}!", f"{bare}...", f"{bare.replace(',', '')}.")
    return _one_of(draw, dressed, text)


def _whitespace(text: str, _: Said, __: Language, draw: random.Random) -> str:
    words = text.split(" ")
    cut = draw.randint(1, len(words) - 1)
    first, second = " ".join(words[:cut]), " ".join(words[cut:])
    return draw.choice((f"{first}  {second}", f"  {text} ", f"{first}\n{second}", f"{text}\n"))


def _filler(text: str, told: Said, language: Language, draw: random.Random) -> str:
    if draw.random() < 0.3:
        return text.removesuffix(".") + draw.choice(told.closers)
    kept = text if language == "en" and text[:2] in {"I ", "I'"} else _small(text, language)
    return draw.choice(told.openers) + kept


def _small(text: str, language: Language) -> str:
    return lowered(text[0], language) + text[1:]


def _numeral(text: str, told: Said, language: Language, draw: random.Random) -> str:
    dress = draw.choice((_case, _whitespace, _filler))
    return dress(text, told, language, draw)


_DRESSES: dict[str, Dress] = {
    "exact": _exact,
    "case": _case,
    "punctuation": _punctuation,
    "whitespace": _whitespace,
    "filler": _filler,
    "numeral": _numeral,
}

"""The feeling of a text by word lists, minding negation (D-12), English and Turkish."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from engraphy.model.language import Emotion
from engraphy.text.gazetteer import lookup
from engraphy.text.wordlists import READ_LIMIT, key, sections, words

CATEGORIES = ("joy", "anger", "fear", "sadness", "surprise", "disgust")

_WORD = re.compile(r"[^\W\d_]++(?:['’][^\W\d_]++)*+|[.!?;,\n]++")
_SHOUTED = re.compile(r"\b[A-ZÇĞİÖŞÜ]{3,}\b")
_REACH = 3
_TURKISH_DENIAL = 2
_OPPOSITE = {"joy": "sadness"}
_EMPHASIS = 1.5
_LOUD = 0.3
"""The share of letters in capitals from which a text is shouted."""


class Charge(NamedTuple):
    """What a word carries: its category and its strength in (0, 1]."""

    category: str
    strength: float


class Felt(NamedTuple):
    """A word as it is meant: its charge, and whether it is denied."""

    charge: Charge
    denied: bool
    weight: float


@cache
def charges() -> Mapping[str, Charge]:
    """The charge of every listed word."""
    found: dict[str, Charge] = {}
    for _, section in sections("emotion"):
        for category in CATEGORIES:
            for strength, listed in section.get(category, {}).items():
                for word in listed:
                    found.setdefault(key(word), Charge(category, int(strength) / 10))
    return found


def emotion(text: str) -> Emotion:
    """Valence in [-1, 1], arousal in [0, 1] and the Ekman category, or neutral.

    A denied word turns over at half its strength ("not happy" is a little sad). Arousal comes
    from the strongest word, exclamation marks, capitals, urgency and swearing.
    """
    read = text[:READ_LIMIT]
    felt = tuple(feelings(read))
    valence = balance(felt)
    return Emotion(
        valence=round(valence, 4),
        arousal=round(excitement(read, felt), 4),
        category=strongest(felt),
    )


def feelings(text: str) -> Iterator[Felt]:
    """The charged words of a text with what is said around them."""
    found = [key(word) for word in _WORD.findall(text)]
    for place, word in enumerate(found):
        charge = charge_of(word)
        if charge is not None:
            before = found[max(0, place - _REACH) : place]
            after = found[place + 1 : place + 1 + _TURKISH_DENIAL]
            yield Felt(charge, denies(before, after), emphasis(before))


def charge_of(word: str) -> Charge | None:
    """The charge of a word, or of its English base form."""
    for form in forms(word):
        if form in charges():
            return charges()[form]
    return None


def forms(word: str) -> Iterator[str]:
    """A word and what remains without a common ending."""
    yield word
    for ending in ("s", "d", "ed", "ing", "ly", "im", "um", "yim", "yum", "iz", "uz"):
        if word.endswith(ending) and len(word) - len(ending) > 3:
            yield word[: -len(ending)]


def denies(before: list[str], after: list[str]) -> bool:
    """Whether the words around deny: an English one before, a Turkish one behind."""
    for word in reversed(before):
        if not word[0].isalpha():
            break
        if word in words("emotion", "denials"):
            return True
    return bool(after) and after[0] in words("emotion", "denials_behind")


def emphasis(before: list[str]) -> float:
    """What an intensifier before a word makes of it."""
    if any(word in words("emotion", "intensifiers") for word in before[-2:]):
        return _EMPHASIS
    return 0.5 if any(word in words("emotion", "softeners") for word in before[-2:]) else 1.0


def signed(felt: Felt) -> float:
    """The pleasure (+) or pain (-) of a word; surprise is neither."""
    sign = {"joy": 1.0, "surprise": 0.0}.get(felt.charge.category, -1.0)
    value = sign * felt.charge.strength * felt.weight
    return -value / 2 if felt.denied else value


def balance(felt: tuple[Felt, ...]) -> float:
    """The mean of the signed words, the strong ones weighing more."""
    values = [signed(one) for one in felt if signed(one)]
    if not values:
        return 0.0
    total = sum(abs(value) for value in values)
    return max(-1.0, min(1.0, sum(value * abs(value) for value in values) / total))


def excitement(text: str, felt: tuple[Felt, ...]) -> float:
    """Arousal: the strongest word, and a share for each outward sign."""
    inner = max(
        (one.charge.strength * min(one.weight, 1.3) * (0.5 if one.denied else 1.0) for one in felt),
        default=0.0,
    )
    found = [key(word) for word in _WORD.findall(text)]
    urgent = sum(word in words("emotion", "urgent") for word in found)
    sworn = sum(word in words("emotion", "swearing") for word in found)
    signs = min(text.count("!"), 3) * 0.1 + shouting(text) + min(urgent, 2) * 0.2
    return min(1.0, inner * 0.7 + signs + min(sworn, 2) * 0.2)


def shouting(text: str) -> float:
    """A share for words in capitals, where they make up a good part of the text."""
    shouted = [word for word in _SHOUTED.findall(text) if lookup(word) is None]
    letters = sum(map(str.isalpha, text))
    if not shouted or sum(map(len, shouted)) < letters * _LOUD:
        return 0.0
    return min(0.3, 0.15 * len(shouted))


def strongest(felt: tuple[Felt, ...]) -> str:
    """The category with the greatest sum; a denied joy is sadness, another denied one nothing."""
    sums: dict[str, float] = {}
    for one in felt:
        category = one.charge.category
        if one.denied:
            if category not in _OPPOSITE:
                continue
            category = _OPPOSITE[category]
        sums[category] = sums.get(category, 0.0) + one.charge.strength * one.weight
    return max(sums, key=lambda name: sums[name]) if sums else "neutral"

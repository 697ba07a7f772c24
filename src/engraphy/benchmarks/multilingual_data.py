"""Statements and questions in many languages: a core checked by hand, and a seeded draw of made
ones, of which every other shares one of the two words that are asked for."""

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Kind = Literal["keywords", "paraphrase"]

_SEED = 20261128
_DRAWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A question, its language, and the statement that answers it; `made`: drawn, not written;
    `unseen`: in a language that the analyser was not made for."""

    language: str
    text: str
    gold: str
    kind: Kind
    made: bool
    unseen: bool


@cache
def told() -> tuple[str, ...]:
    """Every statement, all languages mixed in a seeded order."""
    said = list(dict.fromkeys(text for one in _languages() for text in _statements(one)))
    random.Random(_SEED).shuffle(said)
    return tuple(said)


@cache
def asked() -> tuple[Asking, ...]:
    """Every question, language by language, the written ones first."""
    return tuple(
        asking for one in _languages() for asking in (*_written(one), *_drawn(one, _DRAWN))
    )


@cache
def _languages() -> Sequence[Mapping[str, Any]]:
    text = files(__package__).joinpath("multilingual.toml").read_text("utf-8")
    found: Sequence[Mapping[str, Any]] = tomllib.loads(text)["language"]
    return found


def _statements(language: Mapping[str, Any]) -> Iterator[str]:
    yield from (said for said, _, _ in language["core"])
    yield from language["aside"]
    yield from (said for said, _ in _pairs(language))


def _written(language: Mapping[str, Any]) -> Iterator[Asking]:
    for said, keywords, meant in language["core"]:
        kinds: tuple[tuple[Kind, Sequence[str]], ...] = (
            ("keywords", keywords),
            ("paraphrase", meant),
        )
        for kind, questions in kinds:
            for text in questions:
                yield _asking(language, text, said, kind, made=False)


def _drawn(language: Mapping[str, Any], count: int) -> Iterator[Asking]:
    pairs = list(_pairs(language))
    draw = random.Random(f"{_SEED} {language['name']}")
    for said, text in draw.sample(pairs, min(count, len(pairs))):
        yield _asking(language, text, said, "keywords", made=True)


def _asking(language: Mapping[str, Any], text: str, gold: str, kind: Kind, *, made: bool) -> Asking:
    unseen = language.get("unseen", False)
    return Asking(
        language=language["name"], text=text, gold=gold, kind=kind, made=made, unseen=unseen
    )


def _pairs(language: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each made statement of a `who` and a `what`, with the question for it."""
    made = language.get("made", {"who": ()})
    for row, (who, who_asked) in enumerate(made["who"]):
        for column, (what, what_asked) in enumerate(made["what"]):
            said = made["said"][(row + column) % len(made["said"])]
            ask = made["ask"][row % len(made["ask"])]
            yield (
                said.format(who=who, what=what),
                ask.format(who=who_asked, what=what_asked),
            )

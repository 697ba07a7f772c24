"""Slot cases made from wordings and values: slot_templates_en.toml and _tr.toml, and one seed.

A wording names values by place, with the form it wants where a language inflects: {a} is held, {b}
is the other one, {c} a third; {s} is what they belong to, {t} another such thing, {p} another
person. `{a.loc}` is the locative of a value as the data spell it: no suffix is made by code.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated

import msgspec

from engraphy.benchmarks.slot_shapes import (
    Language,
    Relation,
    SUPERSEDING,
    SlotCase,
    SlotMessage,
    says,
)

_DAY = 86_400_000_000
_COMMON = 2
_START = 1_736_942_400_000_000
_PLACE = re.compile(r"\{([abcpst])(?:\.([a-z]{1,8}))?\}")
Text = Annotated[str, msgspec.Meta(min_length=1)]
Rows = tuple[Text | tuple[Text, ...], ...]
Spelt = Mapping[str, Mapping[str, str]]
"""By place and form: {"a": {"": "Ankara", "loc": "Ankara'da"}}."""


class Family(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The values of a slot, and the ways they are spoken of."""

    name: Text
    values: Rows
    forms: tuple[str, ...] = ("",)
    near: tuple[tuple[Text, Text], ...] = ()
    """Values that differ little, by their first form; any two where there are none."""
    rising: bool = False
    """Whether a value only changes to one that stands further down."""
    subjects: Rows = ()
    subject_forms: tuple[str, ...] = ("",)
    mark: Text = "{a}"
    """How a memory is known that holds the value a."""
    held: tuple[Text, ...]
    beside: tuple[Text, ...] = ()
    """Statements about t and c that are held too."""
    questions: tuple[Text, ...]
    told: Mapping[Relation, tuple[Text, ...]]


class Wordings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All that is said in one language."""

    draws: Mapping[Relation, int]
    """How often a wording is used; once where it is not named."""
    openers: tuple[Text, ...]
    greetings: tuple[Text, ...]
    """Openers of a question."""
    closers: tuple[Text, ...]
    asides: tuple[Text, ...]
    people: Rows
    people_forms: tuple[str, ...] = ("",)
    ends: tuple[Text, ...]
    """What a message says that ends a value without another."""
    common: Mapping[Relation, tuple[Text, ...]]
    """Wordings that fit every family, each of which uses a few."""
    family: tuple[Family, ...]


@cache
def wordings(language: Language) -> Wordings:
    """The data of one language, read strictly."""
    text = files(__package__).joinpath(f"slot_templates_{language}.toml").read_bytes()
    return msgspec.toml.decode(text, type=Wordings, strict=True)


def made(language: Language, seed: int) -> Iterator[SlotCase]:
    """The cases of one language; no two have the same texts."""
    told = wordings(language)
    draw = random.Random(f"{seed} {language}")
    seen: set[tuple[str, ...]] = set()
    for family in told.family:
        for relation, said in _relations(told, family, draw):
            maker = _Maker(language=language, told=told, family=family, relation=relation)
            number = 0
            for wording in said:
                for _ in range(told.draws.get(relation, 1)):
                    case = maker.case(wording, number + 1, draw)
                    texts = (*(one.text for one in case.old), case.new.text)
                    if texts not in seen:
                        seen.add(texts)
                        number += 1
                        yield case


def _relations(
    told: Wordings, family: Family, draw: random.Random
) -> Iterator[tuple[Relation, tuple[str, ...]]]:
    """By relation the wordings of the family, with some of the common ones."""
    for relation in sorted({*family.told, *told.common}):
        common = told.common.get(relation, ())
        some = draw.sample(common, min(_COMMON, len(common)))
        yield relation, (*family.told.get(relation, ()), *some)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Maker:
    language: Language
    told: Wordings
    family: Family
    relation: Relation

    def case(self, wording: str, number: int, draw: random.Random) -> SlotCase:
        """One case: its values, its history, and what it is asked."""
        spelt = self._spelt(draw)
        held = self._statement(draw.choice(self.family.held), spelt, draw)
        before, after = self._around(wording, spelt, draw)
        texts = [*before, held, *after]
        new = self._message(filled(wording, spelt), draw)
        ends = self.relation in SUPERSEDING
        dated = self.relation == "change" and draw.random() < 0.3
        days = _days(len(texts) + 1, draw) if dated else [None] * (len(texts) + 1)
        first, second = self._mark(spelt, "a"), self._mark(spelt, "b")
        current = self._ends(new) if self.relation == "retraction" else second if ends else first
        return SlotCase(
            id=f"made-{self.language}-{self.family.name}-{self.relation}-{number}",
            language=self.language,
            family=self.family.name,
            relation=self.relation,
            old=tuple(SlotMessage(text=text, at=at) for text, at in zip(texts, days, strict=False)),
            new=SlotMessage(text=new, at=days[-1]),
            supersedes=(len(before),) if ends else (),
            question=filled(draw.choice(self.family.questions), spelt),
            current=current,
            stale=first if ends else (),
            formerly=first if self.relation == "change" else (),
            as_of=_between(days),
        )

    def _spelt(self, draw: random.Random) -> Spelt:
        family, told = self.family, self.told
        a, b, c = self._values(draw)
        found = {"a": _forms(a, family.forms), "b": _forms(b, family.forms)}
        found["c"] = _forms(c, family.forms)
        found["p"] = _forms(draw.choice(told.people), told.people_forms)
        if family.subjects:
            s, t = draw.sample(family.subjects, 2)
            found["s"] = _forms(s, family.subject_forms)
            found["t"] = _forms(t, family.subject_forms)
        return found

    def _values(self, draw: random.Random) -> Sequence[str | tuple[str, ...]]:
        values = self.family.values
        if self.relation != "numeric_near_miss" or not self.family.near:
            a, b, c = draw.sample(range(len(values)), 3)
            if self.family.rising and self.relation == "change":
                a, b = sorted((a, b))
            return [values[a], values[b], values[c]]
        pair = list(draw.choice(self.family.near))
        draw.shuffle(pair)
        named = {_forms(row, self.family.forms)[""]: row for row in values}
        rest = [row for name, row in named.items() if name not in pair]
        return [named[pair[0]], named[pair[1]], draw.choice(rest)]

    def _around(
        self, wording: str, spelt: Spelt, draw: random.Random
    ) -> tuple[list[str], list[str]]:
        """Other statements that are held: what is corrected at once was said last, and nobody of
        whom the message tells was told of before."""
        others = draw.sample(self.told.asides, draw.randint(0, 2))
        named = {place for place, _ in _PLACE.findall(wording)}
        if self.family.beside and not named & {"t", "p"} and draw.random() < 0.5:
            others.append(filled(draw.choice(self.family.beside), spelt))
        others = [self._statement(one, spelt, draw) for one in others]
        draw.shuffle(others)
        cut = draw.randint(0, len(others))
        if self.relation in ("correction", "retraction"):
            cut = len(others)
        return others[:cut], others[cut:]

    def _statement(self, wording: str, spelt: Spelt, draw: random.Random) -> str:
        text = filled(wording, spelt)
        if draw.random() < 0.5:
            text = capitalised(text, self.language)
        return text + "." if text[-1].isalnum() and draw.random() < 0.4 else text

    def _message(self, text: str, draw: random.Random) -> str:
        opened, closed, raised = draw.random() < 0.4, draw.random() < 0.25, draw.random() < 0.5
        if self.relation == "correction":
            opened = closed = False
        asks = self.relation in ("question", "negated_question")
        if opened:
            text = draw.choice(self.told.greetings if asks else self.told.openers) + text
        elif raised:
            text = capitalised(text, self.language)
        return text + draw.choice(self.told.closers) if closed and text[-1].isalnum() else text

    def _mark(self, spelt: Spelt, place: str) -> tuple[str, ...]:
        return (filled(self.family.mark, {"a": spelt[place]}),)

    def _ends(self, new: str) -> tuple[str, ...]:
        return tuple(one for one in self.told.ends if says(new, (one,)))


def filled(wording: str, spelt: Spelt) -> str:
    """The wording with its values; raises KeyError for a place or a form that there is not."""
    return _PLACE.sub(lambda found: spelt[found[1]][found[2] or ""], wording)


def capitalised(text: str, language: Language) -> str:
    """With a capital letter; Turkish has a dotted one."""
    first = "İ" if language == "tr" and text[0] == "i" else text[0].upper()
    return first + text[1:]


def _forms(row: str | tuple[str, ...], forms: Sequence[str]) -> Mapping[str, str]:
    if isinstance(row, str):
        return dict.fromkeys(forms, row)
    return dict(zip(forms, row, strict=True))


def _days(count: int, draw: random.Random) -> list[int | None]:
    """Moments some days apart; the last one, months later."""
    at = _START + draw.randint(0, 200) * _DAY
    days: list[int | None] = []
    for left in range(count - 1, -1, -1):
        at += draw.randint(60, 200) * _DAY if left == 0 else draw.randint(1, 20) * _DAY
        days.append(at)
    return days


def _between(days: Sequence[int | None]) -> int | None:
    """A moment between the last statement held and the new message."""
    last, new = days[-2], days[-1]
    return None if last is None or new is None else (last + new) // 2

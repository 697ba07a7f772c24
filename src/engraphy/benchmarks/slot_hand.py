"""The cases written by hand, in the words people use, read strictly: write_hand.toml and, with
cases that no rule was made with sight of, write_blind.toml."""

import datetime as dt
from functools import cache
from importlib.resources import files
from typing import Annotated

import msgspec

from engraphy.benchmarks.slot_shapes import Language, Relation, SUPERSEDING, SlotCase, SlotMessage

Text = Annotated[str, msgspec.Meta(min_length=1)]


class _Dated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Text
    at: dt.date


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: Text
    family: Text
    relation: Relation
    old: tuple[Text | _Dated, ...]
    new: Text | _Dated
    question: Text
    current: tuple[Text, ...]
    stale: tuple[Text, ...] = ()
    supersedes: tuple[int, ...] | None = None
    """Left out: the only statement of `old`, or none, as the relation has it."""
    formerly: tuple[Text, ...] | None = None
    """Left out: what is stale now, where the value changed."""
    as_of: dt.date | None = None


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    en: tuple[_Row, ...]
    tr: tuple[_Row, ...]


def hand() -> tuple[SlotCase, ...]:
    """Those of the first file, English first, in the order of the file."""
    return _cases("hand")


def blind() -> tuple[SlotCase, ...]:
    """Those of the second file."""
    return _cases("blind")


@cache
def _cases(name: str) -> tuple[SlotCase, ...]:
    text = files(__package__).joinpath(f"write_{name}.toml").read_bytes()
    file = msgspec.toml.decode(text, type=_File, strict=True)
    return tuple(_case("en", row) for row in file.en) + tuple(_case("tr", row) for row in file.tr)


def _case(language: Language, row: _Row) -> SlotCase:
    supersedes, formerly = row.supersedes, row.formerly
    if supersedes is None:
        supersedes = (0,) if row.relation in SUPERSEDING else ()
    if formerly is None:
        formerly = row.stale if row.relation == "change" else ()
    return SlotCase(
        id=row.id if row.id.startswith("blind-") else f"hand-{row.id}",
        language=language,
        family=row.family,
        relation=row.relation,
        old=tuple(_message(one) for one in row.old),
        new=_message(row.new),
        supersedes=supersedes,
        question=row.question,
        current=row.current,
        stale=row.stale,
        formerly=formerly,
        as_of=None if row.as_of is None else _micros(row.as_of),
    )


def _message(row: str | _Dated) -> SlotMessage:
    if isinstance(row, str):
        return SlotMessage(text=row)
    return SlotMessage(text=row.text, at=_micros(row.at))


def _micros(day: dt.date) -> int:
    """The noon of a day."""
    noon = dt.datetime.combine(day, dt.time(12), dt.UTC)
    return int(noon.timestamp()) * 1_000_000

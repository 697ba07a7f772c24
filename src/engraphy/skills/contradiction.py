"""Whether a new statement replaces older ones (D-08): a model may only veto what rules found."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from engraphy.record import Record
from engraphy.skills.shape import Skill, Unusable, closed, read


class Relation(StrEnum):
    """How a new statement relates to an old one."""

    UPDATE = "update"
    ADDITION = "addition"
    SAME = "same"
    UNRELATED = "unrelated"


class Compared(Record, frozen=True, kw_only=True):
    """A new statement, and the older ones that rules say it replaces."""

    new: str
    old: tuple[str, ...]


class _Verdict(Struct, frozen=True, forbid_unknown_fields=True):
    old: Annotated[int, Meta(ge=0)]
    relation: Relation


class _Answer(Struct, frozen=True, forbid_unknown_fields=True):
    verdicts: Annotated[list[_Verdict], Meta(max_length=200)]


def _data(asked: Compared) -> dict[str, object]:
    old = [{"old": number, "statement": text} for number, text in enumerate(asked.old)]
    return {"new": asked.new, "old": old}


def _parse(answer: str, asked: Compared) -> tuple[Relation, ...] | Unusable:
    found = read(answer, _Answer)
    if isinstance(found, Unusable):
        return found
    return _in_order(found.verdicts, len(asked.old))


def _in_order(verdicts: Sequence[_Verdict], count: int) -> tuple[Relation, ...] | Unusable:
    said = {one.old: one.relation for one in verdicts}
    if len(verdicts) != count or set(said) != set(range(count)):
        return Unusable(problem="it does not have exactly one verdict for each old statement")
    return tuple(said[number] for number in range(count))


CONTRADICTION: Skill[Compared, tuple[Relation, ...]] = Skill(
    name="contradiction",
    schema=closed(
        {
            "verdicts": {
                "type": "array",
                "items": closed(
                    {
                        "old": {"type": "integer"},
                        "relation": {"type": "string", "enum": [one.value for one in Relation]},
                    }
                ),
            }
        }
    ),
    data=_data,
    parse=_parse,
    fallback="engraphy.write.contradict",
)

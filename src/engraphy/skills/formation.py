"""Formation (D-06): the statements of one message, each able to stand alone."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from engraphy.model import Evidence, Kind
from engraphy.record import Record
from engraphy.skills.grounding import Ground, evidence, ungrounded
from engraphy.skills.shape import Skill, Unusable, closed, read
from engraphy.text.fold import fold_text
from engraphy.text.moments import iso

KINDS = (
    Kind.FACT,
    Kind.PREFERENCE,
    Kind.DECISION,
    Kind.CORRECTION,
    Kind.RELATIONSHIP,
    Kind.POLICY,
    Kind.PITFALL,
    Kind.ARCHITECTURE,
    Kind.WORKFLOW,
    Kind.BUGFIX,
    Kind.DISCOVERY,
    Kind.PLAN,
)
"""What a message can be noted as; episodes, procedures and summaries are made by other means."""
CLAIMS = (
    Evidence.STATED,
    Evidence.HYPOTHETICAL,
    Evidence.QUOTED,
    Evidence.RETRACTED,
    Evidence.INFERRED,
)
NAMED = ("tech", "org", "person", "place", "file", "url", "version", "date")
_NONE = "User"


class Told(Record, frozen=True, kw_only=True):
    """A message: its text, its speaker's name ("" = the user), when it was said (microseconds
    UTC), and how many statements may be made of it."""

    text: str
    at: int
    speaker: str = ""
    known: tuple[str, ...] = ()
    """What was named before in the same conversation, oldest first: "it" may stand for it."""
    most: int = 8


class Statement(Record, frozen=True, kw_only=True):
    """A statement that was held against its message.

    `entities` are (kind, name) pairs that stand in the message; `valid_until` is a day that it
    names (YYYY-MM-DD), or None.
    """

    text: str
    kind: Kind
    evidence: Evidence
    entities: tuple[tuple[str, str], ...] = ()
    valid_until: str | None = None


class _Entity(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=200)]
    kind: Literal["tech", "org", "person", "place", "file", "url", "version", "date"]


class _Statement(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=3, max_length=600)]
    kind: Kind
    evidence: Evidence
    entities: Annotated[list[_Entity], Meta(max_length=24)]
    valid_until: Annotated[str, Meta(max_length=40)] | None


class _Answer(Struct, frozen=True, forbid_unknown_fields=True):
    statements: Annotated[list[_Statement], Meta(max_length=200)]


def _data(told: Told) -> dict[str, object]:
    return {
        "message": told.text,
        "speaker": told.speaker or _NONE,
        "said_at": iso(told.at),
        "named_before": list(told.known),
        "most": told.most,
    }


def _parse(answer: str, told: Told) -> tuple[Statement, ...] | Unusable:
    found = read(answer, _Answer)
    if isinstance(found, Unusable):
        return found
    if len(found.statements) > told.most:
        return Unusable(problem=f"it has more than {told.most} statements")
    ground = Ground(text=told.text, at=told.at, names=(told.speaker or _NONE, *told.known))
    for one in found.statements:
        if problem := _problem(one, ground):
            return Unusable(problem=problem)
    return tuple(_held(one, ground) for one in found.statements)


def _problem(one: _Statement, ground: Ground) -> str:
    if one.kind not in KINDS or one.evidence not in CLAIMS:
        return "it does not fit the schema"
    return ungrounded(one.text, ground)


def _held(one: _Statement, ground: Ground) -> Statement:
    there = fold_text(ground.text)
    named = ((e.kind, e.name) for e in one.entities if fold_text(e.name) in there)
    day = (one.valid_until or "")[:10]
    return Statement(
        text=one.text.strip(),
        kind=one.kind,
        evidence=evidence(one.text, one.evidence, ground),
        entities=tuple(dict.fromkeys(named)),
        valid_until=day if day in ground.days else None,
    )


FORMATION: Skill[Told, tuple[Statement, ...]] = Skill(
    name="formation",
    schema=closed(
        {
            "statements": {
                "type": "array",
                "items": closed(
                    {
                        "text": {"type": "string"},
                        "kind": {"type": "string", "enum": [one.value for one in KINDS]},
                        "evidence": {"type": "string", "enum": [one.value for one in CLAIMS]},
                        "entities": {
                            "type": "array",
                            "items": closed(
                                {
                                    "name": {"type": "string"},
                                    "kind": {"type": "string", "enum": list(NAMED)},
                                }
                            ),
                        },
                        "valid_until": {"type": ["string", "null"]},
                    }
                ),
            }
        }
    ),
    data=_data,
    parse=_parse,
    fallback="engraphy.write.form",
)

"""What a question is after, and what an answer to it could look like (D-21, D-23): both only steer
a search, so that a wrong answer of a model costs a worse order and never a false memory."""

from typing import Annotated

from msgspec import Meta, Struct

from engraphy.model.language import Intent
from engraphy.record import Record
from engraphy.skills.shape import Skill, Unusable, closed, read

_LONGEST = 400
Statement = Annotated[str, Meta(min_length=1, max_length=_LONGEST)]


class Sought(Record, frozen=True, kw_only=True):
    """A question, and how many hypothetical answers are wanted at most."""

    question: str
    most: int = 1


class _Intent(Struct, frozen=True, forbid_unknown_fields=True):
    intent: Intent


class _Answers(Struct, frozen=True, forbid_unknown_fields=True):
    statements: Annotated[list[Statement], Meta(min_length=1, max_length=10)]


def _question(asked: Sought) -> dict[str, object]:
    return {"question": asked.question}


def _bounded(asked: Sought) -> dict[str, object]:
    return {"question": asked.question, "most": asked.most}


def _intent(answer: str, asked: Sought) -> Intent | Unusable:  # noqa: ARG001 - the shape of `parse`
    found = read(answer, _Intent)
    return found if isinstance(found, Unusable) else found.intent


def _answers(answer: str, asked: Sought) -> tuple[str, ...] | Unusable:
    found = read(answer, _Answers)
    if isinstance(found, Unusable):
        return found
    told = tuple(one.strip() for one in found.statements if one.strip())
    return told[: asked.most] or Unusable(problem="its statements are empty")


INTENT: Skill[Sought, Intent] = Skill(
    name="intent",
    schema=closed({"intent": {"type": "string", "enum": [one.value for one in Intent]}}),
    data=_question,
    parse=_intent,
    fallback="engraphy.text.intents",
)

HYPOTHESES: Skill[Sought, tuple[str, ...]] = Skill(
    name="hypotheses",
    schema=closed({"statements": {"type": "array", "items": {"type": "string"}}}),
    data=_bounded,
    parse=_answers,
    fallback="engraphy.text.hypotheses",
)

"""The first step in: what of a text may be kept at all."""

from typing import NamedTuple

from engraphy.errors import ContentTooLongError, EmptyContentError, InvalidInputError
from engraphy.model import Step
from engraphy.text.clean import clean
from engraphy.text.fence import strip_injected
from engraphy.text.secrets import redact


class Intake(NamedTuple):
    """The text that may be kept, and what was done to it."""

    text: str
    steps: tuple[Step, ...]


def admitted(content: object, limit: int) -> str:
    """`content` as legal text. Raises InvalidInputError, EmptyContentError, ContentTooLongError."""
    if not isinstance(content, str):
        raise InvalidInputError(field="content", got=type(content).__name__, allowed="a string")
    text = clean(content)
    if not text.strip():
        raise EmptyContentError
    if len(text) > limit:
        raise ContentTooLongError(length=len(text), limit=limit)
    return text


def too_long(text: str, limit: int) -> Step | None:
    """Why a message is not even looked at: one endless paste must not stop a conversation."""
    if len(text) <= limit:
        return None
    detail = f"{len(text):,} characters; at most {limit:,} of one message are read"
    return Step(stage="length", detail=detail, passed=False)


def safe(text: str) -> Intake:
    """`text` without secrets (P-14): they never reach the store."""
    redacted, kinds = redact(text)
    steps = (Step(stage="redact", detail=f"secrets removed: {', '.join(kinds)}"),) if kinds else ()
    return Intake(redacted, steps)


def storable(text: str) -> str:
    """A field's text as it may be stored: legal, without secrets."""
    return redact(clean(text))[0]


def storable_pair(name: str, value: str) -> tuple[str, str]:
    """A named value as it may be stored; the name helps to tell a password from a word."""
    name, value = clean(name), clean(value)
    start = f"{name}="
    joined, found = redact(start + value)
    if found and joined.startswith(start):
        return name, joined.removeprefix(start)
    return storable(name), storable(value)


def own_words(text: str) -> Intake:
    """What a message says itself: injected blocks stripped (R-10), secrets redacted."""
    stripped = strip_injected(text)
    safe_text, steps = safe(stripped)
    if stripped != text:
        steps = (Step(stage="strip", detail="an injected memory block was left out"), *steps)
    return Intake(safe_text.strip(), steps)

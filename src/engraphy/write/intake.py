"""The first step in: what of a text may be kept at all."""

import json
from collections.abc import Callable, Mapping
from numbers import Number
from pathlib import PurePath
from typing import NamedTuple

import msgspec

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


def shown(value: object) -> str:
    """What was refused, as an error tells it: its beginning, without secrets."""
    return redact(repr(value))[0][:60]


def told(value: object, field: str) -> str:
    """A value of free metadata as text: text as it is, all else that JSON can hold as JSON. Raises
    InvalidInputError."""
    try:
        plain = msgspec.to_builtins(value, enc_hook=_spelled)
        return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        allowed = "text, or what JSON can hold"
        raise InvalidInputError(field=field, got=type(value).__name__, allowed=allowed) from error


def _spelled(value: object) -> str:
    if isinstance(value, Number | PurePath):
        return str(value)
    raise TypeError(type(value).__name__)


def storable_pair(name: str, value: str) -> tuple[str, str]:
    """A named value as it may be stored; the name helps to tell a password from a word. A field
    that is called "key" holds an id unless it has a credential's form, a variable like `MAPS_KEY`
    does not. JSON is read field by field."""
    name, value = clean(name), clean(value)
    if data := _json(value):
        return storable(name), data
    start = f"{name}="
    joined, found = redact(start + value, 0 if name.isupper() and "_" in name else len(start))
    if found and joined.startswith(start):
        return name, joined.removeprefix(start)
    return storable(name), storable(value)


def _json(text: str) -> str:
    """JSON as it may be stored, where it is written as documents' data is; else empty."""
    if not text.startswith(("{", "[")):
        return ""
    try:
        value = json.loads(text)
        same = json.dumps(value, ensure_ascii=False) == text
        return json.dumps(storable_data(value), ensure_ascii=False) if same else ""
    except (ValueError, RecursionError):
        return ""


def storable_data(value: object, strip: Callable[[str], str] = str) -> object:
    """A JSON value as it may be stored: every text of it stripped, legal, without secrets."""
    if isinstance(value, str):
        return storable(strip(value))
    if isinstance(value, Mapping):
        return dict(_field(str(name), one, strip) for name, one in value.items())
    if isinstance(value, list | tuple):
        return [storable_data(one, strip) for one in value]
    return value


def _field(name: str, value: object, strip: Callable[[str], str]) -> tuple[str, object]:
    if isinstance(value, str):
        return storable_pair(name, strip(value))
    return clean(name), storable_data(value, strip)


def own_words(text: str) -> Intake:
    """What a message says itself: injected blocks stripped (R-10), secrets redacted."""
    stripped = strip_injected(text)
    safe_text, steps = safe(stripped)
    if stripped != text:
        steps = (Step(stage="strip", detail="an injected memory block was left out"), *steps)
    return Intake(safe_text.strip(), steps)

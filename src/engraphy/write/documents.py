"""What of a document may be kept: a key that stays as it is, a text and data without secrets."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from engraphy.errors import ContentTooLongError, InvalidInputError
from engraphy.model import DataSource, MICROSECONDS_PER_DAY, Memory, WriteSource
from engraphy.model.documents import Document
from engraphy.text.clean import clean
from engraphy.text.fence import strip_injected
from engraphy.text.secrets import secret_in_name
from engraphy.write.intake import storable, storable_pair

_LONGEST_KEY = 1_024
_LONGEST_HEADING = 1_024
_DATA_FACTOR = 10
"""Data may be so many times as long as a text: it is kept, and not searched."""
_KEY = "a key of 1 to 1,024 characters without NUL, lone surrogates and credentials"
_SHELF = "letters, digits, - and _, at most 64"
_SHELF_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_JSON = "what JSON can say"


def shelf(name: object) -> str:
    """The name of a shelf, checked. Raises InvalidInputError."""
    if not isinstance(name, str) or not _SHELF_NAME.fullmatch(name):
        raise InvalidInputError(field="shelf", got=repr(name)[:60], allowed=_SHELF)
    return name


def checked(document: Document, limit: int) -> Document:
    """A document as it may be stored, of at most `limit` characters. Raises InvalidInputError,
    ContentTooLongError."""
    check_key(document.key)
    _check_text("text", document.text)
    _check_text("heading", document.heading)
    if len(document.text) > limit:
        raise ContentTooLongError(length=len(document.text), limit=limit)
    try:
        data = fit(document.data)
        length = 0 if data is None else len(json.dumps(data, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError) as error:
        got = "nested too deeply" if isinstance(error, RecursionError) else str(error)[:80]
        raise InvalidInputError(field="data", got=got, allowed=_JSON) from error
    if length > _DATA_FACTOR * limit:
        raise ContentTooLongError(length=length, limit=_DATA_FACTOR * limit)
    heading = " ".join(storable(document.heading).split())[:_LONGEST_HEADING]
    return replace(document, text=own(document.text), data=data, heading=heading)


def _check_text(field: str, value: object) -> None:
    if not isinstance(value, str):
        raise InvalidInputError(field=field, got=type(value).__name__, allowed="text")


def check_key(key: object) -> None:
    """Raises InvalidInputError for what cannot be kept as it is."""
    legal = isinstance(key, str) and 1 <= len(key) <= _LONGEST_KEY and clean(key) == key
    if not isinstance(key, str) or not legal or secret_in_name(key):
        raise InvalidInputError(field="key", got=repr(key)[:60], allowed=_KEY)


def overtaken(document: Document, held: Memory | None, now: int) -> bool:
    """Whether another version stands than a document expects, or where it tells the memory that
    was read, anything else of it than that."""
    if document.expected is None:
        return False
    over = held is not None and held.expires_at is not None and held.expires_at <= now
    standing = None if over else held
    if document.expected != (0 if standing is None else standing.version):
        return True
    read = document.memory
    return bool(read and standing and read.updated_at != standing.updated_at)


def put_here(memory: Memory) -> bool:
    """Whether a memory was put as a document: no caller and no import can give both of its
    sources, whatever tags and named values they give."""
    made = memory.write_source is WriteSource.MANUAL
    return made and memory.data_source is DataSource.ASSISTANT_MESSAGE and bool(memory.metadata)


def data_of(pairs: Mapping[str, str]) -> object:
    """The data beside a text; None where somebody made it into what is no JSON."""
    try:
        return json.loads(pairs["data"]) if "data" in pairs else None
    except (ValueError, RecursionError):
        return None


def span(days: object) -> int:
    """A time to live in microseconds. Raises InvalidInputError."""
    if isinstance(days, bool) or not isinstance(days, int | float) or not 0.0 < days <= 36_500.0:
        allowed = "a number above 0, at most 36,500"
        raise InvalidInputError(field="ttl_days", got=repr(days)[:60], allowed=allowed)
    return max(1, round(days * MICROSECONDS_PER_DAY))


def own(text: str) -> str:
    """What a text says itself: no block of ours, no secret."""
    return storable(strip_injected(text))


def fit(value: object) -> object:
    """A JSON value as it may be stored: no block of ours, no secret in any of its texts."""
    if isinstance(value, str):
        return own(value)
    if isinstance(value, Mapping):
        return dict(_pair(str(name), one) for name, one in value.items())
    if isinstance(value, list | tuple):
        return [fit(one) for one in value]
    return value


def _pair(name: str, value: object) -> tuple[str, object]:
    if isinstance(value, str):
        return storable_pair(name, strip_injected(value))
    return clean(name), fit(value)

"""What of a document may be kept: a key that stays as it is, a text and data without secrets."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from engraphy.errors import ContentTooLongError, InvalidInputError
from engraphy.model import DataSource, MICROSECONDS_PER_DAY, Memory, WriteSource
from engraphy.model.documents import Document
from engraphy.text.clean import clean
from engraphy.text.fence import strip_injected
from engraphy.text.secrets import secret_in_name
from engraphy.write.intake import shown, storable, storable_data, storable_pair

_LONGEST_KEY = 1_024
_LONGEST_HEADING = 1_024
_DATA_FACTOR = 10
"""Data may be so many times as long as a text: it is kept, and not searched."""
_KEY = "a key of 1 to 1,024 characters without NUL, lone surrogates and credentials"
_SHELF = "letters, digits, - and _, at most 64"
_TAGGED = re.compile(r"[A-Za-z0-9_+-]{1,128}")
"""A shelf as tags name it, one of a notebook's too."""
_SOURCES = (WriteSource.MANUAL.value, DataSource.ASSISTANT_MESSAGE.value)
_MARK = re.compile(r"\n\(([^\n]*)\)\Z")
_REASON = "document"
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
    if not _kept_key(key):
        raise InvalidInputError(field="key", got=shown(key), allowed=_KEY)


def _kept_key(key: object) -> bool:
    legal = isinstance(key, str) and 1 <= len(key) <= _LONGEST_KEY and clean(key) == key
    return isinstance(key, str) and legal and not secret_in_name(key)


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
    return storable_data(value, strip_injected)


def mark(key: str) -> str:
    """How a text ends that stands elsewhere already."""
    return f"\n({key})"


def brought(row: Mapping[str, Any]) -> dict[str, Any]:
    """The texts of an exported row that holds a document, made fit as they were put: each for
    itself, and its key, an id, as it is. Empty for any other row."""
    if row.get("reason") == _REASON:
        return _earlier(row)
    pairs = _pairs(row)
    tags: list[object] = row["tags"] if isinstance(row.get("tags"), list) else []
    key, on = pairs.get("key", ""), _shelf(tags, pairs.get("key", ""))
    if not on or not _kept_key(key):
        return {}
    own = (f"{on}:", f"{on}:{key}")
    heading = pairs.get("heading", "")
    title, content = row.get("title"), row.get("content")
    made: dict[str, Any] = {
        "tags": [one if one in own or not isinstance(one, str) else storable(one) for one in tags],
        "metadata": [(n, v) if n == "key" else storable_pair(n, v) for n, v in row["metadata"]],
    }
    if title == key:
        made["title"] = key
    if isinstance(content, str):
        end = mark(key) if "marked" in pairs else ""
        made["content"] = _body(content, f"{storable(heading)}\n" if heading else "", key, end)
    return made


def _earlier(row: Mapping[str, Any]) -> dict[str, Any]:
    """The texts of an earlier version of a document, whose title is its heading, else its key."""
    title, content = row.get("title"), row.get("content")
    if not isinstance(title, str) or not isinstance(content, str) or secret_in_name(title):
        return {}
    end = _MARK.search(content)
    closing = "" if end is None or secret_in_name(end[1]) else end[0]
    return {"title": title, "content": _body(content, f"{title}\n", title, closing)}


def _body(content: str, opening: str, key: str, end: str) -> str:
    """A content made fit piece by piece: what stands above a text, the text, and its end."""
    end = end if content.endswith(end) else ""
    opening = opening if content.startswith(opening) else ""
    text = content.removesuffix(end).removeprefix(opening)
    return f"{opening}{text if text == key else storable(text)}{end}"


def _pairs(row: Mapping[str, Any]) -> Mapping[str, str]:
    """The named values of a row that claims to hold a document."""
    sources = (row.get("write_source"), row.get("data_source"))
    told = row.get("metadata")
    if sources != _SOURCES or not isinstance(told, list):
        return {}
    texts = all(isinstance(one, list) and [type(x) for x in one] == [str, str] for one in told)
    return dict(told) if texts else {}


def _shelf(tags: Sequence[object], key: str) -> str:
    """On which shelf the tags say that the document stands."""
    for tag in tags if key else ():
        if isinstance(tag, str) and tag.endswith(f":{key}"):
            on = tag.removesuffix(f":{key}")
            if _TAGGED.fullmatch(on) and f"{on}:" in tags:
                return on
    return ""

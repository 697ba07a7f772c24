"""What a request carries, read with care: its size, its JSON, its depth."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request

from engraphy.errors import InvalidInputError, RequestTooLargeError
from engraphy.text.meant import unknown

MOST_DEPTH = 64
_FLAGS = {"true": True, "false": False}


async def raw(request: Request, *, most: int) -> bytes:
    """The body's bytes. Raises RequestTooLargeError once it is known to be larger than `most`."""
    told = request.headers.get("content-length", "")
    if told.isdecimal() and len(told) < 20 and int(told) > most:
        raise RequestTooLargeError(limit=most)
    parts, size = [], 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise RequestTooLargeError(limit=most)
            parts.append(part)
    except ClientDisconnect as error:
        raise InvalidInputError(
            field="body", got="an end too early", allowed="all of it"
        ) from error
    return b"".join(parts)


async def body(request: Request, *, most: int) -> dict[str, Any]:
    """The body as a JSON object, {} where there is none. Raises InvalidInputError for anything
    else: other encodings, other values, names that stand twice, numbers that are none, more than
    64 levels, halves of characters."""
    data = await raw(request, most=most)
    if not data:
        return {}
    found = parsed(data)
    if not isinstance(found, dict):
        raise _wrong(f"a {type(found).__name__}")
    return found


def parsed(data: bytes) -> Any:
    """A JSON value. Raises InvalidInputError as `body` does."""
    try:
        text = data.decode("utf-8")
        found = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        if _too_deep(found):
            raise _wrong(f"more than {MOST_DEPTH} levels")
        # A lone half of a pair (\ud800) is legal JSON and no text.
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise _wrong("a lone half of a character") from error
    except InvalidInputError:
        raise
    except (ValueError, RecursionError) as error:
        raise _wrong("no JSON") from error
    return found


def queried(request: Request, many: Iterable[str] = ()) -> dict[str, Any]:
    """The query string, each name once, those in `many` as lists. Raises InvalidInputError for a
    name that stands twice."""
    lists = frozenset(many)
    made: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name in lists:
            made.setdefault(name, []).append(value)
        elif name in made:
            raise InvalidInputError(field=name[:60], got="twice", allowed="once")
        else:
            made[name] = value
    return made


def flag(name: str, value: str) -> bool:
    """A flag of a query string. Raises InvalidInputError."""
    if value not in _FLAGS:
        raise InvalidInputError(field=name, got=repr(value)[:60], allowed="true or false")
    return _FLAGS[value]


def only(given: Mapping[str, Any], known: Iterable[str]) -> None:
    """Raises InvalidInputError where something is given that nobody knows."""
    allowed = sorted(known)
    for name in given:
        if name not in allowed:
            told = ", ".join(allowed) or "nothing"
            raise InvalidInputError(field="argument", got=unknown(name)[:80], allowed=told)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _wrong("an object with a name that stands twice")
    return made


def _constant(name: str) -> float:
    raise _wrong(f"the number {name}")


def _too_deep(found: Any) -> bool:
    """Whether a JSON value nests further than is allowed."""
    level = [found]
    for _ in range(MOST_DEPTH + 1):
        level = [
            part
            for one in level
            if isinstance(one, dict | list)
            for part in (one.values() if isinstance(one, dict) else one)
            if isinstance(part, dict | list)
        ]
        if not level:
            return False
    return True


def _wrong(got: str) -> InvalidInputError:
    return InvalidInputError(field="body", got=got, allowed="a JSON object in UTF-8")

"""The REST API: every operation that may be reached from elsewhere, at its path."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.errors import ForbiddenError, InvalidInputError
from engraphy.http.openapi import document
from engraphy.http.paths import Place, places
from engraphy.model.granting import TokenRole
from engraphy.operations.checking import check
from engraphy.operations.shape import Argument, ENVELOPES
from engraphy.plain import plain
from engraphy.serving.caller import Caller, WALLS
from engraphy.serving.reading import body, flag, only, queried
from engraphy.serving.route import calling, house, route

_LEAVE = ("allow_private", "allow_secret")
_OF_ALL = frozenset({"capabilities"})
"""Operations without walls that tell nothing of what is remembered."""
_LATER = frozenset({"conversation_later"})
_WHOLE = re.compile(r"[+-]?[0-9]{1,300}(?:\.0+)?")


class _Filled(StringConvertor):
    """A part of a path that may have slashes in it, as the name of a file has."""

    regex = ".+"


register_url_convertor("filled", _Filled())


def routes() -> list[BaseRoute]:
    """A route for each place, and the document that describes them."""
    described = route("/v1/openapi.json", _described, role=None, name="openapi")
    return [described, *(_route(one) for one in places())]


def _route(place: Place) -> BaseRoute:
    long = place.role is TokenRole.ADMIN

    async def answered(request: Request) -> Response:
        caller = calling(request)
        values = _within(place, await _values(place, request), caller)
        run = partial(_run, place, caller, values)
        return told(place, await house(request).work(run, long=long))

    return route(
        place.pattern,
        answered,
        methods=[place.method],
        role=place.role,
        name=place.operation.name,
    )


def _run(place: Place, caller: Caller, values: Mapping[str, Any]) -> Any:
    return plain(place.operation.run(caller.memory, values))


def told(place: Place, found: Any) -> Response:
    """What an operation gave, as an answer; a list stands in an object."""
    envelope = ENVELOPES.get(place.operation.name)
    whole = {envelope: found} if envelope else found
    status = 202 if place.operation.name in _LATER else 200
    return Response(msgspec.json.encode(whole), status, media_type="application/json")


async def _described(request: Request) -> Response:  # noqa: ARG001 - starlette passes it
    return Response(msgspec.json.encode(document()), media_type="application/json")


async def _values(place: Place, request: Request) -> dict[str, Any]:
    """What is asked, each value checked. Raises InvalidInputError."""
    if place.method in ("GET", "DELETE"):
        lists = [one.name for one in place.rest if one.type == "texts"]
        given = _read(place, queried(request, lists))
    else:
        given = await body(request, most=house(request).options.most_bytes)
    only(given, (one.name for one in place.rest))
    values = {**given, **{name: request.path_params[name] for name in place.in_path}}
    for one in place.operation.arguments:
        _checked(one, values)
    return values


def _checked(one: Argument, values: dict[str, Any]) -> None:
    if one.name not in values:
        if one.required:
            raise InvalidInputError(field=one.name, got="nothing", allowed=one.help)
        return
    value = values[one.name]
    if one.type == "integer" and isinstance(value, float) and value.is_integer():
        # 5.0 is a whole number in JSON.
        value = values[one.name] = int(value)
    check(one, value)
    if one.filled and isinstance(value, str) and not value.strip():
        raise InvalidInputError(
            field=one.name, got="empty", allowed=f"{one.help}, in a word or more"
        )


def _read(place: Place, given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a query string, as the types that its arguments have."""
    kinds = {one.name: one for one in place.rest}
    return {
        name: _value(kinds[name], value) if name in kinds else value
        for name, value in given.items()
    }


def _value(one: Argument, value: Any) -> Any:
    if one.type == "flag":
        return flag(one.name, value)
    read = _NUMBERS.get(one.type)
    try:
        return value if read is None else read(value)
    except ValueError as error:
        raise InvalidInputError(
            field=one.name, got=repr(value)[:60], allowed=f"a number ({one.help})"
        ) from error


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise ValueError
    return int(text.partition(".")[0])


_NUMBERS: Mapping[str, Callable[[str], float]] = {"integer": _whole, "number": float}


def _within(place: Place, values: dict[str, Any], caller: Caller) -> dict[str, Any]:
    """The values behind the caller's walls and within its clearance. Raises ForbiddenError."""
    known = {one.name for one in place.operation.arguments}
    walls = caller.within({name: values.get(name) for name in WALLS})
    if not walls.keys() <= known and place.operation.name not in _OF_ALL:
        problem = f"{place.operation.name} is of the whole tenant, and it is bound to a part of it"
        raise ForbiddenError(problem=problem)
    kept = {name: wall for name, wall in walls.items() if name in known}
    leave = caller.leave_for(values)
    seen = {name: leave[name] for name in _LEAVE if name in known}
    return {**values, **kept, **seen}

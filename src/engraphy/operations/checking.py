"""Whether what a caller gives fits what an operation takes."""

from collections.abc import Mapping

from engraphy.errors import InvalidInputError
from engraphy.operations.shape import Argument, ArgumentType

_TYPES: Mapping[ArgumentType, tuple[type, ...]] = {
    "text": (str,),
    "file": (str,),
    "new_file": (str,),
    "integer": (int,),
    "number": (int, float),
    "flag": (bool,),
    "texts": (list, tuple),
    "object": (dict,),
    "objects": (list, tuple),
    "json": (dict, list),
}


def check(one: Argument, value: object, place: str = "") -> None:
    """Whether a value fits an argument, every part of it. Raises InvalidInputError that names the
    place in it and what is allowed."""
    name = place or one.name
    types = _TYPES["number"] if one.moment and not isinstance(value, str) else _TYPES[one.type]
    fits = isinstance(value, types) and (one.type == "flag" or not isinstance(value, bool))
    if not fits:
        raise InvalidInputError(
            field=name, got=_got(value), allowed=_ALLOWED.get(one.type, one.type)
        )
    items = value if isinstance(value, list | tuple) else [value]
    for number, item in enumerate(items):
        if one.choices and item not in one.choices:
            allowed = ", ".join(one.choices)
            raise InvalidInputError(field=name, got=repr(item)[:60], allowed=allowed)
        if one.type == "texts" and not isinstance(item, str):
            raise InvalidInputError(field=f"{name}[{number}]", got=_got(item), allowed="text")
        if one.type == "objects":
            _check_parts(one, item, f"{name}[{number}]")


_ALLOWED = {
    "texts": "a list of texts",
    "object": "an object",
    "objects": "a list of objects",
    "json": "an object or a list",
}


def _check_parts(one: Argument, item: object, place: str) -> None:
    names = ", ".join(part.name for part in one.parts)
    if not isinstance(item, Mapping):
        allowed = f"an object with {names}"
        raise InvalidInputError(field=place, got=_got(item), allowed=allowed)
    for part in one.parts:
        if part.name not in item:
            raise InvalidInputError(field=f"{place}.{part.name}", got="nothing", allowed=part.help)
        check(part, item[part.name], f"{place}.{part.name}")


def _got(value: object) -> str:
    if value is None:
        return "null (what is not named is left out)"
    return f"{type(value).__name__} {repr(value)[:40]}"

"""JSON values as a store of a framework needs them: told as lines, and held against filters."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_FILTER_KEY = re.compile(r"[\w.\-]+")


def lines(value: object, name: str = "") -> Iterator[str]:
    """A value as lines that can be read: each plain value under its name."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from lines(one, str(key))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from lines(one, name)
    elif value is not None:
        yield f"{name}: {value}" if name else str(value)


def passes(value: object, wanted: Mapping[str, Any] | None) -> bool:
    """Whether a value meets every filter: a plain value, or `$eq $ne $gt $gte $lt $lte`; a key
    may be a path with dots. Raises ValueError for other operators, and for keys that are none."""
    filters = {} if wanted is None else wanted
    return all(_holds(value, key, want) for key, want in filters.items())


def _holds(value: object, key: object, want: object) -> bool:
    if not isinstance(key, str) or not _FILTER_KEY.fullmatch(key):
        raise ValueError(f"Invalid filter key: {key!r}. Allowed: letters, digits, _, - and dots.")
    held = _at(value, key)
    if isinstance(want, Mapping) and any(str(name).startswith("$") for name in want):
        return all(_compared(held, name, than) for name, than in want.items())
    return bool(held == want)


def _at(value: object, key: str) -> object:
    """What stands under a key, or under a path with dots."""
    if isinstance(value, Mapping) and key in value:
        return value[key]
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _compared(held: Any, name: str, than: Any) -> bool:
    if name in ("$eq", "$ne"):
        return bool(held == than) is (name == "$eq")
    if name not in _ORDERED:
        raise ValueError(f"Unsupported operator: {name}")
    try:
        return _ORDERED[name](held, than)
    except TypeError:
        return False


_ORDERED: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": lambda held, than: bool(held > than),
    "$gte": lambda held, than: bool(held >= than),
    "$lt": lambda held, than: bool(held < than),
    "$lte": lambda held, than: bool(held <= than),
}

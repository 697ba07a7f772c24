"""Reading profiles: TOML, inheritance, overrides, strict validation, differences."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import fields

from engraphy.errors import ProfileError
from engraphy.profile.schema import Profile

Tree = dict[str, Any]
_FOLDER = Path(__file__).parent
_UNKNOWN = re.compile(r"unknown field `(?P<name>[^`]{1,80})`(?: - at `\$\.(?P<at>[\w.]{1,80})`)?$")


def names() -> tuple[str, ...]:
    """The shipped profiles, sorted."""
    return tuple(
        sorted(e.name.removesuffix(".toml") for e in _FOLDER.iterdir() if e.name.endswith(".toml"))
    )


def load(
    name: str,
    overrides: Mapping[str, object] | None = None,
    *,
    own: Mapping[str, object] | None = None,
) -> Profile:
    """The profile `name` with `overrides` (the same shape) on top.

    `own`: the tables of a caller's own profile (the same shape, with fewer keys) over the shipped
    one that its `inherits` names, `default` where it names none; `name` then only says where it
    came from. Raises ProfileError.
    """
    if not isinstance(name, str):
        raise ProfileError(profile=repr(name)[:60], problem="a profile's name is text")
    if overrides is not None and not isinstance(overrides, Mapping):
        raise ProfileError(profile=name, problem="overrides are a mapping of the profile's shape")
    base = _resolved(name) if own is None else _derived(name, own)
    tree = merged(base, dict(overrides or {}))
    try:
        profile = msgspec.convert(tree, Profile)
    except msgspec.ValidationError as error:
        raise ProfileError(profile=name, problem=_problem(str(error))) from error
    _check_days(profile, name)
    return profile


def _problem(told: str) -> str:
    """What is wrong with a tree: of a knob that there is none of, what there is in its place."""
    found = _UNKNOWN.search(told)
    if found is None:
        return told
    section: Any = Profile
    for part in filter(None, (found["at"] or "").split(".")):
        section = next(one.type for one in fields(section) if one.name == part)
        if not (isinstance(section, type) and issubclass(section, msgspec.Struct)):
            return told
    where = f"in {found['at']}" if found["at"] else "at the top"
    there = ", ".join(one.name for one in fields(section))
    return f"there is no {found['name']} {where}; allowed: {there}"


def _check_days(profile: Profile, name: str) -> None:
    """Steps that count the same days by the one clock of maintenance exclude each other."""
    steps = {*profile.dream.steps, *profile.dream.after_session, *profile.dream.to_compact}
    if profile.score.importance_half_life_days:
        steps.add("lessen")
    counting = sorted(steps & {"decay", "consolidate", "lessen"})
    if len(counting) > 1:
        problem = (
            f"{' and '.join(counting)} would each count the days of the other; a profile takes one "
            "of decay, consolidate and lessen (which score.importance_half_life_days belongs to)"
        )
        raise ProfileError(profile=name, problem=problem)


def merged(base: Tree, top: Mapping[str, object]) -> Tree:
    """`base` with `top` laid over it; tables merge, everything else is replaced.

    Weights are replaced as a whole table: a signal that the override leaves out weighs nothing.
    """
    result = dict(base)
    for key, value in top.items():
        below = result.get(key)
        whole = key in {"weights", "features"}
        if isinstance(value, Mapping) and isinstance(below, dict) and not whole:
            result[key] = merged(below, value)
        else:
            result[key] = value
    return result


def differences(first: Profile, second: Profile) -> list[tuple[str, object, object]]:
    """Dotted key, value in `first`, value in `second`, for every knob that differs (None where a
    table lacks the key)."""
    one, two = dict(_flat(as_tree(first))), dict(_flat(as_tree(second)))
    return [
        (key, one.get(key), two.get(key))
        for key in sorted(one.keys() | two.keys())
        if one.get(key) != two.get(key)
    ]


def as_tree(profile: Profile) -> Tree:
    """A profile as plain tables, for showing."""
    tree = msgspec.to_builtins(profile)
    assert isinstance(tree, dict)
    return tree


def _flat(tree: Tree, prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


@cache
def _raw(name: str) -> Tree:
    if name not in names():
        raise ProfileError(
            profile=name, problem=f"there is no such profile; allowed: {', '.join(names())}"
        )
    return tomllib.loads(_FOLDER.joinpath(f"{name}.toml").read_text("utf-8"))


def _resolved(name: str) -> Tree:
    tree, seen = _raw(name), [name]
    while parent := tree.get("inherits"):
        if parent in seen:
            raise ProfileError(profile=name, problem=f"it inherits from itself: {seen}")
        seen.append(parent)
        upper = _raw(parent)
        tree = {**merged(upper, tree), "inherits": upper.get("inherits", "")}
    return {**tree, "inherits": _raw(name).get("inherits", "")}


def _derived(name: str, own: Mapping[str, object]) -> Tree:
    parent = own.get("inherits", "default")
    if parent not in names():
        allowed = ", ".join(names())
        raise ProfileError(
            profile=name, problem=f"it inherits from {str(parent)[:60]!r}; allowed: {allowed}"
        )
    return {**merged(_resolved(str(parent)), own), "inherits": parent}

"""Variables of the documents as knobs: a table of data per profile, under a caller's overrides.

They are no settings of the product: only the profile that a table is called by, or one that
inherits it, is told of them, and each says no more than an override of that profile could.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from engraphy.errors import SettingsError
from engraphy.profile.loading import as_tree, merged
from engraphy.profile.schema import Profile

_FOLDER = Path(__file__).parent / "documents"
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(?:\.[0-9]{1,18})?")
_FLAGS = {"true": True, "1": True, "yes": True, "on": True} | {
    "false": False, "0": False, "no": False, "off": False,
}  # fmt: skip
_LONGEST = 4_096
IN_FILE = "tool."
"""What is not a variable but a key of a table of pyproject.toml, by its dotted name."""
Value = bool | int | float | str


class Variable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A variable: what it may say, its value where nobody says one, and what it sets."""

    name: str
    type: Literal["flag", "integer", "number", "choice", "path"]
    default: Value
    help: str
    least: float | None = None
    most: float | None = None
    choices: list[str] = []
    knobs: list[str] = []
    """Dotted names of the knobs that take its value; a row of a list is called by its `name`."""
    off: dict[str, Any] = {}
    """What a flag that is off lays on top."""


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    variables: list[Variable]


@cache
def tables() -> Mapping[str, tuple[Variable, ...]]:
    """Every table by the profile it belongs to."""
    return {
        file.stem: tuple(msgspec.convert(tomllib.loads(file.read_text("utf-8")), _Table).variables)
        for file in sorted(_FOLDER.glob("*.toml"))
    }


def variables(profile: Profile) -> tuple[Variable, ...]:
    """The variables that a profile is told of: its own, or those of the one it inherits."""
    known = tables()
    return known.get(profile.name) or known.get(profile.inherits) or ()


def overridden(profile: Profile, told: Mapping[str, str]) -> dict[str, Any]:
    """The overrides that `told` (texts by the names of variables) makes of a profile.

    Raises SettingsError that names the variable, what was said, and what is allowed.
    """
    base, made = as_tree(profile), dict[str, Any]()
    for one in variables(profile):
        if one.name not in told:
            continue
        value = read(one, told[one.name])
        for knob in one.knobs:
            made = _set(merged(base, made), made, knob.split("."), value, one.name)
        if value is False:
            made = merged(made, one.off)
    return made


def read(variable: Variable, text: str) -> Value:
    """The value that a text says. Raises SettingsError."""
    said = text.strip()
    value: Value | None
    if variable.type == "flag":
        value = _FLAGS.get(said.lower())
    elif variable.type == "path":
        value = said if len(said) <= _LONGEST and said.isprintable() else None
    elif variable.type == "choice":
        value = said if said in variable.choices else None
    else:
        value = _number(variable, said)
    if value is None:
        problem = f"{text[:60]!r} is not allowed: {allowed(variable)}"
        raise SettingsError(setting=variable.name, problem=problem)
    return value


def allowed(variable: Variable) -> str:
    """What a variable may say, in words."""
    if variable.type == "flag":
        return "true or false"
    if variable.type == "path":
        return "a path"
    if variable.type == "choice":
        return " or ".join(variable.choices)
    whole = "a whole number" if variable.type == "integer" else "a number"
    return f"{whole} from {variable.least:g} to {variable.most:.10g}"


def _number(variable: Variable, said: str) -> float | int | None:
    whole = variable.type == "integer"
    if not (_INTEGER if whole else _NUMBER).fullmatch(said):
        return None
    value = int(said) if whole else float(said)
    least, most = variable.least, variable.most
    fits = (least is None or value >= least) and (most is None or value <= most)
    return value if fits else None


def _set(
    tree: Mapping[str, Any], made: dict[str, Any], path: Sequence[str], value: Value, name: str
) -> dict[str, Any]:
    """`made` with the knob at `path` set; a list is copied out of `tree`, with one row changed."""
    key, *rest = path
    if not rest:
        return {**made, key: value}
    below = tree[key]
    if isinstance(below, Mapping):
        return {**made, key: _set(below, made.get(key, {}), rest, value, name)}
    row, *inner = rest
    if all(one["name"] != row for one in below):
        raise SettingsError(setting=name, problem=f"the profile has no {row} among its {key}")
    rows = [_set(one, one, inner, value, name) if one["name"] == row else one for one in below]
    return {**made, key: rows}

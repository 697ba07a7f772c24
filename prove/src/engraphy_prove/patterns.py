"""Every pattern of the package, found by walking its modules and reading its source, and texts that
are hard for it: its own repetitions, repeated, with an end that does not fit."""

import ast
import re
import types
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import engraphy
from engraphy.errors import MissingExtraError

# The tree of a pattern, as Python's own compiler makes it.
_parser: Any = import_module("re._parser")
_DEEP = 4
_MOST_UNITS = 24
_MISFITS = ("!", "\n", "\x00")
_CATEGORIES = {
    "CATEGORY_DIGIT": "7",
    "CATEGORY_NOT_DIGIT": "a",
    "CATEGORY_SPACE": " ",
    "CATEGORY_NOT_SPACE": "a",
    "CATEGORY_WORD": "a",
    "CATEGORY_NOT_WORD": "-",
}


def patterns() -> dict[str, re.Pattern[str]]:
    """Every pattern over text, by where it was found first: those that modules and classes hold,
    and those that functions compile or use by their text."""
    found: dict[tuple[str, int], str] = {}
    held: dict[str, re.Pattern[str]] = {}
    for name in modules():
        for where, one in (*_held(name), *_written(name)):
            known = (one.pattern, one.flags)
            if known not in found:
                found[known] = where
                held[where] = one
    return held


def shapes(pattern: re.Pattern[str]) -> Iterator[tuple[str, str, str]]:
    """(beginning, unit, end): texts of many units that a pattern is slow on, if on any."""
    tree = _parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    whole = _sample(tree)
    units = list(dict.fromkeys(_repeated(tree, "")))[:_MOST_UNITS]
    for before, unit in [("", whole), *units]:
        if unit:
            for end in _MISFITS:
                yield before, unit, end


def modules() -> Iterator[str]:
    """Every module of the package, by its dotted name."""
    root = Path(engraphy.__file__).parent
    for file in sorted(root.rglob("*.py")):
        parts = file.relative_to(root.parent).with_suffix("").parts
        if parts[-1] != "__main__":
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _held(name: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    try:
        module = import_module(name)
    except (ImportError, MissingExtraError):
        # An extra that is not installed; its source is read all the same.
        return
    for key, value in list(vars(module).items()):
        yield from _inside(f"{name}.{key}", value, _DEEP)


def _inside(where: str, value: object, deep: int) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield where, value
        return
    if deep == 0 or isinstance(value, str | bytes | types.ModuleType):
        return
    if isinstance(value, Mapping):
        members = list(value.items())
    elif isinstance(value, list | tuple | set | frozenset):
        members = list(enumerate(value))
    elif isinstance(value, type) and value.__module__.startswith("engraphy"):
        members = list(vars(value).items())
    else:
        return
    for key, one in members:
        yield from _inside(f"{where}[{key!r}]" if deep < _DEEP else where, one, deep - 1)


def _written(name: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Patterns that stand in the source as a text: `re.compile("...")`, `re.sub("...", ...)`."""
    file = Path(engraphy.__file__).parent.joinpath(*name.split(".")[1:])
    source = file.with_suffix(".py") if not file.is_dir() else file / "__init__.py"
    text = source.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if "re." in text else ():
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        module, told = node.func.value, node.args[0] if node.args else None
        plain = isinstance(told, ast.Constant) and isinstance(told.value, str)
        if isinstance(module, ast.Name) and module.id == "re" and plain:
            with suppress(re.error):
                yield f"{name}:{node.lineno}", re.compile(str(ast.literal_eval(told or "")))


def _repeated(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """What stands before each repetition of a tree, and what it repeats."""
    for op, argument in tree:
        name = str(op)
        if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
            yield before, _sample(argument[2])
            yield from _repeated(argument[2], before)
        else:
            for inner in _within(name, argument):
                yield from _repeated(inner, before)
        before += _one(name, argument)


def _within(name: str, argument: Any) -> list[Any]:
    if name == "SUBPATTERN":
        return [argument[-1]]
    if name == "BRANCH":
        return list(argument[1])
    if name in {"ASSERT", "ASSERT_NOT"}:
        return [argument[1]]
    return [argument] if name == "ATOMIC_GROUP" else []


def _sample(tree: Any) -> str:
    """A text that a tree matches, as far as that can be told without trying."""
    return "".join(_one(str(op), argument) for op, argument in tree)


def _one(name: str, argument: Any) -> str:
    if name == "LITERAL":
        return chr(argument)
    if name == "NOT_LITERAL":
        return "b" if argument == ord("a") else "a"
    if name == "ANY":
        return "a"
    if name == "IN":
        return str(_member(argument))
    if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        least, _, body = argument
        return str(_sample(body)) * int(max(1, least))
    if name in {"SUBPATTERN", "BRANCH", "ATOMIC_GROUP"}:
        inner = _within(name, argument)
        return _sample(inner[0]) if inner else ""
    return ""


def _member(argument: Any) -> str:
    told = [(str(op), value) for op, value in argument]
    if told and told[0][0] == "NEGATE":
        out = {chr(value) for op, value in told if op == "LITERAL"}
        return next((one for one in "a7 -\u4e00" if one not in out), "a")
    op, value = told[0]
    if op == "LITERAL":
        return chr(value)
    if op == "RANGE":
        return chr(value[0])
    return _CATEGORIES.get(str(value), "a")

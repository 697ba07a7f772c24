"""Write docs/api.md: the verbs, what they give back, and the errors.

Signatures are taken from the sources as they are written, words from the docstrings. A public verb
or value without a docstring, a result that the page does not show, and an async class with other
verbs are errors.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from msgspec import inspect as shapes

from api_values import VALUES
from engraphy import AsyncMemory, Memory, errors, tuning
from engraphy.model import calls, kinds
from engraphy.model.granting import TokenRole
from engraphy.write.given import Given
from generated_page import PageError, run

TARGET: Final = Path("docs/api.md")


INTRODUCTION: Final = Path(__file__).with_name("api_introduction.md").read_text(encoding="utf-8")
ASYNCHRONOUS: Final = """\
## AsyncMemory

{words}

Properties answer at once. Awaited, with the arguments above: {verbs}.
"""
FIELDS: Final = """\
## Fields of remember and update

`remember(..., **metadata)` and `update(..., **fields)` take these beside the text; what is left out
is worked out from it. Any other name raises `UnknownFieldError`.

| field | allowed |
|---|---|
"""
PLAIN = {
    "Iterator",
    "Profile",
    "Row",
    "Sequence",
    "Tenant",
    "bool",
    "dict",
    "int",
    "list",
    "str",
    "tuple",
}
"""What verbs return beside values of their own."""
TUNING: Final = """\
## Fitting knobs to labelled questions

`from engraphy.tuning import Plan, save, tune`; see [the page on it](tasks/tuning.md).
"""
LONGEST: Final = 88
ERRORS: Final = """\
## Errors

All derive from `EngraphyError`. A message's details, in braces here, are also in `error.details`.

"""


class UndocumentedError(PageError):
    """Something public has no words, or no place on the page."""


def page() -> str:
    """The whole of docs/api.md. Raises UndocumentedError."""
    check_results(Memory, VALUES)
    tree = "".join(f"{row}\n" for row in error_rows(errors.EngraphyError))
    parts = [INTRODUCTION, verbs(Memory), awaited(Memory, AsyncMemory), fields(Given)]
    for title, found in VALUES.items():
        parts += [f"## {title}\n", *map(value, found)]
    made = (tuning.tune, tuning.save)
    parts += [TUNING, *(f"{_fenced(signature(f, f.__name__))}\n{words(f)}\n" for f in made)]
    parts += [value(one, "tuning") for one in (tuning.Plan, tuning.Tuned, tuning.Turn)]
    return "\n".join([*parts, vocabularies(), ERRORS + tree])


def verbs(kind: type) -> str:
    """A class with its public members: words and signatures, its bases' members after its own."""
    made = signature(inspect.getattr_static(kind, "__init__"), kind.__name__, result=False)
    parts = [f"## {kind.__name__}\n", _fenced(made), f"{words(kind)}\n"]
    for name, member in public(kind).items():
        if isinstance(member, property):
            shown = signature(member.fget, name).replace("()", "", 1)
        else:
            shown = signature(member, name)
        parts += [f"### {name.rstrip('_')}\n", _fenced(shown), f"{words(member)}\n"]
    return "\n".join(parts)


def public(kind: type) -> dict[str, Any]:
    """The public members of a class, nearest first, in the order of the sources."""
    found: dict[str, Any] = {}
    for one in kind.__mro__[:-1]:
        for name, member in vars(one).items():
            if not name.startswith("_"):
                found.setdefault(name, member)
    return found


def signature(function: Any, shown: str, *, result: bool = True) -> str:
    """A signature as it is written, one argument per line where it is long."""
    node = _definition(function)
    parts = list(_arguments(node.args))
    end = f" -> {ast.unparse(node.returns)}" if result and node.returns is not None else ""
    line = f"{shown}({', '.join(parts)}){end}"
    if len(line) <= LONGEST:
        return line
    return "\n".join((f"{shown}(", *(f"    {part}," for part in parts), f"){end}"))


def check_results(kind: type, shown: Mapping[str, Sequence[type]]) -> None:
    """Every name in what the verbs return is shown. Raises UndocumentedError."""
    known = {one.__name__ for some in shown.values() for one in some} | PLAIN
    for name, member in public(kind).items():
        node = _definition(member.fget if isinstance(member, property) else member)
        returned = ast.walk(node.returns) if node.returns is not None else ()
        names = {one.id for one in returned if isinstance(one, ast.Name)}
        if unknown := sorted(names - known):
            raise UndocumentedError(f"{name} returns what is not shown: {', '.join(unknown)}")


def awaited(plain: type, other: type) -> str:
    """The async class, which must have the same members. Raises UndocumentedError."""
    if differing := sorted(public(plain).keys() ^ public(other).keys()):
        raise UndocumentedError(f"not in both classes: {', '.join(differing)}")
    names = [f"`{k}`" for k, one in public(other).items() if inspect.iscoroutinefunction(one)]
    return ASYNCHRONOUS.format(words=words(other), verbs=", ".join(names))


def fields(shape: type) -> str:
    """The fields a caller may give, and what they may hold."""
    found = shapes.type_info(shape)
    assert isinstance(found, shapes.StructType)
    told = {"valid_from": "a moment", "valid_until": "a moment or None"}
    told = {one.name: told.get(one.name) or allowed(one.type) for one in found.fields}
    return FIELDS + "".join(f"| `{name}` | {text} |\n" for name, text in told.items())


def allowed(shape: shapes.Type) -> str:
    """What a field may hold, in words. Raises UndocumentedError."""
    if isinstance(shape, shapes.UnionType):
        return " or ".join(allowed(one) for one in shape.types)
    if isinstance(shape, shapes.EnumType):
        return f"[{shape.cls.__name__}](#vocabularies)"
    if isinstance(shape, shapes.ListType):
        return f"a list of up to {shape.max_length}: {allowed(shape.item_type)}"
    if isinstance(shape, shapes.DictType):
        return f"a mapping of {allowed(shape.key_type)} to {allowed(shape.value_type)}"
    if isinstance(shape, shapes.StrType):
        return f"text of up to {shape.max_length:,} characters" if shape.max_length else "text"
    if isinstance(shape, shapes.IntType | shapes.FloatType):
        return _number(shape)
    plain = {shapes.BoolType: "True or False", shapes.NoneType: "None"}
    if type(shape) not in plain:
        raise UndocumentedError(f"no words for {shape!r}")
    return plain[type(shape)]


def value(kind: type, room: str = "model") -> str:
    """A result: its words and its fields."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(node, ast.ClassDef)
    lines = [f"### {room}.{kind.__name__}\n", f"{words(kind)}\n", "| field | type | what it is |"]
    lines += ["|---|---|---|"]
    for place, one in enumerate(node.body):
        if isinstance(one, ast.AnnAssign):
            told = _cell(_string(node.body[place + 1 :]))
            kept = f"{ast.unparse(one.annotation)}{_default(one.value)}"
            lines.append(f"| `{ast.unparse(one.target)}` | `{_cell(kept)}` | {told} |")
    return "\n".join([*lines, ""])


_MORE: Final = {"CallOutcome": calls.CallOutcome, "TokenRole": TokenRole}


def vocabularies() -> str:
    """Every closed vocabulary and its words."""
    lines = ["## Vocabularies\n", "| name | what it says | words |", "|---|---|---|"]
    for name, kind in {**vars(kinds), **_MORE}.items():
        if isinstance(kind, type) and issubclass(kind, StrEnum) and kind is not StrEnum:
            told = ", ".join(f"`{word}`" for word in kind)
            lines.append(f"| {name} | {_cell(words(kind))} | {told} |")
    return "\n".join([*lines, ""])


def error_rows(root: type, depth: int = 0) -> Iterator[str]:
    """The tree of errors as a nested list. Raises UndocumentedError."""
    other = [base.__name__ for base in root.__bases__ if not issubclass(base, errors.EngraphyError)]
    also = f" (also `{other[0]}`)" if depth and other else ""
    yield f"{'  ' * depth}- **{root.__name__}**{also}: {' '.join(words(root).split())}"
    below: list[type] = type.__subclasses__(root)
    for one in below:
        if one.__module__ == root.__module__:
            yield from error_rows(one, depth + 1)


def words(thing: Any) -> str:
    """A docstring. Raises UndocumentedError where there is none of its own."""
    told = vars(thing).get("__doc__") if isinstance(thing, type) else thing.__doc__
    if not told or told.startswith(f"{getattr(thing, '__name__', '')}("):
        raise UndocumentedError(f"{thing.__qualname__} has no docstring")
    return inspect.cleandoc(told)


def _definition(function: Any) -> ast.FunctionDef:
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef)
    return node


def _arguments(given: ast.arguments) -> Iterator[str]:
    """The arguments without `self`, each with type and default."""
    free = len(given.args) - len(given.defaults)
    for one, default in zip(given.args, [*[None] * free, *given.defaults], strict=True):
        if one.arg != "self":
            yield _argument(one, default)
    if given.kwonlyargs:
        yield "*"
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        yield _argument(one, default)
    if given.kwarg is not None:
        yield f"**{_argument(given.kwarg, None)}"


def _argument(one: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(one) + ("" if default is None else f" = {ast.unparse(default)}")


def _number(shape: shapes.IntType | shapes.FloatType) -> str:
    word = "a whole number" if isinstance(shape, shapes.IntType) else "a number"
    if shape.le is not None:
        low = f"above {shape.gt:g}" if shape.gt is not None else f"from {shape.ge:g}"
        return f"{word} {low} to {shape.le:,.10g}"
    return f"{word} from {shape.ge:g}" if shape.ge is not None else word


def _string(below: Sequence[ast.stmt]) -> str:
    """The string that stands right under a field."""
    node = below[0] if below else None
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return str(node.value.value)
    return ""


def _default(node: ast.expr | None) -> str:
    if node is None:
        return ""
    text = ast.unparse(node)
    if text.startswith("field(default_factory="):
        return f" = {text.removeprefix('field(default_factory=').removesuffix(')')}()"
    return f" = {text}"


def _fenced(text: str) -> str:
    return f"```python\n{text}\n```\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main(arguments: list[str] | None = None) -> int:
    """Write or check the page; returns 1 where it is stale or something is undocumented."""
    return run(TARGET, page, __doc__ or "", arguments)


if __name__ == "__main__":
    raise SystemExit(main())

"""mem0's filters: read into a tree once, and asked of a memory, or of what is known of it so far.

`{"AND": [{"user_id": "ada"}, {"OR": [...]}, {"NOT": [...]}]}`, or one mapping of fields, all of
which have to hold; a field's value is what it equals, `"*"` (anything), or operators.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engraphy.compat.mem0.names import ANY, ENTITIES, spelled
from engraphy.errors import InvalidInputError
from engraphy.text.moments import microseconds

Record = Mapping[str, Any]
"""A memory by mem0's names; what is not in it is not known."""
_MOST_CLAUSES = 200
_MOMENTS = ("created_at", "updated_at", "timestamp", "expiration_date")
_PLAIN = (*ENTITIES, *_MOMENTS, "categories", "memory_ids", "id", "keywords", "memory")
_SHOWN = "AND, OR, NOT, or a field with a value or operators"
_SECOND = 1_000_000
_LATEST = 10**12


@dataclass(frozen=True, slots=True)
class Clause:
    """One comparison of one field."""

    field: str
    operator: str
    value: Any


@dataclass(frozen=True, slots=True)
class All:
    """All of them hold."""

    parts: tuple["Node", ...] = ()


@dataclass(frozen=True, slots=True)
class Either:
    """One of them holds."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """It does not hold."""

    part: "Node"


Node = Clause | All | Either | Not


def parsed(given: object) -> Node:
    """A filter as a tree; everything where there is none. Raises InvalidInputError."""
    if given is None:
        return All()
    tree = _node(given)
    if sum(1 for _ in _clauses(tree)) > _MOST_CLAUSES:
        raise InvalidInputError(
            field="filters", got="too many conditions", allowed=f"at most {_MOST_CLAUSES}"
        )
    return tree


def truth(tree: Node, record: Record) -> bool | None:
    """Whether a filter holds for a memory; None where what is known does not tell."""
    if isinstance(tree, Clause):
        return _compared(tree, record)
    if isinstance(tree, Not):
        held = truth(tree.part, record)
        return None if held is None else not held
    found = [truth(part, record) for part in tree.parts]
    decisive = isinstance(tree, Either)
    if decisive in found:
        return decisive
    return None if None in found else not decisive


def demanded(tree: Node, field: str) -> frozenset[str] | None:
    """The values of which a field must have one; None where it may have any."""
    if isinstance(tree, Clause):
        return _only(tree) if tree.field == field else None
    if isinstance(tree, Not):
        return None
    found = [demanded(part, field) for part in tree.parts]
    if isinstance(tree, Either):
        told = [one for one in found if one is not None]
        return frozenset().union(*told) if told and len(told) == len(found) else None
    return next((one for one in found if one is not None), None)


def names_entity(tree: Node) -> bool:
    """Whether a filter speaks of any user, agent, app or run."""
    return any(one.field in ENTITIES for one in _clauses(tree))


def beyond_entities(tree: Node) -> bool:
    """Whether more than entities has to be looked at."""
    return any(one.field not in ENTITIES for one in _clauses(tree))


def _node(given: object) -> Node:
    if not isinstance(given, Mapping):
        got = type(given).__name__
        raise InvalidInputError(field="filters", got=got, allowed=f"an object of {_SHOWN}")
    return All(tuple(part for name, value in given.items() for part in _part(str(name), value)))


def _part(name: str, value: Any) -> Iterator[Node]:
    if name in ("AND", "OR"):
        if not isinstance(value, list):
            raise InvalidInputError(field=name, got=type(value).__name__, allowed="a list")
        parts = tuple(map(_node, value))
        yield All(parts) if name == "AND" else Either(parts)
    elif name == "NOT":
        parts = tuple(map(_node, value)) if isinstance(value, list) else (_node(value),)
        yield Not(Either(parts))
    elif name == "metadata" and isinstance(value, Mapping):
        for key, wanted in value.items():
            yield from _field(f"metadata.{key}", wanted)
    elif name in _PLAIN:
        yield from _field(name, value)
    else:
        yield from _field(f"metadata.{name.removeprefix('metadata.')}", value)


def _field(name: str, value: Any) -> Iterator[Clause]:
    if not isinstance(value, Mapping):
        yield _clause(name, "in" if isinstance(value, list) else "eq", value)
        return
    for operator, wanted in value.items():
        if operator not in _OPERATORS:
            allowed = ", ".join(_OPERATORS)
            raise InvalidInputError(field=name, got=repr(operator)[:60], allowed=allowed)
        yield _clause(name, operator, wanted)


def _clause(name: str, operator: str, value: Any) -> Clause:
    """A comparison whose value is of the field's kind. Raises InvalidInputError."""
    if operator in ("in", "nin") and not isinstance(value, list):
        raise InvalidInputError(field=name, got=repr(value)[:60], allowed="a list")
    kind = moment if name in _MOMENTS else spelled if name in ENTITIES else None
    if kind is None:
        return Clause(name, operator, value)
    told = [_of_kind(kind, name, one) for one in value] if isinstance(value, list) else None
    return Clause(name, operator, _of_kind(kind, name, value) if told is None else told)


def _of_kind(kind: Callable[[str, Any], Any], name: str, value: Any) -> Any:
    return value if value is None or value == ANY else kind(name, value)


def moment(name: str, value: Any) -> int:
    """Seconds since 1970, or ISO text, in microseconds UTC. Raises InvalidInputError."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return microseconds(round(min(max(value, -_LATEST), _LATEST) * _SECOND), field=name)
    return microseconds(value, field=name)


def _clauses(tree: Node) -> Iterator[Clause]:
    if isinstance(tree, Clause):
        yield tree
    elif isinstance(tree, Not):
        yield from _clauses(tree.part)
    else:
        for part in tree.parts:
            yield from _clauses(part)


def _only(clause: Clause) -> frozenset[str] | None:
    if clause.operator == "eq" and clause.value not in (None, ANY):
        return frozenset({str(clause.value)})
    if clause.operator == "in" and ANY not in clause.value and None not in clause.value:
        return frozenset(map(str, clause.value))
    return None


def _compared(clause: Clause, record: Record) -> bool | None:
    name, _, key = clause.field.partition(".")
    if name not in record:
        return None
    held = record[name]
    if name == "metadata":
        held = held.get(key) if isinstance(held, Mapping) else None
    return _OPERATORS[clause.operator](held, clause.value)


def _equal(held: Any, wanted: Any) -> bool:
    if wanted == ANY:
        return held is not None and held != []
    if isinstance(held, list) and not isinstance(wanted, list):
        return wanted in held
    return bool(held == wanted) and isinstance(held, bool) == isinstance(wanted, bool)


def _among(held: Any, wanted: Any) -> bool:
    return any(_equal(held, one) for one in wanted)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def told(held: Any, wanted: Any) -> bool:
        if isinstance(held, bool) or isinstance(wanted, bool):
            return False
        numbers = isinstance(held, int | float) and isinstance(wanted, int | float)
        texts = isinstance(held, str) and isinstance(wanted, str)
        return (numbers or texts) and compare(held, wanted)

    return told


def _contains(held: Any, wanted: Any) -> bool:
    if isinstance(held, str):
        return isinstance(wanted, str) and wanted in held
    return isinstance(held, list) and wanted in held


def _contains_folded(held: Any, wanted: Any) -> bool:
    if not isinstance(wanted, str):
        return False
    told = wanted.casefold()
    if isinstance(held, str):
        return told in held.casefold()
    return isinstance(held, list) and any(
        isinstance(one, str) and told in one.casefold() for one in held
    )


_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": _equal,
    "ne": lambda held, wanted: not _equal(held, wanted),
    "in": _among,
    "nin": lambda held, wanted: not _among(held, wanted),
    "gt": _ordered(lambda held, wanted: held > wanted),
    "gte": _ordered(lambda held, wanted: held >= wanted),
    "lt": _ordered(lambda held, wanted: held < wanted),
    "lte": _ordered(lambda held, wanted: held <= wanted),
    "contains": _contains,
    "icontains": _contains_folded,
}

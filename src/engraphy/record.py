"""Values: frozen, with named fields and nothing else.

They are structs of msgspec. Such a class is made some forty times as quickly as a dataclass, and
half of what a command loads before it does anything are classes of values. What takes a dataclass
takes them too: `dataclasses.asdict`, `fields` and `replace`.
"""

import dataclasses
from functools import cache
from typing import Any

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields


class _Fields:
    """What `dataclasses` asks a class for; made when it is asked for."""

    def __get__(self, instance: object, owner: type[Struct]) -> dict[str, dataclasses.Field[Any]]:
        return _fields(owner)


@cache
def _fields(kind: type[Struct]) -> dict[str, dataclasses.Field[Any]]:
    told = [(one.name, one.type, _field(one.default, one.default_factory)) for one in fields(kind)]
    made = dataclasses.make_dataclass(kind.__name__, told, init=False, repr=False, eq=False)
    return {one.name: one for one in dataclasses.fields(made)}


def _field(default: Any, factory: Any) -> Any:
    if factory is not NODEFAULT:
        return dataclasses.field(default_factory=factory)
    return dataclasses.field() if default is NODEFAULT else dataclasses.field(default=default)


class Record(Struct, frozen=True):
    """A frozen value."""

    __dataclass_fields__ = _Fields()


def names(of: Any) -> tuple[str, ...]:
    """The names of the fields of a value or of its class, which may also be a dataclass."""
    return getattr(of, "__struct_fields__", None) or tuple(of.__dataclass_fields__)


def shown(value: Record, *unseen: str) -> str:
    """A value as `repr` shows it, without some of its fields."""
    told = (f"{n}={getattr(value, n)!r}" for n in value.__struct_fields__ if n not in unseen)
    return f"{type(value).__name__}({', '.join(told)})"

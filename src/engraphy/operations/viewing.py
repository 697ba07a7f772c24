"""How an answer is shown under a toolset's names: fields renamed, kinds as the nearest there are,
rows of memories by the fields that are worth their tokens."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from engraphy.text.rewrite import shortened

_ROW = frozenset({"id", "content", "scope"})


class View(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The names of a document. `memory`: only these fields of a row, in this order (none: all);
    `usual`: values that are left out of a row, as they tell nothing."""

    fields: dict[str, str] = {}
    kinds: dict[str, str] = {}
    memory: list[str] = []
    usual: dict[str, Any] = {}


def viewed(value: Any, view: View, *, preview: int = 0, without: Sequence[str] = ()) -> Any:
    """An answer under a view's names; of each content only its `preview` where that is asked for,
    and at its top nothing that is named in `without`."""
    if isinstance(value, list | tuple):
        return [viewed(one, view, preview=preview, without=without) for one in value]
    if not isinstance(value, dict):
        return value
    shown: dict[Any, Any] = {}
    for name, one in _worth(value, view).items():
        if name in without:
            continue
        told = view.kinds.get(one, one) if name == "kind" and isinstance(one, str) else one
        if name == "by_kind":
            told = _counted(one, view)
        if preview and name == "content":
            shown["content_preview"] = shortened(" ".join(str(one).split()), preview)
        else:
            shown[view.fields.get(name, name)] = viewed(told, view, preview=preview)
    return shown


def _counted(counts: dict[str, int], view: View) -> dict[str, int]:
    """How many there are of each kind, kinds of one name together."""
    told: dict[str, int] = {}
    for kind, count in counts.items():
        name = view.kinds.get(kind, kind)
        told[name] = told.get(name, 0) + count
    return told


def _worth(value: dict[Any, Any], view: View) -> dict[Any, Any]:
    if not view.memory or not value.keys() >= _ROW:
        return value
    told = {name: value[name] for name in view.memory if name in value}
    return {name: one for name, one in told.items() if view.usual.get(name, ...) != one}

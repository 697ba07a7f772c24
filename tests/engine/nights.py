"""Memories as they would stand after a life, and what a night of maintenance did to them."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

from engraphy import Memory
from engraphy.model import DreamReport, DreamStep, Update
from engraphy.model import Memory as Row
from engraphy.stores.sqlite import open_store


def steps(*names: str, **dream: Any) -> dict[str, Any]:
    """Overrides of a profile whose cycle takes these steps alone."""
    return {"dream": {"steps": list(names), "after_session": [], **dream}}


def lived(memory: Memory, row: Row, *, seen: Mapping[str, Any] | None = None, **fields: Any) -> Row:
    """The row with these fields as years of use would have left them; `seen`: by whom it is."""
    scope = dict(seen or {})
    with closing(open_store(memory.path)) as store:
        held = memory.get(row.id, touch=False, **scope)
        wanted = replace(held, **fields)
        change = Update(memory=wanted, expected=held, reason="a life", op="maintenance")
        store.apply(held.scope.tenant, [change], now=held.recorded_at, actor="test")
    return memory.get(row.id, touch=False, **scope)


def told(report: DreamReport, name: str) -> DreamStep:
    """What one step of a cycle did."""
    return next(step for step in report.steps if step.name == name)


def now(memory: Memory, row: Row) -> Row:
    """The row as it stands; looking is no access."""
    return memory.get(row.id, touch=False)

"""Undoing: the inverse of lines of the journal, newest first, on what stands today.

What was changed again since by anybody else is left as it is and named, never overwritten.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from msgspec import Struct, field

from engraphy.dream.undoing_beside import Beside
from engraphy.model import (
    Change,
    Fields,
    LeftAlone,
    Memory,
    Past,
    Remove,
    Removed,
    Replayed,
    Restore,
    State,
    Update,
)

_BOOKKEEPING = frozenset({"version", "updated_at"})
"""What follows from a change and is never put back itself."""
_TEXT = ("content", "title")
_LEAST, _MOST = 1e-6, 36_500.0
_ERASED = "its text was erased for good"
_AGAIN = "it was changed again since"


class Plan(Struct, dict=True, weakref=True):
    """What undoes some lines: the changes in the order they are written, and what is left."""

    changes: list[Change] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    beside: int = 0
    left: list[LeftAlone] = field(default_factory=list)


def undone(lines: Iterable[Past], held: Replayed, now: int, reason: str) -> Plan:
    """The inverse of `lines` (newest first) on what is `held` of them: the memories, what stands
    beside them, and which of them are removed (`held.away`)."""
    work = _Work(held, now, reason)
    for line in lines:
        work.take(line)
    return work.plan()


class _Work:
    """Rows as they would stand once the lines so far were undone."""

    def __init__(self, held: Replayed, now: int, reason: str) -> None:
        self._held, self._now, self._reason = held, now, reason
        self._rows = dict(held.memories)
        self._base = dict(held.memories)
        self._away = set(held.away)
        self._out: dict[str, Memory] = {}
        self._back: dict[str, Removed] = {}
        self._left: list[LeftAlone] = []
        self._beside = Beside(held, reason)

    def take(self, line: Past) -> None:
        """Undo one line more."""
        if line.entry.payload is None:
            if line.entry.op in ("forget", "fact_delete", "insert", "update", "state"):
                self._leave(line, line.entry.target_id, _ERASED)
            return
        if line.delivered:
            self._leave(line, line.entry.target_id, "it only tells what was delivered")
            return
        came = line.inserted or (line.restored and line.restored.memory)
        if came:
            self._take_out(line, came)
        if line.removed:
            self._bring_back(line, line.removed)
        self._move(line)
        self._weaken(line)
        self._left += self._beside.take(line, self._rows.keys())

    def _leave(self, line: Past, id: str, why: str, name: str = "") -> None:
        self._left.append(LeftAlone(line=line.entry.seq, id=id, why=why, field=name))

    def _take_out(self, line: Past, came: Memory) -> None:
        held = self._rows.get(came.id)
        if held is None:
            self._leave(line, came.id, "it is gone already")
        elif held.pinned or held.immutable:
            self._leave(line, came.id, "it is pinned" if held.pinned else "it is protected")
        elif any(getattr(held, name) != getattr(came, name) for name in _TEXT):
            self._leave(line, came.id, _AGAIN, "content")
        else:
            del self._rows[came.id]
            if came.id in self._back:
                del self._back[came.id]
            else:
                self._out[came.id] = self._base[came.id]

    def _bring_back(self, line: Past, gone: Removed) -> None:
        own = gone.memory.id
        if own in self._out:
            self._rows[own] = self._out.pop(own)
        elif own in self._rows:
            self._leave(line, own, "it is back already")
        elif own not in self._away:
            self._leave(line, own, _ERASED)
        else:
            self._back[own] = gone
            self._rows[own] = self._base[own] = gone.memory

    def _move(self, line: Past) -> None:
        for own, (before, after) in line.moved.items():
            row = self._rows.get(own)
            if row is None:
                self._leave(line, own, "it is not there")
            else:
                self._rows[own] = self._moved(line, row, before, after)

    def _moved(self, line: Past, row: Memory, before: Fields, after: Fields) -> Memory:
        protected = row.immutable and "immutable" not in before
        for name, old in before.items():
            if name in _BOOKKEEPING:
                continue
            if protected:
                self._leave(line, row.id, "it is protected", name)
            elif name in after and value(row, name) != after[name]:
                self._leave(line, row.id, _AGAIN, name)
            else:
                row = with_value(row, name, old)
        return row

    def _weaken(self, line: Past) -> None:
        """What was counted or multiplied is taken off again, whatever came since."""
        for own in line.ids:
            row = self._rows.get(own)
            if row is None:
                continue
            if line.factor > 0.0 and line.factor != 1.0:
                fallen = min(_MOST, max(_LEAST, row.stability / line.factor))
                row = replace(row, stability=fallen)
            for name, count in line.counted.items():
                least = 1.0 if name == "storage_strength" else 0
                row = with_value(row, name, max(least, value(row, name) - count))
            rate, target = line.pull
            if 0.0 < rate < 1.0:
                drawn = (row.utility - rate * target) / (1.0 - rate)
                row = replace(row, utility=min(1.0, max(0.0, drawn)))
            self._rows[own] = row

    def plan(self) -> Plan:
        """Everything taken out, brought back and changed, in the order it can be written."""
        self._revive()
        plan = Plan(left=self._left)
        for own, row in self._out.items():
            along = self._beside.along(own)
            plan.changes.append(Remove(id=own, expected=row, facts=along, reason=self._reason))
            plan.removed.append(own)
        for own in self._back:
            plan.changes.append(Restore(id=own, reason=self._reason))
            plan.restored.append(own)
        for own, row in self._rows.items():
            if row != self._base[own]:
                plan.changes.append(self._update(self._base[own], row))
                plan.changed.append(own)
        beside = self._beside.changes(self._out.keys(), self._rows.keys())
        plan.changes += beside
        plan.beside = len(beside)
        return plan

    def _update(self, base: Memory, row: Memory) -> Update:
        told = any(getattr(base, name) != getattr(row, name) for name in _TEXT)
        edited = max(self._now, base.updated_at) if told else base.updated_at
        new = replace(row, version=base.version + int(told), updated_at=edited)
        return Update(memory=new, expected=base, reason=self._reason, op="undo")

    def _revive(self) -> None:
        """What was superseded by a memory that goes is current again (as when a summary is
        forgotten)."""
        for own, row in list(self._rows.items()):
            if row.superseded_by in self._out and row.state is State.SUPERSEDED:
                back = replace(row, state=State.ACTIVE, superseded_by=None, valid_until=None)
                self._rows[own] = back


def value(memory: Memory, name: str) -> Any:
    """A field by its name, or by its dotted name in the scope or the channels."""
    held: Any = memory
    for part in name.split("."):
        held = getattr(held, part)
    return held


def with_value(memory: Memory, name: str, new: Any) -> Memory:
    """The memory with another value in a field."""
    outer, _, inner = name.partition(".")
    if not inner:
        return replace(memory, **{outer: new})
    if outer == "channels":
        return replace(memory, channels=memory.channels._replace(**{inner: new}))
    return replace(memory, scope=replace(memory.scope, **{inner: new}))

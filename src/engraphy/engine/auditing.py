"""Looking back: who did what and why, the life of one memory, what two points hold differently."""

from collections.abc import Iterator, Sequence
from dataclasses import fields as fields_of
from dataclasses import replace

from engraphy.dream.undoing import value
from engraphy.engine import manage, scoping, verifying
from engraphy.engine.parts import Engine
from engraphy.errors import InvalidInputError, NameTakenError, NotThereError
from engraphy.model import (
    Altered,
    Audit,
    Deed,
    Difference,
    FieldChange,
    LineFilter,
    Mark,
    Memory,
    Past,
    Point,
    View,
)

NOW = "now"
_EVERY = 100_000_000
_DIGITS = 18
"""Of the number of a line: what every store can count."""
_POINTS = "the name of a snapshot, the number of a line of the journal, or now"
_NAMES = tuple(field.name for field in fields_of(Memory))


def audit(
    engine: Engine, wanted: LineFilter, view: View | None = None, seen: str | None = None
) -> Audit:
    """Lines of the tenant's journal without any value, and whether the whole of it stands as it was
    written, with the line of the head that was `seen` before. Behind the first line that does not
    fit nothing is told: it may say anything. With a view the rows are compared with it, too.
    Raises InvalidInputError."""
    missing = None if seen is None else verifying.lost(engine, seen)
    broken = min((one for one in (engine.store.broken_line(), missing) if one is not None),
                 default=None)  # fmt: skip
    if broken is not None and (wanted.upto is None or wanted.upto >= broken):
        wanted = replace(wanted, upto=broken - 1)
    lines = engine.store.past(engine.tenant, wanted)
    deeds = tuple(_deed(line, line.entry.target_id, told=False) for line in lines)
    return Audit(
        entries=deeds,
        whole=broken is None,
        broken=broken,
        head=verifying.head(engine),
        differing=None if view is None else verifying.differing(engine, view),
    )


def life(engine: Engine, id: str, view: View) -> list[Deed]:
    """Everything that happened to a memory, oldest first, deliveries that brought several memories
    aside. Raises NotFoundError where this caller may not see it."""
    manage.get(engine, id, view, touch=False)
    about = engine.store.past(engine.tenant, LineFilter(target=id, newest=False, limit=_EVERY))
    several = (
        line
        for op in ("maintenance", "strengthen", "undo")
        for line in engine.store.past(
            engine.tenant, LineFilter(op=op, target="", newest=False, limit=_EVERY)
        )
        if id in line.ids
    )
    lines = sorted([*about, *several], key=lambda line: line.entry.seq)
    return [_deed(line, id, told=True) for line in lines]


def _deed(line: Past, id: str, *, told: bool) -> Deed:
    entry = line.entry
    moved = line.moved.get(id, ({}, {}))
    if not id and len(line.moved) == 1:
        moved = next(iter(line.moved.values()))
    changes = tuple(
        FieldChange(field=name, old=before, new=moved[1].get(name))
        if told
        else FieldChange(field=name)
        for name, before in moved[0].items()
        if name not in ("version", "updated_at")
    )
    return Deed(
        line=entry.seq,
        at=entry.at,
        actor=entry.actor,
        op=entry.op,
        target=entry.target_id,
        reason=entry.reason,
        count=max(1, len(set(line.ids))),
        fields=changes,
        erased=entry.payload is None and entry.op != "snapshot",
    )


def snapshot(engine: Engine, name: str) -> Point:
    """Name this moment. Raises NameTakenError, and InvalidInputError where the name looks like a
    line."""
    text = scoping.name("name", name) or ""
    taken = any(point.name == text for point in points(engine))
    if taken or text == NOW or text.isdecimal():
        refused = NameTakenError if taken else InvalidInputError
        allowed = f"a name of its own, not a number and not {NOW!r}"
        raise refused(field="name", got=repr(text)[:60], allowed=allowed)
    now = engine.clock()
    (line,) = engine.store.apply(engine.tenant, [Mark(name=text)], now=now, actor=engine.actor)
    return Point(name=text, line=line, at=now)


def points(engine: Engine) -> list[Point]:
    """The named points, newest first."""
    lines = engine.store.past(engine.tenant, LineFilter(op="snapshot", limit=_EVERY))
    return [Point(name=one.entry.target_id, line=one.entry.seq, at=one.entry.at) for one in lines]


def difference(engine: Engine, first: object, second: object, view: View) -> Difference:
    """What the journal says is different between two points, of what the caller may see. Raises
    NotThereError for a point that is none, and InvalidInputError where the second lies before the
    first."""
    start, end = _line(engine, "first", first), _line(engine, "second", second)
    if end < start:
        got = f"line {end}, which is before {start}"
        raise InvalidInputError(field="second", got=got, allowed="a later point than the first")
    held = engine.store.replayed(engine.tenant, [start, end])
    before = dict(next(held).memories)
    after = next(held).memories
    return Difference(
        first=start,
        second=end,
        added=_seen(view, (after[one] for one in after if one not in before)),
        removed=_seen(view, (before[one] for one in before if one not in after)),
        changed=tuple(
            Altered(memory=after[one], fields=_fields(before[one], after[one]))
            for one in before
            if one in after and before[one] != after[one]
            if _sees(view, after[one]) and _sees(view, before[one])
        ),
    )


def _line(engine: Engine, field: str, point: object) -> int:
    if isinstance(point, int) and not isinstance(point, bool) and point >= 0:
        return point
    if isinstance(point, str):
        if point == NOW:
            last = engine.store.past(engine.tenant, LineFilter(limit=1))
            return last[0].entry.seq if last else 0
        if point.isdecimal() and len(point) <= _DIGITS:
            return int(point)
        for named in points(engine):
            if named.name == point:
                return named.line
    raise NotThereError(field=field, got=repr(point)[:60], allowed=_POINTS)


def _seen(view: View, memories: Iterator[Memory]) -> tuple[Memory, ...]:
    return tuple(one for one in memories if _sees(view, one))


def _sees(view: View, memory: Memory) -> bool:
    session = memory.scope.session
    return (
        view.asker.sees(memory.scope)
        and memory.sensitivity in view.sensitivities
        and view.session in (None, session)
        and (not view.closed_session or session in (None, view.scope.session))
    )


def _fields(before: Memory, after: Memory) -> tuple[FieldChange, ...]:
    names: Sequence[str] = [
        name for name in _NAMES if getattr(before, name) != getattr(after, name)
    ]
    return tuple(
        FieldChange(field=name, old=value(before, name), new=value(after, name))
        for name in names
        if name not in ("version", "updated_at")
    )

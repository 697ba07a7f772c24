"""What imports have taken in already: rows of state with marks of what was told, no word of it.

A mark is part of a hash of what the source calls a thing. The marks of the walls that a caller
named stand in 256 rows, by the run that made them, so that undoing a run takes its own away. Of a
text that becomes several memories each is marked in its own transaction (`part`), the text as a
whole when it is through (`note`); whatever is killed anywhere goes on where it was.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from operator import attrgetter

import msgspec
from msgspec import Struct, field

from engraphy.engine.parts import Engine
from engraphy.engine.session_rows import exact
from engraphy.errors import ConflictError
from engraphy.model import Change, Memory, PutSessionState, Scope, SessionState

_PREFIX = "import."
_RUNS = "import.runs"
_PARTS = "import.parts"
_TAKEN = "import.taken.{place}"
_PLACE, _MARK = 2, 14
"""Hexadecimal digits: which of the rows, and the end of the mark in it."""
_FLUSH = 100
_ATTEMPTS = 8
_MOST_RUNS = 1_000
_MOST_ROWS = 10_000_000


class AlreadyTakenError(Exception):
    """Somebody else has taken a thing in meanwhile."""


class Run(msgspec.Struct, frozen=True):
    """One import: a mark of its source and place, when it began (microseconds UTC), whether it
    came to its end."""

    id: str
    origin: str
    at: int
    done: bool = False


class Ledger(Struct, kw_only=True):
    """The marks of one source in the walls that a caller named, and the run under which new ones
    are made: it begins with the first new thing, or goes on with the run of the same place that
    was cut short."""

    engine: Engine
    walls: Scope
    source: str
    place: str
    run: str = ""
    _waiting: set[str] = field(default_factory=set)
    _parts: set[str] = field(default_factory=set)

    def began(self) -> str:
        """The id of the run."""
        if not self.run:
            self.run = _begun(self.engine, self._mark(f"place {self.walls} {self.place}"))
        return self.run

    def has(self, id: str) -> bool:
        """Whether a thing was taken in before, by any run."""
        mark = self._mark(id)
        return mark in self._waiting or _holds(self._row(_place(mark))[0], mark[_PLACE:])

    def has_part(self, id: str) -> bool:
        """Whether a part of a thing was written before the run was cut short."""
        return _holds(self._row(_PARTS)[0], self._mark(id))

    def part(self, whole: str, id: str) -> Callable[[Memory], tuple[Change, ...]]:
        """What is written beside the memory that a part of a thing becomes; asked for, it raises
        AlreadyTakenError where another process has taken in the part, or the whole."""
        run, mark = self.began(), self._mark(id)

        def beside(memory: Memory) -> tuple[Change, ...]:  # noqa: ARG001 - the shape of `Beside`
            # Whoever takes it in from here on changes this row, by which the put is guarded.
            held, raw = self._row(_PARTS)
            if _holds(held, mark) or self.has(whole):
                raise AlreadyTakenError
            self._parts.add(mark)
            return (_put(self.engine, self.walls, _PARTS, _with(held, run, [mark]), raw),)

        return beside

    def note(self, id: str) -> None:
        """A thing is through: it is written down with others."""
        self._waiting.add(self._mark(id))
        if len(self._waiting) >= _FLUSH:
            self.flush()

    def flush(self) -> None:
        """Write down what is through. Raises ConflictError."""
        if self._waiting:
            _applied(self.engine, self._flushed)
            self._waiting.clear()
            self._parts.clear()

    def end(self) -> None:
        """The run came to its end."""
        self.flush()
        if self.run:
            _applied(self.engine, lambda: _ended(self.engine, self.run))

    def _flushed(self) -> Iterator[Change]:
        places: dict[str, list[str]] = {}
        for mark in sorted(self._waiting):
            places.setdefault(_place(mark), []).append(mark[_PLACE:])
        for name, ends in places.items():
            held, raw = self._row(name)
            yield _put(self.engine, self.walls, name, _with(held, self.began(), ends), raw)
        held, raw = self._row(_PARTS)
        own = held.get(self.run, "").split()
        if self._parts.intersection(own):
            left = [mark for mark in own if mark not in self._parts]
            others = _without(held, self.run)
            rest = _with(others, self.run, left) if left else others
            yield _put(self.engine, self.walls, _PARTS, rest, raw)

    def _row(self, name: str) -> tuple[dict[str, str], str | None]:
        row = self.engine.store.session_state(exact(self.walls, self.engine.clock()), name)
        return ({}, None) if row is None else (_marks(row.value), row.value)

    def _mark(self, id: str) -> str:
        told = f"{self.source}\0{id}".encode("utf-8", "surrogatepass")
        return sha256(told).hexdigest()[:_MARK]


def runs(engine: Engine) -> list[Run]:
    """The imports of the tenant that can be undone, the newest first."""
    return _runs(engine)[0][::-1]


def untaken(engine: Engine, run: str) -> list[Change]:
    """What takes the marks of a run away, and the run from the list."""
    now = engine.clock()
    changes: list[Change] = []
    for row in engine.store.session_states(engine.tenant, _PREFIX, now=now, limit=_MOST_ROWS):
        if row.name == _RUNS:
            kept = [one for one in _read(row.value) if one.id != run]
            changes.append(_put_runs(engine, kept, row.value))
        elif run in (held := _marks(row.value)):
            left = _without(held, run)
            changes.append(_put(engine, row.scope, row.name, left, row.value))
    return changes


def listed_again(engine: Engine, run: str, at: int) -> list[Change]:
    """What brings a run whose undoing is undone back into the list, among those of its time."""
    held, raw = _runs(engine)
    if any(one.id == run for one in held):
        return []
    back = [*held, Run(id=run, origin="", at=at, done=True)]
    return [_put_runs(engine, sorted(back, key=attrgetter("at"))[-_MOST_RUNS:], raw)]


def _begun(engine: Engine, origin: str) -> str:
    now = engine.clock()
    new = Run(id=engine.new_id(now), origin=origin, at=now)
    chosen = new.id

    def begin() -> Iterator[Change]:
        nonlocal chosen
        held, raw = _runs(engine)
        last = next((one for one in reversed(held) if one.origin == origin), None)
        chosen = new.id if last is None or last.done else last.id
        if chosen == new.id:
            yield _put_runs(engine, [*held, new][-_MOST_RUNS:], raw)

    _applied(engine, begin)
    return chosen


def _ended(engine: Engine, run: str) -> Iterator[Change]:
    held, raw = _runs(engine)
    over = [msgspec.structs.replace(one, done=True) if one.id == run else one for one in held]
    if over != held:
        yield _put_runs(engine, over, raw)


def _applied(engine: Engine, changes: Callable[[], Iterable[Change]]) -> None:
    """Write what `changes` gives, worked out anew where somebody else was faster."""
    for attempt in range(_ATTEMPTS):
        wanted = list(changes())
        if not wanted:
            return
        try:
            engine.store.apply(engine.tenant, wanted, now=engine.clock(), actor=engine.actor)
        except ConflictError:
            if attempt == _ATTEMPTS - 1:
                raise
            continue
        return


def _runs(engine: Engine) -> tuple[list[Run], str | None]:
    scope = Scope(tenant=engine.tenant)
    row = engine.store.session_state(exact(scope, engine.clock()), _RUNS)
    return ([], None) if row is None else (_read(row.value), row.value)


def _read(value: str) -> list[Run]:
    return msgspec.json.decode(value, type=list[Run])


def _put_runs(engine: Engine, kept: list[Run], raw: str | None) -> Change:
    scope = Scope(tenant=engine.tenant)
    return _state(engine, scope, _RUNS, msgspec.json.encode(kept).decode(), raw, ends=not kept)


def _marks(value: str) -> dict[str, str]:
    return msgspec.json.decode(value, type=dict[str, str])


def _holds(held: Mapping[str, str], mark: str) -> bool:
    return any(mark in marks.split() for marks in held.values())


def _with(held: Mapping[str, str], run: str, marks: Iterable[str]) -> dict[str, str]:
    both = dict.fromkeys((*held.get(run, "").split(), *marks))
    return {**held, run: " ".join(both)}


def _without(held: Mapping[str, str], run: str) -> dict[str, str]:
    return {key: marks for key, marks in held.items() if key != run}


def _put(
    engine: Engine, walls: Scope, name: str, held: Mapping[str, str], raw: str | None
) -> Change:
    return _state(engine, walls, name, msgspec.json.encode(held).decode(), raw, ends=not held)


def _state(
    engine: Engine, scope: Scope, name: str, value: str, raw: str | None, *, ends: bool
) -> Change:
    now = engine.clock()
    state = SessionState(
        scope=scope, name=name, value=value, updated_at=now, expires_at=now if ends else None
    )
    return PutSessionState(state=state, guarded=True, expected=raw)


def _place(mark: str) -> str:
    return _TAKEN.format(place=mark[:_PLACE])

"""What a pass looks at in one set of walls: its rows, as much of each as its steps read."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from engraphy.dream.stages import STAGES, Stage, written
from engraphy.engine import caps
from engraphy.engine.dreaming import Cycle
from engraphy.engine.overall import InTime
from engraphy.engine.snapshots import made, standing
from engraphy.model import Memory, Scope, State, WALLS

_AT_ONCE = 200
"""Rows of which the changes are one transaction, at most: another writer waits as long."""


class Walls(NamedTuple):
    """One set of walls, and its place in the order of a cycle."""

    scope: Scope
    key: str


def walls_of(scope: Scope) -> Walls:
    """The walls of a scope, its session aside."""
    names = (getattr(scope, wall) for wall in WALLS)
    # The first of all keys is not the empty one, which says that no walls were begun yet.
    key = "/".join(["walls", *("" if name is None else f"={name}" for name in names)])
    return Walls(replace(scope, session=None), key)


class Look(Struct, dict=True, weakref=True):
    """The steps that share a pass through one set of walls."""

    cycle: Cycle
    names: tuple[str, ...]
    walls: Walls
    in_time: InTime

    def batches(self, after: int) -> Iterator[tuple[int | None, list[Memory]]]:
        """The batches with the number of their last row; None for it when the time is up."""
        size, held, last = self._size(), list[Memory](), after
        asked = [self.concerning(name) for name in self.names]
        every = any(self._takes_all(STAGES[name]) for name in self.names)
        for rows in self.pages(after):
            if rows is None:
                yield None, []
                return
            if every:
                yield rows[-1][0], [memory for _, memory in rows]
                continue
            for last, memory in rows:
                if any(concerns(memory) for concerns in asked):
                    held.append(memory)
                if len(held) == size:
                    yield last, held
                    held = []
        if held:
            yield last, held

    def pages(self, after: int) -> Iterator[Sequence[tuple[int, Memory]] | None]:
        """Every row with its number, page by page; None when the time is up."""
        store, size = self.cycle.engine.store, self._size()
        if tag := STAGES[self.names[0]].among:
            found = made(self.cycle.engine, tag, self.walls.scope, self.cycle.now)
            yield list(enumerate(found, 1))
            return
        states, fields = sorted(self._states()), self._fields()
        while rows := store.walk(self.walls.scope, states, after=after, limit=size, fields=fields):
            if not self.in_time():
                yield None
                return
            yield rows
            if len(rows) < size:
                return
            after = rows[-1][0]

    def _states(self) -> set[State]:
        return {state for name in self.names for state in STAGES[name].states}

    def _takes_all(self, stage: Stage) -> bool:
        """Whether a step looks at every row that is read."""
        chosen = stage.fresh or stage.among or stage.concerns is not None
        return not chosen and self._states() == {*stage.states}

    def _size(self) -> int:
        return min(self.cycle.engine.profile.dream.batch, _AT_ONCE)

    def _fields(self) -> frozenset[str]:
        """What is read of each row: what any step of the pass looks at, or everything."""
        reads = [STAGES[name].reads for name in self.names]
        return frozenset[str]().union(*reads) if all(reads) else frozenset()

    def whole(self, name: str, seen: Sequence[Memory]) -> tuple[Memory, ...]:
        """The memories that a step chose, read whole, as far as it still would choose them."""
        if not STAGES[name].whole:
            return tuple(seen)
        ids = [one.id for one in seen]
        held = standing(self.cycle.engine, self.walls.scope, ids, self.cycle.now)
        found = (held[one] for one in ids if one in held)
        return tuple(filter(self.concerning(name), found))

    def standing(self, name: str, ids: Sequence[str]) -> dict[str, Memory]:
        """Memories as they stand now, as much of them as a step needs to write them."""
        engine, scope, fields = self.cycle.engine, self.walls.scope, written(STAGES[name])
        if not fields:
            return standing(engine, scope, ids, self.cycle.now)
        return {one.id: one for one in engine.store.among(scope, ids, fields)}

    def concerning(self, name: str) -> Callable[[Memory], bool]:
        """Which memories a step looks at."""
        stage, now, profile = STAGES[name], self.cycle.now, self.cycle.engine.profile
        since = caps.since(self.cycle, name, self.walls.key) if stage.fresh else 0

        def concerns(memory: Memory) -> bool:
            if memory.state not in stage.states or (stage.fresh and memory.recorded_at < since):
                return False
            return stage.concerns is None or stage.concerns(memory, now, profile)

        return concerns

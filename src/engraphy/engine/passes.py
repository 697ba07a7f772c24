"""The passes of a cycle: batch by batch through each set of walls, each batch written at once."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from engraphy.dream.stages import Proposal, STAGES, Stage, guarded
from engraphy.engine.dreaming import Cycle, Unit, chained, unit
from engraphy.engine.snapshots import snapshot
from engraphy.model import Census, Memory, Progress, Scope, Update, WALLS

InTime = Callable[[], bool]


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


def _compact(cycle: Cycle, in_time: InTime) -> bool:
    return cycle.engine.store.tidy(in_time)


OWN: dict[str, Callable[[Cycle, InTime], bool]] = {"compact": _compact}
"""Steps that are taken for all walls at once; whether their time sufficed."""


def taken(cycle: Cycle, walls: Sequence[Walls]) -> bool:
    """Take every step from where the cycle stands; whether its time sufficed."""
    watch, begun = cycle.engine.stopwatch, cycle.engine.stopwatch()
    seconds = cycle.engine.profile.dream.seconds

    def in_time() -> bool:
        return watch() - begun < seconds

    for place, names in enumerate(passes(cycle.run.stages)):
        if place < cycle.run.progress.stage:
            continue
        started = watch()
        own = OWN.get(names[0])
        whole = own(cycle, in_time) if own else _through(cycle, names, walls, in_time)
        for name in names:
            cycle.tallies[name].seconds += (watch() - started) / len(names)
        if not whole:
            return False
        on = replace(cycle.run.progress, stage=place + 1, walls="", after=0)
        cycle.write(cycle.mark(on))
    cycle.write(cycle.mark(cycle.run.progress, finished_at=cycle.engine.clock()))
    return True


def passes(names: Sequence[str]) -> list[tuple[str, ...]]:
    """The steps in the order they are taken, successive ones that share a pass together."""
    return [
        step
        for rowwise, run in groupby(names, key=lambda name: name in STAGES and STAGES[name].rowwise)
        for step in ([tuple(run)] if rowwise else [(name,) for name in run])
    ]


def _through(cycle: Cycle, names: tuple[str, ...], walls: Sequence[Walls], go: InTime) -> bool:
    for one in walls:
        if one.key < cycle.run.progress.walls:
            continue
        after = cycle.run.progress.after if one.key == cycle.run.progress.walls else 0
        if not _Pass(cycle, names, one, go).run(after):
            return False
    return True


@dataclass
class _Pass:
    """One pass through one set of walls."""

    cycle: Cycle
    names: tuple[str, ...]
    walls: Walls
    in_time: InTime

    def run(self, after: int) -> bool:
        """From behind row `after`; whether the time sufficed."""
        [first, *rest] = self.names
        if not rest and STAGES[first].rank is not None:
            return self._best(first)
        census = self._census()
        for last, rows in self._batches(after):
            units = (
                self._rowwise(rows, census)
                if STAGES[first].rowwise
                else self._batch(first, rows, census)
            )
            if last is None:
                return False
            self.cycle.settle(units, self._progress(last))
        return True

    def _batches(self, after: int) -> Iterator[tuple[int | None, list[Memory]]]:
        """The batches with the number of their last row; None for it when the time is up."""
        states = sorted({state for name in self.names for state in STAGES[name].states})
        store, size = self.cycle.engine.store, self.cycle.engine.profile.dream.batch
        while rows := store.walk(self.walls.scope, states, after=after, limit=size):
            if not self.in_time():
                yield None, []
                return
            after = rows[-1][0]
            yield after, [memory for _, memory in rows]

    def _census(self) -> Census:
        if any(STAGES[name].census for name in self.names):
            return self.cycle.engine.store.census(self.walls.scope)
        return Census()

    def _progress(self, after: int) -> Progress:
        return replace(self.cycle.run.progress, walls=self.walls.key, after=after)

    def _rowwise(self, rows: Sequence[Memory], census: Census) -> list[Unit]:
        """Each step sees what the steps before it would have made of the memory."""
        held = {memory.id: memory for memory in rows}
        moves: dict[str, list[tuple[str, Update]]] = {}
        for name in self.names:
            stage = STAGES[name]
            seen = tuple(one for one in held.values() if _concerns(stage, one, self.cycle))
            self.cycle.tallies[name].looked += len(seen)
            for one in self._proposed(name, seen, census):
                assert isinstance(one, Update)
                held[one.memory.id] = one.memory
                moves.setdefault(one.memory.id, []).append((name, one))
        return chained(moves)

    def _batch(self, name: str, rows: Sequence[Memory], census: Census) -> list[Unit]:
        stage, engine = STAGES[name], self.cycle.engine
        seen = tuple(one for one in rows if _concerns(stage, one, self.cycle))
        self.cycle.tallies[name].looked += len(seen)
        proposals = list(self._proposed(name, seen, census)) if seen else []
        if stage.most is not None:
            proposals = proposals[: self._room(name)]
            self._spend(name, len(proposals))
        return [unit(engine, name, one, self.cycle.now) for one in proposals]

    def _best(self, name: str) -> bool:
        """A capped step that ranks: the best proposals of all batches, written at the end; what is
        interrupted before is looked at anew."""
        rank, room, census = STAGES[name].rank, self._room(name), self._census()
        assert rank is not None
        best: list[tuple[float, int, Proposal]] = []
        number = last = 0
        for after, rows in self._batches(0):
            if after is None:
                return False
            last = after
            seen = tuple(one for one in rows if _concerns(STAGES[name], one, self.cycle))
            self.cycle.tallies[name].looked += len(seen)
            for one in self._proposed(name, seen, census):
                number += 1
                best.append((rank(one), -number, one))
            best = heapq.nlargest(room, best)
        self._spend(name, len(best))
        units = [unit(self.cycle.engine, name, one, self.cycle.now) for _, _, one in best]
        self.cycle.settle(units, self._progress(last))
        return True

    def _proposed(self, name: str, seen: tuple[Memory, ...], census: Census) -> Iterator[Proposal]:
        stage, cycle = STAGES[name], self.cycle
        looked = snapshot(cycle.engine, stage, seen, self.walls.scope, cycle.now)
        looked = replace(looked, census=census, since=cycle.since, room=self._room(name))
        return guarded(stage.plan(looked, cycle.now, cycle.engine.profile))

    def _room(self, name: str) -> int:
        most = STAGES[name].most
        if most is None:
            return 1_000_000_000
        spent = self.cycle.run.progress.spent.get(f"{name}:{self.walls.key}", 0)
        return max(0, most(self.cycle.engine.profile) - spent)

    def _spend(self, name: str, count: int) -> None:
        progress, key = self.cycle.run.progress, f"{name}:{self.walls.key}"
        if count:
            spent = {**progress.spent, key: progress.spent.get(key, 0) + count}
            self.cycle.run = replace(self.cycle.run, progress=replace(progress, spent=spent))


def _concerns(stage: Stage, memory: Memory, cycle: Cycle) -> bool:
    if stage.fresh and memory.recorded_at < cycle.since:
        return False
    return memory.state in stage.states

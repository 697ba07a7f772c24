"""The passes of a cycle: batch by batch through each set of walls, each batch written at once."""

import heapq
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from engraphy.dream.stages import Proposal, STAGES, guarded
from engraphy.engine import caps
from engraphy.engine.dreaming import Cycle, Unit, chained, target, unit
from engraphy.engine.groups import Groups
from engraphy.engine.looking import Look, Walls
from engraphy.engine.overall import InTime, OWN
from engraphy.engine.sealing import sealed, unsealed
from engraphy.engine.snapshots import snapshot
from engraphy.model import (
    Census,
    Memory,
    Progress,
    Snapshot,
    Update,
)

_TOLD_AT_ONCE = 2
"""Summaries of categories in one transaction."""
_CHOSEN_AT_ONCE = 40
"""Changes of what was chosen in one transaction: each is a line of its own, and others wait."""


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
        cycle.run = replace(cycle.run, census=None)
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


class _Pass(Look):
    """One pass through one set of walls."""

    def run(self, after: int) -> bool:
        """From behind row `after`; whether the time sufficed."""
        [first, *rest] = self.names
        if not rest and STAGES[first].rank is not None:
            return self._best(first, after)
        if not rest and STAGES[first].grouped:
            return self._by_category(first)
        census = self._census()
        for last, rows in self.batches(after):
            units = (
                self._rowwise(rows, census)
                if STAGES[first].rowwise
                else self._batch(first, rows, census)
            )
            if last is None:
                return False
            if units:
                self.cycle.settle(units, self._progress(last))
            else:
                # Where nothing is written, how far it has come can wait for the next that is.
                self.cycle.mark(self._progress(last))
        return True

    def _census(self) -> Census:
        """The counts of these walls as they were when the cycle came to them: also where it was
        interrupted, and has moved some of what they count."""
        if not any(STAGES[name].census for name in self.names):
            return Census()
        run = self.cycle.run
        if run.census is None or run.progress.walls != self.walls.key:
            fresh = self.cycle.engine.store.census(self.walls.scope)
            self.cycle.run = run = replace(run, census=sealed(fresh, run.id))
        assert run.census is not None
        return unsealed(run.census, run.id)

    def _progress(self, after: int) -> Progress:
        return replace(self.cycle.run.progress, walls=self.walls.key, after=after)

    def _rowwise(self, rows: Sequence[Memory], census: Census) -> list[Unit]:
        """Each step sees what the steps before it would have made of the memory."""
        held = {memory.id: memory for memory in rows}
        moves: dict[str, list[tuple[str, Update]]] = {}
        for name in self.names:
            seen = tuple(filter(self.concerning(name), held.values()))
            self.cycle.tallies[name].looked += len(seen)
            for one in self._proposed(name, seen, census):
                assert isinstance(one, Update)
                held[one.memory.id] = one.memory
                moves.setdefault(one.memory.id, []).append((name, one))
        return chained(moves)

    def _batch(self, name: str, rows: Sequence[Memory], census: Census) -> list[Unit]:
        stage, engine = STAGES[name], self.cycle.engine
        seen = tuple(rows)
        if "pairs" in stage.needs:
            seen = caps.looked_up(self.cycle, name, self.walls.key, seen)
        self.cycle.tallies[name].looked += len(seen)
        seen = self.whole(name, seen) if self._may_propose(name, seen, census) else ()
        if not seen:
            return []
        looked = self._looked(name, seen, census)
        proposals = list(guarded(stage.plan(looked, self.cycle.now, engine.profile)))
        if "pairs" in stage.needs:
            caps.spend(self.cycle, name, self.walls.key, len(looked.pairs))
        elif stage.most is not None:
            proposals = proposals[: looked.room]
            caps.spend(self.cycle, name, self.walls.key, len(proposals))
        return [unit(self.cycle, name, one) for one in proposals]

    def _may_propose(self, name: str, seen: tuple[Memory, ...], census: Census) -> bool:
        """Whether a step has room left, an embedder where it compares vectors, and is due."""
        stage, cycle = STAGES[name], self.cycle
        if "pairs" in stage.needs and cycle.engine.embedder is None:
            return False
        if not caps.room(cycle, name, self.walls.key, census):
            return False
        glance = Snapshot(memories=seen, since=caps.since(cycle, name, self.walls.key))
        return stage.due(glance, cycle.now, cycle.engine.profile)

    def _best(self, name: str, after: int) -> bool:
        """A capped step that ranks: the best proposals of all batches, written at the end, batch by
        batch; what is interrupted before is looked at anew."""
        census = self._census()
        rank, room = STAGES[name].rank, caps.room(self.cycle, name, self.walls.key, census)
        if not room:
            return True
        assert rank is not None
        best: list[tuple[float, int, str]] = []
        number = 0
        for last, rows in self.batches(0):
            if last is None:
                return False
            if not after:
                self.cycle.tallies[name].looked += len(rows)
            for one in self._proposed(name, tuple(rows), census):
                number += 1
                best.append((rank(one), -number, target(one)))
            if len(best) > 2 * room:
                best = heapq.nlargest(room, best)
        ids = [own for _, _, own in heapq.nlargest(room, best)]
        size = min(_CHOSEN_AT_ONCE, self.cycle.engine.profile.dream.batch)
        for start in range(0, len(ids), size):
            self._settled(name, ids[start : start + size], census)
        return True

    def _settled(self, name: str, ids: Sequence[str], census: Census) -> None:
        """What a step proposes for some of the memories it chose, in this order, is written."""
        held = self.standing(name, ids)
        seen = tuple(held[one] for one in ids if one in held)
        found = list(self._proposed(name, seen, census))
        caps.spend(self.cycle, name, self.walls.key, len(found))
        self.cycle.settle([unit(self.cycle, name, one) for one in found], self._progress(1))

    def _by_category(self, name: str) -> bool:
        """A step that looks at each category as a whole: at its most important memories."""
        groups, concerns = Groups(), self.concerning(name)
        for rows in self.pages(0):
            if rows is None:
                return False
            for number, memory in rows:
                if concerns(memory):
                    groups.add(number, memory)
        units: list[Unit] = []
        beside = self._looked(name, (), Census())
        for some, count in groups.told():
            self.cycle.tallies[name].looked += count
            told = self._told(name, replace(beside, memories=some, total=count))
            units += [unit(self.cycle, name, one) for one in told]
            if len(units) >= _TOLD_AT_ONCE:
                self.cycle.settle(units, self._progress(0))
                units = []
        if units:
            self.cycle.settle(units, self._progress(0))
        return True

    def _told(self, name: str, glance: Snapshot) -> Iterator[Proposal]:
        """What a step proposes for a category, whose memories are read whole where it is due."""
        stage, now, profile = STAGES[name], self.cycle.now, self.cycle.engine.profile
        rows = self.whole(name, glance.memories) if stage.due(glance, now, profile) else ()
        if rows:
            yield from guarded(stage.plan(replace(glance, memories=rows), now, profile))

    def _proposed(self, name: str, seen: tuple[Memory, ...], census: Census) -> Iterator[Proposal]:
        looked = self._looked(name, seen, census)
        return guarded(STAGES[name].plan(looked, self.cycle.now, self.cycle.engine.profile))

    def _looked(self, name: str, seen: tuple[Memory, ...], census: Census) -> Snapshot:
        stage, cycle, room = (
            STAGES[name],
            self.cycle,
            caps.room(self.cycle, name, self.walls.key, census),
        )
        looked = snapshot(cycle.engine, stage, seen, self.walls.scope, cycle.now, room=room)
        return replace(
            looked,
            census=census,
            since=caps.since(self.cycle, name, self.walls.key),
            room=room,
        )

"""At rest: run a profile's planners over the store, in batches, or show what they would do."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from engraphy.dream.planners import PLANNERS
from engraphy.engine.manage import whole
from engraphy.engine.parts import Engine
from engraphy.engine.standing import same_walls
from engraphy.errors import ConflictError
from engraphy.model import Change, DreamReport, Memory, Sensitivity, Step, View


def dream(engine: Engine, views: Sequence[View], *, dry_run: bool) -> DreamReport:
    """One cycle over the given scopes. Maintenance never touches the clocks of access (R-03)."""
    steps: list[Step] = []
    changed = 0
    for name in engine.profile.dream.steps:
        if name == "compact":
            if not dry_run:
                engine.store.optimise()
            steps.append(Step(stage=name, detail="indexes merged, free pages given back"))
            continue
        looked, done = _run(engine, name, views, dry_run)
        changed += done
        steps.append(Step(stage=name, detail=f"looked at {looked}, changed {done}"))
    return DreamReport(dry_run=dry_run, steps=tuple(steps), changed=changed)


def _run(engine: Engine, name: str, views: Sequence[View], dry_run: bool) -> tuple[int, int]:
    looked = changed = 0
    for view in views:
        for batch in _batches(engine, view):
            looked += len(batch)
            plan = list(PLANNERS[name](batch, view.now, engine.profile))
            changed += len(plan) if dry_run else _applied(engine, plan, view)
    return looked, changed


def _batches(engine: Engine, view: View) -> Iterator[list[Memory]]:
    wide = replace(whole(view), sensitivities=frozenset(Sensitivity))
    rows = engine.store.dump(wide)
    while batch := list(islice(rows, engine.profile.dream.batch)):
        yield [memory for memory in batch if _of(memory, view)]


def _of(memory: Memory, view: View) -> bool:
    return same_walls(memory.scope, view.scope)


def _applied(engine: Engine, plan: Sequence[Change], view: View) -> int:
    """Each change on its own: what somebody changed meanwhile gets its turn next time."""
    done = 0
    for change in plan:
        try:
            engine.store.apply(view.scope.tenant, [change], now=view.now, actor="dream")
        except ConflictError:
            continue
        done += 1
    return done

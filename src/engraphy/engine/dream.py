"""At rest: the steps of a profile over every scope of a tenant, in batches, resumable."""

from collections.abc import Sequence

from msgspec.structs import replace

from engraphy.dream.stages import STAGES
from engraphy.engine.caps import BEFORE
from engraphy.engine.dreaming import Cycle, Tally, taken_up
from engraphy.engine.federating import fetch
from engraphy.engine.looking import Walls, walls_of
from engraphy.engine.parts import Engine
from engraphy.engine.passes import taken
from engraphy.model import (
    DreamReport,
    DreamRun,
    MICROSECONDS_PER_DAY,
    Progress,
    Scope,
)

_ABANDONED_DAYS = 2
"""What was interrupted so long ago is begun anew."""


def dream(engine: Engine, *, dry_run: bool = False, due: bool = False) -> DreamReport:
    """One cycle over every scope of the engine's tenant; an interrupted one is gone on with.

    `dry_run`: on a copy of the store, without a language model: the same report, and nothing is
    changed. `due`: only where one is due. Raises AlreadyDreamingError.
    """
    now = engine.clock()
    if due and (at := next_due(engine)) is not None and now < at and not interrupted(engine):
        return DreamReport(dry_run=dry_run, steps=(), changed=0, due=False, next_due_at=at)
    if dry_run:
        with engine.store.scratch() as copy:
            report = _cycle(replace(engine, store=copy, model=None))
        return replace(report, dry_run=True, run="")
    with engine.store.alone(engine.tenant):
        # What others share is fetched as often as there is maintenance.
        fetch(engine, {})
        return _cycle(engine)


def next_due(engine: Engine) -> int | None:
    """When the next cycle is due (microseconds UTC); None where there was none yet."""
    runs = engine.store.dream_runs(engine.tenant, 1)
    if not runs:
        return None
    return runs[0].started_at + round(engine.profile.dream.every_days * MICROSECONDS_PER_DAY)


def interrupted(engine: Engine) -> bool:
    """Whether the last cycle was not brought to its end."""
    runs = engine.store.dream_runs(engine.tenant, 1)
    return bool(runs) and runs[0].finished_at is None


def rest(engine: Engine, scope: Scope, steps: Sequence[str], now: int) -> DreamReport:
    """Some steps in one set of walls, as the end of a session takes them (A-18, A-19); they are no
    cycle of the tenant. Raises AlreadyDreamingError."""
    with engine.store.alone(engine.tenant):
        run = DreamRun(id="", profile=engine.profile.name, started_at=now, stages=tuple(steps))
        cycle = Cycle(engine, run, tallies(run), _since(engine), kept=False)
        return _report(cycle, taken(cycle, [walls_of(scope)]), resumed=False)


def _cycle(engine: Engine) -> DreamReport:
    cycle, resumed = _opened(engine)
    walls = [walls_of(scope) for scope, _ in engine.store.scopes(engine.tenant)]
    return _report(cycle, taken(cycle, sorted(walls, key=place)), resumed=resumed)


def place(walls: Walls) -> str:
    """Where a set of walls stands in the order of a cycle."""
    return walls.key


def _opened(engine: Engine) -> tuple[Cycle, bool]:
    now, stages = engine.clock(), tuple(str(step) for step in engine.profile.dream.steps)
    runs = engine.store.dream_runs(engine.tenant, 2)
    since = _since(engine)
    last = runs[0] if runs else None
    if last is not None and last.finished_at is None and _goes_on(last, engine, now):
        spent = runs[1].progress.spent if len(runs) > 1 else {}
        return Cycle(engine, last, tallies(last), since, before=spent), True
    run = DreamRun(
        id=engine.new_id(now),
        profile=engine.profile.name,
        started_at=now,
        stages=stages,
        progress=Progress(spent=_spent(engine, last, now)),
    )
    spent = last.progress.spent if last is not None else {}
    cycle = Cycle(engine, run, tallies(run), since, before=spent)
    cycle.write(cycle.mark(run.progress))
    return cycle, False


def _goes_on(last: DreamRun, engine: Engine, now: int) -> bool:
    same = last.profile == engine.profile.name and last.stages == tuple(engine.profile.dream.steps)
    return same and 0 <= now - last.started_at < _ABANDONED_DAYS * MICROSECONDS_PER_DAY


def _spent(engine: Engine, last: DreamRun | None, now: int) -> dict[str, int]:
    """What caps have left: a second cycle of the same period has no more room than the first."""
    period = round(engine.profile.dream.every_days * MICROSECONDS_PER_DAY) // 2
    if last is None or not 0 <= now - last.started_at < period:
        return {}
    carried = ((_carried(key), count) for key, count in last.progress.spent.items())
    return {key: count for key, count in carried if key}


def _carried(key: str) -> str:
    """Under which name what a step spent counts in a second cycle; "" for not at all. One that
    makes room by what stands there now would go on with another mean: it has had its turn."""
    name, _, walls = key.partition(":")
    stage = STAGES.get(name.removesuffix(BEFORE))
    if stage is None:
        return ""
    return f"{name.removesuffix(BEFORE)}{BEFORE}:{walls}" if stage.excess is not None else key


def _since(engine: Engine) -> int:
    runs = engine.store.dream_runs(engine.tenant, 8)
    return max((run.started_at for run in runs if run.finished_at is not None), default=0)


def tallies(run: DreamRun) -> dict[str, Tally]:
    """What each step did so far, by its name."""
    done = {step.name: taken_up(step) for step in run.steps}
    return {name: done.get(name, Tally(name)) for name in run.stages}


def _report(cycle: Cycle, whole: bool, *, resumed: bool) -> DreamReport:
    run = cycle.run
    every = round(cycle.engine.profile.dream.every_days * MICROSECONDS_PER_DAY)
    return DreamReport(
        dry_run=False,
        steps=tuple(tally.told() for tally in cycle.tallies.values()),
        changed=sum(tally.changed for tally in cycle.tallies.values()),
        run=run.id,
        started_at=run.started_at,
        finished_at=cycle.engine.clock() if whole else None,
        resumed=resumed,
        next_due_at=run.started_at + every,
    )

"""How much each step of a cycle may do in each set of walls, and what it has done of it."""

from msgspec.structs import replace

from engraphy.dream.stages import STAGES
from engraphy.engine.dreaming import Cycle
from engraphy.model import Census, Memory

BEFORE = ".before"
"""Behind the name of a step: what it spent in an earlier cycle of the same period."""
_LOOKUPS = 10
"""Memories whose neighbours are looked up, for each pair that a cycle may compare."""
_ALL = 1_000_000_000


def room(cycle: Cycle, name: str, walls: str, census: Census) -> int:
    """What is left of a step's cap in a set of walls."""
    most, excess = STAGES[name].most, STAGES[name].excess
    every, profile = cycle.run.progress.spent, cycle.engine.profile
    if every.get(f"{name}{BEFORE}:{walls}", 0):
        return 0
    whole = most(profile) if most is not None else _ALL
    whole = min(whole, excess(profile, census)) if excess is not None else whole
    return max(0, whole - every.get(f"{name}:{walls}", 0))


def spend(cycle: Cycle, name: str, walls: str, count: int) -> None:
    """So much of a cap was used; kept with the next progress that is written."""
    progress, key = cycle.run.progress, f"{name}:{walls}"
    if count:
        spent = {**progress.spent, key: progress.spent.get(key, 0) + count}
        cycle.run = replace(cycle.run, progress=replace(progress, spent=spent))


def since(cycle: Cycle, name: str, walls: str) -> int:
    """From when on a step looks: where the last cycle's cap left something over, at everything."""
    most = STAGES[name].most
    spent = cycle.before.get(f"{name}:{walls}", 0)
    left_over = most is not None and spent >= most(cycle.engine.profile)
    return 0 if left_over else cycle.since


def looked_up(cycle: Cycle, name: str, walls: str, seen: tuple[Memory, ...]) -> tuple[Memory, ...]:
    """Those whose neighbours are looked up: so many for each pair that may be compared, as a look
    costs the more the more there is to look through."""
    most, key = STAGES[name].most, f"{name}.lookups"
    whole = _LOOKUPS * most(cycle.engine.profile) if most is not None else len(seen)
    some = seen[: max(0, whole - cycle.run.progress.spent.get(f"{key}:{walls}", 0))]
    spend(cycle, key, walls, len(some))
    return some

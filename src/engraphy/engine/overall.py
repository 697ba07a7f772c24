"""The steps of a cycle that go through all walls at once."""

from collections.abc import Callable

from engraphy.engine.capacity import capped
from engraphy.engine.dreaming import ACTOR, Cycle
from engraphy.engine.expunging import expunge
from engraphy.model import Scope, View

InTime = Callable[[], bool]


def _compact(cycle: Cycle, in_time: InTime) -> bool:
    return cycle.engine.store.tidy(in_time)


def _cap(cycle: Cycle, in_time: InTime) -> bool:
    tally = cycle.tallies["cap"]
    return capped(cycle.engine, cycle.now, in_time, tally.count, ACTOR)


def _expunge(cycle: Cycle, in_time: InTime) -> bool:
    view = View(scope=Scope(tenant=cycle.engine.tenant), now=cycle.now)
    tally = cycle.tallies["expunge"]
    tally.changed += expunge(cycle.engine, [view], in_time, ACTOR)
    return in_time()


OWN: dict[str, Callable[[Cycle, InTime], bool]] = {
    "cap": _cap,
    "compact": _compact,
    "expunge": _expunge,
}
"""Steps that are taken for all walls at once; whether their time sufficed."""

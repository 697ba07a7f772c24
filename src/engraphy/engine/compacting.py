"""Compacting: what says the same becomes one memory, and the indexes are put in order (D-52)."""

from collections.abc import Sequence

from msgspec.structs import replace

from engraphy.engine.dream import place, tallies
from engraphy.engine.dreaming import Cycle
from engraphy.engine.looking import walls_of
from engraphy.engine.parts import Engine
from engraphy.engine.passes import taken
from engraphy.model import DreamRun, Scope, View
from engraphy.model.compacting import Compacted

ACTOR = "compact {run}"
"""Who writes what one compacting merges, in the journal: by that it is undone."""


def compact(engine: Engine, view: View, scopes: Sequence[Scope], *, dry_run: bool) -> Compacted:
    """Take the profile's `dream.to_compact` in each of these sets of walls, then merge indexes and
    give free pages back. `dry_run`: on a copy of the store, without a language model. Raises
    AlreadyDreamingError where maintenance is under way."""
    if dry_run:
        with engine.store.scratch() as copy:
            done = _compact(replace(engine, store=copy, model=None), view, scopes)
        return replace(done, dry_run=True, run="")
    with engine.store.alone(engine.tenant):
        return _compact(engine, view, scopes)


def _compact(engine: Engine, view: View, scopes: Sequence[Scope]) -> Compacted:
    before = engine.store.stats(view).file_bytes
    now, steps = engine.clock(), tuple(str(step) for step in engine.profile.dream.to_compact)
    name = engine.new_id(now)
    run = DreamRun(id="", profile=engine.profile.name, started_at=now, stages=steps)
    # It is no cycle of the tenant: it leaves alone when the next one is due, and where one stopped.
    cycle = Cycle(engine, run, tallies(run), kept=False, actor=ACTOR.format(run=name))
    whole = taken(cycle, sorted((walls_of(one) for one in scopes), key=place))
    merged = sum(tally.changed for tally in cycle.tallies.values())
    return Compacted(
        dry_run=False,
        run=name if merged else "",
        steps=tuple(tally.told() for tally in cycle.tallies.values()),
        merged=merged,
        bytes_before=before,
        bytes_after=_tidied(engine, view),
        finished=whole,
    )


def _tidied(engine: Engine, view: View) -> int:
    """The bytes of the file once its indexes are in order."""
    engine.store.optimise()
    return engine.store.stats(view).file_bytes

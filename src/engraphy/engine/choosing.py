"""Which lines of the journal an undo is about: a change, a dream, a session, a purge, an import."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from engraphy.engine.compacting import ACTOR as COMPACTOR
from engraphy.engine.dreaming import ACTOR
from engraphy.engine.importing import ACTOR as IMPORTER
from engraphy.engine.parts import Engine
from engraphy.engine.taken import listed_again, runs, untaken
from engraphy.engine.undoing import Chosen
from engraphy.errors import NotThereError, UnknownSessionError
from engraphy.model import DreamRun, LineFilter, Past, State, View

LAST = ("dream", "compact", "session", "purge", "import", "undo")
_EVERY = 100_000_000
_PAGE = 500
_PURGES = ("purge", "prune", "cap")
_RUNS = 10_000
_UNDO, _OF_IMPORT = "undo of", "undo of import "
"""How the reason of an undo begins, and of one that took an import out or brought it back."""


def by_number(engine: Engine, number: int) -> Chosen:
    """One line by its number; with a memory that came to be, what its write ended. Raises
    NotThereError."""
    lines = engine.store.past(engine.tenant, LineFilter(after=number - 1, upto=number))
    if not lines:
        allowed = "the number of a line of the journal: `engraphy audit` lists them"
        raise NotThereError(field="change", got=str(number), allowed=allowed)
    row = lines[0].inserted
    if row is not None:
        lines = _about(_same_moment(engine, lines[0]), {row.id})
    return Chosen(what=f"line {number}", lines=lines)


def by_run(engine: Engine, id: str) -> Chosen:
    """What one cycle of maintenance, one import, or one compacting did. Raises
    NotThereError."""
    if any(run.id == id for run in runs(engine)):
        return _of_import(engine, id)
    for run in engine.store.dream_runs(engine.tenant, _RUNS):
        if run.id == id:
            return Chosen(what=f"dream {run.id}", lines=_of_run(engine, run))
    if lines := _by(engine, COMPACTOR.format(run=id)):
        return Chosen(what=f"compact {id}", lines=lines)
    allowed = "the id of a cycle, of an import, or of a compacting"
    raise NotThereError(field="run", got=repr(id)[:60], allowed=allowed)


def last(engine: Engine, what: str, view: View) -> Chosen:
    """What was done last of a kind. Raises NotThereError where there is nothing of it."""
    if what in _FOUND:
        return _FOUND[what](engine)
    for line in _newest(engine):
        row = line.inserted
        if row is not None and row.scope.session is not None and view.asker.sees(row.scope):
            return of_session(engine, row.scope.session, view)
    return _nothing("session")


def _dream(engine: Engine) -> Chosen:
    for run in engine.store.dream_runs(engine.tenant, _RUNS):
        if lines := _of_run(engine, run):
            return Chosen(what=f"dream {run.id}", lines=lines)
    return _nothing("dream")


def _of_run(engine: Engine, run: DreamRun) -> list[Past]:
    wanted = LineFilter(actor=ACTOR, after=run.first_seq, upto=run.last_seq, limit=_EVERY)
    return engine.store.past(engine.tenant, wanted)


def _import(engine: Engine) -> Chosen:
    for run in runs(engine):
        if (chosen := _of_import(engine, run.id)).lines:
            return chosen
    return _nothing("import")


def _compact(engine: Engine) -> Chosen:
    for line in _newest(engine):
        if line.entry.actor.startswith(COMPACTOR.format(run="")):
            what, lines = line.entry.actor, _by(engine, line.entry.actor)
            return Chosen(what=what, lines=lines)
    return _nothing("compact")


def _by(engine: Engine, actor: str) -> list[Past]:
    return engine.store.past(engine.tenant, LineFilter(actor=actor, limit=_EVERY))


def _of_import(engine: Engine, id: str) -> Chosen:
    wanted = LineFilter(actor=IMPORTER.format(run=id), limit=_EVERY)
    lines = engine.store.past(engine.tenant, wanted)
    return Chosen(what=f"import {id}", lines=lines, beside=partial(untaken, engine, id))


def _purge(engine: Engine) -> Chosen:
    """Everything one purge, one pruning or one write over the cap took out: it has one moment."""
    for line in _newest(engine, LineFilter(op="delete")):
        if line.entry.reason.startswith(_PURGES):
            what = line.entry.reason.partition(":")[0]
            return Chosen(what=f"{what} of line {line.entry.seq}", lines=_beside(engine, line))
    return _nothing("purge")


def _undo(engine: Engine) -> Chosen:
    lines = engine.store.past(engine.tenant, LineFilter(op="undo", limit=1))
    if not lines:
        return _nothing("undo")
    what, run = lines[0].entry.reason, lines[0].entry.reason.rpartition(_OF_IMPORT)[2]
    if run == what:
        return Chosen(what=f"undo of line {lines[0].entry.seq}", lines=_beside(engine, lines[0]))
    beside = partial(untaken, engine, run)
    if what.count(_UNDO) % 2:
        came = _of_import(engine, run).lines
        beside = partial(listed_again, engine, run, came[-1].entry.at if came else 0)
    return Chosen(what=what, lines=_beside(engine, lines[0]), beside=beside)


def _beside(engine: Engine, line: Past) -> list[Past]:
    """The lines of the same actor and moment that a line belongs to, of its kind and what follows
    from it."""
    lines = _same_moment(engine, line)
    if line.entry.op == "undo":
        return [each for each in lines if each.entry.op == "undo"]
    return [each for each in lines if each.entry.op in ("delete", "fact", "state")]


def _same_moment(engine: Engine, line: Past) -> list[Past]:
    one = line.entry
    wanted = LineFilter(actor=one.actor, since=one.at, until=one.at + 1, limit=_EVERY)
    return engine.store.past(engine.tenant, wanted)


def of_session(engine: Engine, session: str, view: View) -> Chosen:
    """What a session wrote: its memories, and what was written about them, or superseded by them,
    until its last one was. What it only stated again, or merged into an older memory, stays.
    Raises UnknownSessionError."""
    seen = replace(view, session=session, states=frozenset(State))
    own = {memory.id: memory for memory in engine.store.dump(seen)}
    if not own:
        raise UnknownSessionError(session=session)
    since = min(memory.recorded_at for memory in own.values())
    lines = engine.store.past(engine.tenant, LineFilter(since=since, limit=_EVERY))
    wrote = [line for line in lines if line.inserted is not None and line.inserted.id in own]
    if not wrote:
        raise UnknownSessionError(session=session)
    first, end = wrote[-1].entry.seq, _end(lines, wrote[0])
    within = [line for line in lines if first <= line.entry.seq <= end]
    return Chosen(what="session", lines=_about(within, own))


def _end(lines: Sequence[Past], newest: Past) -> int:
    """The last line of the transaction of a session's last memory."""
    one = newest.entry
    same = (x.entry.seq for x in lines if (x.entry.at, x.entry.actor) == (one.at, one.actor))
    return max(same)


def _about(lines: Sequence[Past], own: Collection[str]) -> list[Past]:
    """Those of `lines` that are about some memories, or about what they ended."""
    ended = {
        one
        for line in lines
        for one, (_, after) in line.moved.items()
        if after.get("superseded_by") in own
    }
    return [line for line in lines if _concerns(line, own, ended)]


def _concerns(line: Past, own: Collection[str], ended: Collection[str]) -> bool:
    if line.delivered:
        return False
    facts = [one for one in line.fact or () if one is not None]
    stated = any(one.source_id in own or one.source_id in ended for one in facts)
    moved = any(one in own or one in ended for one in line.moved)
    return stated or moved or any(one in own for one in line.ids)


def _newest(engine: Engine, wanted: LineFilter | None = None) -> Iterator[Past]:
    wanted = replace(wanted or LineFilter(), limit=_PAGE)
    while lines := engine.store.past(engine.tenant, wanted):
        yield from lines
        wanted = replace(wanted, upto=lines[-1].entry.seq - 1)


def _nothing(what: str) -> Chosen:
    raise NotThereError(
        f"There is no {what} to undo, or it was undone already. `engraphy audit` lists each change"
        " by its number.",
        field="last",
        got=what,
    )


_FOUND: Mapping[str, Callable[[Engine], Chosen]] = {
    "dream": _dream,
    "compact": _compact,
    "purge": _purge,
    "import": _import,
    "undo": _undo,
}
"""What was done last of a kind that is no session's."""

"""A move from one open store to another, from its beginning to the comparison at its end."""

from msgspec.structs import replace

from engraphy.errors import MoveRefusedError
from engraphy.model.moving import Moved, MovedTable, Question
from engraphy.stores.carrying.carry import (
    Progress,
    begun,
    copy,
    standing,
    vouch,
)
from engraphy.stores.carrying.compare import compared, shown
from engraphy.stores.carrying.ends import Source, Store
from engraphy.stores.carrying.tables import LINES, MEMORIES, TABLES


def check(old: Store, tenant: str | None, target: str) -> None:
    """What hinders a move whatever it goes to, before anything of `target` is made. Raises
    MoveRefusedError."""
    with old.source() as source:
        _check_tenant(source, tenant, target)
    _check_journal(old, target)


def bring(
    old: Store, new: Store, *, tenant: str | None, progress: Progress
) -> tuple[Moved, list[Question]]:
    """Bring everything of a store (None), or of one tenant, into an empty one, or go on with it,
    and compare; `finish` is still to be said. `check` comes before.
    Raises MoveRefusedError; what was begun stays and can be gone on with."""
    sink = new.sink()
    with old.source() as source:
        state, resumed = begun(source, sink, tenant, new.path)
        if state.done:
            copied = dict.fromkeys((table.name for table in TABLES), 0)
        else:
            copied = copy(source, sink, state, tenant, (new.path, progress))
            vouch(source, sink, state, tenant)
        with new.source() as target:
            held, questions = compared(source, target, tenant, new.path)
        _check_journal(new, new.path)
        tables = tuple(
            MovedTable(name=name, rows=one.rows, copied=copied[name], digest=shown(one))
            for name, one in held.items()
        )
        moved = Moved(
            source=old.path,
            target=new.path,
            tenants=len(source.chains(tenant)),
            memories=held[MEMORIES].rows,
            lines=held[LINES].rows,
            tables=tables,
            resumed=resumed,
        )
    return moved, questions


def finish(new: Store) -> None:
    """Say that the move is done: from now on the store may be opened."""
    sink = new.sink()
    with sink.writing() as target:
        state = standing(target.noted())
        target.note(replace(state, table="", place=(), done=True).written())
    if not state.done:
        sink.settle()


def behind(old: Store, moved: Moved, tenant: str | None) -> int:
    """How many lines the journal of the source has got since it was read."""
    with old.source() as source:
        return sum(one.lines for one in source.chains(tenant)) - moved.lines


def _check_journal(store: Store, target: str) -> None:
    broken = store.broken_line()
    if broken is not None:
        problem = f"the journal of {store.path} does not fit at line {broken}"
        raise MoveRefusedError(path=target, problem=problem)


def _check_tenant(source: Source, tenant: str | None, path: str) -> None:
    if tenant is not None and not source.chains(tenant):
        known = ", ".join(one.tenant for one in source.chains(None)[:10])
        problem = f"the source has no tenant {tenant}; it has {known or 'none'}"
        raise MoveRefusedError(path=path, problem=problem)

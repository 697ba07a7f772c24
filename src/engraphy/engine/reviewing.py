"""What is held back, and what a person decides about it."""

from collections.abc import Sequence

from msgspec.structs import replace

from engraphy.engine import manage
from engraphy.engine.edit import erasure
from engraphy.engine.editing import edited
from engraphy.engine.parts import Engine
from engraphy.model import Forgotten, HeldBack, Listing, Memory, State, Update, View
from engraphy.model.federating import vicarious
from engraphy.write.federating import why_waits
from engraphy.write.given import Given
from engraphy.write.quarantine import accepted, why_held


def waiting(engine: Engine, view: View, limit: int) -> list[HeldBack]:
    """The memories that wait in this scope, the newest first, each with its reason."""
    held = replace(view, states=frozenset({State.QUARANTINED}))
    rows = engine.store.page(held, Listing(limit=limit))
    ends = _ends(engine, [row.id for row in rows if vicarious(row)])
    return [
        HeldBack(memory=row, why=why_waits(row, ends[row.id]) if row.id in ends else why_held(row))
        for row in rows
    ]


def _ends(engine: Engine, ids: Sequence[str]) -> dict[str, int]:
    """Until when copies from others wait, of those that are let in by themselves (D-70)."""
    links = engine.store.links_of(engine.tenant, ids) if ids else ()
    return {link.id: link.due_at for link in links if link.due_at is not None}


def accept(engine: Engine, id: str, view: View, content: str | None) -> Memory:
    """Let a memory that waits in, with `content` as its new text where one is given."""
    row = manage.get(engine, id, view, touch=False)
    accepted(row)
    if content is not None:
        row = edited(engine, id, view, content, Given())
    change = Update(memory=accepted(row), expected=row, reason="accepted in review", op="state")
    engine.store.apply(view.scope.tenant, [change], now=view.now, actor=engine.actor)
    return manage.get(engine, id, view, touch=False)


def reject(engine: Engine, id: str, view: View) -> Forgotten:
    """Erase a memory that waits, with all that is known of it."""
    row = manage.get(engine, id, view, touch=False)
    accepted(row)
    changes = erasure(engine, [row], view, "rejected in review")
    engine.store.apply(view.scope.tenant, changes, now=view.now, actor=engine.actor)
    return Forgotten(ids=(id,), erased=1)

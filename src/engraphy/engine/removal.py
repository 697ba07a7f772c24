"""Taking memories out so that it can be undone, with what was read out of them."""

from collections.abc import Sequence

from msgspec.structs import replace

from engraphy.engine.edit import released
from engraphy.engine.forgotten import marks
from engraphy.engine.parts import Engine
from engraphy.engine.standing import another_source, derived, own_view
from engraphy.errors import ConflictError, ForbiddenError, NotFoundError, ProtectedError
from engraphy.model import Change, Memory, PutFact, Remove, View

SKIPPED = (ConflictError, ForbiddenError, NotFoundError, ProtectedError)
"""What says that somebody changed, took or protected a memory meanwhile, or that it is not the
caller's to take out."""


def removal(engine: Engine, memories: Sequence[Memory], view: View, reason: str) -> list[Change]:
    """The changes that take memories out; a fact that another memory states as well goes over to
    it, the others go along and come back with their memory."""
    gone = [memory.id for memory in memories]
    changes, removes = list[Change](), list[Change]()
    for memory in memories:
        along: list[str] = []
        own = own_view(memory, view.now)
        for fact in derived(engine, own, memory):
            heir = None if fact.valid_until else another_source(engine, own, fact, gone)
            if heir is None:
                along.append(fact.id)
            else:
                inherited = replace(fact, source_id=heir)
                changes.append(PutFact(fact=inherited, reason="another memory states it"))
        removes.append(Remove(id=memory.id, expected=memory, facts=tuple(along), reason=reason))
    return [*changes, *released(engine, memories, view), *removes]


def removed(
    engine: Engine,
    memories: Sequence[Memory],
    view: View,
    reason: str,
    *,
    actor: str = "",
    asked: bool = False,
) -> list[str]:
    """Take memories out in one transaction, or, where somebody was at one of them meanwhile, one by
    one without those; the ids of what went. Where somebody `asked` for it, no copy of them that was
    said before comes in again."""

    def written(some: Sequence[Memory]) -> bool:
        changes = removal(engine, some, view, reason)
        changes += marks(engine, some, view.now) if asked else ()
        return _written(engine, changes, view, actor)

    if written(memories):
        return [memory.id for memory in memories]
    return [one.id for one in memories if written([one])]


def _written(engine: Engine, changes: Sequence[Change], view: View, actor: str) -> bool:
    who = actor or engine.actor
    try:
        engine.store.apply(view.scope.tenant, changes, now=view.now, actor=who)
    except SKIPPED:
        return False
    return True

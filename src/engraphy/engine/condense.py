"""Old memories are put together, category by category; what condensed them can be undone."""

from collections.abc import Iterator, Sequence

from msgspec import structs
from msgspec.structs import replace

from engraphy.dream.condense import Group, condensed, groups
from engraphy.dream.ripe import category_of
from engraphy.engine.embedding import document_vectors
from engraphy.engine.lasting import lasting
from engraphy.engine.parts import Engine
from engraphy.engine.standing import same_walls
from engraphy.errors import ConflictError
from engraphy.model import Condensed, MICROSECONDS_PER_DAY, Memory, State, View
from engraphy.profile import Condense
from engraphy.write.form import embedded
from engraphy.write.synthesis import Synthesis, synthesised

_REASON = "condensed with others of its category"


def condense(
    engine: Engine,
    view: View,
    *,
    category: str | None = None,
    older_than_days: float | None = None,
    above: int | None = None,
) -> Condensed:
    """Condense what a caller's own walls hold, one transaction per summary: the summary, its
    links, the retirement of its sources. What somebody changes meanwhile is left for next time."""
    given = {"older_than_days": older_than_days, "above": above}
    told = {name: value for name, value in given.items() if value is not None}
    knobs: Condense = structs.replace(engine.profile.condense, **told)
    before = view.now - round(knobs.older_than_days * MICROSECONDS_PER_DAY)
    days = engine.profile.write.default_ttl_days
    rows = _own(engine, view, category)
    made: list[tuple[Memory, Group]] = []
    for group in groups(rows, knobs, before=before, default_ttl_days=days):
        memory = condensed(group, knobs, id=engine.new_id(view.now), now=view.now)
        memory = lasting(memory, engine.profile.write)
        if _written(engine, memory, group.members, view):
            made.append((memory, group))
    return Condensed(
        categories=tuple(dict.fromkeys(group.category for _, group in made)),
        summaries=tuple(memory.id for memory, _ in made),
        condensed=sum(len(group.members) for _, group in made),
    )


def _own(engine: Engine, view: View, category: str | None) -> Iterator[Memory]:
    for memory in engine.store.dump(replace(view, states=frozenset({State.ACTIVE}))):
        if same_walls(memory.scope, view.scope) and category in (None, category_of(memory)):
            yield memory


def _written(engine: Engine, memory: Memory, sources: Sequence[Memory], view: View) -> bool:
    [vector] = document_vectors(engine, [embedded(memory)])
    one = Synthesis(memory=memory, sources=sources, vector=vector, reason=_REASON)
    changes = synthesised(one, view.now)
    try:
        engine.store.apply(view.scope.tenant, changes, now=view.now, actor=engine.actor)
    except ConflictError:
        return False
    return True

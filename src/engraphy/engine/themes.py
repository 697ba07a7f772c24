"""What was put together at rest tells nothing that has been replaced or taken back since."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from engraphy.dream.retelling import made_at_rest, retelling, stands_for
from engraphy.engine.embedding import document_vectors
from engraphy.engine.parts import Engine
from engraphy.engine.standing import same_walls
from engraphy.model import (
    Change,
    Evidence,
    Memory,
    PutRelation,
    RelationType,
    Sensitivity,
    State,
    Update,
    View,
)
from engraphy.write.form import embedded
from engraphy.write.given import versioned

_LIVING = frozenset({State.ACTIVE, State.DORMANT, State.ARCHIVED})
_REPLACED = "what it told was replaced"


def told_in_themes(engine: Engine, view: View, found: Iterable[Memory]) -> Iterator[Memory]:
    """What was found, but of a summary that stands for its sources those sources, each as it was
    said: a text can be taken back, a summary of texts cannot."""
    seen: set[str] = set()
    for one in found:
        rows = _standing_for(engine, view, one) if stands_for(one) else [one]
        for row in rows if not made_at_rest(one) or stands_for(one) else ():
            if row.id not in seen:
                seen.add(row.id)
                yield row


def without(engine: Engine, view: View, summary: Memory, gone: Collection[str]) -> Memory | None:
    """The next version of a summary made at rest, without the sources that are gone; None where
    nothing is left to tell."""
    left = [row for row in _told(engine, view, summary) if row.id not in gone]
    new = retelling(summary, left, engine.profile)
    return None if new is None else versioned(summary, new)


def put_right(engine: Engine, memory: Memory, changes: Sequence[Change], now: int) -> list[Change]:
    """The changes that follow where `memory` replaces what a theme stands for: the replaced one is
    history by it and no longer by the theme, and theme and patterns are told without it."""
    ids = [
        one.relation.target_id
        for one in changes
        if isinstance(one, PutRelation) and one.relation.type is RelationType.SUPERSEDES
    ]
    if not ids:
        return []
    view = _whole(memory, now)
    replaced = [row for row in engine.store.get(view, ids) if same_walls(row.scope, memory.scope)]
    by = {row.id: row.superseded_by for row in replaced if row.superseded_by}
    themes = [row for row in engine.store.get(view, sorted({*by.values()})) if stands_for(row)]
    own = {row.id for row in themes}
    gone = [row for row in replaced if by.get(row.id) in own]
    made = [
        Update(memory=replace(row, superseded_by=memory.id), expected=row, reason=_REPLACED,
               op="supersede")
        for row in gone
    ]  # fmt: skip
    return [*made, *_retold(engine, view, themes, {row.id for row in gone}, now)]


def _retold(
    engine: Engine, view: View, themes: Sequence[Memory], gone: Collection[str], now: int
) -> Iterator[Change]:
    ids = [one.id for one in themes]
    links = engine.store.relations(view, ids, types=frozenset({RelationType.ELABORATES.value}))
    near = sorted({one.source_id for one in links if one.target_id in ids})
    telling = [row for row in engine.store.get(view, near) if made_at_rest(row)]
    for held in (*themes, *telling):
        if held.state not in _LIVING or held.immutable:
            continue
        new = without(engine, view, held, gone)
        if new is None:
            over = replace(held, state=State.DORMANT)
            yield Update(memory=over, expected=held, reason=_REPLACED, op="state")
            continue
        moved = replace(new, updated_at=max(now, held.updated_at))
        [vector] = document_vectors(engine, [embedded(moved)])
        yield Update(memory=moved, expected=held, vector=vector, reason=_REPLACED)


def _standing_for(engine: Engine, view: View, theme: Memory) -> list[Memory]:
    return [row for row in _told(engine, view, theme) if row.superseded_by == theme.id]


def _told(engine: Engine, view: View, summary: Memory) -> list[Memory]:
    """What a summary still tells: what it stands for, or what stands beside it; of a theme that it
    tells what that stands for."""
    wide = replace(view, states=frozenset(State), sensitivities=frozenset(Sensitivity))
    rows = engine.store.get(wide, list(summary.source_ids))
    own = {summary.id, *(row.id for row in rows if stands_for(row))}
    return [
        row
        for row in rows
        if not made_at_rest(row) and row.evidence is not Evidence.RETRACTED
        if row.state in _LIVING or row.superseded_by in own
    ]


def _whole(memory: Memory, now: int) -> View:
    return View(
        scope=replace(memory.scope, session=None),
        now=max(now, memory.valid_from),
        states=frozenset(State),
        sensitivities=frozenset(Sensitivity),
    )

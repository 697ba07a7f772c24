"""What a session did, gathered from the store, and the memory that tells it (A-16)."""

from collections.abc import Sequence
from dataclasses import replace

from engraphy.engine import session_rows as rows
from engraphy.engine.embedding import document_vectors
from engraphy.engine.lasting import lasting
from engraphy.engine.noting import in_short
from engraphy.engine.parts import Engine
from engraphy.engine.standing import content_hash, own_view, same_walls
from engraphy.model import Change, Listing, Memory, Scope, State, Update, View, WriteSource
from engraphy.record import Record
from engraphy.write.ceiling import at_most
from engraphy.write.form import embedded
from engraphy.write.given import versioned
from engraphy.write.progress import Observation
from engraphy.write.summary import Done, Heading, done, summarised, summary_text
from engraphy.write.synthesis import Synthesis, synthesised

_PAGE = 1_000
_MOST_ROWS = 5_000


class Gathered(Record, frozen=True, kw_only=True):
    """A session as it stands: its progress, what it did, the memory that tells it."""

    held: rows.Held
    done: Done
    summary: Memory | None = None


def gathered(engine: Engine, scope: Scope, now: int) -> Gathered:
    """Everything that a session did, and what was said in it."""
    held = rows.held(engine, scope, now)
    most = engine.profile.sessions.listed
    if held.progress is None:
        return Gathered(held=held, done=done([], [], most))
    last = held.progress.observations
    seen = list(rows.observations(engine, scope, now, 1, last).values())
    told = [*of_observations(engine, scope, now, seen), *_of_session(engine, scope, now)]
    every = sorted({row.id: row for row in told}.values(), key=lambda row: (row.valid_from, row.id))
    summary = _summary(engine, scope, now)
    return Gathered(held=held, done=done(every, seen, most), summary=summary)


def of_observations(
    engine: Engine, scope: Scope, now: int, seen: Sequence[Observation]
) -> list[Memory]:
    """The memories of observations, as they stand: what is no longer public and active is left
    out, so that a summary tells nobody more than they do (R-04)."""
    ids = dict.fromkeys(one.memory_id for one in seen if one.memory_id)
    found = engine.store.get(_public(scope, now), list(ids))
    return [row for row in found if same_walls(row.scope, scope)]


def made(engine: Engine, found: Done, heading: Heading, now: int, importance: float) -> Memory:
    """The memory that tells what was done."""
    text = summary_text(found, heading, engine.profile.sessions.listed)
    if (told := in_short(engine, found.sources, now)) is not None:
        text = f"{told}\n\n{text}"
    memory = summarised(found, heading, text, id=engine.new_id(now), now=now, importance=importance)
    return lasting(at_most(memory, engine.most), engine.profile.write)


def written(
    engine: Engine, memory: Memory, found: Done, now: int, reason: str
) -> tuple[Memory, tuple[Change, ...]]:
    """The changes that write a summary, linked to what it tells, of which nothing is retired; none
    where exactly this text stands already."""
    same = engine.store.find_hash(own_view(memory, now), content_hash(memory.content))
    if same is not None:
        return same, ()
    [vector] = document_vectors(engine, [embedded(memory)])
    one = Synthesis(
        memory=memory, sources=found.sources, vector=vector, keep_sources=True, reason=reason
    )
    return memory, synthesised(one, now)


def retold(engine: Engine, old: Memory, new: Memory) -> Change:
    """The summary of a session that went on: the next version of the one there is."""
    moved = replace(
        new, id=old.id, recorded_at=old.recorded_at, pinned=old.pinned, version=old.version
    )
    [vector] = document_vectors(engine, [embedded(moved)])
    told = versioned(old, moved)
    return Update(memory=told, expected=old, vector=vector, reason="summary of a session")


def _of_session(engine: Engine, scope: Scope, now: int) -> list[Memory]:
    """What else is remembered of the session: what was said in it."""
    view = replace(_public(scope, now), session=scope.session)
    found: list[Memory] = []
    after: str | None = None
    while len(found) < _MOST_ROWS:
        page = engine.store.page(view, Listing(order="oldest", limit=_PAGE, after=after))
        found += page
        if len(page) < _PAGE:
            break
        after = page[-1].id
    told = [row for row in found if row.write_source is not WriteSource.SESSION]
    return [row for row in told if same_walls(row.scope, scope)]


def _public(scope: Scope, now: int) -> View:
    return own_view(Memory(id="", scope=scope, content=""), now)


def _summary(engine: Engine, scope: Scope, now: int) -> Memory | None:
    named = rows.summary_id(engine, scope, now)
    if named is None:
        return None
    living = frozenset(State) - {State.SUPERSEDED}
    view = replace(rows.exact(scope, now), states=living, session=None)
    found = engine.store.get(view, [named])
    return found[0] if found else None

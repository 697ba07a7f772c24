"""Whether what stands is what the journal says, and whether a journal is the one that was seen."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from engraphy.engine import keeping
from engraphy.engine.parts import Engine
from engraphy.errors import InvalidInputError
from engraphy.model import FactFilter, LineFilter, Replayed, View

_BATCH = 2_000
_TRIES = 5
_EVERY = 100_000_000
_SEEN = re.compile(r"[0-9]{1,18}:[0-9a-f]{64}")
_HEAD = "what audit() told as its head: the number of a line, a colon, 64 hexadecimal digits"


def head(engine: Engine) -> str:
    """The tenant's last line and its hash, `LINE:HASH`; empty before the first line. Kept where
    nobody who can write the store can write, it tells later whether the store was set back."""
    lines = engine.store.past(engine.tenant, LineFilter(limit=1))
    return f"{lines[0].entry.seq}:{lines[0].entry.hash}" if lines else ""


def lost(engine: Engine, seen: str) -> int | None:
    """The number of the line that a head named, where the journal does not have it any more as it
    was; None where it does. Raises InvalidInputError for what is no head."""
    number, _, digest = seen.partition(":")
    if not _SEEN.fullmatch(seen):
        raise InvalidInputError(field="head", got=repr(seen)[:80], allowed=_HEAD)
    line = int(number)
    held = engine.store.past(engine.tenant, LineFilter(upto=line, limit=1))
    fits = held and (held[0].entry.seq, held[0].entry.hash) == (line, digest)
    return None if fits else line


def differing(engine: Engine, view: View) -> tuple[str, ...]:
    """The ids of memories and facts that do not stand as the journal says: changed, put in or taken
    out past it, they or a relation or a part of theirs. What is written meanwhile is waited out."""
    found: tuple[str, ...] = ()
    for _ in range(_TRIES):
        before = head(engine)
        found = tuple(sorted(set(_compared(engine, view, before))))
        if not found or head(engine) == before:
            break
    return found


def _compared(engine: Engine, view: View, last: str) -> Iterator[str]:
    held = next(engine.store.replayed(engine.tenant, [int(last.partition(":")[0] or 0)]))
    views = keeping.all_scopes(engine, view)
    every = FactFilter(current=False, limit=_EVERY)
    facts = {fact.id for one in views for fact in engine.store.facts(one, every)} | set(held.facts)
    rows = {row.id for one in views for row in engine.store.dump(one)} | set(held.memories)
    seen: set[Any] = set()
    ids, triples = iter(rows), iter(facts)
    while batch := list(islice(ids, _BATCH)):
        yield from _apart(held, engine.store.standing(engine.tenant, batch, []), batch, seen)
    while batch := list(islice(triples, _BATCH)):
        stands = engine.store.standing(engine.tenant, [], batch)
        yield from (one for one in batch if held.facts.get(one) != stands.facts.get(one))
    yield from (source for source, _, _ in held.relations.keys() - seen)


def _apart(held: Replayed, stands: Replayed, ids: list[str], seen: set[Any]) -> Iterator[str]:
    for name in ("memories", "episodes", "procedures"):
        told, found = getattr(held, name), getattr(stands, name)
        yield from (one for one in ids if told.get(one) != found.get(one))
    for key, relation in stands.relations.items():
        seen.add(key)
        if held.relations.get(key) != relation:
            yield relation.source_id

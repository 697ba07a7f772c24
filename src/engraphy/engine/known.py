"""What was known at a moment: of memories that were edited since, the text that stood then (D-14).

The indexes hold the texts of now. So for a reading as known at a moment the texts that stood then
are searched beside them, and take the place of the new ones wherever a memory is scored or shown.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from engraphy.engine.embedding import document_vectors
from engraphy.engine.parts import Engine
from engraphy.model import (
    Candidate,
    Memory,
    State,
    TextMatch,
    TextResult,
    VectorRow,
    Version,
    View,
)
from engraphy.read.measure import rarities
from engraphy.read.query import Asked
from engraphy.text.analyser import analyse
from engraphy.text.entities import entities
from engraphy.text.imprint import imprint
from engraphy.write.form import asked_as

_MOST = 1_000
_DAMPING = 1.2
"""BM25's k1; the few texts of another time have no common length to compare with."""


def as_known(engine: Engine, view: View, memories: Sequence[Memory]) -> list[Memory]:
    """The memories with the texts that stood at `view.known_at`; the same without it."""
    if view.known_at is None or not memories:
        return list(memories)
    ids = [memory.id for memory in memories]
    then = {one.memory_id: one for one in engine.store.retold_since(view, ids, len(ids))}
    return [
        _told_then(engine, view, memory, then[memory.id]) if memory.id in then else memory
        for memory in memories
    ]


def as_shown(view: View, memories: Sequence[Memory]) -> list[Memory]:
    """The memories, each as history where what was announced in its place has begun."""
    return [
        replace(one, state=State.SUPERSEDED)
        if one.state is State.ACTIVE and one.superseded_by and _ended(one, view.now)
        else one
        for one in memories
    ]


def _ended(memory: Memory, now: int) -> bool:
    return memory.valid_until is not None and memory.valid_until <= now


def _told_then(engine: Engine, view: View, memory: Memory, version: Version) -> Memory:
    earlier = engine.store.versions(view, memory.id)
    before = [one.replaced_at for one in earlier if one.version < version.version]
    told = replace(
        memory,
        content=version.content,
        title=version.title,
        version=version.version,
        entities=tuple(dict.fromkeys(one.uri for one in entities(version.content))),
        updated_at=max(before, default=memory.recorded_at),
    )
    return replace(told, context=asked_as(told))


def retold(engine: Engine, view: View) -> dict[str, Version]:
    """By id: the texts that stood at `view.known_at` of what was edited since."""
    if view.known_at is None:
        return {}
    return {one.memory_id: one for one in engine.store.retold_since(view, None, _MOST)}


def found_then(text: TextResult, asked: Asked, then: dict[str, Version]) -> TextResult:
    """What words find, by the texts of then where they were edited since."""
    if not then:
        return text
    rare = rarities(asked, text)
    now = [match for match in text.matches if match.id not in then]
    for version in then.values():
        tokens = analyse(f"{version.title} {version.content}")
        counts = [(t, tokens.count(t.term)) for t in asked.terms]
        shares = [t.weight * rare[t.surface] * n / (n + _DAMPING) for t, n in counts]
        if (bm25 := math.fsum(shares)) > 0.0:
            now.append(TextMatch(id=version.memory_id, bm25=bm25))
    return replace(text, matches=tuple(sorted(now, key=lambda match: -match.bm25)))


def candidates_then(
    engine: Engine,
    candidates: Sequence[Candidate],
    then: dict[str, Version],
    vector: Sequence[float] | None,
) -> list[Candidate]:
    """The candidates as their texts of then would be scored."""
    if not then:
        return list(candidates)
    edited = [one for one in candidates if one.id in then]
    vectors = document_vectors(engine, [then[one.id].content for one in edited])
    changed = {
        one.id: _scored_then(one, then[one.id], row, vector)
        for one, row in zip(edited, vectors, strict=True)
    }
    return [changed.get(one.id, one) for one in candidates]


def _scored_then(
    one: Candidate, version: Version, row: VectorRow | None, vector: Sequence[float] | None
) -> Candidate:
    text = version.content
    seen = imprint(text, analyse(f"{text} {one.speaker}"))
    near = [_cosine(part, vector) for part in row.parts] if row and vector else []
    return structs.replace(
        one,
        words=seen.codes,
        length=seen.tokens,
        content=seen.content,
        asks=seen.asks,
        timed=seen.timed,
        context="",
        tokens=row.tokens if row else b"",
        cosine=max(near, default=None),
    )


def _cosine(first: Sequence[float], second: Sequence[float]) -> float:
    length = math.hypot(*first) * math.hypot(*second)
    return math.fsum(map(math.prod, zip(first, second, strict=True))) / length if length else 0.0

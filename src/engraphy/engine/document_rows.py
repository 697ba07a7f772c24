"""The row that holds a document: what of it stands where, and back again."""

import json
from collections.abc import Sequence
from dataclasses import replace

from engraphy.engine.parts import Engine
from engraphy.model import (
    DataSource,
    Memory,
    ORIGIN_TRUST,
    Origin,
    State,
    SubTier,
    View,
)
from engraphy.model.documents import Document
from engraphy.write.ceiling import at_most
from engraphy.write.documents import data_of, mark, span

_HELD = 10.0
"""Storage strength from which no rule rewrites a text (D-09), at its top."""


def row_of(engine: Engine, view: View, on: str, one: Document, old: Document | None) -> Memory:
    """The row that holds a document, its text as it stands; `old`: what is held under its key."""
    now, before = view.now, None if old is None else old.memory
    lasting = one.ttl_days is None
    data = {} if one.data is None else {"data": json.dumps(one.data, ensure_ascii=False)}
    heading = {"heading": one.heading} if one.heading else {}
    body = f"{one.heading}\n{one.text}" if one.heading else one.text
    blank = {} if body.strip() else {"blank": body}
    pairs = {"key": one.key, **heading, **data, **blank}
    base = Memory(
        id=engine.new_id(now),
        scope=view.scope,
        content="",
        origin=Origin.AGENT,
        data_source=DataSource.ASSISTANT_MESSAGE,
        trust=ORIGIN_TRUST[Origin.AGENT],
        sub_tier=SubTier.OBSERVED,
        stability=engine.profile.weigh.initial_stability,
        storage_strength=_HELD,
        recorded_at=now,
    )
    base = at_most(base, engine.most) if before is None else before
    moment = now if before is None else max(now, before.updated_at + 1)
    return replace(
        base,
        tags=_tags(on, one, base.tags),
        content=one.key if blank else body,
        title=one.heading or one.key,
        metadata=tuple(sorted(pairs.items())),
        pinned=lasting,
        expires_at=None if one.ttl_days is None else now + span(one.ttl_days),
        state=_state(one, before),
        superseded_by=None,
        valid_until=max(moment, base.valid_from + 1) if one.past else None,
        valid_from=base.valid_from if one.past and before is not None else moment,
        updated_at=moment,
    )


def _state(one: Document, before: Memory | None) -> State:
    """What is held back stays so as history, too."""
    if not one.past:
        return State.ACTIVE
    held_back = before is not None and before.state is State.QUARANTINED
    return State.QUARANTINED if held_back else State.SUPERSEDED


def _tags(on: str, one: Document, held: Sequence[str]) -> tuple[str, ...]:
    """The addresses under which a document is found, and the tags that somebody else gave it."""
    others = (tag for tag in held if not tag.startswith((f"{on}:", f"{on}/")))
    own = (address(on, ""), address(on, one.key), *(labelled(on, name) for name in one.labels))
    return tuple(dict.fromkeys((*own, *others)))


def marked(row: Memory, key: str) -> Memory:
    """The row, its text ended by its key."""
    pairs = (*row.metadata, ("marked", "yes"))
    return replace(row, content=f"{row.content}{mark(key)}", metadata=tuple(sorted(pairs)))


def shown(memory: Memory) -> Document:
    """The document that a row holds."""
    pairs = dict(memory.metadata)
    key, heading = pairs.get("key", ""), pairs.get("heading", "")
    text = memory.content.removesuffix(mark(key)) if "marked" in pairs else memory.content
    text = text.removeprefix(f"{heading}\n") if heading else pairs.get("blank", text)
    return Document(key=key, text=text, data=data_of(pairs), heading=heading, memory=memory)


def address(on: str, key: str) -> str:
    """The tag of a document's key, or with none that of every document of a shelf."""
    return f"{on}:{key}"


def labelled(on: str, label: str) -> str:
    """The tag of a label of a shelf."""
    return f"{on}/{label}"

"""What is written of a merge: one memory that stands for others, or its new text."""

from dataclasses import replace

from engraphy.engine.embedding import document_vectors
from engraphy.engine.lasting import lasting
from engraphy.engine.parts import Engine
from engraphy.model import Change, Memory, Merge, PutProcedure, Update
from engraphy.write.form import embedded
from engraphy.write.synthesis import Synthesis, inheriting, synthesised


def merged(engine: Engine, one: Merge, now: int) -> list[Change]:
    """The changes of a merge, all for one transaction: the memory with an id and a vector, its
    links, and the retirement of its sources; or, where it `replaces` one, what that is to be."""
    if one.replaces is not None:
        return _retold(engine, one, one.replaces, now)
    memory = lasting(replace(one.memory, id=engine.new_id(now)), engine.profile.write)
    [vector] = document_vectors(engine, [embedded(memory)])
    made = Synthesis(
        memory=memory,
        sources=one.sources,
        vector=vector,
        keep_sources=one.keep_sources,
        reason=one.reason,
    )
    insert, *beside = synthesised(made, now)
    return [insert, *_stepped(one, memory), *beside]


def _retold(engine: Engine, one: Merge, held: Memory, now: int) -> list[Change]:
    """The memory as it is to be; an earlier text of it stays readable as a version."""
    made = Synthesis(
        memory=replace(one.memory, id=held.id),
        sources=one.sources,
        keep_sources=one.keep_sources,
        reason=one.reason,
    )
    new = inheriting(made.memory, made.sources)
    said = (new.content, new.title) != (held.content, held.title)
    memory = replace(
        new,
        updated_at=max(now, held.updated_at) if said else held.updated_at,
        version=held.version + int(said),
    )
    vector = document_vectors(engine, [embedded(memory)])[0] if said else None
    _, *beside = synthesised(made, now)
    return [
        Update(memory=memory, expected=held, vector=vector, reason=one.reason),
        *_stepped(one, memory),
        *beside,
    ]


def _stepped(one: Merge, memory: Memory) -> list[Change]:
    """The steps of a memory that is a workflow."""
    if one.procedure is None:
        return []
    part = replace(one.procedure, memory_id=memory.id)
    return [PutProcedure(procedure=part, reason=one.reason)]

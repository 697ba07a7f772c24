"""Looking after what is held: read one, change it, protect it, forget it, link it, list it."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engraphy.engine.embedding import document_vectors
from engraphy.engine.parts import Engine
from engraphy.errors import (
    ConfirmationRequiredError,
    ConflictError,
    InvalidInputError,
    NotFoundError,
    ProtectedError,
)
from engraphy.model import (
    DeleteFact,
    Fact,
    FactFilter,
    Forget,
    Forgotten,
    Listing,
    Memory,
    PutFact,
    PutRelation,
    Relation,
    RelationType,
    State,
    Touch,
    Update,
    View,
)
from engraphy.text.rewrite import title
from engraphy.text.secrets import redact
from engraphy.write.given import Given, laid_on
from engraphy.write.intake import admitted

_ATTEMPTS = 8
_PREVIEW = 80
_MOST_FORGOTTEN = 100
_ID_LENGTH = 26
_ID_ALPHABET = frozenset("0123456789ABCDEFGHJKMNPQRSTVWXYZ")


def everything(view: View) -> View:
    """The same caller, every state: for verbs that address a memory by its id."""
    return replace(view, states=frozenset(State))


def get(engine: Engine, id: str, view: View, *, touch: bool) -> Memory:
    """The memory `id` in any state. Raises NotFoundError where this caller may not see it."""
    memory = _one(engine, id, view)
    if touch and not engine.store.read_only and memory.state is State.ACTIVE:
        change = Touch(ids=(id,), revive=False, reason="get")
        engine.store.apply(view.scope.tenant, [change], now=view.now, actor=engine.actor)
        return _one(engine, id, view)
    return memory


def update(engine: Engine, id: str, view: View, content: str | None, wanted: Given) -> Memory:
    """Change a memory; an earlier text stays readable as a version. Raises ProtectedError."""
    text = None
    if content is not None:
        text, _ = redact(admitted(content, engine.profile.write.max_content_chars))

    def changed(memory: Memory) -> Memory:
        if memory.immutable:
            raise ProtectedError(id=id, why="immutable")
        if isinstance(wanted.origin, str) and wanted.origin != memory.origin:
            raise ProtectedError(id=id, why=f"its origin is {memory.origin.value} for good")
        new = laid_on(memory, wanted)
        if text is None or text == memory.content:
            return replace(new, updated_at=max(view.now, memory.updated_at))
        return replace(
            new,
            content=text,
            title=new.title if new.title != memory.title else title(text),
            version=memory.version + 1,
            updated_at=max(view.now, memory.updated_at),
        )

    return _changed(engine, id, view, changed, "update")


def pin(engine: Engine, id: str, view: View, pinned: bool) -> Memory:
    """Exempt a memory from every kind of forgetting, or lift that."""
    return _changed(engine, id, view, lambda m: replace(m, pinned=pinned), "pin")


def protect(engine: Engine, id: str, view: View, immutable: bool) -> Memory:
    """Keep a memory from being edited, merged or superseded by a heuristic, or lift that."""
    return _changed(engine, id, view, lambda m: replace(m, immutable=immutable), "protect")


def _changed(
    engine: Engine, id: str, view: View, change: Callable[[Memory], Memory], reason: str
) -> Memory:
    for _ in range(_ATTEMPTS):
        old = _one(engine, id, view)
        new = change(old)
        vector = None
        if new.content != old.content:
            [vector] = document_vectors(engine, [new.content])
        one = Update(memory=new, expected=old, vector=vector, reason=reason)
        try:
            engine.store.apply(view.scope.tenant, [one], now=view.now, actor=engine.actor)
        except ConflictError:
            continue
        return _one(engine, id, view)
    raise ConflictError(path=engine.store.path, id=id)


def forget_one(engine: Engine, id: str, view: View) -> Forgotten:
    """Erase one memory by its id: row, index, vector, versions, the texts behind the journal."""
    memory = _one(engine, id, view)
    _erase(engine, [memory], view, "forget")
    return Forgotten(ids=(id,), erased=1)


def is_id(text: str) -> bool:
    """Whether a text has the shape of an id (26 characters of Crockford's base 32)."""
    return len(text) == _ID_LENGTH and set(text) <= _ID_ALPHABET


def forget_matching(
    engine: Engine, memories: Sequence[Memory], view: View, confirm: str | bool | None
) -> Forgotten:
    """Erase what a query matched, but only with the token that the preview gave out.

    The token is bound to exactly these memories: if others match by now, it no longer fits and
    the new preview is raised as ConfirmationRequiredError. True confirms whatever matches now.
    """
    chosen = list(memories)[:_MOST_FORGOTTEN]
    ids = tuple(memory.id for memory in chosen)
    if not ids:
        return Forgotten(ids=(), erased=0)
    token = hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest()[:8]
    previews = tuple(memory.content[:_PREVIEW] for memory in chosen)
    if confirm is None or confirm is False:
        return Forgotten(ids=ids, erased=0, confirm=token, previews=previews)
    if confirm is not True and confirm != token:
        raise ConfirmationRequiredError(count=len(ids), token=token)
    _erase(engine, chosen, view, "forget by query")
    return Forgotten(ids=ids, erased=len(ids), previews=previews)


def _erase(engine: Engine, memories: Sequence[Memory], view: View, reason: str) -> None:
    for memory in memories:
        if memory.immutable:
            raise ProtectedError(id=memory.id, why="immutable")
    changes = [Forget(id=memory.id, reason=reason) for memory in memories]
    engine.store.apply(view.scope.tenant, changes, now=view.now, actor=engine.actor)


def link(
    engine: Engine, source: str, target: str, type: str, view: View, *, confidence: float
) -> Relation:
    """Relate two memories that this caller sees."""
    if type not in set(RelationType):
        allowed = ", ".join(RelationType)
        raise InvalidInputError(field="type", got=repr(type), allowed=allowed)
    if source == target:
        raise InvalidInputError(field="target", got="the source itself", allowed="another memory")
    if not 0.0 <= confidence <= 1.0:
        raise InvalidInputError(field="confidence", got=confidence, allowed="0 to 1")
    _one(engine, source, view)
    _one(engine, target, view)
    relation = Relation(
        source_id=source,
        target_id=target,
        type=RelationType(type),
        confidence=confidence,
        created_at=view.now,
    )
    change = PutRelation(relation=relation, reason="link")
    engine.store.apply(view.scope.tenant, [change], now=view.now, actor=engine.actor)
    return relation


def put_fact(engine: Engine, triple: Mapping[str, str], view: View, extra: Fact) -> Fact:
    """Write a triple; the same triple in the same scope updates its confidence (A-12)."""
    for name, value in triple.items():
        if not value.strip():
            raise InvalidInputError(field=name, got="empty", allowed="text")
    if extra.source_id is not None:
        _one(engine, extra.source_id, view)
    engine.store.apply(
        view.scope.tenant, [PutFact(fact=extra, reason="fact")], now=view.now, actor=engine.actor
    )
    wanted = FactFilter(**triple, current=False, limit=1_000)
    return next((f for f in engine.store.facts(view, wanted) if f.scope == extra.scope), extra)


def delete_fact(engine: Engine, id: str, view: View) -> None:
    """Delete a fact by its id. Raises NotFoundError."""
    wanted = FactFilter(id=id, current=False, limit=1)
    if not engine.store.facts(view, wanted):
        raise NotFoundError(id=id)
    change = DeleteFact(id=id, reason="delete_fact")
    engine.store.apply(view.scope.tenant, [change], now=view.now, actor=engine.actor)


def page(engine: Engine, view: View, listing: Listing) -> list[Memory]:
    """One page of memories; listing is not access (R-03)."""
    return engine.store.page(view, listing)


def _one(engine: Engine, id: str, view: View) -> Memory:
    if not isinstance(id, str):
        raise InvalidInputError(field="id", got=type(id).__name__, allowed="a memory's id")
    found = engine.store.get(everything(view), [id])
    if not found:
        raise NotFoundError(id=id)
    return found[0]

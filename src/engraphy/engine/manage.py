"""Looking after what is held: read one, change it, protect it, forget it, list it."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from msgspec import UNSET

from engraphy.engine.ceiling import permitted
from engraphy.engine.edit import erasure, retold, stricter, summaries
from engraphy.engine.embedding import document_vectors, forgetting
from engraphy.engine.forgotten import marks
from engraphy.engine.known import as_known, as_shown
from engraphy.engine.parts import Beside, Engine, nothing
from engraphy.engine.pending import sweep
from engraphy.engine.placing import sought
from engraphy.engine.reinforcing import reinforcement
from engraphy.engine.screening import taken_in
from engraphy.engine.standing import content_hash, own_view
from engraphy.errors import (
    ConfirmationRequiredError,
    ConflictError,
    InvalidInputError,
    NotFoundError,
    ProtectedError,
)
from engraphy.model import (
    Change,
    Draft,
    Forgotten,
    Listing,
    Memory,
    Sensitivity,
    State,
    Update,
    View,
)
from engraphy.text.entities import entities
from engraphy.text.rewrite import title
from engraphy.write.form import asked_as, embedded
from engraphy.write.found_only import found_only
from engraphy.write.given import ALLOWED, Given, laid_on, versioned
from engraphy.write.quarantine import quarantined
from engraphy.write.reminding import recued
from engraphy.write.weigh import reranked

_ATTEMPTS = 8
_PREVIEW = 80
_BATCH = 200
_OVER = frozenset({State.SUPERSEDED, State.EXPIRED})
MOST_FORGOTTEN = 100
_ID_LENGTH = 26
_ID_ALPHABET = frozenset("0123456789ABCDEFGHJKMNPQRSTVWXYZ")


def everything(view: View) -> View:
    """The same caller, every state but what has expired (A-07), what no longer holds included: for
    verbs that address a memory by its id."""
    return replace(view, states=frozenset(State) - {State.EXPIRED})


def whole(view: View) -> View:
    """The same caller, every state: for maintenance and the operator's copies."""
    return replace(view, states=frozenset(State))


def get(engine: Engine, id: str, view: View, *, touch: bool) -> Memory:
    """The memory `id` in any state, where the view has them in an expired one as well. Raises
    NotFoundError where this caller may not see it."""
    memory = _one(engine, id, whole(view) if State.EXPIRED in view.states else everything(view))
    lapsed = memory.expires_at is not None and memory.expires_at <= view.now
    changes = reinforcement(engine, [memory], view, "get") if touch and not lapsed else []
    if changes and not engine.store.read_only:
        engine.store.apply(view.scope.tenant, changes, now=view.now, actor=engine.actor)
        return _visible(engine, id, view)
    return memory


def update(
    engine: Engine,
    id: str,
    view: View,
    content: str | None,
    wanted: Given,
    *,
    beside: Beside = nothing,
) -> Memory:
    """Change a memory, and what stands beside it; an earlier text stays readable as a version.
    Raises ProtectedError."""
    text, wanted = None, permitted(engine, wanted)
    if content is not None:
        text = taken_in(engine, content)

    def changed(memory: Memory) -> Memory:
        _check_changeable(memory, wanted)
        # A time to live counts from the change that gives it.
        held = replace(memory, updated_at=max(view.now, memory.updated_at))
        new = recued(laid_on(held, wanted), wanted, engine.profile.form.remind)
        if text is not None and text != memory.content:
            new = _retold(memory, new, text, wanted)
        new = reranked(new, wanted, engine.profile.weigh)
        return versioned(memory, found_only(new, wanted, engine.profile.inject, memory))

    if text is None and wanted == Given():
        allowed = f"content, {', '.join(ALLOWED)}"
        raise InvalidInputError(field="update", got="neither a text nor a field", allowed=allowed)
    return _changed(engine, id, view, changed, "update", beside=beside)


def _check_changeable(memory: Memory, wanted: Given) -> None:
    if memory.immutable:
        raise ProtectedError(id=memory.id, why="immutable")
    if isinstance(wanted.origin, str) and wanted.origin != memory.origin:
        message = f"Memory {memory.id} comes from {memory.origin.value}; an origin never changes."
        raise ProtectedError(message, id=memory.id, why="its origin never changes")


def _retold(memory: Memory, new: Memory, text: str, wanted: Given) -> Memory:
    """The memory with another text, held back where a foreign one instructs; a title, entities and
    a context of the caller's own stay."""
    own_context = wanted.context is not UNSET or memory.context != asked_as(memory)
    own_title = wanted.title is not UNSET or memory.title != title(memory.content)
    found = tuple(dict.fromkeys(one.uri for one in entities(text)))
    told = replace(
        new,
        content=text,
        title=new.title if own_title else title(text),
        entities=new.entities if wanted.entities is not UNSET else found,
        context=new.context if own_context else asked_as(replace(new, content=text)),
    )
    return told if told.state in _OVER else quarantined(Draft(memory=told, explicit=True)).memory


def pin(engine: Engine, id: str, view: View, pinned: bool) -> Memory:
    """Exempt a memory from every kind of forgetting, its time to live included, or lift that."""
    return _changed(engine, id, view, lambda m: laid_on(m, Given(pinned=pinned)), "pin")


def protect(engine: Engine, id: str, view: View, immutable: bool) -> Memory:
    """Keep a memory from being edited, merged or superseded by a heuristic, or lift that."""
    return _changed(engine, id, view, lambda m: replace(m, immutable=immutable), "protect")


def _changed(
    engine: Engine,
    id: str,
    view: View,
    change: Callable[[Memory], Memory],
    reason: str,
    *,
    beside: Beside = nothing,
) -> Memory:
    for _ in range(_ATTEMPTS):
        old = _visible(engine, id, view)
        new = change(old)
        vector, following = None, list[Change]()
        if embedded(new) != embedded(old):
            [vector] = document_vectors(engine, [embedded(new)])
        if (new.content, new.sensitivity) != (old.content, old.sensitivity):
            _check_free(engine, new, view)
        if _said(new) != _said(old):
            following = retold(engine, old, new, view)
        following += stricter(engine, old, new, view)
        one = Update(memory=new, expected=old, vector=vector, reason=reason)
        changes = [one, *following, *beside(new)]
        try:
            engine.store.apply(view.scope.tenant, changes, now=view.now, actor=engine.actor)
        except ConflictError:
            continue
        # Who makes a memory private has seen it: the answer shows it as it stands now.
        return _visible(engine, id, replace(view, sensitivities=frozenset(Sensitivity)))
    raise ConflictError(path=engine.store.path, id=id)


def _said(memory: Memory) -> tuple[str, str, str]:
    """What the facts of a memory hang on: its words, who said them and how."""
    return memory.content, memory.speaker, memory.evidence


def _check_free(engine: Engine, new: Memory, view: View) -> None:
    if new.state is State.SUPERSEDED:
        return
    digest = content_hash(new.content)
    same = engine.store.find_hash(own_view(new, view.now), digest)
    if same is not None and same.id != new.id:
        seen = engine.store.get(everything(view), [same.id])
        holder = f"memory {same.id}" if seen else "another memory"
        allowed = f"a text that is not held yet; {holder} holds this one"
        raise InvalidInputError(field="content", got="a second copy", allowed=allowed)


def forget_one(engine: Engine, id: str, view: View) -> Forgotten:
    """Erase one memory by its id: row, index, vector, versions, the texts behind the journal; one
    whose time is over as well, or that was removed, which no read shows any more."""
    try:
        memory = _one(engine, id, whole(view))
    except NotFoundError:
        memory = _removed(engine, id, view)
    gone = _erase(engine, [memory], view, "forget")
    return Forgotten(ids=gone, erased=len(gone))


def forget_all(engine: Engine, view: View, listing: Listing) -> Forgotten:
    """Erase what a listing shows, all its pages, but what is immutable; of a scope as a whole what
    waits to come in as well."""
    batch = replace(sought(engine, view, listing), order="newest", limit=_BATCH, immutable=False)
    gone: list[str] = []
    while found := engine.store.page(view, batch):
        try:
            gone += _erase(engine, found, view, "forget all")
        except NotFoundError:
            # Another writer took one of them out meanwhile.
            continue
    unfiltered = listing == Listing(order=listing.order, limit=listing.limit)
    if unfiltered and view.states >= frozenset(State):
        sweep(engine, view)
    return Forgotten(ids=tuple(gone), erased=len(gone))


def _removed(engine: Engine, id: str, view: View) -> Memory:
    for one in engine.store.removed(view, [id]):
        return one
    raise NotFoundError(id=id)


def is_id(engine: Engine, text: str, view: View) -> bool:
    """Whether a text is an id: of the shape of ours (26 characters of Crockford's base 32), or one
    that an import brought along."""
    shaped = len(text) == _ID_LENGTH and set(text) <= _ID_ALPHABET
    held = shaped or engine.store.get(whole(view), [text])
    return bool(held or engine.store.removed(view, [text]))


def forget_matching(
    engine: Engine, memories: Sequence[Memory], view: View, confirm: str | bool | None
) -> Forgotten:
    """Erase what a query matched, but only with the token that the preview gave out.

    The token is bound to exactly these memories: if others match by now, it no longer fits and
    the new preview is raised as ConfirmationRequiredError (its details: token, ids, previews).
    True confirms whatever matches now.
    """
    chosen = list(memories)
    ids = tuple(memory.id for memory in chosen)
    if not ids:
        return Forgotten(ids=(), erased=0)
    token = hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest()[:8]
    previews = tuple(memory.content[:_PREVIEW] for memory in chosen)
    if confirm is None or confirm is False:
        return Forgotten(ids=ids, erased=0, confirm=token, previews=previews)
    if confirm is not True and confirm != token:
        raise ConfirmationRequiredError(count=len(ids), token=token, ids=ids, previews=previews)
    gone = _erase(engine, chosen, view, "forget by query")
    return Forgotten(ids=gone, erased=len(gone), previews=previews)


def _erase(engine: Engine, memories: Sequence[Memory], view: View, reason: str) -> tuple[str, ...]:
    """Erase memories and the summaries that tell them; returns the ids of all that went."""
    going = [*memories, *summaries(engine, memories, view)]
    for memory in going:
        if memory.immutable:
            raise ProtectedError(id=memory.id, why="immutable")
    changes = [*erasure(engine, going, view, reason), *marks(engine, memories, view.now)]
    engine.store.apply(view.scope.tenant, changes, now=view.now, actor=engine.actor)
    forgetting(engine)
    return tuple(memory.id for memory in going)


def page(engine: Engine, view: View, listing: Listing) -> list[Memory]:
    """One page of memories; listing is not access (R-03)."""
    rows = as_shown(view, engine.store.page(view, sought(engine, view, listing)))
    return as_known(engine, view, rows)


def count(engine: Engine, view: View, listing: Listing) -> int:
    """How many memories the pages of a listing hold."""
    return engine.store.count(view, sought(engine, view, listing))


def _visible(engine: Engine, id: str, view: View) -> Memory:
    return _one(engine, id, everything(view))


def _one(engine: Engine, id: str, view: View) -> Memory:
    if not isinstance(id, str):
        raise InvalidInputError(field="id", got=type(id).__name__, allowed="a memory's id")
    found = engine.store.get(view, [id])
    if not found:
        raise NotFoundError(id=id)
    return found[0]

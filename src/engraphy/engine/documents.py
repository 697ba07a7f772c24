"""Documents: texts that a host keeps under its own keys, each a memory that is found like any.

A document is no statement: it is never merged, superseded by rule, or taken for the word of the
user; nothing is read out of it, and maintenance lets it be. It is found by recall in its walls, and
by its key whatever state its memory is in. What was injected is stripped and secrets are redacted,
as everywhere (R-10, P-14).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Lock

from engraphy.engine.document_rows import address, labelled, marked, row_of, shown
from engraphy.engine.edit import erasure, summaries
from engraphy.engine.embedding import document_vectors, query_vector
from engraphy.engine.parts import Engine
from engraphy.engine.standing import content_hash, own_view, same_walls
from engraphy.errors import (
    ConflictError,
    NotFoundError,
    ProtectedError,
    StaleDocumentError,
)
from engraphy.model import (
    Change,
    Draft,
    Insert,
    Listing,
    Memory,
    Scope,
    Sensitivity,
    State,
    Update,
    VectorRow,
    View,
)
from engraphy.model.documents import Document
from engraphy.write.documents import (
    check_key,
    checked,
    overtaken,
    own,
    put_here,
)
from engraphy.write.form import embedded
from engraphy.write.quarantine import quarantined

_ONE_AT_A_TIME = Lock()
"""In one process no two writers make the same key at once."""
_ATTEMPTS = 8
_PAGE = 1_000


def put(
    engine: Engine, where: Scope, on: str, documents: Sequence[Document], most: int | None = None
) -> list[Document]:
    """Write documents, and take out those that are to be removed, in one transaction; of two with
    one key the last counts. `most`: characters of a text, the profile's where not given. Returns
    what was written. Raises ConflictError where another version than `expected` stands,
    ProtectedError for an immutable one, InvalidInputError."""
    limit = engine.profile.write.max_content_chars if most is None else most
    with _ONE_AT_A_TIME:
        return _put(engine, where, on, documents, limit)


def _put(
    engine: Engine, where: Scope, on: str, documents: Sequence[Document], limit: int
) -> list[Document]:
    wanted = list({one.key: checked(one, limit) for one in documents}.values())
    for _ in range(_ATTEMPTS):
        now = engine.clock()
        view = _whole(View(scope=where, now=now))
        stands = [list(_rows(engine, view, address(on, one.key))) for one in wanted]
        held = {one.key: one for rows in stands for one in _newest(rows)}
        going = _overwritten(stands, wanted, held)
        changes, written = _changes(engine, view, on, wanted, held)
        changes = [*_gone(engine, going, view), *changes]
        try:
            if changes:
                engine.store.apply(where.tenant, changes, now=now, actor=engine.actor)
        except (ConflictError, NotFoundError):
            continue
        return written
    raise ConflictError(path=engine.store.path, id=on)


def _changes(
    engine: Engine,
    view: View,
    on: str,
    wanted: Sequence[Document],
    held: Mapping[str, Document],
) -> tuple[list[Change], list[Document]]:
    for one in wanted:
        _check_free(engine, one, held.get(one.key), view)
    changes: list[Change] = []
    kept = [one for one in wanted if not one.removed]
    rows = [row_of(engine, view, on, one, held.get(one.key)) for one in kept]
    rows = _apart(engine, view, kept, rows)
    vectors = _vectors(engine, kept, rows, held)
    written = []
    for one, row, vector in zip(kept, rows, vectors, strict=True):
        old = held.get(one.key)
        if old is None or old.memory is None:
            changes.append(Insert(memory=row, vector=vector, reason="document"))
        else:
            changes.append(
                Update(memory=row, expected=old.memory, vector=vector, reason="document")
            )
        written.append(replace(one, memory=row))
    return changes, written


def _overwritten(
    stands: Sequence[Sequence[Memory]], wanted: Sequence[Document], held: Mapping[str, Document]
) -> list[Memory]:
    """The rows that go: those of what is removed, and those that another writer made at once."""
    removed = {one.key for one in wanted if one.removed}
    kept = {one.memory.id for key, one in held.items() if one.memory and key not in removed}
    return [row for rows in stands for row in rows if row.id not in kept]


def _gone(engine: Engine, going: Sequence[Memory], view: View) -> list[Change]:
    """The changes that erase rows, and what tells them."""
    told = [*going, *summaries(engine, going, view)] if going else []
    return erasure(engine, told, view, "document") if told else []


def _check_free(engine: Engine, one: Document, old: Document | None, view: View) -> None:
    memory = None if old is None else old.memory
    if overtaken(one, memory, view.now):
        raise StaleDocumentError(path=engine.store.path, id=one.key)
    if memory is not None and memory.immutable:
        raise ProtectedError(id=memory.id, why="immutable")


def _apart(
    engine: Engine, view: View, kept: Sequence[Document], rows: Sequence[Memory]
) -> list[Memory]:
    """The rows with texts that no other row of these walls holds (A-05): a document whose words
    stand elsewhere already ends with its key. What tries to instruct is held back."""
    made: list[Memory] = []
    taken: dict[str, str] = {}
    for one, new in zip(kept, rows, strict=True):
        if one.past:
            made.append(new)
            continue
        digest = content_hash(new.content)
        same = engine.store.find_hash(own_view(new, view.now), digest)
        holder = taken.get(digest, new.id if same is None else same.id)
        single = new if holder == new.id else marked(new, one.key)
        taken[content_hash(single.content)] = new.id
        made.append(quarantined(Draft(memory=single, explicit=True)).memory)
    return made


def _vectors(
    engine: Engine,
    kept: Sequence[Document],
    rows: list[Memory],
    held: Mapping[str, Document],
) -> Iterator[VectorRow | None]:
    """A vector for each new text; `rows` become the next versions of what stands."""
    new: dict[int, list[str]] = {}
    for place, (one, row) in enumerate(zip(kept, rows, strict=True)):
        old = held.get(one.key)
        before = None if old is None else old.memory
        if before is not None and (before.content, before.title) != (row.content, row.title):
            rows[place] = replace(row, version=before.version + 1)
        if one.embed and (one.parts or before is None or embedded(before) != embedded(row)):
            new[place] = [embedded(row), *map(own, one.parts)]
    flat = iter(document_vectors(engine, [text for texts in new.values() for text in texts]))
    made = {place: _joined([next(flat) for _ in texts]) for place, texts in new.items()}
    return iter([made.get(place) for place in range(len(rows))])


def _joined(vectors: Sequence[VectorRow | None]) -> VectorRow | None:
    """One row of what was embedded apart; its token codes are those of the whole."""
    whole, *parts = vectors
    if whole is None or not parts:
        return whole
    return replace(whole, parts=tuple(part for row in parts if row for part in row.parts))


def nearest(engine: Engine, view: View, on: str, query: str, limit: int) -> list[Document]:
    """The documents of exactly these walls that stand nearest to a question by meaning, with their
    cosines; none without an embedder."""
    vector = query_vector(engine, query)
    if vector is None or engine.embedder is None:
        return []
    seen = replace(view, states=frozenset(State) - {State.EXPIRED})
    near = engine.store.search_vector(seen, engine.embedder.model_id, vector, limit)
    rows = {row.id: row for row in engine.store.get(seen, [one.id for one in near])}
    scored = [(rows[one.id], one.cosine) for one in near if one.id in rows]
    tag = address(on, "")
    return [
        replace(shown(row), score=cosine)
        for row, cosine in scored
        if tag in row.tags and same_walls(row.scope, view.scope) and put_here(row)
    ]


def found(
    engine: Engine, view: View, on: str, keys: Sequence[str] | None, label: str | None = None
) -> list[Document]:
    """The documents of exactly these walls, under these keys in their order, or by their key those
    with this label, or all of them; what has expired is not among them."""
    seen = replace(view, states=frozenset(State) - {State.EXPIRED})
    if keys is not None:
        for key in keys:
            check_key(key)
        return _found(engine, seen, on, keys)
    tag = address(on, "") if label is None else labelled(on, label)
    return _newest(_rows(engine, seen, tag))


def _found(engine: Engine, view: View, on: str, keys: Sequence[str]) -> list[Document]:
    found = (_newest(_rows(engine, view, address(on, key))) for key in keys)
    return [one for some in found for one in some]


def _newest(rows: Iterable[Memory]) -> list[Document]:
    """One document for each key. Where two writers made the same one at once, neither knew of the
    other: the later counts, for every reader."""
    held = {one.key: one for one in map(shown, sorted(rows, key=lambda row: row.id))}
    return sorted(held.values(), key=lambda one: one.key)


def _rows(engine: Engine, view: View, tag: str) -> Iterator[Memory]:
    listing = Listing(tag=tag, order="id", limit=_PAGE)
    while page := engine.store.page(view, listing):
        own = [row for row in page if same_walls(row.scope, view.scope)]
        yield from (row for row in own if put_here(row))
        if len(page) < _PAGE:
            return
        listing = replace(listing, after=page[-1].id)


def _whole(view: View) -> View:
    return replace(view, states=frozenset(State), sensitivities=frozenset(Sensitivity))

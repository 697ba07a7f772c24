"""Notebooks: texts at paths, kept to the byte, each version of a page a document of its own.

So that what stands is found by recall, what was is history, and a version that is redacted is
forgotten as any memory is, with all its traces (P-16). Of each only data without a text stays.
"""

from collections.abc import Mapping
from threading import RLock

from msgspec.structs import replace

from engraphy.engine.documents import found, put
from engraphy.engine.manage import forget_one
from engraphy.engine.page_rows import (
    CURRENT,
    SHELF,
    Written,
    book_of,
    book_record,
    deleted,
    head,
    is_book,
    is_current,
    is_version,
    label_of,
    page_label,
    page_of,
    past,
    redaction,
    shelf_of,
    version_label,
    version_of,
)
from engraphy.engine.parts import Engine
from engraphy.engine.screening import screened
from engraphy.errors import (
    InvalidInputError,
    NotFoundError,
    PathTakenError,
    ProtectedError,
    StaleDocumentError,
)
from engraphy.model import View
from engraphy.model.documents import Document
from engraphy.model.notebooks import Notebook, Page, PageVersion
from engraphy.write import pages as rules
from engraphy.write.intake import Intake

_ONE_AT_A_TIME = RLock()
"""In one process nobody takes a path while somebody else looks whether it is free."""


def create(
    engine: Engine, view: View, name: str, description: str, metadata: Mapping[str, str]
) -> Notebook:
    """Make a notebook."""
    made = Notebook(
        id=engine.new_id(view.now),
        name=name,
        description=description,
        metadata=tuple(sorted(metadata.items())),
        created_at=view.now,
        updated_at=view.now,
    )
    put(engine, view.scope, SHELF, [book_record(made, None)])
    return made


def listed(engine: Engine, view: View) -> list[Notebook]:
    """Every notebook of exactly these walls, the newest first."""
    held = [book_of(one) for one in found(engine, view, SHELF, None) if is_book(one)]
    return sorted(held, key=lambda one: (one.created_at, one.id), reverse=True)


def one(engine: Engine, view: View, id: str) -> Notebook:
    """A notebook. Raises NotFoundError."""
    return book_of(_record(engine, view, id))


def changed(
    engine: Engine,
    view: View,
    id: str,
    called: tuple[str | None, str | None],
    metadata: Mapping[str, str | None],
) -> Notebook:
    """Change what a notebook is called (`called`: name, description); a pair that is None goes.
    Raises NotFoundError, ProtectedError where it is archived."""
    name, description = called
    with _ONE_AT_A_TIME:
        record = _record(engine, view, id)
        old = book_of(record)
        _check_open(old)
        pairs = {**dict(old.metadata), **metadata}
        kept = rules.pairs({key: value for key, value in pairs.items() if value is not None})
        new = replace(
            old,
            name=old.name if name is None else name,
            description=old.description if description is None else description,
            metadata=tuple(sorted(kept.items())),
        )
        if new == old:
            return old
        new = replace(new, updated_at=max(view.now, old.updated_at + 1))
        put(engine, view.scope, SHELF, [book_record(new, record)])
        return new


def archived(engine: Engine, view: View, id: str) -> Notebook:
    """Let nobody write into a notebook any more; twice is once. Raises NotFoundError."""
    with _ONE_AT_A_TIME:
        record = _record(engine, view, id)
        old = book_of(record)
        if old.archived_at is not None:
            return old
        at = max(view.now, old.updated_at + 1)
        new = replace(old, archived_at=at, updated_at=at)
        put(engine, view.scope, SHELF, [book_record(new, record)])
        return new


def removed(engine: Engine, view: View, id: str) -> None:
    """Erase a notebook with every version of every page. Raises NotFoundError."""
    with _ONE_AT_A_TIME:
        record = _record(engine, view, id)
        every = found(engine, view, shelf_of(id), None)
        put(engine, view.scope, shelf_of(id), [_gone(page) for page in every if page.key])
        for page in every:
            # One whose key somebody took away by its memory's id.
            if not page.key and page.memory is not None:
                forget_one(engine, page.memory.id, view)
        put(engine, view.scope, SHELF, [_gone(record)])


def written(engine: Engine, view: View, id: str, path: str, text: str) -> Page:
    """Put a new page at a path. Raises NotFoundError, ProtectedError, PathTakenError."""
    with _ONE_AT_A_TIME:
        _check_open(one(engine, view, id))
        _check_kept(engine, path=path, content=text)
        _check_free(engine, view, id, path)
        version = engine.new_id(view.now)
        page = engine.new_id(view.now)
        new = Written(page, version, "created", path, text, view.now, view.now, engine.actor)
        [made] = put(engine, view.scope, shelf_of(id), [head(new)], rules.MOST_BYTES)
        return page_of(id, made)


def rewritten(
    engine: Engine,
    view: View,
    id: str,
    page: str,
    change: tuple[str | None, str | None, str | None],
) -> Page:
    """Change a page's path, its text, or both (`change`: path, text, and the digest that the text
    has to have). Where nothing is changed nothing is written, whatever the digest. Raises
    NotFoundError, ProtectedError, PathTakenError, StaleDocumentError."""
    path, text, expected = change
    with _ONE_AT_A_TIME:
        _check_open(one(engine, view, id))
        stands = _standing(engine, view, id, page)
        old = page_of(id, stands)
        wanted = (old.path if path is None else path, old.text if text is None else text)
        if wanted == (old.path, old.text):
            return old
        _check_digest(engine, old, expected)
        _check_kept(engine, path=wanted[0], content=wanted[1])
        if wanted[0] != old.path:
            _check_free(engine, view, id, wanted[0], page)
        at = max(view.now, old.updated_at + 1)
        version = engine.new_id(view.now)
        new = Written(page, version, "modified", *wanted, at, old.created_at, engine.actor)
        both = [past(stands), head(new)]
        made = put(engine, view.scope, shelf_of(id), both, rules.MOST_BYTES)
        return page_of(id, made[-1])


def taken_out(engine: Engine, view: View, id: str, page: str, expected: str | None) -> Page:
    """Delete a page; its versions stay. Raises NotFoundError, StaleDocumentError."""
    with _ONE_AT_A_TIME:
        one(engine, view, id)
        stands = _standing(engine, view, id, page)
        old = page_of(id, stands)
        _check_digest(engine, old, expected)
        at = max(view.now, old.updated_at + 1)
        version = engine.new_id(view.now)
        end = Written(page, version, "deleted", old.path, "", at, old.created_at, engine.actor)
        put(engine, view.scope, shelf_of(id), [past(stands), deleted(end)], rules.MOST_BYTES)
        return old


def pages(engine: Engine, view: View, id: str, prefix: str) -> list[Page]:
    """The pages whose paths begin so, by path. Raises NotFoundError."""
    one(engine, view, id)
    label = CURRENT if prefix == "/" else label_of("in", prefix)
    held = (page_of(id, page) for page in _versions(engine, view, id, label))
    return sorted(held, key=lambda page: page.path)


def page(engine: Engine, view: View, id: str, page: str) -> Page:
    """A page by its id. Raises NotFoundError."""
    one(engine, view, id)
    return page_of(id, _standing(engine, view, id, page))


def versions(engine: Engine, view: View, id: str, page: str | None) -> list[PageVersion]:
    """Every version in a notebook, or of a page that is or was in it, the newest first. Raises
    NotFoundError for a notebook that is not known."""
    one(engine, view, id)
    held = _versions(engine, view, id, None if page is None else page_label(page))
    every = (version_of(id, document) for document in held)
    return sorted(every, key=lambda version: (version.at, version.id), reverse=True)


def version(engine: Engine, view: View, id: str, version: str) -> PageVersion:
    """One version. Raises NotFoundError."""
    one(engine, view, id)
    return version_of(id, _version(engine, view, id, version))


def redacted(engine: Engine, view: View, id: str, version: str) -> PageVersion:
    """Forget the text and the path of a version, for good; that it was, when and by whom stays.
    Raises NotFoundError, ProtectedError for the version that stands."""
    with _ONE_AT_A_TIME:
        one(engine, view, id)
        held = _version(engine, view, id, version)
        before = version_of(id, held)
        if before.redacted_at is not None:
            return before
        if is_current(held):
            message = "The version that stands cannot be redacted: write another first, or delete."
            raise ProtectedError(message, id=version, why="it stands")
        new = redaction(before, held, view.now, engine.actor)
        made = put(engine, view.scope, shelf_of(id), [_gone(held), new])
        return version_of(id, made[-1])


def _record(engine: Engine, view: View, id: str) -> Document:
    for record in found(engine, view, SHELF, [id]) if id else ():
        if is_book(record):
            return record
    raise NotFoundError(f"No notebook {id[:60]} is known here.", id=id)


def _versions(engine: Engine, view: View, id: str, label: str | None) -> list[Document]:
    held = found(engine, view, shelf_of(id), None, label)
    return [document for document in held if is_version(document)]


def _standing(engine: Engine, view: View, id: str, page: str) -> Document:
    for document in _versions(engine, view, id, page_label(page)):
        if is_current(document):
            return document
    raise NotFoundError(f"No page {page[:60]} stands in this notebook.", id=page)


def _version(engine: Engine, view: View, id: str, version: str) -> Document:
    for document in _versions(engine, view, id, version_label(version)):
        return document
    raise NotFoundError(f"No version {version[:60]} is known in this notebook.", id=version)


def _gone(document: Document) -> Document:
    return Document(key=document.key, removed=True)


def _check_open(book: Notebook) -> None:
    if book.archived_at is not None:
        message = "This notebook is archived: nothing is written into it any more."
        raise ProtectedError(message, id=book.id, why="archived")


def _check_kept(engine: Engine, **told: str) -> None:
    """What the profile takes out of texts would leave another text: it is refused."""
    for field, text in told.items():
        if screened(engine, Intake(text, ())).text != text:
            allowed = "a text without personal data, as the profile's `pii` has it"
            raise InvalidInputError(field=field, got="personal data", allowed=allowed)


def _check_digest(engine: Engine, page: Page, expected: str | None) -> None:
    if expected is not None and expected != page.digest:
        raise StaleDocumentError(path=engine.store.path, id=page.id)


def _check_free(engine: Engine, view: View, id: str, path: str, own: str = "") -> None:
    """No other page stands at a path, above it or below it: a page is no folder."""
    above = [folder.removesuffix("/") for folder in rules.folders(path)]
    labels = [label_of("at", place) for place in (path, *above)]
    for label in (*labels, label_of("in", f"{path}/")):
        for document in _versions(engine, view, id, label):
            other = page_of(id, document)
            if other.id != own:
                raise PathTakenError(path=path, id=other.id, taken=other.path)

"""The documents that notebooks are made of, and what they say."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from engraphy.model.documents import Document
from engraphy.model.notebooks import Deed, Notebook, Page, PageVersion
from engraphy.record import Record
from engraphy.write.pages import folders

SHELF = "notebooks+"
"""No host has a shelf with such a sign in its name."""
CURRENT = "current"
"""The label of every version that stands."""
_SHELF_OF = "notebook+"
_DIGITS = 32


class Written(Record, frozen=True):
    """A version that is to be written: of which page, its own id, what was done, path and text,
    when, since when there is the page, and by whom."""

    page: str
    version: str
    deed: Deed
    path: str
    text: str
    at: int
    created_at: int
    by: str


def shelf_of(id: str) -> str:
    """The shelf of a notebook's versions."""
    return f"{_SHELF_OF}{id}"


def label_of(kind: str, path: str) -> str:
    """A label for a path: it is looked for and not read, and its words are no words of the page."""
    return f"{kind}-{sha256(path.encode('utf-8')).hexdigest()[:_DIGITS]}"


def page_label(id: str) -> str:
    """The label of every version of a page."""
    return f"page-{id}"


def version_label(id: str) -> str:
    """The label of one version."""
    return f"version-{id}"


def is_book(document: Document) -> bool:
    """Whether a document says what a notebook has to: somebody may have changed it by its id."""
    told = _data(document)
    texts = all(isinstance(told.get(name), str) for name in ("name", "description"))
    times = all(isinstance(told.get(name), int) for name in ("created_at", "updated_at"))
    return texts and times and isinstance(told.get("metadata"), Mapping) and "archived_at" in told


def is_version(document: Document) -> bool:
    """Whether a document says what a version of a page has to."""
    told = _data(document)
    texts = all(isinstance(told.get(name), str) for name in ("page", "version", "deed"))
    texts = texts and isinstance(told.get("by"), str | list)
    times = all(isinstance(told.get(name), int) for name in ("at", "created_at"))
    return texts and times and {"path", "redacted_at", "redacted_by"} <= told.keys()


def book_record(book: Notebook, old: Document | None) -> Document:
    """The document of a notebook itself: history from the start, for it is no statement."""
    data = {
        "name": book.name,
        "description": book.description,
        "metadata": dict(book.metadata),
        "created_at": book.created_at,
        "updated_at": book.updated_at,
        "archived_at": book.archived_at,
    }
    expected = 0 if old is None else old.version
    return Document(
        key=book.id,
        data=data,
        embed=False,
        past=True,
        expected=expected,
        memory=None if old is None else old.memory,
    )


def book_of(record: Document) -> Notebook:
    """The notebook that a document is."""
    told = _data(record)
    return Notebook(
        id=record.key,
        name=told["name"],
        description=told["description"],
        metadata=tuple(sorted(told["metadata"].items())),
        created_at=told["created_at"],
        updated_at=told["updated_at"],
        archived_at=told["archived_at"],
    )


def head(new: Written) -> Document:
    """A version that stands: found by recall, by its path, and by those of the folders above."""
    within = (label_of("in", folder) for folder in folders(new.path))
    places = (CURRENT, label_of("at", new.path), *within)
    return Document(
        key=_key(new.page, new.version),
        text=new.text,
        heading=new.path,
        data=_told(new),
        labels=(*_named(new.page, new.version), *places),
        embed=bool(new.text.strip()),
        expected=0,
    )


def past(stands: Document) -> Document:
    """The same version once another has taken its place."""
    told = _data(stands)
    labels = _named(told["page"], told["version"])
    return replace(stands, labels=labels, past=True, expected=stands.version)


def deleted(new: Written) -> Document:
    """The version that ends a page."""
    return Document(
        key=_key(new.page, new.version),
        data=_told(new),
        labels=_named(new.page, new.version),
        embed=False,
        past=True,
        expected=0,
    )


def redaction(before: PageVersion, held: Document, now: int, by: str) -> Document:
    """What is left of a version that is redacted."""
    told = {**_data(held), "path": None, "redacted_at": now, "redacted_by": _parts(by)}
    return Document(
        key=f"{_key(before.page, before.id)}/redacted",
        data=told,
        labels=_named(before.page, before.id),
        embed=False,
        past=True,
        expected=0,
    )


def is_current(document: Document) -> bool:
    """Whether a version is the one that stands."""
    memory = document.memory
    return memory is not None and any(tag.endswith(f"/{CURRENT}") for tag in memory.tags)


def page_of(id: str, document: Document) -> Page:
    """The page of a notebook that a version that stands is."""
    told = _data(document)
    return Page(
        id=told["page"],
        notebook=id,
        path=told["path"],
        text=document.text,
        version=told["version"],
        created_at=told["created_at"],
        updated_at=told["at"],
    )


def version_of(id: str, document: Document) -> PageVersion:
    """The version that a document is."""
    told = _data(document)
    empty = told["deed"] == "deleted" or told["redacted_at"] is not None
    return PageVersion(
        id=told["version"],
        page=told["page"],
        notebook=id,
        deed=told["deed"],
        at=told["at"],
        by=_whole(told["by"]),
        path=told["path"],
        text=None if empty else document.text,
        redacted_at=told["redacted_at"],
        redacted_by=None if told["redacted_by"] is None else _whole(told["redacted_by"]),
    )


def _named(page: str, version: str) -> tuple[str, str]:
    return page_label(page), version_label(version)


def _key(page: str, version: str) -> str:
    return f"{page}/{version}"


def _told(new: Written) -> dict[str, Any]:
    return {
        "page": new.page,
        "version": new.version,
        "deed": new.deed,
        "path": new.path,
        "at": new.at,
        "created_at": new.created_at,
        "by": _parts(new.by),
        "redacted_at": None,
        "redacted_by": None,
    }


def _parts(by: str) -> list[str]:
    """Who it was as it is stored: `token:ID` in one piece is taken for a credential."""
    return by.split(":")


def _whole(told: str | list[str]) -> str:
    return told if isinstance(told, str) else ":".join(map(str, told))


def _data(document: Document) -> Mapping[str, Any]:
    found = document.data
    return found if isinstance(found, Mapping) else {}

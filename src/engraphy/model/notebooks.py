"""Notebooks: texts at paths, each with all its versions, as they were written to the byte."""

import hashlib
from typing import Literal

from engraphy.record import Record

Deed = Literal["created", "modified", "deleted"]


class Notebook(Record, frozen=True, kw_only=True):
    """A set of pages. `name` tells people what it is, `description` an agent; `metadata`: pairs of
    the host's own. Times are microseconds UTC; once `archived_at` it takes no page any more."""

    id: str
    name: str
    description: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    created_at: int
    updated_at: int
    archived_at: int | None = None


class Page(Record, frozen=True, kw_only=True):
    """A text at a path, such as `/notes/plan.md`; `version`: the id of the version that stands.
    The id stays when the path changes. Times are microseconds UTC."""

    id: str
    notebook: str
    path: str
    text: str
    version: str
    created_at: int
    updated_at: int

    @property
    def digest(self) -> str:
        """SHA-256 of its text's UTF-8 bytes, in hexadecimal."""
        return digest(self.text)


class PageVersion(Record, frozen=True, kw_only=True):
    """One change of a page, by `by` (who stands in the journal), at `at` (microseconds UTC).

    `text` and `path` as they were from then on; a page that was deleted has no text, one that was
    redacted neither.
    """

    id: str
    page: str
    notebook: str
    deed: Deed
    at: int
    by: str
    path: str | None = None
    text: str | None = None
    redacted_at: int | None = None
    redacted_by: str | None = None

    @property
    def digest(self) -> str | None:
        """SHA-256 of its text's UTF-8 bytes, in hexadecimal; None where there is none."""
        return None if self.text is None else digest(self.text)


def digest(text: str) -> str:
    """SHA-256 of a text's UTF-8 bytes, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()

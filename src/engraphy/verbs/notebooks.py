"""The verbs for notebooks: texts at paths with all their versions, as hosts of agents keep them."""

from collections.abc import Mapping
from typing import Unpack

from engraphy.engine import notebooks as books
from engraphy.engine import scoping
from engraphy.model import View
from engraphy.model.notebooks import Notebook, Page, PageVersion
from engraphy.verbs.base import Reading, Verbs
from engraphy.write import pages as rules


class Notebooks(Verbs):
    """What stands on a page is found by recall in its walls; what stood there is history. A text is
    kept to the byte: one with a credential or an injected block in it is refused (P-14, R-10)."""

    def create_notebook(
        self,
        name: str,
        *,
        description: str = "",
        metadata: Mapping[str, str] | None = None,
        **scope: Unpack[Reading],
    ) -> Notebook:
        """Make a notebook. Names need not differ. Raises InvalidInputError."""
        called = rules.named("name", name), rules.named("description", description)
        pairs = rules.pairs({} if metadata is None else metadata)
        return books.create(self._engine, self._place(scope), *called, pairs)

    def notebooks(self, **scope: Unpack[Reading]) -> list[Notebook]:
        """The notebooks of exactly this scope, archived ones too, the newest first."""
        return books.listed(self._engine, self._place(scope))

    def notebook(self, id: str, **scope: Unpack[Reading]) -> Notebook:
        """One notebook. Raises NotFoundError."""
        return books.one(self._engine, self._place(scope), scoping.text("id", id))

    def update_notebook(
        self,
        id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        metadata: Mapping[str, str | None] | None = None,
        **scope: Unpack[Reading],
    ) -> Notebook:
        """Change what a notebook is called; of `metadata` a pair that is None is taken out. Raises
        NotFoundError, ProtectedError where it is archived, InvalidInputError."""
        called = (
            None if name is None else rules.named("name", name),
            None if description is None else rules.named("description", description),
        )
        known = scoping.text("id", id)
        pairs = rules.pairs_change(metadata)
        return books.changed(self._engine, self._place(scope), known, called, pairs)

    def archive_notebook(self, id: str, **scope: Unpack[Reading]) -> Notebook:
        """Let nothing be written into a notebook any more, for good. Raises NotFoundError."""
        return books.archived(self._engine, self._place(scope), scoping.text("id", id))

    def delete_notebook(self, id: str, **scope: Unpack[Reading]) -> None:
        """Erase a notebook with its pages and all their versions. Raises NotFoundError."""
        books.removed(self._engine, self._place(scope), scoping.text("id", id))

    def create_page(self, notebook: str, path: str, content: str, **scope: Unpack[Reading]) -> Page:
        """Put a text at a path of a notebook, at most 102,400 bytes. Raises NotFoundError,
        PathTakenError (also where a page stands above it or below it), ProtectedError where the
        notebook is archived, InvalidInputError."""
        place, text = rules.path(path), rules.text(content)
        known = scoping.text("notebook", notebook)
        return books.written(self._engine, self._place(scope), known, place, text)

    def update_page(
        self,
        notebook: str,
        id: str,
        *,
        path: str | None = None,
        content: str | None = None,
        expected: str | None = None,
        **scope: Unpack[Reading],
    ) -> Page:
        """Change a page's path, its text, or both, in one version; its id stays. `expected`: the
        SHA-256 that its text has to have; where the page is as it is wanted already, nothing is
        written and nothing refused. Raises as `create_page` does, and StaleDocumentError."""
        place = None if path is None else rules.path(path)
        text = None if content is None else rules.text(content)
        change = (place, text, rules.digest(expected))
        known, page = scoping.text("notebook", notebook), scoping.text("id", id)
        return books.rewritten(self._engine, self._place(scope), known, page, change)

    def delete_page(
        self, notebook: str, id: str, *, expected: str | None = None, **scope: Unpack[Reading]
    ) -> Page:
        """Delete a page; its versions stay until they are redacted, or the notebook goes. Raises
        NotFoundError, StaleDocumentError."""
        known, page = scoping.text("notebook", notebook), scoping.text("id", id)
        digest = rules.digest(expected)
        return books.taken_out(self._engine, self._place(scope), known, page, digest)

    def pages(self, notebook: str, *, prefix: str = "/", **scope: Unpack[Reading]) -> list[Page]:
        """The pages of a notebook below `prefix` (which ends with a slash), by path. Looking is not
        access. Raises NotFoundError, InvalidInputError."""
        known, start = scoping.text("notebook", notebook), rules.prefix(prefix)
        return books.pages(self._engine, self._place(scope), known, start)

    def page(self, notebook: str, id: str, **scope: Unpack[Reading]) -> Page:
        """A page by its id. Raises NotFoundError."""
        known, page = scoping.text("notebook", notebook), scoping.text("id", id)
        return books.page(self._engine, self._place(scope), known, page)

    def page_versions(
        self, notebook: str, *, page: str | None = None, **scope: Unpack[Reading]
    ) -> list[PageVersion]:
        """The versions of every page of a notebook, or of one, deleted ones too, the newest first.
        Raises NotFoundError where there is no such notebook."""
        known = scoping.text("notebook", notebook)
        of = None if page is None else scoping.text("page", page)
        return books.versions(self._engine, self._place(scope), known, of)

    def page_version(self, notebook: str, id: str, **scope: Unpack[Reading]) -> PageVersion:
        """One version. Raises NotFoundError."""
        known, version = scoping.text("notebook", notebook), scoping.text("id", id)
        return books.version(self._engine, self._place(scope), known, version)

    def redact_page_version(self, notebook: str, id: str, **scope: Unpack[Reading]) -> PageVersion:
        """Forget the text and the path of a version, as `forget` does (P-16); that there was one,
        when and by whom stays. Raises NotFoundError, ProtectedError for the one that stands."""
        known, version = scoping.text("notebook", notebook), scoping.text("id", id)
        return books.redacted(self._engine, self._place(scope), known, version)

    def _place(self, scope: Reading) -> View:
        return self._view({**scope, "session": None})

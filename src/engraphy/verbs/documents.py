"""The verbs for what a host keeps under its own keys: files of an agent, items of a framework."""

from collections.abc import Iterable, Sequence
from typing import Unpack

from engraphy.engine import documents as papers
from engraphy.engine import scoping
from engraphy.errors import InvalidInputError, NotFoundError
from engraphy.model import Scope
from engraphy.model.documents import Document
from engraphy.verbs.base import Bound, Reading, Verbs
from engraphy.write.documents import shelf as named

_MOST = 10_000


class Documents(Verbs):
    """Texts and data under keys, which come back as they were put, and are memories like any."""

    def put_documents(
        self,
        shelf: str,
        documents: Iterable[Document],
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
    ) -> list[Document]:
        """Write documents under their keys, or take those out that are `removed`, in one
        transaction; a key that is held gets its next version. Returns what was written.

        `shelf` keeps the keys of one host apart from another's. A document is found by recall, and
        never merged, superseded or faded. Secrets and injected blocks are taken out of it. Raises
        ConflictError where not the `expected` version stands, ProtectedError, InvalidInputError.
        """
        scope = self._scope(user, agent, project, None)
        return papers.put(self._engine, scope, named(shelf), _listed(documents))

    def documents(
        self,
        shelf: str,
        keys: Sequence[str] | None = None,
        *,
        label: str | None = None,
        **scope: Unpack[Reading],
    ) -> list[Document]:
        """The documents of exactly this scope under `keys`, in their order, or by key those with
        this label, or all of the shelf; a key that is not held is left out. Reading is not
        access."""
        view = self._view({**scope, "session": None})
        wanted = None if keys is None else scoping.texts("keys", keys)
        under = None if label is None else scoping.text("label", label)
        return papers.found(self._engine, view, named(shelf), wanted, under)

    def nearest_documents(
        self, shelf: str, query: str, *, limit: int = 10, **scope: Unpack[Reading]
    ) -> list[Document]:
        """The documents of exactly this scope that stand nearest to `query` by meaning alone, each
        with its cosine as `score`, best first; `recall` weighs more than that. Not access."""
        view = self._view({**scope, "session": None})
        count = scoping.positive("limit", limit, _MOST)
        text = scoping.text("query", query)
        return papers.nearest(self._engine, view, named(shelf), text, count)

    def walls(self, **bound: Unpack[Bound]) -> list[Scope]:
        """Every set of walls in the tenant that holds something, of these walls where they are
        named: for its operator, and for who is bound to some walls and may name the others."""
        return self._engine.store.places(self.tenant, scoping.walls(self._bound(bound)))

    def where(self, id: str, **bound: Unpack[Bound]) -> Scope:
        """The walls behind which a memory stands, for who is told nothing but its id; what stands
        behind others than those named does not exist for who asks. Raises NotFoundError."""
        known, walls = scoping.text("id", id), scoping.walls(self._bound(bound))
        found = self._engine.store.scope_of(self.tenant, known)
        if found is None or not scoping.stands(found, walls):
            raise NotFoundError(id=known)
        return found


def _listed(documents: object) -> list[Document]:
    given = list(documents) if isinstance(documents, Iterable) else [documents]
    found = [one for one in given if isinstance(one, Document)]
    if len(found) != len(given):
        allowed = "documents (engraphy.model.documents.Document)"
        raise InvalidInputError(field="documents", got=repr(documents)[:60], allowed=allowed)
    return found

"""The routes of Anthropic's memory stores: stores, memories at paths, and their versions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from engraphy.compat.refusing import spoken
from engraphy.compat.stores import shapes
from engraphy.compat.stores.refusing import refused
from engraphy.compat.stores.shapes import MEMORY, STORE, VERSION
from engraphy.errors import InvalidInputError
from engraphy.memory import Memory
from engraphy.model.granting import TokenRole
from engraphy.model.notebooks import Notebook, PageVersion
from engraphy.serving.reading import body, only, queried
from engraphy.serving.route import calling, house

_PATH = "/v1/memory_stores"
_STORE = f"{_PATH}/{{memory_store_id}}"
_MEMORIES = f"{_STORE}/memories"
_VERSIONS = f"{_STORE}/memory_versions"
_WORKSPACE = "anthropic-workspace-id"
_ALWAYS = frozenset({"beta"})
_BOUNDS = ("created_at[gte]", "created_at[lte]", "created_at_gte", "created_at_lte")
_DEEDS = ("created", "modified", "deleted")
_VERSION_FILTERS = ("memory_id", "operation", "api_key_id", "session_id", "service_account_id")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: whose memory, behind which walls, and what it says in its path, query and body."""

    memory: Memory
    scope: Mapping[str, Any]
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def store(self) -> str:
        """The notebook's id. Raises NotFoundError."""
        return shapes.known(STORE, self.path["memory_store_id"])

    @property
    def page(self) -> str:
        """The page's id. Raises NotFoundError."""
        return shapes.known(MEMORY, self.path["memory_id"])

    @property
    def version(self) -> str:
        """The version's id. Raises NotFoundError."""
        return shapes.known(VERSION, self.path["memory_version_id"])


Answer = Callable[[Asked], Any]


def routes() -> list[BaseRoute]:
    """Every path of memory stores."""
    one, version = f"{_MEMORIES}/{{memory_id}}", f"{_VERSIONS}/{{memory_version_id}}"
    view = ("view",)
    return [
        _route(_PATH, _created, "POST", fields=("name", "description", "metadata")),
        _route(_PATH, _stores, query=("limit", "page", "include_archived", *_BOUNDS)),
        _route(_STORE, _store),
        _route(_STORE, _renamed, "POST", fields=("name", "description", "metadata")),
        _route(_STORE, _removed, "DELETE"),
        _route(f"{_STORE}/archive", _archived, "POST"),
        _route(_MEMORIES, _written, "POST", query=view, fields=("path", "content")),
        _route(_MEMORIES, _memories, query=("limit", "page", "view", "depth", "path_prefix")),
        _route(one, _memory, query=view),
        _route(one, _rewritten, "POST", query=view, fields=("path", "content", "precondition")),
        _route(one, _taken_out, "DELETE", query=("expected_content_sha256",)),
        _route(_VERSIONS, _versions, query=(*_VERSION_FILTERS, "limit", "page", "view", *_BOUNDS)),
        _route(version, _version, query=view),
        _route(f"{version}/redact", _redacted, "POST"),
    ]


def _route(
    path: str,
    answer: Answer,
    method: str = "GET",
    *,
    query: Iterable[str] = (),
    fields: Iterable[str] = (),
) -> BaseRoute:
    async def answered(request: Request) -> Response:
        asked = await _asked(request, query, fields)
        return JSONResponse(await house(request).work(partial(answer, asked)))

    answered.__name__ = answer.__name__
    role = TokenRole.READ if method == "GET" else TokenRole.WRITE
    return spoken(path, answered, refused, methods=[method], role=role)


async def _asked(request: Request, query: Iterable[str], fields: Iterable[str]) -> Asked:
    """A request, read. A workspace is a project: one that a caller may name. Raises
    InvalidInputError, ForbiddenError."""
    told = queried(request)
    only(told, (*query, *_ALWAYS))
    given: dict[str, Any] = {}
    if request.method == "POST":
        given = await body(request, most=house(request).options.most_bytes)
    only(given, fields)
    caller = calling(request)
    walls = caller.within({"project": request.headers.get(_WORKSPACE)})
    scope = {**walls, **caller.leave()}
    return Asked(caller.memory, scope, request.path_params, told, given)


def _created(asked: Asked) -> Any:
    more = {name: asked.body[name] for name in ("metadata",) if asked.body.get(name) is not None}
    described = asked.body.get("description")
    book = asked.memory.create_notebook(
        asked.body.get("name", ""),
        description="" if described is None else described,
        **more,
        **asked.scope,
    )
    return shapes.store(book)


def _stores(asked: Asked) -> Any:
    limit, whole = shapes.limit_of(asked.query), shapes.flag_of(asked.query, "include_archived")
    least, most = (shapes.moment_of(asked.query, bound) for bound in ("gte", "lte"))
    held = [
        book
        for book in asked.memory.notebooks(**asked.scope)
        if (whole or book.archived_at is None) and _between(book.created_at, least, most)
    ]
    return _page(held, asked, limit, _mark, shapes.store, falling=True)


def _store(asked: Asked) -> Any:
    return shapes.store(asked.memory.notebook(asked.store, **asked.scope))


def _renamed(asked: Asked) -> Any:
    book = asked.memory.update_notebook(asked.store, **asked.body, **asked.scope)
    return shapes.store(book)


def _removed(asked: Asked) -> Any:
    asked.memory.delete_notebook(asked.store, **asked.scope)
    return {"id": asked.path["memory_store_id"], "type": "memory_store_deleted"}


def _archived(asked: Asked) -> Any:
    return shapes.store(asked.memory.archive_notebook(asked.store, **asked.scope))


def _written(asked: Asked) -> Any:
    view = shapes.view_of(asked.query, "basic")
    path, content = asked.body.get("path", ""), asked.body.get("content")
    if "content" not in asked.body:
        raise InvalidInputError(field="content", got="nothing", allowed="a text; it may be empty")
    page = asked.memory.create_page(
        asked.store, path, "" if content is None else content, **asked.scope
    )
    return shapes.memory(page, view)


def _memories(asked: Asked) -> Any:
    view, depth = shapes.view_of(asked.query, "basic"), asked.query.get("depth", "0")
    if depth not in ("0", "1"):
        raise InvalidInputError(field="depth", got=repr(depth)[:60], allowed="0 or 1")
    limit, prefix = shapes.limit_of(asked.query, view), asked.query.get("path_prefix", "/")
    pages = asked.memory.pages(asked.store, prefix=prefix, **asked.scope)
    if depth == "0":
        shown = partial(shapes.memory, view=view)
        return _page(pages, asked, limit, lambda page: page.path, shown)
    level = shapes.level(pages, prefix, view)
    return _page(level, asked, limit, lambda one: str(one["path"]), lambda one: one)


def _memory(asked: Asked) -> Any:
    view = shapes.view_of(asked.query, "full")
    return shapes.memory(asked.memory.page(asked.store, asked.page, **asked.scope), view)


def _rewritten(asked: Asked) -> Any:
    view = shapes.view_of(asked.query, "basic")
    page = asked.memory.update_page(
        asked.store,
        asked.page,
        path=asked.body.get("path"),
        content=asked.body.get("content"),
        expected=_expected(asked.body.get("precondition")),
        **asked.scope,
    )
    return shapes.memory(page, view)


def _expected(precondition: Any) -> str | None:
    if precondition is None:
        return None
    kinds = ("content_sha256",)
    if not isinstance(precondition, Mapping) or precondition.get("type") not in kinds:
        allowed = 'an object of the type "content_sha256"'
        raise InvalidInputError(field="precondition", got=repr(precondition)[:60], allowed=allowed)
    only(precondition, ("type", "content_sha256"))
    told = precondition.get("content_sha256")
    if not isinstance(told, str):
        raise InvalidInputError(field="content_sha256", got=repr(told)[:60], allowed="a SHA-256")
    return told


def _taken_out(asked: Asked) -> Any:
    expected = asked.query.get("expected_content_sha256")
    asked.memory.delete_page(asked.store, asked.page, expected=expected, **asked.scope)
    return {"id": asked.path["memory_id"], "type": "memory_deleted"}


def _versions(asked: Asked) -> Any:
    view = shapes.view_of(asked.query, "basic")
    limit, memory_id = shapes.limit_of(asked.query, view), asked.query.get("memory_id")
    deed = asked.query.get("operation")
    if deed is not None and deed not in _DEEDS:
        raise InvalidInputError(field="operation", got=repr(deed)[:60], allowed=", ".join(_DEEDS))
    least, most = (shapes.moment_of(asked.query, bound) for bound in ("gte", "lte"))
    page = None if memory_id is None else memory_id.removeprefix(MEMORY)
    held = [
        one
        for one in asked.memory.page_versions(asked.store, page=page, **asked.scope)
        if deed in (None, one.deed) and _between(one.at, least, most) and _by(one, asked.query)
    ]
    shown = partial(shapes.version, view=view)
    return _page(held, asked, limit, _mark, shown, falling=True)


def _by(one: PageVersion, query: Mapping[str, str]) -> bool:
    """Whether a version is by whom is asked for; sessions and service accounts write none here."""
    if "session_id" in query or "service_account_id" in query:
        return False
    wanted = query.get("api_key_id")
    return wanted is None or shapes.actor(one.by).get("api_key_id") == wanted


def _version(asked: Asked) -> Any:
    view = shapes.view_of(asked.query, "full")
    held = asked.memory.page_version(asked.store, asked.version, **asked.scope)
    return shapes.version(held, view)


def _redacted(asked: Asked) -> Any:
    held = asked.memory.redact_page_version(asked.store, asked.version, **asked.scope)
    return shapes.version(held, "full")


def _page(
    held: list[Any],
    asked: Asked,
    limit: int,
    mark: Callable[[Any], str],
    shown: Callable[[Any], Any],
    *,
    falling: bool = False,
) -> Any:
    chosen, token = shapes.paged(held, asked.query, limit, mark, falling=falling)
    return {"data": [shown(one) for one in chosen], "next_page": token}


def _mark(one: Notebook | PageVersion) -> str:
    at = one.created_at if isinstance(one, Notebook) else one.at
    return f"{at:020d}/{one.id}"


def _between(at: int, least: int | None, most: int | None) -> bool:
    return (least is None or at >= least) and (most is None or at <= most)

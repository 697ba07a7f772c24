"""What can be read by address: counts, a memory, what happened, the last receipt."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, TYPE_CHECKING

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from engraphy.errors import EngraphyError, NotFoundError
from engraphy.mcp.late import Late

if TYPE_CHECKING:
    from engraphy.mcp.desk import Desk

_MOST = 50


class _Page(NamedTuple):
    name: str
    title: str
    help: str
    verb: str
    values: dict[str, Any]


_FIXED = {
    "memory://stats": _Page(
        "stats",
        "Counts",
        "How much is remembered: counts by kind and state, and the size of the store.",
        "stats",
        {},
    ),
    "memory://timeline": _Page(
        "timeline",
        "Timeline",
        "What happened last, newest first, with what was superseded since.",
        "timeline",
        {"limit": _MOST},
    ),
    "memory://receipts/last": _Page(
        "last_receipt",
        "Last receipt",
        "What was put into a prompt last, why, at what cost, and what was left out; of this "
        "session where it has a name.",
        "last_receipt",
        {},
    ),
}
_OF_ONE = {
    "memory://memories/{id}": _Page("memory", "One memory", "One memory by its id.", "get", {}),
    "memory://history/{subject}": _Page(
        "history",
        "History",
        "Everything that was told of one subject, oldest first, and what took whose place.",
        "timeline_of",
        {},
    ),
    "memory://kinds/{kind}": _Page(
        "kind", "Memories of a kind", "Those of one kind, newest first.", "list", {"limit": _MOST}
    ),
}
_OF_PROJECT = {
    "memory://projects/{project}": _Page(
        "project",
        "A project",
        "The memories of one project and those shared by all, newest first.",
        "list",
        {"limit": _MOST},
    )
}
_GRAPH = {
    "memory://knowledge-graph": _Page(
        "knowledge-graph",
        "Knowledge Graph",
        "The full knowledge graph with all entities and relations.",
        "graph",
        {},
    )
}


def add_resources(server: MCPServer[Any], late: Late, fixed: Sequence[str]) -> None:
    """The resources of a server; those of other projects only where it stands in none."""
    graph = _GRAPH if late.options.toolset == "reference" else {}
    for uri, page in {**graph, **_FIXED}.items():
        _add(server, uri, page, _whole(late, page))
    others = {} if "project" in fixed else _OF_PROJECT
    for uri, page in {**_OF_ONE, **others}.items():
        _add(server, uri, page, _READERS[uri.partition("{")[2][:-1]](late, page))


def _add(
    server: MCPServer[Any], uri: str, page: _Page, read: Callable[..., Awaitable[str]]
) -> None:
    server.resource(
        uri,
        name=page.name,
        title=page.title,
        description=page.help,
        mime_type="application/json",
    )(read)


def _whole(late: Late, page: _Page) -> Callable[[], Awaitable[str]]:
    async def read() -> str:
        return await _told(late, page, {})

    return read


def _by_id(late: Late, page: _Page) -> Callable[[str], Awaitable[str]]:
    async def read(id: str) -> str:
        return await _told(late, page, {"id": id})

    return read


def _by_subject(late: Late, page: _Page) -> Callable[[str], Awaitable[str]]:
    async def read(subject: str) -> str:
        return await _told(late, page, {"subject": subject})

    return read


def _by_kind(late: Late, page: _Page) -> Callable[[str], Awaitable[str]]:
    async def read(kind: str) -> str:
        return await _told(late, page, {"kind": kind})

    return read


def _by_project(late: Late, page: _Page) -> Callable[[str], Awaitable[str]]:
    async def read(project: str) -> str:
        return await _told(late, page, {"project": project})

    return read


_READERS: dict[str, Callable[[Late, _Page], Callable[[str], Awaitable[str]]]] = {
    "id": _by_id,
    "subject": _by_subject,
    "kind": _by_kind,
    "project": _by_project,
}
"""The SDK takes the names of an address from the names of its function's arguments."""


async def _told(late: Late, page: _Page, values: dict[str, str]) -> str:
    def question(desk: "Desk") -> Any:
        return desk.page(page.verb, {**page.values, **values})

    try:
        value = await late.work(question)
    except NotFoundError as error:
        raise ResourceNotFoundError(str(error)) from error
    except EngraphyError as error:
        raise ResourceError(str(error)) from error
    return json.dumps(value, ensure_ascii=False, indent=2)

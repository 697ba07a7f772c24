"""The routes of mem0's platform, as its clients of the generations 1 to 3 call them."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from engraphy.compat.mem0 import asking, entities, telling
from engraphy.compat.mem0.names import ENTITIES, meant
from engraphy.compat.mem0.showing import event, history, hit, row, wanted_fields
from engraphy.compat.refusing import UnsupportedError, spoken
from engraphy.errors import EngraphyError, InvalidInputError, NotFoundError
from engraphy.model import Job, Memory
from engraphy.model.granting import TokenRole
from engraphy.serving.caller import Caller
from engraphy.serving.problems import Problem
from engraphy.serving.reading import body, queried
from engraphy.serving.route import calling, house

Answer = Callable[[Caller, dict[str, Any]], Any]
"""What is answered to who calls with which values; those of the path are among them."""
_WRITE = TokenRole.WRITE
_IGNORED = frozenset({"org_id", "project_id", "version", "output_format", "api_version"})
_USUAL_PAGE = 100
_JUDGED = {"POSITIVE": True, "NEGATIVE": False, "VERY_NEGATIVE": False}


def routes() -> list[BaseRoute]:
    """Every path that a client of mem0's platform calls; what is not done here says so."""
    one, all_of = "/v1/memories/{memory_id}/", "/v1/memories/"
    return [
        told("/v1/ping/", _ping),
        told("/v3/memories/add/", _added, "POST", _WRITE),
        told("/v3/memories/search/", _found, "POST"),
        told("/v3/memories/", _listed, "POST"),
        told(all_of, _added_then, "POST", _WRITE),
        told(all_of, _listed_plain),
        told(all_of, _cleared, "DELETE", _WRITE),
        told("/v1/memories/search/", _found_plain, "POST"),
        told("/v2/memories/", _listed_plain, "POST"),
        told("/v2/memories/search/", _found_plain, "POST"),
        told(one, _single),
        told(one, _changed, "PUT", _WRITE),
        told(one, _removed, "DELETE", _WRITE),
        told(f"{one}history/", _history),
        told("/v1/batch/", _all_changed, "PUT", _WRITE),
        told("/v1/batch/", _all_removed, "DELETE", _WRITE),
        told("/v1/event/{event_id}/", _event),
        told("/v1/events/", _events),
        told("/v1/feedback/", _judged, "POST", _WRITE),
        *entities.routes(told),
        *_undone(),
    ]


def told(
    path: str, answer: Answer, method: str = "GET", role: TokenRole = TokenRole.READ
) -> BaseRoute:
    """A route that answers in mem0's form, from its body, its query and its path."""

    async def answered(request: Request) -> Response:
        given = queried(request)
        if method != "GET":
            given |= await body(request, most=house(request).options.most_bytes)
        given |= request.path_params
        caller = calling(request)
        return JSONResponse(await house(request).work(lambda: answer(caller, given)))

    answered.__name__ = getattr(answer, "__name__", "answered")
    return spoken(path, answered, refused, methods=[method], role=role)


def refused(problem: Problem, error: EngraphyError) -> Response:  # noqa: ARG001 - a dialect's shape
    """An error in mem0's form; its clients read either name."""
    told = {"error": problem.message, "detail": problem.message}
    return JSONResponse(told, problem.status)


def _ping(caller: Caller, given: Mapping[str, Any]) -> Any:  # noqa: ARG001 - the shape of `Answer`
    # A client of today does not start without both; what it then names means nothing here.
    told = {"org_id": "engraphy", "project_id": str(caller.memory.tenant), "user_email": None}
    return {"status": "ok", **told}


def _added(caller: Caller, given: Mapping[str, Any]) -> Any:
    if telling.is_inferred(given):
        return _pending(telling.queued(caller, given))
    return {"status": "SUCCEEDED", "results": telling.kept(caller, given)}


def _added_then(caller: Caller, given: Mapping[str, Any]) -> Any:
    """As older clients expect it: what came of it at once, unless they ask for later."""
    if telling.is_inferred(given) and given.get("async_mode") is True:
        return _pending(telling.queued(caller, given))
    return {"results": added(caller, given)}


def added(caller: Caller, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What came of messages, at once."""
    keep = telling.inferred if telling.is_inferred(given) else telling.kept
    return keep(caller, given)


def _pending(job: Job) -> Any:
    told = event(job, {})
    return {"event_id": told["id"], "status": "PENDING", "message": "It is extracted in a moment."}


def query_of(given: Mapping[str, Any]) -> str:
    """What is searched. Raises InvalidInputError."""
    query = given.get("query")
    if not isinstance(query, str) or not query.strip():
        raise InvalidInputError(field="query", got=repr(query)[:60], allowed="a text")
    return query


def search(caller: Caller, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What answers a query, best first."""
    only = wanted_fields(given)
    return [only(hit(one)) for one in asking.found(caller, query_of(given), given)]


def _found(caller: Caller, given: Mapping[str, Any]) -> Any:
    return {"results": search(caller, given)}


def _found_plain(caller: Caller, given: Mapping[str, Any]) -> Any:
    found = search(caller, given)
    return {"results": found} if given.get("output_format") == "v1.1" else found


def _listed(caller: Caller, given: Mapping[str, Any]) -> Any:
    page = asking.count(given, "page", 1, most=1_000_000)
    size = asking.count(given, "page_size", _USUAL_PAGE)
    only = wanted_fields(given)
    total, rows = asking.listed(caller, asking.wanted(given), (page - 1) * size, size)
    more = page * size < total
    return {
        "count": total,
        "next": f"/v3/memories/?page={page + 1}&page_size={size}" if more else None,
        "previous": f"/v3/memories/?page={page - 1}&page_size={size}" if page > 1 else None,
        "results": [only(row(one)) for one in rows],
    }


def _listed_plain(caller: Caller, given: Mapping[str, Any]) -> Any:
    paged = _listed(caller, {"page_size": asking.MOST, **given})
    if "page" in given or "page_size" in given:
        return paged
    found = paged["results"]
    return {"results": found} if given.get("output_format") == "v1.1" else found


def _cleared(caller: Caller, given: Mapping[str, Any]) -> Any:
    filters = _spelled(given["filters"]) if "filters" in given else {}
    named = {name: value for name, value in given.items() if name not in _IGNORED}
    for name in (*filters, *(named.keys() - {"filters"})):
        if name not in ENTITIES:
            allowed = ", ".join(ENTITIES)
            raise InvalidInputError(field="filters", got=repr(name)[:60], allowed=allowed)
    telling.cleared(caller, {**filters, **{k: v for k, v in named.items() if k != "filters"}})
    return {"message": "Memories deleted successfully!"}


def _spelled(filters: Any) -> dict[str, Any]:
    """A filter in a query string, into which the client writes it as Python shows it: nothing is
    guessed where a name holds a quote. Raises InvalidInputError."""
    text = filters if isinstance(filters, str) else json.dumps(filters)
    as_python = "'" in text and '"' not in text and "\\" not in text
    try:
        told = json.loads(text.replace("'", '"') if as_python else text)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not all(isinstance(one, str) for one in told.values()):
        allowed = f"plain names of {', '.join(ENTITIES)}, or these as arguments of their own"
        raise InvalidInputError(field="filters", got=text[:60], allowed=allowed)
    return told


def _single(caller: Caller, given: Mapping[str, Any]) -> Any:
    memory, _ = asking.single(caller, given["memory_id"], touch=True)
    return row(memory)


def _changed(caller: Caller, given: dict[str, Any]) -> Any:
    return telling.changed(caller, given.pop("memory_id"), given)


def _removed(caller: Caller, given: Mapping[str, Any]) -> Any:
    linked = str(given.get("delete_linked", "")).lower() in ("true", "1")
    telling.removed(caller, given["memory_id"], linked=linked)
    return {"message": "Memory deleted successfully!"}


def _history(caller: Caller, given: Mapping[str, Any]) -> Any:
    memory, here = asking.single(caller, given["memory_id"])
    return history(memory, caller.memory.history(memory.id, **here))


def _all_changed(caller: Caller, given: Mapping[str, Any]) -> Any:
    return {"message": f"Successfully updated {telling.all_changed(caller, given)} memories"}


def _all_removed(caller: Caller, given: Mapping[str, Any]) -> Any:
    return {"message": f"Successfully deleted {telling.all_removed(caller, given)} memories"}


def _event(caller: Caller, given: Mapping[str, Any]) -> Any:
    for known in meant(given["event_id"]):
        try:
            job = caller.memory.job(known, **caller.walls)
        except NotFoundError:
            continue
        return event(job, _held(caller, job))
    raise NotFoundError("No such event is known, or it is too long ago.", id=given["event_id"])


def _held(caller: Caller, job: Job) -> dict[str, Memory]:
    """What came of a job and is still there, as far as the caller may see it."""
    held = {}
    for _, made in job.results:
        try:
            held[made] = asking.single(caller, made)[0]
        except NotFoundError:
            continue
    return held


def _events(caller: Caller, given: Mapping[str, Any]) -> Any:
    page = asking.count(given, "page", 1, most=1_000_000)
    size = asking.count(given, "page_size", 50)
    jobs = caller.memory.queue(**caller.walls)[::-1]
    start = (page - 1) * size
    return {
        "count": len(jobs),
        "next": f"/v1/events/?page={page + 1}&page_size={size}"
        if start + size < len(jobs)
        else None,
        "previous": f"/v1/events/?page={page - 1}&page_size={size}" if page > 1 else None,
        "results": [event(one, _held(caller, one)) for one in jobs[start : start + size]],
    }


def _judged(caller: Caller, given: Mapping[str, Any]) -> Any:
    memory, here = asking.single(caller, str(given.get("memory_id", "")))
    feedback = given.get("feedback")
    if feedback is None:
        raise UnsupportedError(what="taking feedback back")
    if feedback not in _JUDGED:
        allowed = ", ".join(_JUDGED)
        raise InvalidInputError(field="feedback", got=repr(feedback)[:60], allowed=allowed)
    caller.memory.report(memory.id, _JUDGED[feedback], **here)
    return {"id": given["memory_id"], "feedback": feedback, "message": "Feedback recorded."}


def _undone() -> list[BaseRoute]:
    """What mem0's platform does and this server does not: it says so, in mem0's form."""
    here = "/v1/orgs/organizations/{rest:path}"
    paths = {
        "/v1/exports/": ("exports by a schema; see `engraphy export`", ("POST",)),
        "/v1/exports/get/": ("exports by a schema; see `engraphy export`", ("POST",)),
        "/v1/summary/": ("summaries of a filter", ("POST",)),
        "/v2/profiles/{rest:path}": ("profiles of users", ("GET", "POST")),
        "/v2/entities/{type}/{name}/profile/": ("profiles of users", ("GET",)),
        f"/api{here}": ("organisations and projects", ("GET", "POST", "PATCH", "PUT", "DELETE")),
        "/api/v1/webhooks/{rest:path}": ("webhooks", ("GET", "POST", "PUT", "DELETE")),
    }
    return [
        spoken(path, _unsupported(what), refused, methods=methods)
        for path, (what, methods) in paths.items()
    ]


def _unsupported(what: str) -> Callable[[Request], Any]:
    async def unsupported(request: Request) -> Response:  # noqa: ARG001 - starlette passes it
        raise UnsupportedError(what=what)

    return unsupported

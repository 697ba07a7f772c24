"""What is done with one memory from its page; each needs leave to write."""

from typing import Any
from urllib.parse import quote

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import does, shows
from engraphy.dashboard.one_memory import ADDRESS, everything, reach
from engraphy.dashboard.pages import gone_to, page
from engraphy.dashboard.visit import Visit
from engraphy.errors import ConflictError, InvalidInputError, NotFoundError
from engraphy.model import Memory as Row
from engraphy.model.granting import TokenRole
from engraphy.serving.problems import noted, problem

_MOST_TAGS = 256
_LISTS = ("tags", "concepts", "entities")


def routes() -> list[BaseRoute]:
    """A form for each, and what it is sent to."""
    return [
        does(ADDRESS + "/edit", _edited),
        does(ADDRESS + "/pin", _pinned),
        does(ADDRESS + "/protect", _protected),
        does(ADDRESS + "/restore", _restored),
        does(ADDRESS + "/sensitivity", _hidden),
        does(ADDRESS + "/link", _linked),
        shows(ADDRESS + "/forget", _asked, TokenRole.WRITE),
        does(ADDRESS + "/forget", _forgotten),
    ]


def _id(visit: Visit) -> str:
    return str(visit.request.path_params["id"])


def _address(visit: Visit) -> str:
    return f"/memories/{quote(_id(visit), safe='')}"


def _back(visit: Visit, message: str) -> Response:
    return gone_to(visit, _address(visit), message)


async def _edited(visit: Visit) -> Response:
    """What the form says in the place of what it was made of. Where that cannot be, as somebody was
    faster, what was written is shown again: it took its time."""
    try:
        return await _written(visit)
    except (ConflictError, InvalidInputError) as error:
        told = noted(visit.request, problem(error))
        kept = {"kept": visit.told("content"), "at": _address(visit)}
        return page(visit, "problem.html", told.status, problem=told, **kept)


async def _written(visit: Visit) -> Response:
    scope = await reach(visit, _id(visit))
    await _unchanged(visit)
    row = await visit.work(visit.memory.get, _id(visit), touch=False, **scope)
    text = visit.told("content")
    content = None if text.strip() == row.content.strip() else text
    changed = _changed(visit, row)
    if content is None and not changed:
        return _back(visit, "Nothing was changed.")
    await visit.work(visit.memory.update, _id(visit), content, **changed, **scope)
    return _back(visit, "Changed. The text before stays as a version.")


def _changed(visit: Visit, row: Row) -> dict[str, Any]:
    """The fields of the form that say something else than it was made with."""
    shown = {name: getattr(row, name) for name in ("title", "kind")}
    shown["importance"] = f"{row.importance:.2f}"
    shown |= {name: ", ".join(getattr(row, name)) for name in _LISTS}
    told = {name: visit.told(name).strip() for name in shown if name in visit.fields}
    given: dict[str, Any] = {name: text for name, text in told.items() if text != shown[name]}
    if "importance" in given:
        given["importance"] = _share(given["importance"])
        if given["importance"] == row.importance:
            del given["importance"]
    for name in _LISTS:
        if name in given:
            given[name] = [one.strip() for one in given[name].split(",") if one.strip()]
    return given


async def _unchanged(visit: Visit) -> None:
    """Raises ConflictError where somebody changed the memory since the form was made."""
    scope = await reach(visit, _id(visit))
    row = await visit.work(visit.memory.get, _id(visit), touch=False, **scope)
    if visit.told("version", str(row.version)) != str(row.version):
        raise ConflictError(id=row.id)


def _share(told: str) -> float:
    try:
        return float(told)
    except ValueError as error:
        allowed = "a number from 0 to 1"
        raise InvalidInputError(field="importance", got=told[:60], allowed=allowed) from error


async def _pinned(visit: Visit) -> Response:
    scope = await reach(visit, _id(visit))
    pinned = visit.told("on") == "1"
    await visit.work(visit.memory.pin, _id(visit), pinned=pinned, **scope)
    return _back(visit, "Pinned: nothing forgets it." if pinned else "No longer pinned.")


async def _protected(visit: Visit) -> Response:
    scope = await reach(visit, _id(visit))
    immutable = visit.told("on") == "1"
    await visit.work(visit.memory.protect, _id(visit), immutable=immutable, **scope)
    told = "Protected: nothing changes or forgets it." if immutable else "No longer protected."
    return _back(visit, told)


async def _restored(visit: Visit) -> Response:
    """Let an earlier text stand again; the present one becomes a version of its own."""
    scope = await reach(visit, _id(visit))
    wanted = visit.told("version")
    versions = await visit.work(visit.memory.history, _id(visit), **scope)
    chosen = next((one for one in versions if str(one.version) == wanted), None)
    if chosen is None:
        raise NotFoundError(id=f"version {wanted[:20]} of {_id(visit)}")
    title = {"title": chosen.title} if chosen.title else {}
    await visit.work(visit.memory.update, _id(visit), chosen.content, **title, **scope)
    return _back(visit, f"The text of version {chosen.version} stands again.")


async def _hidden(visit: Visit) -> Response:
    scope = await reach(visit, _id(visit))
    level = visit.told("sensitivity")
    await visit.work(visit.memory.update, _id(visit), sensitivity=level, **scope)
    return _back(visit, f"It is {level} now.")


async def _linked(visit: Visit) -> Response:
    scope = await reach(visit, _id(visit))
    other, kind = visit.told("target").strip(), visit.told("type", "related_to")
    await visit.work(visit.memory.link, _id(visit), other, kind, **scope)
    return _back(visit, "Linked.")


async def _asked(visit: Visit) -> Response:
    """What forgetting it would mean, before it is done."""
    scope = await reach(visit, _id(visit))
    told = await visit.work(everything, visit.memory, _id(visit), scope)
    return page(visit, "memory_forget.html", told=told, memory=told.memory)


async def _forgotten(visit: Visit) -> Response:
    """Forget it for good, and show the receipt."""
    scope = await reach(visit, _id(visit))
    receipt = await visit.work(visit.memory.delete, _id(visit), **scope)
    line = await visit.work(visit.memory.latest) if visit.governs else None
    return page(visit, "memory_forgotten.html", receipt=receipt, id=_id(visit), line=line)

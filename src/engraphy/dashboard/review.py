"""What is held back because it tries to instruct: let it in, edit it, or turn it away."""

from functools import partial

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import does, shows
from engraphy.dashboard.lately import soon
from engraphy.dashboard.pages import gone_to, page, part
from engraphy.dashboard.paging import asked, cut
from engraphy.dashboard.visit import Visit
from engraphy.model import State

_PAGE = 30
_PATIENCE = 20.0


def routes() -> list[BaseRoute]:
    """The queue, how long it is, and what is decided."""
    return [
        shows("/review", _queue),
        shows("/review/count", _count),
        does("/review/accept", _accepted),
        does("/review/reject", _rejected),
    ]


async def _queue(visit: Visit) -> Response:
    held = await visit.work(visit.memory.review, limit=asked(visit, _PAGE), **visit.scope)
    shown = cut(visit, "/review", held, _PAGE)
    waiting = await _waiting(visit) if shown.more else len(held)
    return page(visit, "review.html", shown=shown, waiting=waiting)


async def _count(visit: Visit) -> Response:
    return part(visit, "review_count.html", waiting=await _waiting(visit))


async def _waiting(visit: Visit) -> int:
    """How many wait: counted once after each change, as every page asks, and over a large store
    counting takes as long as a page."""
    verb = partial(visit.memory.stats, **visit.scope)
    mark = await visit.work(visit.memory.latest)
    found = await soon(visit, "stats", verb, mark=mark, seconds=_PATIENCE)
    return 0 if found is None else found.value.by_state.get(State.QUARANTINED.value, 0)


async def _accepted(visit: Visit) -> Response:
    """Let it in as it is, or with the text that was edited."""
    text, before = visit.told("content"), visit.told("before")
    edited = text.strip() if text.strip() and text != before else None
    await visit.work(visit.memory.accept, visit.told("id"), edited, **visit.scope)
    told = "Let in, with your text." if edited else "Let in as it is."
    return gone_to(visit, "/review", f"{told} It keeps its origin and its trust.")


async def _rejected(visit: Visit) -> Response:
    await visit.work(visit.memory.reject, visit.told("id"), **visit.scope)
    return gone_to(visit, "/review", "Turned away and erased.")

"""The list of memories, page by page, with filters."""

from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import shows
from engraphy.dashboard.pages import page
from engraphy.dashboard.showing import lapsed
from engraphy.dashboard.visit import Visit
from engraphy.memory import Memory
from engraphy.model import Kind, State
from engraphy.model import Memory as Row

_PAGE = 40
_LOOKED = 200
_ROUNDS = 5
"""Pages of the store that are looked through for rows of one state."""
ORDERS = ("newest", "oldest", "happened", "updated", "accessed", "importance", "utility")
KINDS = tuple(kind.value for kind in Kind)
STATES = tuple(state.value for state in State)
_USUAL = ("", State.ACTIVE.value, ORDERS[0])
"""What a listing does where nothing is chosen."""
_TEXTS = ("tag", "entity", "speaker", "category", "file")


def routes() -> list[BaseRoute]:
    """The list."""
    return [shows("/memories", _listed)]


async def _listed(visit: Visit) -> Response:
    chosen = {
        "kind": visit.chosen("kind", KINDS),
        "state": visit.chosen("state", STATES),
        "order": visit.chosen("order", ORDERS),
        "pinned": "1" if visit.query("pinned") else "",
        **{name: visit.query(name) for name in _TEXTS},
    }
    after = visit.query("after")
    found, last = await visit.work(_page, visit.memory, chosen, after, visit.scope)
    filters = {name: value for name, value in chosen.items() if value not in _USUAL}
    more = f"/memories?{urlencode({**filters, 'after': last})}" if last else ""
    first = f"/memories?{urlencode(filters)}" if after else ""
    return page(
        visit,
        "memories.html",
        found=found,
        chosen=chosen,
        filtered=bool(filters),
        more=more,
        first=first,
        kinds=KINDS,
        states=[one for one in STATES if one not in _USUAL],
        orders=ORDERS,
    )


def _page(
    memory: Memory, chosen: dict[str, str], after: str, scope: dict[str, Any]
) -> tuple[list[Row], str]:
    """One page, and the id that the next one goes on after ('' where this is the last one)."""
    filters: dict[str, Any] = {
        name: chosen[name] for name in ("kind", "order", *_TEXTS) if chosen[name]
    }
    if chosen["pinned"]:
        filters["pinned"] = True
    state = chosen["state"]
    if state in ("", State.ACTIVE.value):
        rows = memory.list(limit=_PAGE + 1, after=after or None, **filters, **scope)
        return rows[:_PAGE], rows[_PAGE - 1].id if len(rows) > _PAGE else ""
    return _of_state(memory, state, after, {**filters, **scope})


def _of_state(
    memory: Memory, state: str, after: str, filters: dict[str, Any]
) -> tuple[list[Row], str]:
    """A page of one state. A listing shows it beside what is active, so its pages are looked
    through; where many are, the next page goes on from there."""
    found: list[Row] = []
    for _ in range(_ROUNDS):
        rows = memory.list(include=(state,), limit=_LOOKED, after=after or None, **filters)
        for row in rows:
            after = row.id
            if lapsed(row) if state == State.EXPIRED.value else row.state.value == state:
                found.append(row)
            if len(found) == _PAGE:
                return found, after
        if len(rows) < _LOOKED:
            return found, ""
    return found, after

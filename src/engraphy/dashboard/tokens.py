"""Access tokens: who may come in, and as what. A token's text is shown once, when it is made."""

from typing import Any

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.browser import is_session, known_as
from engraphy.dashboard.doors import does, shows
from engraphy.dashboard.pages import gone_to, page
from engraphy.dashboard.paging import cut
from engraphy.dashboard.visit import Visit
from engraphy.errors import InvalidInputError
from engraphy.model import Origin, Sensitivity
from engraphy.model.granting import Grant, Granted, TokenRole
from engraphy.serving.caller import WALLS

_ROLES = [one.value for one in TokenRole]
_LEVELS = [one.value for one in Sensitivity]
_ORIGINS = [one.value for one in Origin if one is not Origin.FEDERATION]
_PAGE = 100


def routes() -> list[BaseRoute]:
    """The list; make one, end one."""
    return [
        shows("/tokens", _listed, TokenRole.ADMIN),
        does("/tokens/create", _created, TokenRole.ADMIN),
        does("/tokens/revoke", _revoked, TokenRole.ADMIN),
    ]


async def _listed(visit: Visit) -> Response:
    return await _shown(visit)


async def _shown(visit: Visit, made: Granted | None = None) -> Response:
    grants = reversed(await visit.work(visit.memory.grants))
    # Every sign-in makes one more: they would hide the tokens that somebody made.
    ordered = sorted(grants, key=is_session)
    shown = cut(visit, "/tokens", ordered, _PAGE)
    return page(
        visit,
        "tokens.html",
        rows=[
            (one, _status(one, visit.now), known_as(one) if is_session(one) else "")
            for one in shown.rows
        ],
        made=made,
        roles=_ROLES,
        levels=_LEVELS,
        origins=_ORIGINS,
        more=shown.more,
        first=shown.first,
    )


def _status(grant: Grant, now: int) -> str:
    if grant.revoked_at is not None:
        return "revoked"
    return "over" if grant.expires_at is not None and grant.expires_at <= now else "valid"


async def _created(visit: Visit) -> Response:
    """Make a token; this very answer is the only one that shows it."""
    given: dict[str, Any] = {wall: visit.told(wall).strip() or None for wall in WALLS}
    given |= {name: visit.told(name) for name in ("role", "origin", "clearance")}
    days = visit.told("days").strip()
    made = await visit.work(
        visit.memory.grant,
        visit.told("name").strip(),
        days=_days(days) if days else None,
        **given,
    )
    return await _shown(visit, made)


def _days(told: str) -> float:
    try:
        return float(told)
    except ValueError as error:
        raise InvalidInputError(field="days", got=repr(told)[:40], allowed="a number") from error


async def _revoked(visit: Visit) -> Response:
    ended = await visit.work(visit.memory.revoke, visit.told("id"))
    return gone_to(visit, "/tokens", f"The token {ended.name} is over.")

"""A template as an answer: what every page shares, and what a browser is told about it."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from engraphy.dashboard import charts, showing
from engraphy.dashboard.assets import address
from engraphy.dashboard.navigation import PLACES
from engraphy.dashboard.visible import flat, linked, memory_link, referred, visible
from engraphy.dashboard.visit import FLASH_COOKIE, THEME_COOKIE, Visit, packed, unpacked
from engraphy.providers.clock import now

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; "
    "base-uri 'none'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
THEMES = ("auto", "light", "dark")
Mood = Literal["good", "bad", "note"]
_MOODS = ("good", "bad", "note")
_MOST_FLASHES = 5
_LONGEST_FLASH = 400


def page(visit: Visit, template: str, status: int = 200, **values: Any) -> Response:
    """A template with its values as an answer. It extends `layout`: the whole page, or nothing
    around it where a part is asked for. Messages of the request before are shown, once."""
    flashes = [] if visit.part else _flashes(visit.request)
    shared = {
        "visit": visit,
        "caller": visit.caller,
        "places": [one for one in PLACES if visit.caller.may(one.role)],
        "layout": "part.html" if visit.part else "base.html",
        "flashes": flashes,
    }
    answer = bare(visit.request, template, status, **shared, **values)
    if flashes:
        answer.delete_cookie(FLASH_COOKIE, path="/", httponly=True, samesite="strict")
    return answer


def bare(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """A template for somebody who need not be known."""
    theme = request.cookies.get(THEME_COOKIE, "auto")
    shared = {
        "request": request,
        "path": request.url.path,
        "theme": theme if theme in THEMES else "auto",
        "now": now(),
        "zone": showing.zone(),
    }
    made = environment().get_template(template).render(**shared, **values)
    return HTMLResponse(made, status, headers=dict(HEADERS))


def part(visit: Visit, template: str, status: int = 200, **values: Any) -> Response:
    """A template that is a part of a page, whoever asks."""
    return bare(visit.request, template, status, visit=visit, caller=visit.caller, **values)


def gone_to(
    visit: Visit, path: str, message: str = "", mood: Mood = "good", *, more: Mapping[str, str] = {}
) -> Response:
    """Send the browser to one of our pages (303), with a message to be shown there. `more`:
    further cookies."""
    answer = RedirectResponse(path, 303, headers=dict(HEADERS))
    secure = visit.house.options.secure
    told = [[mood, message[:_LONGEST_FLASH]]] if message else []
    cookies = {**more, **({FLASH_COOKIE: packed(told)} if told else {})}
    for name, value in cookies.items():
        answer.set_cookie(name, value, path="/", httponly=True, samesite="strict", secure=secure)
    return answer


@cache
def environment() -> Environment:
    """The templates, every value escaped; a name that nobody gave is an error."""
    made = Environment(
        loader=PackageLoader("engraphy.dashboard"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(showing.FILTERS, visible=visible, linked=linked, flat=flat)
    made.filters.update(referred=referred, memory_link=memory_link)
    made.tests.update(titled=showing.titled, lapsed=showing.lapsed)
    made.globals.update(asset=address, charts=charts, themes=THEMES)
    return made


def _flashes(request: Request) -> list[tuple[str, str]]:
    held = unpacked(request.cookies.get(FLASH_COOKIE))
    if not isinstance(held, list):
        return []
    return [
        (one[0], one[1])
        for one in held[:_MOST_FLASHES]
        if isinstance(one, list) and len(one) == 2 and one[0] in _MOODS and isinstance(one[1], str)
    ]

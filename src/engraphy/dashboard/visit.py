"""One request for a page: who asks, behind which walls, and what was filled in."""

import hmac
import json
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar
from urllib.parse import quote, unquote

from msgspec import field
from starlette.requests import Request

from engraphy.dashboard.browser import known_as
from engraphy.dashboard.showing import stand_in
from engraphy.errors import ForbiddenError, InvalidInputError
from engraphy.memory import Memory
from engraphy.model.granting import TokenRole
from engraphy.providers.clock import now
from engraphy.record import Record
from engraphy.serving.caller import Caller, WALLS
from engraphy.serving.house import House
from engraphy.serving.route import Door, house, shown
from engraphy.text.clean import clean

DOORS: tuple[Door, ...] = ("cookie", "bearer")
WALLS_COOKIE = "engraphy_walls"
FLASH_COOKIE = "engraphy_flash"
THEME_COOKIE = "engraphy_theme"
ZONE_COOKIE = "engraphy_zone"
FORM_TOKEN = "form_token"
_LONGEST_NAME = 512
_PURPOSE = b"engraphy: forms of this session"
Told = TypeVar("Told")


class Visit(Record, frozen=True, kw_only=True):
    """A request whose caller is known. `named`: the walls that the caller chose to look behind,
    the token's own among them; `fields`: the form that was sent, {} for none."""

    request: Request
    house: House
    caller: Caller
    named: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def memory(self) -> Memory:
        """The memory as this caller may use it."""
        return self.caller.memory

    @property
    def walls(self) -> dict[str, Any]:
        """User, agent and project, for verbs that write."""
        return dict(self.named)

    @property
    def scope(self) -> dict[str, Any]:
        """The same with what the token's clearance lets it see, for verbs that read."""
        return {**self.named, **self.caller.leave()}

    @property
    def writes(self) -> bool:
        """Whether the caller may change memories."""
        return self.caller.may(TokenRole.WRITE)

    @property
    def governs(self) -> bool:
        """Whether the caller looks after the whole tenant."""
        return self.caller.may(TokenRole.ADMIN)

    @property
    def surveys(self) -> bool:
        """Whether the caller may know which walls are in use: an operator those of the tenant, who
        is bound to some walls those behind them."""
        return self.governs or bool(self.caller.walls)

    @property
    def who(self) -> str:
        """The name of the token that was shown."""
        return known_as(self.caller.grant)

    @property
    def now(self) -> int:
        """Microseconds UTC."""
        return now()

    @property
    def part(self) -> bool:
        """Whether only a part of a page is asked for, to be put into one that stands already."""
        return self.request.headers.get("hx-request") == "true"

    @property
    def form_token(self) -> str:
        """What a form of this session carries: nobody else's page can know it."""
        return form_token(self.request)

    async def work(self, verb: Callable[..., Told], *args: Any, **given: Any) -> Told:
        """What a verb gives, in a thread. People look at whole stores; agents go on beside it."""
        return await self.house.work(partial(verb, *args, **given), long=True)

    def query(self, name: str, default: str = "") -> str:
        """One value of the address, without white space around it."""
        return self.request.query_params.get(name, default).strip()

    def chosen(self, name: str, allowed: tuple[str, ...] | list[str]) -> str:
        """One value of the address where it is one of these, else ''."""
        value = self.query(name)
        return value if value in allowed else ""

    def number(self, name: str, default: int, most: int) -> int:
        """A whole number of the address, from 1 to `most`; the default where it is none."""
        told = self.query(name)
        if not told.isascii() or not told.isdecimal() or len(told) > 9:
            return default
        return max(1, min(int(told), most))

    def told(self, name: str, default: str = "") -> str:
        """One field of the form, with the line ends of a text as they are stored."""
        return self.fields.get(name, default).replace("\r\n", "\n")


def visiting(request: Request, caller: Caller, fields: Mapping[str, str]) -> Visit:
    """The visit of a known caller, whose browser's time zone moments are told in. Raises
    ForbiddenError for a wall that is not the token's."""
    stand_in(request.cookies.get(ZONE_COOKIE, ""))
    return Visit(
        request=request,
        house=house(request),
        caller=caller,
        named=_named(request, caller),
        fields=fields,
    )


def form_token(request: Request) -> str:
    """The form token of the session, worked out of the secret that the caller shows."""
    secret = shown(request, DOORS) or ""
    return hmac.new(secret.encode(), _PURPOSE, sha256).hexdigest()


async def filled(request: Request) -> dict[str, str]:
    """The fields of a form. Raises ForbiddenError where it is not one of this session's forms,
    InvalidInputError where it cannot be read."""
    fields = await read_form(request)
    given = fields.pop(FORM_TOKEN, "")
    if not hmac.compare_digest(given.encode(), form_token(request).encode()):
        problem = "the form is not of this session: load the page again, and send it once more"
        raise ForbiddenError(problem=problem)
    return fields


async def read_form(request: Request) -> dict[str, str]:
    """The text fields of a form, as they came. Raises InvalidInputError."""
    told = request.headers.get("content-type", "").partition(";")[0].strip()
    if told != "application/x-www-form-urlencoded":
        allowed = "application/x-www-form-urlencoded"
        raise InvalidInputError(field="content type", got=told[:60] or "none", allowed=allowed)
    length = request.headers.get("content-length", "")
    most = house(request).options.most_bytes
    if not length.isdecimal() or len(length) > 19 or int(length) > most:
        raise InvalidInputError(field="body", got="too long", allowed=f"at most {most:,} bytes")
    made = await request.form(max_files=0, max_fields=100)
    return {name: value for name, value in made.items() if isinstance(value, str)}


def packed(value: object) -> str:
    """A small value as a cookie holds it."""
    return quote(json.dumps(value, ensure_ascii=False), safe="")


def unpacked(told: str | None) -> object:
    """A value out of a cookie; None for what is none."""
    try:
        return json.loads(unquote(told or "", errors="strict"))
    except (ValueError, RecursionError):
        return None


def _named(request: Request, caller: Caller) -> dict[str, str]:
    """The walls in the address, where one stands there, else those that were picked before."""
    told = {wall: request.query_params.get(f"at_{wall}") for wall in WALLS}
    if any(told.values()):
        return caller.within({wall: name or None for wall, name in told.items()})
    held = unpacked(request.cookies.get(WALLS_COOKIE))
    if not isinstance(held, dict):
        return caller.within({})
    picked = {wall: held.get(wall) for wall in WALLS if wall not in caller.walls}
    return caller.within({wall: name for wall, name in picked.items() if _is_name(name)})


def _is_name(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name) <= _LONGEST_NAME and clean(name) == name

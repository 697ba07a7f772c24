"""The proxy's routes: `/proxy/UPSTREAM/...`, in front of what was configured (C-15, P-22)."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

import anyio
from starlette.requests import ClientDisconnect, Request
from starlette.routing import BaseRoute

from engraphy.errors import InvalidInputError
from engraphy.model.granting import TokenRole
from engraphy.proxy.answers import Answer
from engraphy.proxy.coding import UndoError, undone
from engraphy.proxy.dialects import dialect
from engraphy.proxy.reading import Dialect
from engraphy.proxy.relay import Relay
from engraphy.proxy.remembering import Followed, Turn, begun, given, learn, walls
from engraphy.proxy.upstreams import PREFIX, Place, forwarded, named, place, target
from engraphy.proxy.wire import Sent, Upload, Wire
from engraphy.serving.house import House
from engraphy.serving.route import calling, route

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_MOST_BYTES = 40_000_000
"""Of a request that is read; a larger one passes as it comes."""
PATIENCE = 2.0
"""Seconds that a request waits for its block; then it goes without."""
_KNOWN = 4_096
_PARTS = "part"


def routes(house: House) -> list[BaseRoute]:
    """One route for every upstream. Raises SettingsError for an address that is none."""
    door = Door(house)
    made = route(
        f"{PREFIX}{{upstream}}{{rest:path}}",
        door.answer,
        methods=METHODS,
        role=TokenRole.WRITE,
        doors=("bearer", "path"),
        name="proxy",
    )
    return [made]


class Door:
    """Passes requests on to upstreams, with memory."""

    def __init__(self, house: House, wire: Wire | None = None) -> None:
        self._house, self._wire = house, wire or Wire()
        found = house.options.upstreams.items()
        self._places: Mapping[str, Place] = {name: place(name, one) for name, one in found}
        self._refusing = _Few()
        self._learnt = _Few()
        self._following = _Few()
        self._open = False

    async def answer(self, request: Request) -> Any:
        """The upstream's answer. Raises NoUpstreamError, InvalidInputError, ForbiddenError."""
        self._begin()
        found, rest = named(request.scope["raw_path"], self._places)
        caller = calling(request)
        walls(caller, request.headers)
        spoken = dialect(request.method, rest)
        data = await _body(request)
        made = None
        if spoken is not None and isinstance(data, bytes):
            made = await self._turn(request, spoken, data, found)
        to = target(found, rest, request.scope.get("query_string", b""))
        send = partial(_sent, request, found, to, spoken)
        if made is None:
            return Relay(wire=self._wire, sent=send(data, plain=False))
        plainly = None if made.body is None else send(data, plain=False)
        return Relay(
            wire=self._wire,
            sent=send(data, plain=False) if made.body is None else send(made.body, plain=True),
            dialect="" if spoken is None else spoken.name,
            plainly=plainly,
            keeping=None if made.keep is None else _Keeping(self._house, made.keep),
            heard=partial(self._heard, made),
            refused=partial(self._refusing.add, (found.host, made.model)),
        )

    async def _turn(
        self, request: Request, spoken: Dialect, data: bytes, found: Place
    ) -> Turn | None:
        """The turn of a conversation that a request is, without a block where the memory does not
        give one in time; None where it is none."""
        encoding = request.headers.get("content-encoding", "")
        caller, headers = calling(request), request.headers

        def read() -> Turn | None:
            try:
                plain = undone(data, encoding, _MOST_BYTES) if encoding else data
            except UndoError:
                return None
            return begun(caller, spoken, plain, headers, self._following.get)

        held: list[Turn | None] = []

        def whole() -> Turn | None:
            turn = read()
            held.append(turn)
            if turn is None:
                return None
            form = _PARTS if (found.host, turn.model) in self._refusing else None
            return given(turn, form)

        # One thread for both: each way into a thread and back takes a quarter of a millisecond.
        with anyio.move_on_after(PATIENCE):
            return await self._house.work(whole)
        return held[0] if held else await self._house.work(read)

    def _heard(self, made: Turn, answer: Answer) -> None:
        """What was said goes to the memory beside everything else. A prompt is handed over once,
        however often its request is made."""
        known = (made.caller.grant.tenant, made.told, tuple(made.walls.items()), made.key)
        anew = known not in self._learnt
        self._learnt.add(known)
        if answer.id:
            followed = Followed(made.told, made.key, made.blocks)
            self._following.add(made.answered(answer.id), followed)
        self._house.later(self._learn(made, answer, anew))

    async def _learn(self, made: Turn, answer: Answer, anew: bool) -> None:
        await self._house.work(partial(learn, made, answer, anew=anew))

    def _begin(self) -> None:
        if not self._open:
            self._open = True
            self._house.later(self._until_end())

    async def _until_end(self) -> None:
        try:
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                await self._wire.close()


class _Keeping:
    """What keeps a block while the upstream thinks: whoever sees a byte of the answer, or asks
    again, finds what was injected kept, also where this process is killed after that byte."""

    def __init__(self, house: House, keep: Callable[[], None]) -> None:
        self._house, self._keep = house, keep
        self._begun, self._over = False, anyio.Event()

    def begin(self) -> None:
        """The request is out."""
        if not self._begun:
            self._begun = True
            self._house.later(self._run())

    async def over(self) -> None:
        """When it is kept, or the store takes longer than a request waits for it."""
        self.begin()
        with anyio.move_on_after(PATIENCE):
            await self._over.wait()

    async def _run(self) -> None:
        try:
            await self._house.work(self._keep)
        finally:
            self._over.set()


class _Few:
    """What is kept by a name, of which the oldest is forgotten."""

    def __init__(self) -> None:
        self._held: OrderedDict[Hashable, Followed | None] = OrderedDict()

    def add(self, one: Hashable, value: Followed | None = None) -> None:
        """Keep one."""
        self._held[one] = value
        while len(self._held) > _KNOWN:
            self._held.popitem(last=False)

    def get(self, one: Hashable) -> Followed | None:
        """What was kept with it."""
        return self._held.get(one)

    def __contains__(self, one: Hashable) -> bool:
        return one in self._held


async def _body(request: Request) -> bytes | Upload:
    """The body's bytes; or, of a large one, its beginning and the rest as it comes."""
    parts, size = [], 0
    told = request.headers.get("content-length", "0")
    if told.isdecimal() and int(told[:12]) > _MOST_BYTES:
        return Upload(b"", request.receive)
    try:
        async for part in request.stream():
            parts.append(part)
            size += len(part)
            if size > _MOST_BYTES:
                return Upload(b"".join(parts), request.receive)
    except ClientDisconnect as error:
        raise InvalidInputError(
            field="body", got="an end too early", allowed="all of it"
        ) from error
    return b"".join(parts)


def _sent(
    request: Request,
    found: Place,
    to: bytes,
    spoken: Dialect | None,
    body: bytes | Upload,
    *,
    plain: bool,
) -> Sent:
    name = "" if spoken is None else spoken.name
    headers = forwarded(request.headers.raw, found, dialect=name, plain=plain)
    told: Sequence[bytes] = [v for k, v in request.headers.raw if k.lower() == b"content-length"]
    if isinstance(body, Upload) and told:
        headers = [*headers, (b"content-length", told[0])]
    return Sent(method=request.method, place=found, target=to, headers=headers, body=body)

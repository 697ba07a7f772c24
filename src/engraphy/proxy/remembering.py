"""What the proxy asks of a memory: a block for a request, and to look at what was said.

Runs in worker threads. No rule of the memory stands here; and nothing that goes wrong with it
reaches the request: then it passes as the client sent it.
"""

import logging
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import NamedTuple

from msgspec.structs import replace

from engraphy.errors import EngraphyError
from engraphy.model.outcome import Placed
from engraphy.proxy.answers import Answer
from engraphy.proxy.dialects import edited, read
from engraphy.proxy.reading import Dialect, Form, Reading, conversation, is_beside
from engraphy.read.prompts import is_open, prompts
from engraphy.record import Record
from engraphy.serving.caller import Caller, WALLS
from engraphy.text.echo import own

_log = logging.getLogger("engraphy")
FAULTS = (EngraphyError, ArithmeticError, LookupError, OSError, RuntimeError, TypeError, ValueError)
"""What a broken memory may raise, ours or not: at this door none of it reaches the client."""
_HEADER = "x-engraphy-{name}"
_SWITCH = "x-engraphy-memory"
"""Says `read` (a block goes in, nothing is remembered) or `off`."""
_LONGEST_NAME = 128
_MOST_TEXT = 200_000


class Followed(NamedTuple):
    """A turn that a request may go on with by the name of its answer, where the provider keeps the
    conversation: what it is called, the prompt's key, the texts that stood in it."""

    told: str
    key: str
    blocks: tuple[str, ...]


Following = Callable[[Hashable], Followed | None]


class Turn(Record, frozen=True, kw_only=True):
    """A request of a conversation: whose it is, and what is to be remembered once it is answered.

    `named`: the session that the client asked for by a header of ours; `told`: what it calls its
    conversation. `said`: the prompt, where nobody has answered to it yet; `key` names it.
    `blocks`: the texts that were put into it, `body` the request with them. `goes_on`: it brings no
    prompt, and belongs to the turn that it names. `keep`: what keeps a new block and its receipt,
    and counts it as given, which the request need not wait for.
    """

    caller: Caller
    walls: Mapping[str, str]
    spoken: Dialect
    reading: Reading
    told: str
    named: str | None
    key: str
    said: str
    keeps: bool
    blocks: tuple[str, ...] = ()
    body: bytes | None = None
    goes_on: bool = False
    keep: Callable[[], None] | None = None

    def answered(self, id: str) -> Hashable:
        """Under what the turn is found that ended with this answer: by the same caller only."""
        return (self.caller.grant.id, tuple(sorted(self.walls.items())), id)

    @property
    def model(self) -> str:
        """The model that is asked."""
        return self.reading.model


def walls(caller: Caller, headers: Mapping[str, str]) -> dict[str, str]:
    """The walls of a request: the token's, and of the others what its headers name. Raises
    ForbiddenError."""
    return caller.within({wall: headers.get(_HEADER.format(name=wall)) for wall in WALLS})


def begun(
    caller: Caller,
    spoken: Dialect,
    data: bytes,
    headers: Mapping[str, str],
    following: Following,
) -> Turn | None:
    """The turn of a conversation that a request is, or goes on with; None for what is none. Asks
    no store. Raises ForbiddenError for walls that are not the caller's."""
    within = walls(caller, headers)
    reading = read(spoken, data)
    if reading is None or is_beside(reading, headers) or headers.get(_SWITCH) == "off":
        return None
    begins = Turn(
        caller=caller,
        walls=within,
        spoken=spoken,
        reading=reading,
        told=_name(conversation(reading, headers)) or "",
        named=headers.get(_HEADER.format(name="session")),
        key="",
        said="",
        keeps=headers.get(_SWITCH) != "read",
    )
    before = following(begins.answered(str(reading.body.get("previous_response_id"))))
    asked = list(prompts(reading.chat))
    if not asked:
        return None if before is None else _going_on(begins, before)
    last, usual = asked[-1], f"chat-{asked[0].key[:16]}"
    return replace(
        begins,
        told=begins.told or (usual if before is None else before.told),
        key=last.key,
        said=last.text if is_open(reading.chat, last.place) else "",
    )


def _going_on(begins: Turn, before: Followed) -> Turn:
    told = begins.told or before.told
    return replace(begins, told=told, key=before.key, blocks=before.blocks, goes_on=True)


def given(turn: Turn, form: Form | None) -> Turn:
    """The turn with blocks of memories in their places; without where the memory fails. `form`:
    how a block has to stand for this model, where that is known."""
    if turn.goes_on:
        again = [Placed(message=None, text=one, placement="system") for one in turn.blocks]
        return replace(turn, body=edited(turn.spoken, turn.reading, again, form))
    leave, memory = turn.caller.leave(), turn.caller.memory
    waits: list[Callable[[], object]] = []
    try:
        made = memory.inject(
            turn.reading.chat,
            later=waits.append,
            conversation=turn.told,
            replay=True,
            session=turn.named if memory.sessions_apart else None,
            user=turn.walls.get("user"),
            agent=turn.walls.get("agent"),
            project=turn.walls.get("project"),
            allow_private=leave["allow_private"],
            allow_secret=leave["allow_secret"],
        )
    except FAULTS as error:
        _log.warning("a request passes without memory: %s", type(error).__name__)
        return turn
    body = edited(turn.spoken, turn.reading, made.blocks, form)
    keep = partial(_kept, waits) if waits else None
    return replace(turn, blocks=tuple(one.text for one in made.blocks), body=body, keep=keep)


def _kept(waits: Sequence[Callable[[], object]]) -> None:
    try:
        for one in waits:
            one()
    except FAULTS as error:
        _log.warning("what was injected is not kept: %s", type(error).__name__)


def learn(turn: Turn, answer: Answer, *, anew: bool) -> None:
    """Hand over what was said in a turn: the prompt, where it is new (`anew`), and the answer's own
    words, without what it only repeats of the memory (R-10)."""
    if not turn.keeps:
        return
    messages = []
    if turn.said and anew:
        messages.append({"role": "user", "content": turn.said[:_MOST_TEXT]})
    if text := own(answer.text[:_MOST_TEXT], _lines(turn.blocks)):
        messages.append({"role": "assistant", "content": text})
    if not messages:
        return
    memory = turn.caller.memory
    try:
        memory.observe_later(
            messages,
            session=turn.named or (None if memory.sessions_apart else turn.told),
            user=turn.walls.get("user"),
            agent=turn.walls.get("agent"),
            project=turn.walls.get("project"),
        )
    except FAULTS as error:
        _log.warning("what was said is not remembered: %s", type(error).__name__)


def _lines(blocks: tuple[str, ...]) -> list[str]:
    return [line for block in blocks for line in block.split("\n")]


def _name(told: str | None) -> str | None:
    """A client's name for its conversation, or one made of it where it is no plain one."""
    if told is None or (len(told) <= _LONGEST_NAME and told.isascii() and told.isprintable()):
        return told or None
    return f"chat-{blake2b(told.encode('utf-8', 'surrogatepass'), digest_size=8).hexdigest()}"

"""What the proxy asks of a memory: a block for a request, and to look at what was said.

Runs in worker threads. No rule of the memory stands here; and nothing that goes wrong with it
reaches the request: then it passes as the client sent it.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from engraphy.errors import EngraphyError
from engraphy.memory import Memory
from engraphy.model.outcome import Placed
from engraphy.proxy.answers import Answer
from engraphy.proxy.dialects import edited, read
from engraphy.proxy.reading import Dialect, Form, Reading, conversation, is_beside
from engraphy.read.prompts import is_open, prompts
from engraphy.serving.caller import Caller, WALLS
from engraphy.text.echo import own

_log = logging.getLogger("engraphy")
_HEADER = "x-engraphy-{name}"
_SWITCH = "x-engraphy-memory"
"""Says `read` (a block goes in, nothing is remembered) or `off`."""
_LONGEST_NAME = 128
_MOST_TEXT = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A request of a conversation: what is to be remembered of it once it is answered.

    `said`: the prompt, where nobody has answered to it yet; `key` names it. `body`: the request
    with what was put into it; None where nothing was. `blocks`: the texts that it carries.
    """

    memory: Memory
    walls: Mapping[str, str]
    session: str | None
    key: str = ""
    said: str = ""
    blocks: tuple[str, ...] = ()
    body: bytes | None = None
    keeps: bool = True
    model: str = ""


def walls(caller: Caller, headers: Mapping[str, str]) -> dict[str, str]:
    """The walls of a request: the token's, and of the others what its headers name. Raises
    ForbiddenError."""
    return caller.within({wall: headers.get(_HEADER.format(name=wall)) for wall in WALLS})


def turn(
    caller: Caller,
    spoken: Dialect,
    data: bytes,
    headers: Mapping[str, str],
    form: Callable[[str], Form | None],
) -> Turn | None:
    """A request with a block of memories in its place. None for what is no part of a conversation,
    and where the memory fails. `form`: how a block has to stand for a model, where that is known.
    Raises ForbiddenError for walls that are not the caller's."""
    within = walls(caller, headers)
    reading = read(spoken, data)
    if reading is None or is_beside(reading, headers) or headers.get(_SWITCH) == "off":
        return None
    asked = list(prompts(reading.chat))
    if not asked:
        return None
    last = asked[-1]
    fresh = is_open(reading.chat, last.place)
    told = _name(conversation(reading, headers)) or f"chat-{asked[0].key[:16]}"
    named = headers.get(_HEADER.format(name="session"))
    memory = caller.memory
    blocks = _blocks(caller, reading, within, told, named)
    return Turn(
        memory=memory,
        walls=within,
        session=named or (None if memory.sessions_apart else told),
        key=last.key,
        said=last.text if fresh else "",
        blocks=tuple(one.text for one in blocks),
        body=edited(spoken, reading, blocks, form(reading.model)),
        keeps=headers.get(_SWITCH) != "read",
        model=reading.model,
    )


def _blocks(
    caller: Caller,
    reading: Reading,
    within: Mapping[str, str],
    told: str,
    named: str | None,
) -> tuple[Placed, ...]:
    leave = caller.leave()
    try:
        made = caller.memory.inject(
            reading.chat,
            conversation=told,
            replay=True,
            session=named,
            user=within.get("user"),
            agent=within.get("agent"),
            project=within.get("project"),
            allow_private=leave["allow_private"],
            allow_secret=leave["allow_secret"],
        )
    except EngraphyError as error:
        _log.warning("a request passes without memory: %s", type(error).__name__)
        return ()
    return made.blocks


def learn(turn: Turn, answer: Answer, *, anew: bool) -> None:
    """Hand over what was said in a turn: the prompt, where it is new (`anew`), and the answer's own
    words, without what it only repeats of the memory (R-10)."""
    messages = []
    if turn.said and anew:
        messages.append({"role": "user", "content": turn.said[:_MOST_TEXT]})
    if text := own(answer.text[:_MOST_TEXT], _lines(turn.blocks)):
        messages.append({"role": "assistant", "content": text})
    if not (messages and turn.keeps):
        return
    try:
        turn.memory.observe_later(
            messages,
            session=turn.session,
            user=turn.walls.get("user"),
            agent=turn.walls.get("agent"),
            project=turn.walls.get("project"),
        )
    except EngraphyError as error:
        _log.warning("what was said is not remembered: %s", type(error).__name__)


def _lines(blocks: tuple[str, ...]) -> list[str]:
    return [line for block in blocks for line in block.split("\n")]


def _name(told: str | None) -> str | None:
    """A client's name for its conversation, or one made of it where it is no plain one."""
    if told is None or (len(told) <= _LONGEST_NAME and told.isascii() and told.isprintable()):
        return told or None
    return f"chat-{blake2b(told.encode('utf-8', 'surrogatepass'), digest_size=8).hexdigest()}"

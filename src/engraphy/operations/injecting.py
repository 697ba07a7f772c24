"""The operations that bring memories into a prompt, and tell what was brought."""

import json
from typing import Any

from engraphy.errors import InvalidInputError
from engraphy.memory import Memory
from engraphy.model import Injection
from engraphy.operations.shape import (
    Argument,
    BUDGET,
    LIMIT,
    MISSING,
    Operation,
    READ,
    Values,
    call,
    given,
    positional,
)
from engraphy.verbs.injecting import FORMATS

_PROMPT = positional("prompt", "the prompt")
_RECENT = Argument(
    name="recent", type="texts", help="one of the last messages, the oldest first; may be repeated"
)
_CONVERSATION = Argument(
    name="conversation",
    help="the session it goes into; what its last turns were given is not given again",
)
_FORMAT = Argument(name="format", help="the block's format and place", choices=FORMATS)
_REPLAY = Argument(
    name="replay",
    type="flag",
    help="put the blocks of earlier prompts back, where the client did not keep them",
)


def _inject(memory: Memory, values: Values) -> Injection:
    told = values["messages"]
    if isinstance(told, str):
        try:
            told = json.loads(told)
        except ValueError as error:
            allowed = "a JSON list of messages"
            raise InvalidInputError(
                field="messages", got=repr(told)[:60], allowed=allowed
            ) from error
    more: dict[str, Any] = given(values, "messages")
    return memory.inject(told, **more)


INJECTING: tuple[Operation, ...] = (
    Operation(
        name="context",
        help="Make a block of memories for a prompt, within a token budget.",
        arguments=(_PROMPT, BUDGET, _FORMAT, _RECENT, _CONVERSATION, *READ),
        run=call("context", "prompt"),
        reads=True,
    ),
    Operation(
        name="inject",
        help="Put a block of memories into the messages of a chat.",
        arguments=(
            positional("messages", "the chat, as a JSON list of messages with role and content"),
            BUDGET,
            _FORMAT,
            _CONVERSATION,
            _REPLAY,
            *READ,
        ),
        run=_inject,
        reads=True,
    ),
    Operation(
        name="receipts",
        help="List what went into prompts, why, at what cost, and what was left out; newest first.",
        arguments=(LIMIT, *READ),
        run=call("receipts"),
        reads=True,
    ),
    Operation(
        name="explain_context",
        help="Show how a block comes about, and which stage dropped a memory. It counts as no use.",
        arguments=(_PROMPT, MISSING, BUDGET, _RECENT, _CONVERSATION, *READ),
        run=call("explain_context", "prompt"),
        reads=True,
    ),
)

"""Lines of a client over stdin: each that is a message is handed on, each other one is answered.

The SDK says nothing to a line that it cannot read as a message, and whoever sent it waits for ever.
"""

import json
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any, BinaryIO

import anyio.to_thread
from anyio.abc import ObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    ErrorData,
    INVALID_REQUEST,
    JSONRPCError,
    JSONRPCNotification,
    PARSE_ERROR,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

_ESCAPE = re.compile(
    r"\\(?:(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]|u[dD][89a-fA-F])[0-9a-fA-F]{2}|.)"
)
"""An escape of JSON; both halves of a character are one."""
_HALF = len(r"\uD83D")
_UNKNOWN = r"\ufffd"
_ID = re.compile(r'"id"\s{0,9}:\s{0,9}(-?[0-9]{1,40}|"[^"\\]{0,200}")\s{0,9}[,}\]]')
_MESSAGE = 'one JSON object a line, with "jsonrpc": "2.0", a method and an id of text or integer'
_REPLY = frozenset({"result", "error"})
_UNREAD: frozenset[str] = frozenset()

Id = int | str | None


class Lines:
    """The lines of `source` that are messages. What is wrong with the others goes to `replies`,
    which is set before the first line is asked for."""

    replies: ObjectSendStream[SessionMessage]

    def __init__(self, source: BinaryIO) -> None:
        self._source = source

    async def __aiter__(self) -> AsyncIterator[str]:
        """Until the client closes its end."""
        while line := await anyio.to_thread.run_sync(self._source.readline):
            text = whole(line)
            wrong = list(refusals(text))
            if not wrong:
                yield text
            for one in wrong:
                await self.replies.send(SessionMessage(one))


def whole(line: bytes) -> str:
    """A line in which U+FFFD stands for what is no character: half of one, which a client leaves
    that cuts a text to a length, and bytes that are no UTF-8."""
    text = line.decode("utf-8", "replace").removeprefix("\ufeff")
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return _ESCAPE.sub(lambda one: _UNKNOWN if len(one[0]) == _HALF else one[0], text)


def refusals(text: str) -> Iterator[JSONRPCError]:
    """The answers to a line that is no message: to each request in it that names itself, else one
    that names none (JSON-RPC 2.0, section 5); none to one that can be read, nor to an empty one."""
    try:
        told = jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError:
        if text.strip():
            yield from _refused(text)
        return
    # An id of another type is no id to the SDK, which takes the request for a notification.
    if isinstance(told, JSONRPCNotification) and '"id"' in text and "id" in _read(text):
        yield _error(None, INVALID_REQUEST, f"Invalid request: {_MESSAGE}")


def _refused(text: str) -> Iterator[JSONRPCError]:
    told = _read(text)
    if told is _UNREAD:
        yield _error(_only_id(text), PARSE_ERROR, f"Parse error: not JSON, or too deep; {_MESSAGE}")
        return
    if isinstance(told, list) and told:
        why = f"Invalid request: a batch is not taken; {_MESSAGE}"
        ids = [one.get("id") for one in told if isinstance(one, dict) and not _is_reply(one)]
        known = dict.fromkeys(map(_legal, ids))
        named = [one for one in known if one is not None]
        yield from (_error(one, INVALID_REQUEST, why) for one in named or known or (None,))
    elif not (isinstance(told, dict) and _is_reply(told)):
        own = _legal(told.get("id")) if isinstance(told, dict) else None
        yield _error(own, INVALID_REQUEST, f"Invalid request: {_MESSAGE}")


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _UNREAD


def _is_reply(told: dict[str, Any]) -> bool:
    """Whether it is an answer to us: nobody waits for an answer to that."""
    return "method" not in told and bool(_REPLY & told.keys())


def _legal(told: object) -> Id:
    if isinstance(told, bool) or not isinstance(told, int | str):
        return None
    return told


def _only_id(text: str) -> Id:
    """The id in a line that is no JSON, where it names one only."""
    found = {one[1] for one in _ID.finditer(text)}
    if len(found) != 1:
        return None
    [told] = found
    return told[1:-1] if told.startswith('"') else int(told)


def _error(told: Id, code: int, message: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=told, error=ErrorData(code=code, message=message))

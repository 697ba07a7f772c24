"""What a model answered, read from a copy of the bytes that pass: whole, or event by event."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

MOST = 32_000_000
"""Bytes of an answer that are read; a longer one passes unread."""
_BREAK = re.compile(rb"\r\n|\n|\r(?=[^\n])")


class Answer(Struct):
    """What was said and which tools were called, as far as it came. `whole`: to its end."""

    parts: list[str] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    whole: bool = False
    id: str = ""

    @property
    def text(self) -> str:
        """All that was said."""
        return "".join(self.parts)


Hear = Callable[[Answer, Mapping[str, Any]], None]


class Events:
    """Server-sent events out of bytes, however these are cut: the data of each event."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._looked = 0
        self._data: list[bytes] = []

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The data of the events that are complete with these bytes."""
        self._rest += data
        done = 0
        while (found := _BREAK.search(self._rest, max(done, self._looked))) is not None:
            line = bytes(self._rest[done : found.start()])
            done = self._looked = found.end()
            if line.startswith(b"data:"):
                self._data.append(line[5:].removeprefix(b" "))
            elif not line and self._data:
                yield b"\n".join(self._data)
                self._data = []
        del self._rest[:done]
        # A line break may be cut in two: its last byte is looked at again.
        self._looked = max(0, len(self._rest) - 1)

    def end(self) -> Iterator[bytes]:
        """What stands there without a break behind it, when no more bytes come."""
        yield from self.feed(b"\n\n")


class Hearing:
    """The listener to one answer: fed with its bytes, it knows what was said."""

    def __init__(self, hear: Hear, hear_whole: Hear, *, streamed: bool) -> None:
        self.answer = Answer()
        self._hear, self._hear_whole = hear, hear_whole
        self._events = Events() if streamed else None
        self._bytes = bytearray()
        self._size = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes; what is no answer of this dialect is passed over."""
        self._size += len(data)
        if self._size > MOST:
            self._bytes.clear()
        elif self._events is None:
            self._bytes += data
        else:
            for one in self._events.feed(data):
                self._heard(one)

    def end(self) -> Answer:
        """The answer, when no more bytes come."""
        if self._size > MOST:
            return Answer()
        if self._events is None:
            for told in _objects(bytes(self._bytes)):
                self._hear_whole(self.answer, told)
        else:
            for one in self._events.end():
                self._heard(one)
        return self.answer

    def _heard(self, data: bytes) -> None:
        if data.strip() == b"[DONE]":
            self.answer.whole = True
        elif (told := _object(data)) is not None:
            self._hear(self.answer, told)


def _objects(data: bytes) -> Sequence[Mapping[str, Any]]:
    """An answer in one piece, or a list of pieces."""
    if data[:1] != b"[":
        found = _object(data)
        return [] if found is None else [found]
    whole = _object(b'{"list":' + data + b"}") or {}
    return [one for one in _rows(whole.get("list")) if isinstance(one, dict)]


def _object(data: bytes) -> Mapping[str, Any] | None:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


# Anthropic Messages


def message_event(answer: Answer, told: Mapping[str, Any]) -> None:
    """An event of a streamed message."""
    kind = told.get("type")
    if kind == "content_block_delta":
        _text(answer, _row(told.get("delta")), "text_delta")
    elif kind == "content_block_start":
        block = _row(told.get("content_block"))
        if answer.parts:
            answer.parts.append("\n")
        _text(answer, block, "text")
        _tool(answer, block, block.get("type") == "tool_use")
    elif kind == "message_start":
        answer.id = str(_row(told.get("message")).get("id") or "")
    elif kind == "message_stop":
        answer.whole = True


def message(answer: Answer, told: Mapping[str, Any]) -> None:
    """A message in one piece."""
    for block in map(_row, _rows(told.get("content"))):
        if answer.parts:
            answer.parts.append("\n")
        _text(answer, block, "text")
        _tool(answer, block, block.get("type") == "tool_use")
    answer.whole = told.get("type") == "message"
    answer.id = str(told.get("id") or "")


# OpenAI Chat Completions


def chunk(answer: Answer, told: Mapping[str, Any]) -> None:
    """A chunk of a streamed completion; only the first of several choices is listened to."""
    for choice in map(_row, _rows(told.get("choices"))):
        if choice.get("index", 0) == 0:
            _completed(answer, choice, _row(choice.get("delta")))
    answer.id = str(told.get("id") or answer.id)


def completion(answer: Answer, told: Mapping[str, Any]) -> None:
    """A completion in one piece."""
    for choice in map(_row, _rows(told.get("choices"))[:1]):
        _completed(answer, choice, _row(choice.get("message")))
    answer.id = str(told.get("id") or "")


def _completed(answer: Answer, choice: Mapping[str, Any], said: Mapping[str, Any]) -> None:
    content = said.get("content")
    if isinstance(content, str):
        answer.parts.append(content)
    for call in map(_row, _rows(said.get("tool_calls"))):
        _tool(answer, _row(call.get("function")), True)
    answer.whole = answer.whole or bool(choice.get("finish_reason"))


# OpenAI Responses


def response_event(answer: Answer, told: Mapping[str, Any]) -> None:
    """An event of a streamed response: each item counts when it is done."""
    kind = told.get("type")
    if kind == "response.output_item.done":
        _output(answer, _row(told.get("item")))
    elif kind in ("response.completed", "response.incomplete"):
        told = _row(told.get("response"))
        if not (answer.parts or answer.tools):
            response(answer, told)
        answer.whole = True
        answer.id = str(told.get("id") or "")


def response(answer: Answer, told: Mapping[str, Any]) -> None:
    """A response in one piece."""
    for item in map(_row, _rows(told.get("output"))):
        _output(answer, item)
    answer.whole = told.get("status", "completed") in ("completed", "incomplete")
    answer.id = str(told.get("id") or "")


def _output(answer: Answer, item: Mapping[str, Any]) -> None:
    if item.get("type") == "message":
        for part in map(_row, _rows(item.get("content"))):
            if answer.parts:
                answer.parts.append("\n")
            _text(answer, part, "output_text")
    _tool(answer, item, str(item.get("type")).endswith("_call"))


# Gemini


def candidates(answer: Answer, told: Mapping[str, Any]) -> None:
    """An answer, or a piece of one; only the first of several candidates is listened to."""
    for one in map(_row, _rows(told.get("candidates"))):
        if one.get("index", 0) != 0:
            continue
        for part in map(_row, _rows(_row(one.get("content")).get("parts"))):
            if not part.get("thought"):
                _text(answer, {**part, "type": "text"}, "text")
            call = _row(part.get("functionCall"))
            _tool(answer, call, True)
        answer.whole = answer.whole or bool(one.get("finishReason"))
    answer.id = str(told.get("responseId") or answer.id)


# all of them


def _text(answer: Answer, part: Mapping[str, Any], kind: str) -> None:
    text = part.get("text")
    if part.get("type") == kind and isinstance(text, str) and text:
        answer.parts.append(text)


def _tool(answer: Answer, part: Mapping[str, Any], called: bool) -> None:
    name = part.get("name")
    if called and isinstance(name, str) and name:
        answer.tools.append(name)


def _row(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _rows(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


_DIALECTS: Mapping[str, tuple[Hear, Hear]] = {
    "anthropic": (message_event, message),
    "chat": (chunk, completion),
    "responses": (response_event, response),
    "gemini": (candidates, candidates),
}


def hearing(dialect: str, content_type: str) -> Hearing | None:
    """The listener to an answer of this dialect and type; None for what is none."""
    if dialect not in _DIALECTS:
        return None
    kind = content_type.partition(";")[0].strip().lower()
    if kind not in ("text/event-stream", "application/json"):
        return None
    hear, whole = _DIALECTS[dialect]
    return Hearing(hear, whole, streamed=kind == "text/event-stream")

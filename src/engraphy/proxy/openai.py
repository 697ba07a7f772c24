"""OpenAI Chat Completions and Responses: where a conversation stands, and where a block goes.

Their caches know a request by its beginning, so a block goes behind the last prompt. Where a
conversation is held by the provider (`previous_response_id`), what is put among the messages would
stay there: there it goes into `instructions`, which are told anew every time.
"""

from collections.abc import Sequence

from engraphy.model.outcome import Placed
from engraphy.proxy import splice
from engraphy.proxy.anthropic import in_message
from engraphy.proxy.reading import Dialect, Form, Reading, Row, SYSTEM, heard, listed, spoken
from engraphy.proxy.splice import Body, Insertion, Span, written

_CHAT_TEXT = ("text",)
_TEXT = ("input_text", "output_text", "text")
_ROLES = {"developer": "system", "system": "system", "user": "user", "assistant": "assistant"}


# Chat Completions


def _read_chat(body: Body) -> Reading:
    spans = listed(body, "messages")
    chat = [_message(one.value, _CHAT_TEXT) for one in spans]
    most = body.get("max_completion_tokens") or body.get("max_tokens")
    return Reading(body=body, chat=chat, spans=spans, system=_first(chat), tokens=most)


def _place_chat(reading: Reading, block: Placed, form: Form) -> Sequence[Insertion]:
    body, at = reading.body, block.message
    if block.placement == "system":
        first = _first_system(reading)
        if first is not None:
            return _in_content(body, first, block.text, "text")
        said = {"role": "system", "content": block.text}
        return [splice.before(reading.spans[0], said)] if reading.spans else []
    if at is None:
        return []
    if block.placement == "assistant":
        said = {"role": "assistant", "content": block.text}
        return [splice.before(reading.spans[at], said)]
    if form in SYSTEM:
        return [splice.after(reading.behind(at), {"role": form, "content": block.text})]
    return in_message(body, reading.spans[at], block.text, "text")


# Responses


def _read_responses(body: Body) -> Reading:
    given = body.members.get("input")
    if given is not None and isinstance(given.value, str):
        spans, chat = [given], [Row(role="user", content=given.value)]
    else:
        spans = listed(body, "input")
        chat = [_item(one.value) for one in spans]
    instructions = body.get("instructions")
    system = instructions if isinstance(instructions, str) else _first(chat)
    most = body.get("max_output_tokens")
    return Reading(body=body, chat=chat, spans=spans, system=system, tokens=most)


def _place_responses(reading: Reading, block: Placed, form: Form) -> Sequence[Insertion]:
    body, at = reading.body, block.message
    held = any(body.get(name) for name in ("previous_response_id", "conversation"))
    if held or block.placement == "system":
        found = _in_instructions(reading, block.text, only=held)
        if found:
            return found
    if at is None:
        return []
    span = reading.spans[at]
    if isinstance(span.value, str):
        return _split(span, block)
    if block.placement == "assistant":
        return [splice.before(span, {"role": "assistant", "content": block.text})]
    if form == "part":
        return in_message(body, span, block.text, "input_text")
    return [splice.after(reading.behind(at), _said(form, block.text))]


def _split(span: Span, block: Placed) -> Sequence[Insertion]:
    """A text that is all of the input, as a message with another beside it."""
    if block.placement == "assistant":
        said = written({"role": "assistant", "content": block.text})
        return splice.wrapped(span, f'[{said},{{"role":"user","content":', "}]")
    part = written({"type": "input_text", "text": block.text})
    opening = '[{"role":"user","content":[{"type":"input_text","text":'
    return splice.wrapped(span, opening, f"}},{part}]}}]")


def _in_instructions(reading: Reading, text: str, *, only: bool) -> Sequence[Insertion]:
    """A block in the instructions, or in the first message of the system where that is where they
    stand."""
    span = reading.body.members.get("instructions")
    if span is not None:
        told = span.value
        longer = splice.longer(span, f"\n\n{text}" if told else text)
        return [longer] if isinstance(told, str) else []
    first = None if only else _first_system(reading)
    if first is not None:
        return _in_content(reading.body, first, text, "input_text")
    return [splice.added(reading.body, "instructions", text)]


def _item(value: object) -> Row:
    """An item of the input: what is said, what a tool is asked (the assistant's), what it
    answered."""
    kind = value.get("type", "message") if isinstance(value, dict) else "unknown"
    if kind == "message":
        return _message(value, _TEXT)
    if isinstance(value, dict) and str(kind).endswith("_output"):
        return {"role": "tool", "content": heard(value.get("output"))}
    return {"role": "assistant", "content": ""}


def _said(role: str, text: str) -> Row:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}


# both


def _message(value: object, kinds: Sequence[str]) -> Row:
    if not isinstance(value, dict):
        return {"role": "tool", "content": ""}
    role = _ROLES.get(str(value.get("role")), "tool")
    content = value.get("content")
    return {"role": role, "content": heard(content) if role == "tool" else spoken(content, kinds)}


def _first(chat: Sequence[Row]) -> str:
    return next((str(one["content"]) for one in chat if one["role"] == "system"), "")


def _first_system(reading: Reading) -> Span | None:
    pairs = zip(reading.chat, reading.spans, strict=True)
    return next((span for one, span in pairs if one["role"] == "system"), None)


def _in_content(body: Body, message: Span, text: str, kind: str) -> Sequence[Insertion]:
    """A text at the end of a message's content; a content that is a text stays one."""
    content = splice.members(body.text, message.start).get("content")
    if content is not None and isinstance(content.value, str):
        return [splice.longer(content, f"\n\n{text}" if content.value else text)]
    return in_message(body, message, text, kind)


CHAT = Dialect(name="chat", paths=("/chat/completions",), read=_read_chat, place=_place_chat)
RESPONSES = Dialect(
    name="responses", paths=("/responses",), read=_read_responses, place=_place_responses
)

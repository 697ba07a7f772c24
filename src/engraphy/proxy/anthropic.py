"""Anthropic Messages: where a conversation stands in a request, and where a block goes.

The cache knows a request by its beginning: tools, system prompt, messages. A block goes behind
everything the client marked (`cache_control`), and never brings a mark of its own.
"""

from collections.abc import Sequence

from engraphy.model.outcome import Placed
from engraphy.proxy import splice
from engraphy.proxy.reading import Dialect, Form, Reading, Row, heard, listed, spoken
from engraphy.proxy.splice import Body, Insertion, Span, written

_TEXT = ("text",)


def _read(body: Body) -> Reading:
    spans = listed(body, "messages")
    return Reading(
        body=body,
        chat=[_message(one.value) for one in spans],
        spans=spans,
        system=spoken(body.get("system"), _TEXT),
        tokens=body.get("max_tokens"),
    )


def _message(value: object) -> Row:
    if not isinstance(value, dict):
        return {"role": "tool", "content": ""}
    content = value.get("content")
    said = spoken(content, _TEXT)
    role = value.get("role")
    if role == "user" and not said and (results := _results(content)) is not None:
        return {"role": "tool", "content": results}
    known = role if role in ("user", "assistant", "system") else "tool"
    return {"role": known, "content": said}


def _results(content: object) -> str | None:
    """What the tools answered, where the content is that; None where no tool did."""
    parts = content if isinstance(content, list) else []
    found = [one for one in parts if isinstance(one, dict) and one.get("type") == "tool_result"]
    return "\n".join(heard(one.get("content")) for one in found) if found else None


def _place(reading: Reading, block: Placed, form: Form) -> Sequence[Insertion]:
    at = block.message
    if block.placement == "system" and (found := _in_system(reading.body, block.text)):
        return [found]
    if at is None:
        return []
    if block.placement == "assistant" and at > 0:
        said = {"role": "assistant", "content": block.text}
        return [splice.before(reading.spans[at], said)]
    if form == "system":
        return [splice.after(reading.behind(at), {"role": "system", "content": block.text})]
    return in_message(reading.body, reading.spans[at], block.text, "text")


def _in_system(body: Body, text: str) -> Insertion | None:
    span = body.members.get("system")
    if span is None:
        return splice.added(body, "system", text)
    if isinstance(span.value, str):
        return splice.longer(span, f"\n\n{text}" if span.value else text)
    if isinstance(span.value, list):
        return splice.appended(body.text, span, {"type": "text", "text": text})
    return None


def in_message(body: Body, message: Span, text: str, kind: str) -> Sequence[Insertion]:
    """A text as the last part of a message's content; a content that is a text becomes a part."""
    content = splice.members(body.text, message.start).get("content")
    part = {"type": kind, "text": text}
    if content is None:
        return []
    if isinstance(content.value, str):
        opening = f'[{{"type":{written(kind)},"text":'
        return splice.wrapped(content, opening, f"}},{written(part)}]")
    if isinstance(content.value, list):
        return [splice.appended(body.text, content, part)]
    return []


MESSAGES = Dialect(name="anthropic", paths=("/messages",), read=_read, place=_place)

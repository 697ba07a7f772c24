"""Gemini's generateContent: where a conversation stands in a request, and where a block goes.

Names come in two spellings (`systemInstruction`, `system_instruction`). There are two roles only,
so a block is a part of the prompt, of the system's instruction, or a turn of the model's.
"""

from collections.abc import Sequence

from engraphy.model.outcome import Placed
from engraphy.proxy import splice
from engraphy.proxy.clients import is_words
from engraphy.proxy.reading import Dialect, Form, Reading, Row, listed
from engraphy.proxy.splice import Body, Insertion, Span

_SYSTEM = ("systemInstruction", "system_instruction")
_CONFIG = ("generationConfig", "generation_config")
_MOST = ("maxOutputTokens", "max_output_tokens")
_RESULT = ("functionResponse", "function_response")


def _read(body: Body) -> Reading:
    spans = listed(body, "contents")
    config = next((body.get(name) for name in _CONFIG if name in body.members), None)
    told = config if isinstance(config, dict) else {}
    system = next((body.get(name) for name in _SYSTEM if name in body.members), None)
    return Reading(
        body=body,
        chat=[_turn(one.value) for one in spans],
        spans=spans,
        system=_text(system),
        tokens=next((told[name] for name in _MOST if name in told), None),
    )


def _turn(value: object) -> Row:
    parts = value.get("parts") if isinstance(value, dict) else None
    text = _text(value)
    role = value.get("role", "user") if isinstance(value, dict) else "tool"
    if role == "model":
        return {"role": "assistant", "content": text}
    answered = any(
        isinstance(one, dict) and any(name in one for name in _RESULT)
        for one in (parts if isinstance(parts, list) else [])
    )
    known = "user" if role == "user" and not (answered and not text) else "tool"
    return {"role": known, "content": text}


def _text(value: object) -> str:
    """The words in the parts of a turn, thoughts and a host's envelopes left out."""
    parts = value.get("parts") if isinstance(value, dict) else None
    told = [one for one in (parts if isinstance(parts, list) else []) if isinstance(one, dict)]
    texts = (one.get("text") for one in told if not one.get("thought"))
    return "\n".join(text for text in texts if isinstance(text, str) and is_words(text))


def _place(reading: Reading, block: Placed, form: Form) -> Sequence[Insertion]:  # noqa: ARG001
    body, at = reading.body, block.message
    if block.placement == "system" and (found := _in_system(body, block.text)):
        return found
    if at is None:
        return []
    if block.placement == "assistant" and at > 0:
        said = {"role": "model", "parts": [{"text": block.text}]}
        return [splice.before(reading.spans[at], said)]
    return _in_parts(body, reading.spans[at], block.text)


def _in_system(body: Body, text: str) -> Sequence[Insertion]:
    name = next((one for one in _SYSTEM if one in body.members), None)
    if name is None:
        return [splice.added(body, _SYSTEM[0], {"parts": [{"text": text}]})]
    span = body.members[name]
    return _in_parts(body, span, text) if isinstance(span.value, dict) else []


def _in_parts(body: Body, turn: Span, text: str) -> Sequence[Insertion]:
    parts = splice.members(body.text, turn.start).get("parts")
    if parts is None or not isinstance(parts.value, list):
        return []
    return [splice.appended(body.text, parts, {"text": text})]


GENERATE = Dialect(
    name="gemini",
    paths=(":generateContent", ":streamGenerateContent"),
    read=_read,
    place=_place,
)

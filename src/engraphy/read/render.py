"""How an injected memory reads: a bullet or an object, and the fence around all of them (P-09).

Whatever a field of a memory holds, its line stays one line and cannot close the fence.
"""

import json
from dataclasses import dataclass

from engraphy.model import Memory, Origin
from engraphy.model.outcome import Placement
from engraphy.profile import Inject
from engraphy.text.fence import FENCE, escape, unspoken
from engraphy.text.governor import without_instructions
from engraphy.text.moments import moment
from engraphy.text.snippet import snippet
from engraphy.text.tokens import estimate_tokens, truncate_to_tokens

PLACEMENTS: dict[str, Placement] = {
    "memory-context": "tail",
    "json": "tail",
    "system": "system",
    "assistant_preamble": "assistant",
}
_CHARACTERS = 6
"""Characters a token may have at most in a text that is shortened."""
_MOST_PER_SIGN = 1.1
_SEARCHED = 20_000
"""Characters of a long text in which the part that answers is looked for."""
_NO_ANGLES = str.maketrans({one: f"\\u{ord(one):04x}" for one in "<>&＜＞﹤﹥"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What stands around the items of a block and between them."""

    opening: str
    between: str
    closing: str


def frame(knobs: Inject) -> Frame:
    """The fence of a format, with its heading."""
    heading = "\n".join(escape(line) for line in knobs.heading.split("\n"))
    closing = f"\n</{FENCE}>"
    if knobs.format == "json":
        said = _json(unspoken(knobs.heading))
        opening = f'<{FENCE}>\n{{"heading": {said}, "memories": ['
        return Frame(opening=opening, between=", ", closing=f"]}}{closing}")
    return Frame(opening=f"<{FENCE}>\n{heading}\n", between="\n", closing=closing)


def item(memory: Memory, style: str, question: str, knobs: Inject) -> str:
    """One memory in a style: `full`, or `abbreviated` to the part that answers the question,
    without what is told about it (D-27)."""
    told = _governed(memory.content, memory, knobs)
    if style == "abbreviated":
        told = shortened(told, question, knobs.abbreviated_tokens)
    elif knobs.full_tokens:
        told = shortened(told, question, knobs.full_tokens)
    if knobs.format == "json":
        return _object(memory, told, style, knobs)
    text = escape(told)
    if style == "abbreviated":
        return f"- {text}"
    return f"- [{', '.join((_label(memory, knobs), *map(escape, _about(memory, knobs))))}] {text}"


def shortened(text: str, question: str, most: int) -> str:
    """A text of at most `most` tokens: all of it, or the part that answers the question."""
    # No sign costs more than 1.1 tokens: a short text need not be counted.
    if len(text) * _MOST_PER_SIGN <= most or estimate_tokens(text) <= most:
        return text
    part = snippet(text[:_SEARCHED], question, most * _CHARACTERS)
    if estimate_tokens(part) <= most:
        return part
    return f"{truncate_to_tokens(part.removesuffix('…'), most - 1)}…"


def _governed(text: str, memory: Memory, knobs: Inject) -> str:
    if memory.origin is Origin.USER and knobs.redact == "foreign":
        return text
    return without_instructions(text)


def _label(memory: Memory, knobs: Inject) -> str:
    return escape(knobs.labels.get(memory.kind.value, memory.kind.value))


def _about(memory: Memory, knobs: Inject) -> tuple[str, ...]:
    """The day and the speaker of a memory, where the profile tells them."""
    if knobs.detail == "compact":
        return ()
    day = moment(memory.valid_from).date().isoformat()
    return (day, memory.speaker) if memory.speaker else (day,)


def _object(memory: Memory, text: str, style: str, knobs: Inject) -> str:
    fields = {"text": unspoken(text)}
    if style != "abbreviated":
        names = ("day", "speaker")
        about = dict(zip(names, map(unspoken, _about(memory, knobs)), strict=False))
        fields = {"kind": knobs.labels.get(memory.kind.value, memory.kind.value), **about, **fields}
    return "{" + ", ".join(f'"{key}": {_json(value)}' for key, value in fields.items()) + "}"


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).translate(_NO_ANGLES)

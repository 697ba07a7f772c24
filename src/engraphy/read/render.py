"""How an injected memory reads: a bullet or an object, and the fence around all of them (P-09).

Whatever a field of a memory holds, its line stays one line and cannot close the fence.
"""

import json

from engraphy.model import DataSource, Memory, Origin, State
from engraphy.model.outcome import Placement
from engraphy.profile import Inject
from engraphy.record import Record
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


class Frame(Record, frozen=True, kw_only=True):
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


def item(
    memory: Memory,
    style: str,
    question: str,
    knobs: Inject,
    *,
    older: bool = False,
    due: str = "",
    ended: str = "",
) -> str:
    """One memory in a style: `full`, or `abbreviated` to the part that answers the question, each
    with as much of what is told about it as the profile says. `older`: a newer memory answers the
    question otherwise, which is told in any case, and so is that a memory holds no longer. `due`:
    when it was to be told, of a reminder. `ended`: how an event ended."""
    most = knobs.abbreviated_tokens if style == "abbreviated" else knobs.full_tokens
    told = _governed(memory.content, memory, knobs)
    if most:
        told = shortened(told, question, most)
    about = _about(memory, style, knobs) | ({"answer": "older"} if older else {})
    if ended:
        about["outcome"] = ended
    if due:
        about = {"kind": "reminder", "due": due}
    if memory.data_source is DataSource.FEDERATION:
        about["known"] = "vicarious"
    if memory.state is State.SUPERSEDED:
        about["held"] = f"until {moment(memory.valid_until or memory.updated_at).date()}"
    if knobs.format == "json":
        fields = about | {"text": told}
        pairs = (f'"{name}": {_json(unspoken(value))}' for name, value in fields.items())
        return "{" + ", ".join(pairs) + "}"
    head = f"[{', '.join(map(escape, about.values()))}] " if about else ""
    return f"- {head}{escape(told)}"


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


def _about(memory: Memory, style: str, knobs: Inject) -> dict[str, str]:
    """What is told about a memory: nothing, its kind, or also the day and who spoke."""
    detail = knobs.abbreviated_detail if style == "abbreviated" else knobs.detail
    if detail == "bare":
        return {}
    about = {"kind": knobs.labels.get(memory.kind.value, memory.kind.value)}
    if detail == "detailed":
        about["day"] = moment(memory.valid_from).date().isoformat()
        if memory.speaker:
            about["speaker"] = memory.speaker
    return about


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).translate(_NO_ANGLES)

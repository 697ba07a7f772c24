"""Which reminders are due for a prompt, and how one is told (D-76)."""

from typing import NamedTuple

from engraphy.formulas import elapsed_days
from engraphy.model import Memory
from engraphy.model.reminding import Cue, EACH, Reminder, Waiting
from engraphy.profile.remind import Remind
from engraphy.text.cues import cue_of, pending
from engraphy.text.reminding import asks
from engraphy.text.topics import answered
from engraphy.text.zones import written

_HOURS = 24.0
_SAID = 0.9
"""Share of a request's words from which a prompt is that request."""


class Due(NamedTuple):
    """A reminder that is to be told, and why: each reason's number."""

    memory: Memory
    why: dict[str, float]


class Prompt(NamedTuple):
    """What is said just now, when (microseconds UTC), and whether it asks to be reminded."""

    text: str
    now: int
    asking: bool


def prompt_of(text: str, now: int) -> Prompt:
    """A prompt, looked at once."""
    return Prompt(text, now, asks(text))


def due(memory: Memory, prompt: Prompt, knobs: Remind) -> Due | None:
    """Whether a pending reminder is to be told with this prompt: its moment has come, or the prompt
    speaks of its topic. A prompt that asks to be reminded speaks of no topic, and what it asks for
    itself is not due with it."""
    cue, now = cue_of(memory), prompt.now
    if cue is None or (prompt.asking and answered(memory.content, prompt.text) >= _SAID):
        return None
    if cue.at is not None and cue.at <= now:
        late = elapsed_days(now=now, then=cue.until or cue.at)
        return Due(memory, {"due": 1.0} | ({"overdue_days": round(late, 3)} if late else {}))
    if not cue.topic or _lately(cue, now, knobs):
        return None
    share = 0.0 if prompt.asking else answered(cue.topic, prompt.text)
    if share < knobs.topic_from:
        return None
    return Due(memory, {"topic": round(share, 4)})


def _lately(cue: Cue, now: int, knobs: Remind) -> bool:
    if cue.every != EACH or cue.told_at is None:
        return False
    return elapsed_days(now=now, then=cue.told_at) * _HOURS < knobs.again_hours


def told_as(memory: Memory, now: int) -> str:
    """What is told of a reminder's cue: the day or hour it is due, or the topic."""
    cue = cue_of(memory)
    if cue is None:
        return ""
    if cue.at is None or (cue.topic and cue.at > now):
        return f"when it is about {cue.topic}"
    moment = _shown(cue.at, cue)
    over = cue.until is not None and cue.until <= now
    return f"overdue since {moment}" if over else f"due {moment}"


def _shown(at: int, cue: Cue) -> str:
    """The day, with its hour where it is not the day as a whole."""
    text = written(at, cue.zone)
    day, hour = text[:10], text[11:16]
    return day if hour == "00:00" else f"{day} {hour}"


def standing(memory: Memory, now: int) -> Reminder | None:
    """How a reminder stands; None where a memory is none."""
    cue = cue_of(memory)
    if cue is None:
        return None
    return Reminder(
        memory=memory,
        status=_status(memory, cue, now),
        at=cue.at,
        topic=cue.topic,
        every=cue.every,
        told_at=cue.told_at,
        ends_at=memory.valid_until,
    )


def _status(memory: Memory, cue: Cue, now: int) -> Waiting:
    if not pending(memory):
        return "told"
    if memory.valid_until is not None and memory.valid_until <= now:
        return "over"
    if cue.at is None or cue.at > now:
        return "waiting"
    return "overdue" if (cue.until or cue.at) <= now else "due"

"""The knobs of reminders: what asks for one, when it is told, and when it is over (D-76)."""

from typing import Annotated

from msgspec import Meta

from engraphy.profile.knobs import Days, Section


class Remind(Section, frozen=True):
    """Reminders: memories that ask to be told at a moment, or when a topic comes up."""

    asked: bool
    """What the user asks to be reminded of is one."""
    timezone: Annotated[str, Meta(min_length=1, max_length=64)]
    """In which dates and hours are read where nothing beside the text says another: a name of the
    tz database ("Europe/Istanbul"), or an offset ("+03:00")."""
    overdue_days: Days
    """So long after its time a reminder is still told; then it is over."""
    wait_days: Days
    """So long one waits for its topic; 0 = for ever."""
    topic_from: Annotated[float, Meta(gt=0.0, le=1.0)]
    """Share of a topic's words that a prompt must hold to speak of it."""
    again_hours: Annotated[float, Meta(ge=0.0, le=8_760.0)]
    """So long one that is told whenever its topic comes up is not told again."""

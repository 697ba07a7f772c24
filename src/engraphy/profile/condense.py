"""The knobs of putting old memories together (A-01)."""

from typing import Annotated

from msgspec import Meta

from engraphy.profile.knobs import Days, Section, Unit


class Condense(Section, frozen=True):
    """What `summarize_old` takes together, and how long its lines are."""

    older_than_days: Days
    """Since a memory last changed."""
    above: Annotated[int, Meta(ge=1, le=10_000)]
    """A category is condensed where it has more old memories than this."""
    most: Annotated[int, Meta(ge=2, le=1_000)]
    """Memories of one summary; of more there are several."""
    line_chars: Annotated[int, Meta(ge=40, le=10_000)]
    """A memory up to so long stands in the summary whole; of a longer one what tells most."""
    chars: Annotated[int, Meta(ge=200, le=50_000)]
    """A summary is at most so long."""
    importance: Unit
    """Of a summary, or more where one of its sources has more."""

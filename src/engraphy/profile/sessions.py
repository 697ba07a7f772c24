"""The knobs of sessions and of what tools bring (A-14 to A-16)."""

from typing import Annotated

from msgspec import Meta

from engraphy.profile.knobs import Count, Section, Unit


class Sessions(Section, frozen=True):
    """What is kept of a session: its segments, its checkpoints, its summary, its tools' output."""

    wall: bool
    """Whether a session is a wall (C-12): what is written in one is seen in no other, and merges
    with, contradicts and supersedes nothing there. Else a session only says where a memory came
    from, and filters where it is asked for."""
    include_global: bool
    """Whether a session behind its wall sees what belongs to no session."""
    boundaries: bool
    """Notice a change of topic, and number the segments between (A-14)."""
    window: Annotated[int, Meta(ge=1, le=100)]
    """Recent observations that one is compared with."""
    boundary_below: Unit
    """The topic changed where two observations in a row share less than this (Jaccard of keywords,
    the words of chance left out) with each of those before them."""
    chance_words: Annotated[int, Meta(ge=0, le=20)]
    """Words that observations of two topics may share."""
    coherent_from: Unit
    """Observations that share this much among themselves are one topic: a single one that shares
    nothing with them has changed it."""
    least_segment: Annotated[int, Meta(ge=1, le=1_000)]
    """Observations that a segment has before the topic can change again."""
    keywords: Annotated[int, Meta(ge=4, le=200)]
    """Keywords taken of an observation, the most telling first."""
    least_keywords: Annotated[int, Meta(ge=1, le=200)]
    """Keywords that each of the two observations has."""
    checkpoint_every: Count
    """Observations per checkpoint (A-16); 0 = none."""
    summary: bool
    """Write what was done when a session ends (A-16)."""
    summary_importance: Unit
    """Of the summary; a checkpoint has half of it."""
    listed: Annotated[int, Meta(ge=1, le=100)]
    """Lines of a summary per heading; of more it says how many there are."""
    importance: dict[str, Unit]
    """Of a tool's output by its kind; one that is left out is weighed as any memory is."""
    output_chars: Annotated[int, Meta(ge=200, le=100_000)]
    """Longer output is cut: its head, its tail and the lines that tell an error stay. In more than
    60,000 characters such lines are sought in the first and the last 100,000."""
    abandoned_hours: Annotated[float, Meta(gt=0.0, le=8_760.0)]
    """A session that was silent so long and never ended is closed when the next one starts."""
    keep_days: Annotated[float, Meta(gt=0.0, le=36_500.0)]
    """Days after its last observation until the state of a session is dropped."""


class Working(Section, frozen=True):
    """The working memory of a session (D-31)."""

    items: Annotated[int, Meta(ge=0, le=100)]
    """How many it holds; one more pushes the weakest out. 0 = there is none."""
    half_life_minutes: Annotated[float, Meta(gt=0.0, le=525_600.0)]
    """After which an item is held half as strongly, without coming up again."""
    access_gain: Unit
    """What each time it comes up adds to its strength."""
    promote_access: Count
    """Times from which an item is a candidate for longer keeping, or ..."""
    promote_importance: Unit
    """... the importance from which it is."""

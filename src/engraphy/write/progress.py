"""How far a session has come: its counters, its observations, and when its topic changed."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from engraphy.formulas import recent_overlap
from engraphy.model import Step
from engraphy.profile import Sessions
from engraphy.text.keywords import keywords
from engraphy.text.wordlists import key


class Observation(Struct, frozen=True, kw_only=True, array_like=True):
    """One use of a tool as its session keeps it: a memory's id, never a memory's text.

    An array and not an object, so that no name of a field is mistaken for the words of a memory
    that is to be forgotten.
    """

    at: int
    tool: str
    kind: str = ""
    memory_id: str = ""
    segment: int = 1
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    ran: str = ""
    """What was run or edited, so that a later success is known to be of the same."""
    failed: bool = False
    plan: tuple[str, ...] | None = None
    """What a plan leaves to be done; None where the tool keeps none."""


class Progress(Struct, frozen=True, kw_only=True, array_like=True):
    """The counters of a session; times in microseconds UTC."""

    started_at: int
    last_at: int
    ended_at: int | None = None
    abandoned: bool = False
    observations: int = 0
    stored: int = 0
    segment: int = 1
    in_segment: int = 0
    """Observations in the running segment that tell of a topic."""
    checkpoints: int = 0
    checkpointed: int = 0
    """Observations up to the last checkpoint."""


class Turn(Struct, frozen=True, kw_only=True):
    """What an observation means to its session."""

    progress: Progress
    observation: Observation
    shifted: bool
    step: Step | None


def topic(text: str, files: Sequence[str], limit: int) -> tuple[str, ...]:
    """The words that tell what an observation is about: its keywords, and the parts of the paths
    it touches."""
    parts = (part for file in files for part in (*file.split("/")[-2:], file))
    found = (*parts, *keywords(text, limit))
    return tuple(dict.fromkeys(key(one) for one in found))[:limit]


def turned(
    progress: Progress, new: Observation, window: Sequence[Observation], knobs: Sessions
) -> Turn:
    """The session after one more observation; `window` are the ones before, oldest first.

    The topic changed where the observation shares too little with each of the last few (never
    with a union that only grows), and the running segment is long enough to have been one (A-14).
    """
    told = [one for one in window if one.keywords][-knobs.window :]
    speaks = knobs.boundaries and len(new.keywords) >= knobs.least_keywords
    shifted, step = False, None
    if speaks and told:
        overlap = recent_overlap(
            current=frozenset(new.keywords),
            window=[frozenset(one.keywords) for one in told],
            size=knobs.window,
        )
        shifted = overlap < knobs.boundary_below and progress.in_segment >= knobs.least_segment
        sign = "<" if overlap < knobs.boundary_below else ">="
        detail = f"overlap {overlap:.2f} {sign} {knobs.boundary_below:.2f}"
        step = Step(stage="boundary", detail=f"{detail}{': a new segment' if shifted else ''}")
    segment = progress.segment + int(shifted)
    kept = new if speaks else msgspec.structs.replace(new, keywords=())
    return Turn(
        progress=msgspec.structs.replace(
            progress,
            last_at=max(progress.last_at, new.at),
            ended_at=None,
            abandoned=False,
            observations=progress.observations + 1,
            segment=segment,
            in_segment=int(speaks) + (0 if shifted else progress.in_segment),
        ),
        observation=msgspec.structs.replace(kept, segment=segment),
        shifted=shifted,
        step=step,
    )


def stored(turn: Turn, memory_id: str, kind: str) -> Turn:
    """The turn whose observation stands in the memory `memory_id`."""
    return msgspec.structs.replace(
        turn,
        progress=msgspec.structs.replace(turn.progress, stored=turn.progress.stored + 1),
        observation=msgspec.structs.replace(turn.observation, memory_id=memory_id, kind=kind),
    )

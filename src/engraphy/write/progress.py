"""How far a session has come: its counters, its observations, and when its topic changed."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import msgspec
from msgspec import Struct

from engraphy.formulas import recent_overlap
from engraphy.model import Step
from engraphy.profile import Sessions
from engraphy.text.keywords import keywords
from engraphy.text.tools import words
from engraphy.text.wordlists import key

_SAYS_SOMETHING = 4


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
    """What an observation means to its session. `since`: the number of the observation that opened
    a new segment, this one or the one before; None where the topic goes on."""

    progress: Progress
    observation: Observation
    since: int | None
    step: Step | None


def topic(text: str, files: Sequence[str], limit: int) -> tuple[str, ...]:
    """The words that tell what an observation is about: its keywords, and the parts of the paths
    it touches; not those that stand in the output of any tool."""
    parts = (part for file in files for part in (*file.split("/")[-2:], file))
    found = dict.fromkeys(key(one) for one in (*parts, *keywords(text, 2 * limit)))
    common = frozenset(words("topic", "common"))
    return tuple(one for one in found if one not in common)[:limit]


def turned(
    progress: Progress, new: Observation, window: Mapping[int, Observation], knobs: Sessions
) -> Turn:
    """The session after one more observation; `window` are the ones before by their numbers,
    oldest first.

    Each is compared with the last few sets of keywords, never with a union that only grows (A-14).
    The topic changed where nothing is shared with observations that share much among themselves,
    or where two in a row share too little with those before them: one alone may be an aside.
    """
    number = progress.observations + 1
    told = {at: one for at, one in window.items() if one.keywords}
    speaks = knobs.boundaries and len(new.keywords) >= _SAYS_SOMETHING
    since, step = None, None
    if speaks and told:
        since, step = _shift(progress, new, told, number, knobs)
    segment = progress.segment + int(since is not None)
    kept = new if speaks else msgspec.structs.replace(new, keywords=())
    fresh = int(speaks) + int(since is not None and since < number)
    return Turn(
        progress=msgspec.structs.replace(
            progress,
            last_at=max(progress.last_at, new.at),
            ended_at=None,
            abandoned=False,
            observations=number,
            segment=segment,
            in_segment=fresh + (0 if since is not None else progress.in_segment),
        ),
        observation=msgspec.structs.replace(kept, segment=segment),
        since=since,
        step=step,
    )


def _shift(
    progress: Progress,
    new: Observation,
    told: Mapping[int, Observation],
    number: int,
    knobs: Sessions,
) -> tuple[int | None, Step]:
    """The first observation of a new segment, and what was compared."""
    sets = [frozenset(one.keywords) for one in told.values()]
    own, size = frozenset(new.keywords), knobs.window
    recent, before = sets[-size:], sets[:-1][-size:]
    overlap = recent_overlap(current=own, window=recent, size=size)
    since = None
    if progress.in_segment >= knobs.least_segment and not overlap:
        since = number if _coherence(recent) >= knobs.coherent_from else None
    telling = min(len(own), len(sets[-1])) >= knobs.least_keywords
    if since is None and telling and before and progress.in_segment > knobs.least_segment:
        low = (
            recent_overlap(current=one, window=before, size=size, chance=knobs.chance_words)
            for one in (own, sets[-1])
        )
        since = list(told)[-1] if max(low) < knobs.boundary_below else None
    verdict = "" if since is None else f": a new segment since observation {since}"
    return since, Step(stage="boundary", detail=f"overlap {overlap:.2f} with the recent{verdict}")


def _coherence(sets: Sequence[AbstractSet[str]]) -> float:
    """How much each of the recent observations shares with those before it, on average; 0 for one
    alone."""
    shared = [recent_overlap(current=sets[i], window=sets[:i]) for i in range(1, len(sets))]
    return sum(shared) / len(shared) if shared else 0.0


def stored(turn: Turn, memory_id: str, kind: str) -> Turn:
    """The turn whose observation stands in the memory `memory_id`."""
    return msgspec.structs.replace(
        turn,
        progress=msgspec.structs.replace(turn.progress, stored=turn.progress.stored + 1),
        observation=msgspec.structs.replace(turn.observation, memory_id=memory_id, kind=kind),
    )


def restamped(one: Observation, segment: int) -> Observation:
    """The observation as one of another segment."""
    return msgspec.structs.replace(one, segment=segment)

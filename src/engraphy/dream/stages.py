"""The steps of a cycle by their names: what each looks at and how it is run.

A planner is `(snapshot, now, profile) -> proposals` and touches nothing. What it proposes for a
memory that the flags of its owner protect is dropped here, whatever it is: one guard for all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

from engraphy.dream.archiving import archive
from engraphy.dream.capacity import prune
from engraphy.dream.clusters import (
    any_new_to_compress,
    any_theme,
    cluster,
    compress,
    old_enough_for_themes,
    old_enough_to_compress,
)
from engraphy.dream.consolidating import consolidate
from engraphy.dream.decaying import decay, drift, lessen
from engraphy.dream.fading import fade
from engraphy.dream.forgetting import foresight, useless
from engraphy.dream.mining import is_done, mine
from engraphy.dream.passing import expire, promote
from engraphy.dream.patterns import (
    abstract,
    by_size,
    is_event,
    made_now,
    of_a_category,
    recur,
    summaries,
    to_be_told,
)
from engraphy.dream.rehearsing import by_importance, emotions, rehearse, replay
from engraphy.dream.ripe import CATEGORY, MINED, PATTERN, RECURRING, THEME
from engraphy.dream.rivals import contradictions, dedup, redundancy
from engraphy.dream.tiering import tiers
from engraphy.dream.trimming import by_uselessness, too_many, trim
from engraphy.model import (
    Census,
    Change,
    Memory,
    Merge,
    Remove,
    SETTLED,
    Snapshot,
    State,
    Update,
)
from engraphy.profile import Profile
from engraphy.record import Record
from engraphy.text.cues import pending

Proposal = Change | Merge
Planner = Callable[[Snapshot, int, Profile], Iterator[Proposal]]
Need = Literal["contradictions", "pairs", "coactivations", "procedures", "sources"]

AWAKE = (State.ACTIVE,)
LIVING = (State.ACTIVE, State.DORMANT, State.ARCHIVED)


class Stage(Record, frozen=True, kw_only=True):
    """How a step is run.

    `states`: of the memories it looks at. `needs`: what stands in the snapshot beside them.
    `rowwise`: it proposes at most one `Update` for each memory, from that memory alone, so that
    successive ones share a pass. `most`: a cap per cycle and set of walls on what it proposes, of
    which those of the highest `rank` are taken (without a rank the first); of a step that compares
    pairs it caps the pairs. `excess`: how many it
    takes of a set of walls, by what stands there now. `fresh`: it looks only at what was recorded
    since the last cycle. `census`: it reads the census. `concerns`: which memories it looks at;
    batches are filled with them alone. `grouped`: it looks at the most important memories of one
    category and sensitivity together. `tag`: of what it makes, which it is then shown. `among`: it
    looks only at what was made at rest under this tag. `reads`: the fields of a memory that it
    looks at, beside id, state, version and updated_at (empty = all); all that it looks at to choose
    memories where its planner is then given those `whole`, as far as it is `due` by what was read
    of them.
    """

    plan: Planner
    states: tuple[State, ...] = AWAKE
    needs: frozenset[Need] = frozenset()
    rowwise: bool = False
    most: Callable[[Profile], int] | None = None
    rank: Callable[[Proposal], float] | None = None
    excess: Callable[[Profile, Census], int] | None = None
    fresh: bool = False
    census: bool = False
    concerns: Callable[[Memory, int, Profile], bool] | None = None
    grouped: bool = False
    tag: str = ""
    among: str = ""
    reads: frozenset[str] = frozenset()
    whole: bool = False
    due: Callable[[Snapshot, int, Profile], bool] = lambda *_: True


def guarded(proposals: Iterable[Proposal]) -> Iterator[Proposal]:
    """What truth anchors let through (D-44, D-46): nothing retires or merges a pinned memory, and
    nothing at all moves an immutable one. What waits to be told (D-76) only ends with its time."""
    for one in proposals:
        if isinstance(one, Update) and not _may_move(one.expected, one.memory):
            continue
        if isinstance(one, Remove) and (one.expected is None or _held_fast(one.expected)):
            continue
        if isinstance(one, Merge) and not _may_merge(one):
            continue
        yield one


def _may_merge(one: Merge) -> bool:
    if one.replaces is not None and one.replaces.immutable:
        return False
    return one.keep_sources or not any(map(_held_fast, one.sources))


def _held_fast(memory: Memory) -> bool:
    return memory.pinned or memory.immutable or pending(memory)


def _may_move(held: Memory, wanted: Memory) -> bool:
    retired = wanted.state is not held.state and wanted.state is not State.ACTIVE
    waits = pending(held) and wanted.state is not State.EXPIRED
    return not held.immutable and not (retired and (held.pinned or waits))


def _retiring(fields: str) -> frozenset[str]:
    """What a step reads that moves states: beside its own fields those that the guard asks for."""
    return frozenset({*fields.split(), *_GUARDED})


def _moving(fields: str) -> frozenset[str]:
    """What a step reads that moves numbers: all of these, and those that say whether somebody used
    the memory meanwhile."""
    return _retiring(fields) | {*SETTLED, *_COUNTED}


def written(stage: Stage) -> frozenset[str]:
    """What is read of a memory that is about to be written by a step (empty = all)."""
    return stage.reads | _moving("") if stage.reads and not stage.whole else frozenset()


_GUARDED = ("pinned", "immutable", "tags")
_COUNTED = ("access_count", "reinforcement_count")
_ENDS = "temporal_type valid_until expires_at flashbulb"
_CLOCKS = "recorded_at last_accessed_at last_reinforced_at"
_RIPE = frozenset(
    {"kind", "evidence", "valid_until", "expires_at", "recorded_at", "flashbulb"}
    | {"storage_strength", *_GUARDED}
)
_OF_A_CATEGORY = frozenset(
    {"kind", "category", "sensitivity", "importance", "evidence", "valid_from", "valid_until"}
    | {"write_source", "tags", "recorded_at", "source_ids"}
)

STAGES: Mapping[str, Stage] = {
    "expire": Stage(
        plan=expire, states=LIVING, rowwise=True, reads=_retiring(f"{_ENDS} last_decayed_at")
    ),
    "promote": Stage(plan=promote, rowwise=True, reads=_moving("")),
    "prune": Stage(plan=prune, states=tuple(State)),
    "decay": Stage(plan=decay, rowwise=True, reads=_moving(f"kind {_CLOCKS}")),
    "emotions": Stage(plan=emotions, rowwise=True, reads=_moving("flashbulb")),
    "replay": Stage(
        plan=replay, rowwise=True, needs=frozenset({"coactivations"}), reads=_moving("")
    ),
    "tiers": Stage(
        plan=tiers,
        rowwise=True,
        census=True,
        reads=_moving("kind content entities flashbulb recorded_at last_accessed_at"),
    ),
    "foresight": Stage(plan=foresight, rowwise=True, reads=_retiring(_ENDS)),
    "rehearse": Stage(
        plan=rehearse,
        most=lambda profile: profile.dream.rehearse.most,
        rank=by_importance,
        reads=_retiring(f"importance stability retrieval_loss last_rehearsed_at {_CLOCKS}"),
    ),
    "useless": Stage(
        plan=useless, rowwise=True, reads=_retiring(f"kind flashbulb utility {_CLOCKS}")
    ),
    "fade": Stage(
        plan=fade,
        rowwise=True,
        reads=_retiring(
            f"kind content write_source origin priority importance storage_strength flashbulb"
            f" success_count access_count reinforcement_count {_CLOCKS}"
        ),
    ),
    "drift": Stage(plan=drift, rowwise=True, reads=_moving(f"kind flashbulb {_CLOCKS}")),
    "consolidate": Stage(plan=consolidate, rowwise=True, reads=_moving(f"kind {_CLOCKS}")),
    "lessen": Stage(plan=lessen, rowwise=True, reads=_moving("")),
    "archive": Stage(
        plan=archive,
        rowwise=True,
        reads=_retiring(f"kind access_count reinforcement_count {_CLOCKS}"),
    ),
    "contradictions": Stage(
        plan=contradictions,
        needs=frozenset({"contradictions"}),
        reads=_retiring("flashbulb trust evidence valid_from recorded_at"),
    ),
    "redundancy": Stage(
        plan=redundancy,
        needs=frozenset({"pairs"}),
        fresh=True,
        most=lambda profile: profile.dream.forget.comparisons,
        reads=frozenset({"recorded_at"}),
        whole=True,
    ),
    "dedup": Stage(plan=dedup),
    "trim": Stage(
        plan=trim,
        census=True,
        excess=too_many,
        rank=by_uselessness,
        reads=_retiring("kind flashbulb recorded_at access_count utility importance"),
    ),
    "cluster": Stage(
        plan=cluster,
        concerns=old_enough_for_themes,
        most=lambda profile: profile.dream.cluster.merges,
        reads=_RIPE | {"content", "entities", "importance", "sensitivity", "origin"},
        whole=True,
        due=any_theme,
    ),
    "abstract": Stage(
        plan=abstract,
        concerns=made_now,
        needs=frozenset({"sources"}),
        most=lambda profile: profile.dream.cluster.patterns,
        rank=by_size,
        tag=PATTERN,
        among=THEME,
    ),
    "compress": Stage(
        plan=compress,
        concerns=old_enough_to_compress,
        reads=_RIPE,
        whole=True,
        due=any_new_to_compress,
    ),
    "summaries": Stage(
        plan=summaries,
        grouped=True,
        concerns=of_a_category,
        tag=CATEGORY,
        reads=_OF_A_CATEGORY,
        whole=True,
        due=to_be_told,
    ),
    "recur": Stage(
        plan=recur,
        concerns=is_event,
        tag=RECURRING,
        reads=frozenset({"kind", "evidence"}),
        whole=True,
    ),
    "mine": Stage(
        plan=mine,
        concerns=is_done,
        tag=MINED,
        reads=frozenset({"kind", "evidence", "metadata", "scope"}),
        whole=True,
    ),
}
"""Every step that a planner takes; `cap`, `compact` and `expunge` go through all walls at once."""

"""At rest: what a planner looks at, what it proposes, and how far a cycle has come."""

from collections.abc import Mapping

from msgspec import field

from engraphy.model.memory import Memory
from engraphy.model.records import CoActivation, Procedure, Relation
from engraphy.record import Record


class Census(Record, frozen=True, kw_only=True):
    """Counts of one set of walls, over its active memories.

    `mean_accesses`: deliveries per memory (the sliding threshold of D-44). `entities`: of each
    entity that three or more of its episodic memories share, how many. `kinds`: memories of each
    kind, `categories`: of each category (the kind where a memory has none).
    """

    active: int = 0
    mean_accesses: float = 0.0
    entities: Mapping[str, int] = field(default_factory=dict)
    kinds: Mapping[str, int] = field(default_factory=dict)
    categories: Mapping[str, int] = field(default_factory=dict)


class NearPair(Record, frozen=True, kw_only=True):
    """Two memories and the cosine of their best parts, in [-1, 1]."""

    first_id: str
    second_id: str
    cosine: float


class Snapshot(Record, frozen=True, kw_only=True):
    """What a planner looks at: one batch of memories of one set of walls, oldest first.

    Beside it stands what the stage asked for (`Stage.needs`); `others` are the memories at the far
    ends, by id. `since` is when the last finished cycle of this tenant began (0 = there was none,
    or its cap left something over in these walls), in microseconds UTC; `room` what is left of the
    stage's cap in these walls. `made`: what the same step made here before. `total`: of how many
    memories of one category these are the most important, where the step goes by category.
    """

    memories: tuple[Memory, ...]
    census: Census = field(default_factory=Census)
    since: int = 0
    room: int = 1_000_000_000
    contradictions: tuple[Relation, ...] = ()
    pairs: tuple[NearPair, ...] = ()
    coactivations: tuple[CoActivation, ...] = ()
    procedures: Mapping[str, Procedure] = field(default_factory=dict)
    others: Mapping[str, Memory] = field(default_factory=dict)
    made: tuple[Memory, ...] = ()
    total: int = 0


class Merge(Record, frozen=True, kw_only=True):
    """A new memory that stands for others: a proposal of a planner. `memory` has no id yet; the
    engine gives it one, and a vector, and writes it with its links and the retirement of `sources`
    in one transaction (R-04). `keep_sources`: they are linked and stay as they are. `replaces`: an
    earlier memory of the same purpose whose text it takes the place of, instead of a new row.
    `procedure`: the steps of a memory that is a workflow. `skill` names the question a language
    model may answer better, with the text as fallback."""

    memory: Memory
    sources: tuple[Memory, ...]
    reason: str
    keep_sources: bool = False
    replaces: Memory | None = None
    procedure: Procedure | None = None
    skill: str = ""


class Example(Record, frozen=True, kw_only=True):
    """A memory that a step changed, and why."""

    id: str
    reason: str


class DreamStep(Record, frozen=True, kw_only=True):
    """What one step of a cycle did: how many memories it looked at, how many changes it made, for
    which reasons and how often, and a few examples. `seconds` of wall time."""

    name: str
    looked: int = 0
    changed: int = 0
    why: tuple[tuple[str, int], ...] = ()
    examples: tuple[Example, ...] = ()
    seconds: float = 0.0


class DreamReport(Record, frozen=True, kw_only=True):
    """What maintenance looked at and changed, step by step.

    `run` is the cycle's id ('' for a dry run), its times are microseconds UTC; `finished_at` is
    None where its time was up before its work was done: the next one goes on there. `resumed`:
    it went on with what an interrupted cycle left. `due` is false where nothing was due and
    nothing was done; `next_due_at` is when the next cycle is.
    """

    dry_run: bool
    steps: tuple[DreamStep, ...]
    changed: int
    run: str = ""
    started_at: int = 0
    finished_at: int | None = None
    resumed: bool = False
    due: bool = True
    next_due_at: int | None = None


class Progress(Record, frozen=True, kw_only=True):
    """How far a cycle has come: the stage, the walls in it ('' = none yet) and the last row looked
    at; what stages that are capped have spent, by stage and walls, and calls of a model."""

    stage: int = 0
    walls: str = ""
    after: int = 0
    spent: Mapping[str, int] = field(default_factory=dict)
    model_calls: int = 0


class DreamRun(Record, frozen=True, kw_only=True):
    """One cycle of a tenant as the store keeps it. `first_seq` and `last_seq` are the journal's
    numbers before its first line and at its last; lines between them that are not by the actor
    `dream` are somebody else's."""

    id: str
    profile: str
    started_at: int
    finished_at: int | None = None
    first_seq: int = 0
    last_seq: int = 0
    stages: tuple[str, ...] = ()
    progress: Progress = field(default_factory=Progress)
    census: Census | None = None
    """Of the walls it is in, as they were when it came to them; its entities by a hash of their
    names, so that it holds no word of a memory."""
    steps: tuple[DreamStep, ...] = ()

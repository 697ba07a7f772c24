"""One cycle's bookkeeping: where it stands, what it did, how a batch's proposals are written."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from engraphy.dream.stages import Proposal
from engraphy.engine.merging import merged
from engraphy.engine.parts import Engine
from engraphy.engine.removal import removal
from engraphy.engine.standing import own_view
from engraphy.engine.wording import worded
from engraphy.errors import ConflictError, NotFoundError, ProtectedError
from engraphy.model import (
    Change,
    DreamRun,
    DreamStep,
    Example,
    Memory,
    Merge,
    Progress,
    PutDream,
    Remove,
    SETTLED,
    Settle,
    Update,
    differing,
)

ACTOR = "dream"
"""Who writes what a cycle changes, in the journal."""
_EXAMPLES = 5
_NUMBERS = frozenset(SETTLED)
_SKIPPED = (ConflictError, NotFoundError, ProtectedError)


class Unit(NamedTuple):
    """What is written together or not at all: the changes, and what each step counts for them, as
    (step, memory, reason)."""

    changes: tuple[Change, ...]
    counted: tuple[tuple[str, str, str], ...]


class Tally(Struct):
    """What one step did so far."""

    name: str
    looked: int = 0
    changed: int = 0
    seconds: float = 0.0
    why: Counter[str] = field(default_factory=Counter)
    examples: list[Example] = field(default_factory=list)
    last: DreamStep | None = None
    """What it told last: of eighteen steps one or two did something since."""

    def count(self, target: str, reason: str) -> None:
        """One change more."""
        self.changed += 1
        self.why[reason] += 1
        if len(self.examples) < _EXAMPLES:
            self.examples.append(Example(id=target, reason=reason))

    def told(self) -> DreamStep:
        """As the report tells it."""
        last, seconds = self.last, round(self.seconds, 3)
        did = (self.looked, self.changed, seconds)
        if last is None or did != (last.looked, last.changed, last.seconds):
            self.last = last = DreamStep(
                name=self.name,
                looked=self.looked,
                changed=self.changed,
                why=tuple(self.why.most_common()),
                examples=tuple(self.examples),
                seconds=seconds,
            )
        return last


def taken_up(step: DreamStep) -> Tally:
    """A step of a cycle that was interrupted, to be gone on with."""
    why, examples = Counter(dict(step.why)), list(step.examples)
    return Tally(step.name, step.looked, step.changed, step.seconds, why, examples)


class Cycle(Struct):
    """A cycle under way: its row in the store (none where `kept` is false: a part of one, in one
    caller's walls), and what its steps did. `actor`: who writes, in the journal. `since`: when the
    last finished one began; `before`: what the one before spent of its caps, by step and walls."""

    engine: Engine
    run: DreamRun
    tallies: dict[str, Tally]
    since: int = 0
    kept: bool = True
    actor: str = ACTOR
    before: Mapping[str, int] = field(default_factory=dict)

    @property
    def now(self) -> int:
        """The moment it looks at everything from: when it began, also once it is taken up."""
        return self.run.started_at

    def mark(self, progress: Progress, *, finished_at: int | None = None) -> list[Change]:
        """The change that writes how far it has come."""
        steps = tuple(tally.told() for tally in self.tallies.values())
        self.run = replace(self.run, progress=progress, finished_at=finished_at, steps=steps)
        return [PutDream(run=self.run)] if self.kept else []

    def worded(self, one: Merge) -> Merge:
        """A merge in a model's words, as long as the cycle may ask one."""
        progress = self.run.progress
        left = self.engine.profile.dream.model_calls - progress.model_calls
        told, calls = worded(self.engine, one, self.now, left)
        if calls:
            progress = replace(progress, model_calls=progress.model_calls + calls)
            self.run = replace(self.run, progress=progress)
        return told

    def write(self, changes: Sequence[Change]) -> None:
        """One transaction in the cycle's name."""
        self.engine.store.apply(self.engine.tenant, changes, now=self.now, actor=self.actor)

    def settle(self, units: Sequence[Unit], progress: Progress) -> None:
        """Write a batch together with the progress; where somebody changed one of its memories
        meanwhile, each unit on its own: that one gets its turn in the next cycle."""
        counted = {step for unit in units for step, *_ in unit.counted}
        before = {name: taken_up(self.tallies[name].told()) for name in counted}
        self._count(units)
        together = [change for unit in units for change in unit.changes]
        try:
            self.write([*gathered(together), *self.mark(progress)])
        except _SKIPPED:
            self.tallies |= before
            self._singly(units)
            self.write(self.mark(progress))

    def _singly(self, units: Sequence[Unit]) -> None:
        for unit in units:
            try:
                self.write(unit.changes)
            except _SKIPPED:
                continue
            self._count([unit])

    def _count(self, units: Sequence[Unit]) -> None:
        for unit in units:
            for step, target, reason in unit.counted:
                self.tallies[step].count(target, reason)


def unit(cycle: Cycle, step: str, one: Proposal) -> Unit:
    """What one proposal of one step writes."""
    engine, now = cycle.engine, cycle.now
    if isinstance(one, Merge):
        one = cycle.worded(one)
        counted = (step, target(one), one.reason)
        return Unit(tuple(merged(engine, one, now)), (counted,))
    reason = getattr(one, "reason", "")
    if isinstance(one, Remove) and one.expected is not None:
        view = own_view(one.expected, now)
        changes = removal(engine, [one.expected], view, reason)
        return Unit(tuple(changes), ((step, one.id, reason),))
    return Unit((one,), ((step, target(one), reason),))


def target(one: Proposal) -> str:
    """The memory that a proposal is about."""
    if isinstance(one, Merge):
        return one.sources[0].id if one.sources else ""
    if isinstance(one, Update):
        return one.memory.id
    return str(getattr(one, "id", "") or next(iter(getattr(one, "ids", ())), ""))


def chained(moves: Mapping[str, Sequence[tuple[str, Update]]]) -> list[Unit]:
    """One update for each memory of what successive steps moved of it, counted for each."""
    units = []
    for target, steps in moves.items():
        first, last = steps[0][1], steps[-1][1]
        told = dict.fromkeys(update.reason for _, update in steps)
        ops = [update.op for _, update in steps]
        one = Update(
            memory=last.memory,
            expected=first.expected,
            vector=last.vector,
            reason="; ".join(told),
            op="state" if "state" in ops else last.op,
        )
        counted = tuple((name, target, update.reason) for name, update in steps)
        units.append(Unit((one,), counted))
    return units


def gathered(changes: Sequence[Change]) -> list[Change]:
    """The same changes, those of mere numbers as one for each reason."""
    rest: list[Change] = []
    rows: dict[str, list[tuple[Memory, Memory]]] = {}
    for one in changes:
        if isinstance(one, Update) and numbers(one):
            rows.setdefault(one.reason, []).append((one.expected, one.memory))
        else:
            rest.append(one)
    return [*(Settle(rows=tuple(told), reason=reason) for reason, told in rows.items()), *rest]


def numbers(change: Update) -> bool:
    """Whether an update moves nothing but the numbers of a memory's life."""
    return change.vector is None and _NUMBERS.issuperset(differing(change.expected, change.memory))

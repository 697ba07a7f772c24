"""What came of the things of an import, counted."""

from collections import Counter

from msgspec import Struct, field

from engraphy.engine.forgotten import FORGOTTEN
from engraphy.model import Action, Evidence, Memory, Outcome, State, WALLS
from engraphy.model.importing import Imported

_MADE = frozenset({Action.CREATED, Action.UPDATED, Action.SUPERSEDED, Action.QUARANTINED})
ALREADY = "it was taken in already"
_JUDGED = "judge"
"""The last stage of what is left out because it is held already."""


class Tally(Struct):
    """What came of the things so far."""

    read: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)

    def told(self, outcome: Outcome) -> None:
        """Count what came of a thing, or of a part of it."""
        if outcome.action in _MADE and outcome.memory is not None:
            self._made(outcome.memory, outcome.action)
        elif outcome.reason == ALREADY:
            self.counts["already"] += 1
        elif outcome.reason == FORGOTTEN:
            self.counts["forgotten"] += 1
        elif (stage := outcome.trace[-1].stage if outcome.trace else "") == _JUDGED:
            self.counts["stands"] += 1
        else:
            self.skipped[stage or outcome.reason] += 1

    def shown(self, source: str, run: str) -> Imported:
        """The counts as they are told."""
        counts = self.counts
        return Imported(
            source=source,
            run=run,
            read=self.read,
            memories=counts["memories"],
            kinds=dict(sorted(self.kinds.items())),
            owned=counts["owned"],
            superseded=counts["superseded"],
            taken_back=counts["taken_back"],
            held_back=counts["held_back"],
            already=counts["already"],
            stands=counts["stands"],
            forgotten=counts["forgotten"],
            skipped=dict(sorted(self.skipped.items())),
        )

    def _made(self, memory: Memory, action: Action) -> None:
        if memory.evidence is Evidence.RETRACTED:
            self.counts["taken_back"] += 1
            return
        self.counts["memories"] += 1
        self.kinds[memory.kind.value] += 1
        if any(getattr(memory.scope, wall) for wall in WALLS):
            self.counts["owned"] += 1
        if action is Action.SUPERSEDED:
            self.counts["superseded"] += 1
        if memory.state is State.QUARANTINED:
            self.counts["held_back"] += 1

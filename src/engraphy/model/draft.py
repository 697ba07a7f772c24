"""What is decided on the way in: a draft, what stands near it, and the judgement over it."""

from typing import Literal

from engraphy.model.language import Slot
from engraphy.model.memory import Memory
from engraphy.model.outcome import Step
from engraphy.model.records import Fact
from engraphy.record import Record

Decision = Literal["create", "merge", "reinforce", "supersede", "skip", "report"]


class Draft(Record, frozen=True, kw_only=True):
    """A memory that is not yet stored: `memory.id` is empty until it is settled.

    `explicit`: a caller asked for it by name, so no gate judges it. `slots`: what it says about
    whom (D-08). `beside`: ids of memories that it stands beside, whatever their words.
    """

    memory: Memory
    explicit: bool
    slots: tuple[Slot, ...] = ()
    beside: frozenset[str] = frozenset()
    trace: tuple[Step, ...] = ()


class Near(Record, frozen=True, kw_only=True):
    """A stored memory of exactly the draft's walls; `similarity` on the common scale [0, 1].

    `guards` name what forbids calling the two duplicates (R-09): numbers, negation, names ...
    """

    memory: Memory
    similarity: float
    guards: frozenset[str] = frozenset()


class Held(Record, frozen=True, kw_only=True):
    """What the draft disagrees with: a fact, the draft's slot, and the memory it came from.

    Without a fact it is the memory as a whole: its words were laid beside the draft's. `likely`:
    how likely it is over, in (0, 1), where no rule says so but a learned model.
    """

    fact: Fact | None
    slot: Slot
    source: Memory | None = None
    likely: float | None = None


class Later(Record, frozen=True, kw_only=True):
    """Why a draft told late is history already: from `at` on (microseconds UTC) its `slot` held no
    longer, by the newer memory `by` where that is known."""

    slot: Slot
    at: int
    by: Memory | None = None


class Judgement(Record, frozen=True, kw_only=True):
    """What is to be done with a draft, to which stored memory, and why."""

    decision: Decision
    reason: str
    target: Memory | None = None
    held: tuple[Held, ...] = ()
    later: tuple[Later, ...] = ()
    similarity: float = 0.0

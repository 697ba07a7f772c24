"""What is decided on the way in: a draft, what stands near it, and the judgement over it."""

from dataclasses import dataclass
from typing import Literal

from engraphy.model.language import Slot
from engraphy.model.memory import Memory
from engraphy.model.outcome import Step
from engraphy.model.records import Fact

Decision = Literal["create", "merge", "reinforce", "supersede", "skip", "report"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A memory that is not yet stored: `memory.id` is empty until it is settled.

    `explicit`: a caller asked for it by name, so no gate judges it. `slots`: what it says about
    whom (D-08). `beside`: ids of memories that it stands beside, whatever their words.
    """

    memory: Memory
    explicit: bool
    slots: tuple[Slot, ...] = ()
    beside: frozenset[str] = frozenset()
    trace: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """A stored memory of exactly the draft's walls; `similarity` on the common scale [0, 1].

    `guards` name what forbids calling the two duplicates (R-09): numbers, negation, names ...
    """

    memory: Memory
    similarity: float
    guards: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What the draft disagrees with: a fact, the draft's slot, and the memory it came from.

    Without a fact it is the memory as a whole: its words were laid beside the draft's. `likely`:
    how likely it is over, in (0, 1), where no rule says so but a learned model.
    """

    fact: Fact | None
    slot: Slot
    source: Memory | None = None
    likely: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """Why a draft told late is history already: from `at` on (microseconds UTC) its `slot` held no
    longer, by the newer memory `by` where that is known."""

    slot: Slot
    at: int
    by: Memory | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What is to be done with a draft, to which stored memory, and why."""

    decision: Decision
    reason: str
    target: Memory | None = None
    held: tuple[Held, ...] = ()
    later: tuple[Later, ...] = ()
    similarity: float = 0.0

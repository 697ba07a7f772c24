"""A short story told to a memory: which of its statements a new one superseded.

A statement counts as superseded when, after the new message and not before it, a memory made of it
is in state superseded, or a fact read out of it has ended (that is how a long memory, or one that
holds more than was denied, is changed).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engraphy.benchmarks.precision_store import Replay
from engraphy.benchmarks.write_part import MINUTE
from engraphy.memory import Memory
from engraphy.model import Outcome, State

_MOST = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """Memories that were superseded whole, and those of which a fact ended."""

    whole: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()

    def both(self) -> frozenset[str]:
        """All that no longer hold as they were told."""
        return self.whole | self.facts


@dataclass(slots=True, kw_only=True)
class Story:
    """One user's statements in a memory; `held`: the memories each statement is kept in."""

    memory: Memory
    clock: Replay
    user: str
    held: list[frozenset[str]] = field(default_factory=list)

    def tell(self, text: str, at: int | None = None, role: str = "user") -> list[Outcome]:
        """Say the next thing, a minute after the last or at a moment of its own."""
        self.clock.at = self.clock.at + MINUTE if at is None else at
        message = {"role": role, "content": text}
        return self.memory.observe([message], user=self.user, at=self.clock.at)

    def state(self, text: str, at: int | None = None) -> list[Outcome]:
        """Say something whose fate is watched."""
        outcomes = self.tell(text, at)
        self.held.append(kept(outcomes))
        return outcomes

    def ended(self) -> Ended:
        """What no longer holds now."""
        listed = self.memory.list(include=("superseded",), limit=_MOST, user=self.user)
        facts = self.memory.facts(current=False, limit=_MOST, user=self.user)
        return Ended(
            whole=frozenset(one.id for one in listed if one.state is State.SUPERSEDED),
            facts=frozenset(
                fact.source_id
                for fact in facts
                if fact.source_id is not None and fact.valid_until is not None
            ),
        )

    def superseded(self, before: Ended) -> frozenset[int]:
        """Which statements, by their place, hold no longer, and did so before."""
        now = self.ended()
        gone = (now.whole - before.whole) | (now.facts - before.facts)
        return frozenset(place for place, ids in enumerate(self.held) if ids & gone)


def kept(outcomes: Sequence[Outcome]) -> frozenset[str]:
    """The memories that hold what was said."""
    return frozenset(one.memory.id for one in outcomes if one.memory is not None)


def told_of(outcomes: Sequence[Outcome]) -> str:
    """What was done with a message, in the product's own words."""
    return "; ".join(f"{one.action.value}: {one.reason}" for one in outcomes) or "nothing"

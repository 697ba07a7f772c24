"""A memory that holds PrecisionMemBench's beliefs, and the context it builds for a case.

An integrator's mapping, by the public face alone: user = wall, scope label = project (labels are
exact, so `user:universal` is one more), canonical name = title, aliases = concepts, why it
matters = context, type = kind and category. A belief that was superseded or resolved is valid until
that moment. A relation is linked to its participants. Nothing is mapped by case.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engraphy.benchmarks.precision_data import Belief, RetrievalCase
from engraphy.memory import Memory
from engraphy.model import Hit
from engraphy.model import Memory as Row

UNIVERSAL = "user:universal"
_QUESTION = "open_question"
_KINDS = {
    "preference": "preference",
    "decision": "decision",
    "entity": "entity",
    "relation": "relationship",
    _QUESTION: "plan",
}
_DAY = 86_400_000_000
_MOST = 1_000


@dataclass(slots=True)
class Replay:
    """A clock that stands at the moment of the story that is being told."""

    at: int = 0

    def __call__(self) -> int:
        return self.at


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    """What a context holds, tier by tier: the prelude's text, and ids of beliefs."""

    prelude: str
    pinned: tuple[str, ...]
    relevant: tuple[str, ...]
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Beliefs:
    """The memory, and which belief each of its rows holds."""

    memory: Memory
    belief_of: dict[str, str] = field(default_factory=dict)
    rows_of: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    """(memory id, scope) of each belief."""

    def seed(self, beliefs: Sequence[Belief], clock: Replay) -> dict[str, int]:
        """Tell the beliefs in the order they were formed; how often each action came."""
        counts: dict[str, int] = {}
        known = {belief.id: belief for belief in beliefs}
        for belief in sorted(beliefs, key=lambda one: one.created_at):
            clock.at = belief.created_at
            after = known.get(belief.superseded_by or "")
            ended = after.created_at if after is not None else belief.resolved_at
            for scope in belief.scopes:
                action = self._remember(belief, scope, ended)
                counts[action] = counts.get(action, 0) + 1
        clock.at = max(one.created_at for one in beliefs) + _DAY
        for belief in beliefs:
            self._relate(belief)
        return counts

    def _remember(self, belief: Belief, scope: str, ended: int | None) -> str:
        outcome = self.memory.remember(
            belief.content,
            user=belief.user,
            project=scope,
            kind=_KINDS.get(belief.type, "fact"),
            at=belief.created_at,
            title=belief.name,
            concepts=list(belief.aliases),
            context=belief.matters,
            category=belief.type,
            pinned=belief.pinned,
            source_confidence=belief.confidence,
            valid_until=ended,
            metadata={"belief": belief.id},
        )
        if outcome.memory is not None:
            self.belief_of.setdefault(outcome.memory.id, belief.id)
            self.rows_of[belief.id].append((outcome.memory.id, scope))
        return outcome.action.value

    def _relate(self, belief: Belief) -> None:
        """Link a relation to its participants in the same scope."""
        for row, scope in self.rows_of[belief.id]:
            for participant in belief.participants:
                for other, where in self.rows_of[participant]:
                    if where == scope:
                        self.memory.link(row, other, user=belief.user, project=scope)

    def ask(self, case: RetrievalCase) -> Tiers:
        """The context of a case: prelude, pinned beliefs (those that answer the question first),
        what else is relevant, open questions."""
        found = [(hit, scope) for scope in case.scopes for hit in self._recalled(case, scope)]
        ranked = sorted(found, key=lambda one: -one[0].score)
        places = {hit.memory.id: place for place, (hit, _) in enumerate(ranked)}
        standing = [row for scope in case.scopes for row in self._listed(case, scope, pinned=True)]
        standing.sort(key=lambda row: places.get(row.id, len(places)))
        pinned = [row for row in standing if row.category != _QUESTION][: case.budget]
        relevant = self._relevant(case, ranked, {row.id for row in standing})
        universal = self._listed(case, UNIVERSAL, pinned=None)
        return Tiers(
            prelude=" ".join(row.content for row in universal),
            pinned=self._names(pinned),
            relevant=self._names(relevant)[: max(0, case.budget - len(pinned))],
            questions=self._names(row for row in standing if row.category == _QUESTION),
        )

    def _names(self, rows: Iterable[Row]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.belief_of[row.id] for row in rows))

    def _listed(self, case: RetrievalCase, scope: str, *, pinned: bool | None) -> list[Row]:
        return self.memory.list(user=case.user, project=scope, pinned=pinned, limit=_MOST)

    def _relevant(
        self, case: RetrievalCase, ranked: Sequence[tuple[Hit, str]], standing: set[str]
    ) -> list[Row]:
        """Recalled beliefs, best first, then the participants of the relations among them."""
        rows = {hit.memory.id: hit.memory for hit, _ in ranked}
        for hit, scope in ranked:
            if hit.memory.kind == "relationship":
                rows |= {row.id: row for row in self._participants(case, hit.memory.id, scope)}
        kept = (row for row in rows.values() if row.id not in standing)
        return [row for row in kept if row.category != _QUESTION]

    def _recalled(self, case: RetrievalCase, scope: str) -> list[Hit]:
        return self.memory.recall(
            case.query, user=case.user, project=scope, limit=_MOST, touch=False
        )

    def _participants(self, case: RetrievalCase, relation: str, scope: str) -> Iterator[Row]:
        for link in self.memory.links(relation, user=case.user, project=scope):
            if link.type == "related_to" and link.source_id == relation:
                yield self.memory.get(link.target_id, touch=False, user=case.user, project=scope)

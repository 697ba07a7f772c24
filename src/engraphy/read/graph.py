"""The graph that a question for a cause, or about somebody, is walked over (D-21, D-75)."""

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from engraphy.formulas import personalised_pagerank
from engraphy.model import Intent
from engraphy.profile import Graph
from engraphy.read.query import Asked
from engraphy.record import Record
from engraphy.text.about import subject
from engraphy.text.entities import entities
from engraphy.text.intents import intent

_ENTITY = "\x00"
"""What stands before the name of an entity, so that no memory has it."""


class Walk(Record, frozen=True, kw_only=True):
    """Where a walk led: `asked`, the kind of question; `reached`: how many memories it saw;
    `shares`: by id, how often it came by, 1 for the most; `brought`: ids that only it found."""

    asked: str
    reached: int
    shares: Mapping[str, float]
    brought: frozenset[str]


class Web(Struct):
    """Memories and what they name, with the edges between them."""

    places: dict[str, int] = field(default_factory=dict)
    edges: dict[tuple[int, int], float] = field(default_factory=dict)

    def place(self, name: str) -> int:
        """The number of a memory, by its id."""
        return self.places.setdefault(name, len(self.places))

    def join(self, one: str, other: str, weight: float) -> None:
        """An edge between two memories; of several the weights add up."""
        first, second = sorted((self.place(one), self.place(other)))
        self.edges[first, second] = self.edges.get((first, second), 0.0) + weight

    def name(self, memory: str, entity: str, weight: float) -> None:
        """An edge between a memory and what it names; once, however often it is told."""
        self.edges[self.place(memory), self.place(_ENTITY + entity)] = weight

    def memories(self) -> list[str]:
        """The ids of all memories."""
        return [name for name in self.places if not name.startswith(_ENTITY)]


def edge_weights(asked: Asked, knobs: Graph) -> tuple[str, Mapping[str, float]] | None:
    """What a question asks for and the weight of each type of relation for it; None where it is
    not walked: only questions for a cause or about somebody or something are."""
    if not knobs.nodes:
        return None
    wanted = asked.intent or intent(asked.text)
    if wanted is Intent.CAUSAL:
        return wanted.value, {str(name): weight for name, weight in knobs.causal.items()}
    if wanted is Intent.ENTITY_PROFILE:
        return wanted.value, {str(name): weight for name, weight in knobs.entity_profile.items()}
    return None


def named(question: str) -> tuple[str, ...]:
    """The addresses of what a question names."""
    return tuple(one.uri for one in entities(question))


def asked_about(question: str) -> str | None:
    """Whom or what a question is about, in its words; None where it says no name."""
    return subject(question)


def shares(
    web: Web, seeds: Mapping[str, float], names: Iterable[str], knobs: Graph
) -> dict[str, float]:
    """How often a walk from the seeds (by their score) and from what is named comes by each
    memory, as a share of the most: in [0, 1]."""
    places = {memory: web.place(memory) for memory in seeds}
    restart = [0.0] * len(web.places)
    starts = [web.places[_ENTITY + name] for name in names if _ENTITY + name in web.places]
    total = sum(seeds.values()) or 1.0
    own = 1.0 - knobs.named if starts and any(seeds.values()) else 1.0
    for memory, score in seeds.items():
        restart[places[memory]] += own * score / total
    for place in starts:
        restart[place] += knobs.named / len(starts)
    edges = [(one, other, weight) for (one, other), weight in web.edges.items()]
    found = personalised_pagerank(edges=edges, restart=restart, damping=knobs.damping)
    by_id = {memory: found[web.places[memory]] for memory in web.memories()}
    most = max(by_id.values(), default=0.0)
    return {memory: share / most for memory, share in by_id.items()} if most > 0.0 else {}

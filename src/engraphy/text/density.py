"""How much a message tells (D-02)."""

from engraphy.model.kinds import Kind
from engraphy.model.language import Density
from engraphy.text.classify import classify
from engraphy.text.entities import entities
from engraphy.text.evidence import asks
from engraphy.text.promised import promised
from engraphy.text.split import sentences
from engraphy.text.wordlists import READ_LIMIT, pattern, plain

FLOOR = 2
_TELLING = frozenset(
    {Kind.PREFERENCE, Kind.CORRECTION, Kind.DECISION, Kind.POLICY, Kind.PITFALL, Kind.RELATIONSHIP}
)


def density(text: str) -> Density:
    """Entities, facts, temporal and correction signals, each distinct one counted once.

    A preference, correction or decision (and what is as telling: policy, pitfall, relationship)
    counts as at least 2, so that "I prefer dark mode" is kept, and so does why something went
    wrong, and what is promised to the other.
    """
    told = [part for part in map(plain, sentences(text[:READ_LIMIT])) if not asks(part)]
    counts = {
        "entities": len([one for one in entities(text) if one.kind != "date"]),
        "facts": distinct("facts", told),
        "temporal": distinct("temporal", told),
        "corrections": distinct("corrections", told),
    }
    total = sum(counts.values())
    if total >= FLOOR:
        return Density(**counts, total=total)
    if distinct("findings", told) or promised(text) or classify(text).kind in _TELLING:
        total = FLOOR
    return Density(**counts, total=total)


def distinct(name: str, told: list[str]) -> int:
    """How many different matches of a pattern list the sentences hold."""
    found = pattern("density", name)
    return len({hit.group().lower() for sentence in told for hit in found.finditer(sentence)})

"""What speaks for a candidate beside its words: who said it, when it was, what it is.

Each boost is a factor; 1 is neutral. The most that a query can reach is known beforehand, so that
scores stay in [0, 1] (R-11).
"""

from collections.abc import Sequence

from engraphy.model import Candidate, DataSource
from engraphy.profile import Fuse
from engraphy.read.query import Asked, named
from engraphy.text.fold import fold_text


def speakers(candidates: Sequence[Candidate], asked: Asked) -> frozenset[str]:
    """The speakers a question names; none where it names several, for it then asks about both."""
    known = {one.speaker for one in candidates if one.speaker}
    found = frozenset(name for name in known if named(name, asked.words))
    return found if len(found) == 1 else frozenset()


def boosts(one: Candidate, asked: Asked, told_by: frozenset[str], knobs: Fuse) -> dict[str, float]:
    """The factors of a candidate, by name."""
    found = {"own_words": one.content / max(one.content + knobs.own_words, 1e-9)}
    if one.speaker in told_by:
        found["speaker"] = 1.0 + knobs.speaker
    elif asked.first_person and not told_by and one.data_source == DataSource.USER_MESSAGE:
        found["first_person"] = 1.0 + knobs.first_person
    if one.data_source == DataSource.ASSISTANT_MESSAGE and not asked.of_agent:
        found["agent"] = 1.0 - knobs.agent
    if asked.asks_when and one.timed:
        found["when"] = 1.0 + knobs.when
    if one.context and _asked_for(one.context, asked.words):
        found["stating"] = 1.0 + knobs.stating
    if one.asks:
        found["asking"] = 1.0 - knobs.asking * min(1.0, knobs.asking_words / max(one.content, 1))
    return found


def attainable(
    candidates: Sequence[Candidate], asked: Asked, told_by: frozenset[str], knobs: Fuse
) -> float:
    """The product of all factors that a candidate of this query can reach."""
    most = 1.0
    if told_by:
        most *= 1.0 + knobs.speaker
    elif asked.first_person:
        most *= 1.0 + knobs.first_person
    if asked.asks_when:
        most *= 1.0 + knobs.when
    if any(one.context and _asked_for(one.context, asked.words) for one in candidates):
        most *= 1.0 + knobs.stating
    return most * (1.0 + knobs.date) if asked.stretches else most


def _asked_for(context: str, words: frozenset[str]) -> bool:
    return any(word.strip(",;") in words for word in fold_text(context).split())

"""What sleeps: it answers where nothing active does, and lends its words all the same (D-45)."""

from collections.abc import Sequence

from msgspec import structs
from msgspec.structs import replace

from engraphy.model import Evidence, Memory, State, View
from engraphy.profile import Profile
from engraphy.read.query import Asked
from engraphy.read.select import Scored

AWAKE = frozenset({State.ACTIVE})
ASLEEP = frozenset({State.DORMANT, State.ARCHIVED})
"""What comes back when it is used."""


def best_of(rows: Sequence[Scored], states: frozenset[State]) -> float:
    """How much of a question the memories in these states answer at best, in [0, 1]."""
    among = (row.confidence for row in rows if _state(row) in states)
    return max(among, default=0.0)


def answered(rows: Sequence[Scored], profile: Profile) -> bool:
    """Whether something active answers enough of a question for sleepers to be left aside."""
    return best_of(rows, AWAKE) >= profile.search.awake_from


def competing(rows: Sequence[Scored], asleep: frozenset[State], share: float) -> list[Scored]:
    """A ranking in which what is `asleep` has that share of its score."""
    held = [
        structs.replace(row, score=row.score * share) if _state(row) in asleep else row
        for row in rows
    ]
    return sorted(held, key=lambda row: -row.score)


def after_all(asked: Asked) -> bool:
    """Whether a question is after what an agent said, or after everything: both fall asleep."""
    return asked.of_agent or asked.surveys


def lenders(view: View) -> View:
    """What lends its words to the turns beside it: a turn that sleeps, too."""
    return replace(view, states=AWAKE | ASLEEP) if view.states == AWAKE else view


def may_answer(row: Scored, view: View) -> bool:
    """Whether a row is a hit of its own in a view, and does not only lend its words."""
    return _state(row) not in ASLEEP or _state(row) in view.states


def _state(row: Scored) -> str:
    return row.measured.candidate.state


def took_back(memory: Memory) -> bool:
    """Whether a sleeper only says that something was taken back: nobody who does not ask for what
    is archived is to hear it again."""
    return memory.evidence is Evidence.RETRACTED

"""What sleeps: it answers where nothing active does, and lends its words all the same (D-45)."""

from collections.abc import Sequence
from dataclasses import replace

from engraphy.model import Evidence, Memory, State, View
from engraphy.read.query import Asked
from engraphy.read.select import Scored

AWAKE = frozenset({State.ACTIVE})
ASLEEP = frozenset({State.DORMANT, State.ARCHIVED})
"""What comes back when it is used."""


def best_of(rows: Sequence[Scored], states: frozenset[State]) -> float:
    """How much of a question the memories in these states answer at best, in [0, 1]."""
    among = (row.confidence for row in rows if row.measured.candidate.state in states)
    return max(among, default=0.0)


def after_all(asked: Asked) -> bool:
    """Whether a question is after what an agent said, or after everything: both fall asleep."""
    return asked.of_agent or asked.surveys


def lenders(view: View) -> View:
    """What lends its words to the turns beside it: a turn that sleeps, too."""
    return replace(view, states=AWAKE | ASLEEP) if view.states == AWAKE else view


def may_answer(row: Scored, view: View) -> bool:
    """Whether a row is a hit of its own in a view, and does not only lend its words."""
    state = row.measured.candidate.state
    return state not in ASLEEP or state in view.states


def took_back(memory: Memory) -> bool:
    """Whether a sleeper only says that something was taken back: nobody who does not ask for what
    is archived is to hear it again."""
    return memory.evidence is Evidence.RETRACTED

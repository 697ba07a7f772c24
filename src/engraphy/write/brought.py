"""What is brought in from elsewhere: told once, however often a source tells it."""

from msgspec.structs import replace

from engraphy.model import Action
from engraphy.write.settle import Settled

_STANDS = "it stands already"


def once(settled: Settled, brought: bool) -> Settled:
    """`settled`, of which nothing is written where what is `brought` in stands already: a copy of
    what was said is no second saying of it, and wakes nothing."""
    if not brought or settled.outcome.action is not Action.REINFORCED:
        return settled
    told = replace(settled.outcome, action=Action.SKIPPED, reason=_STANDS)
    return Settled(changes=(), outcome=told)

"""What a writer is told of the outcome: no more than they may read."""

from dataclasses import replace

from engraphy.model import Action, Memory, Outcome, Sensitivity
from engraphy.write.intake import safe

_OWN = frozenset({Action.CREATED, Action.SUPERSEDED, Action.QUARANTINED})
_SHOWN = 2_000
_ABOUT_OTHERS = frozenset({"near", "contradiction", "succession", "judge", "gate"})
_REASONS = {
    Action.CREATED: "new",
    Action.UPDATED: "joined with what is held",
    Action.REINFORCED: "held already",
    Action.SUPERSEDED: "the same attribute has another value",
}


def told_back(outcome: Outcome, said: Memory) -> Outcome:
    """The outcome of writing `said`, which may be private or secret.

    Who writes a secret has no leave by that to read what is held beside it: of a row that was
    there before they get its id and their own words, of what was superseded nothing.
    """
    if said.sensitivity is Sensitivity.PUBLIC:
        return outcome
    held = outcome.memory
    if held is not None and outcome.action not in _OWN:
        held = replace(said, id=held.id)
    return replace(
        outcome,
        memory=held,
        previous=None,
        reason=_REASONS.get(outcome.action, outcome.reason),
        trace=tuple(step for step in outcome.trace if step.stage not in _ABOUT_OTHERS),
    )


def echoed(content: str, limit: int) -> str:
    """The words of a refused message as they may be shown: without secrets (P-14); of a message
    that is longer than `limit` characters, and was not read, the first 2,000 to a whole word."""
    if len(content) > limit:
        content = content[:_SHOWN].rpartition(" ")[0]
    return safe(content).text

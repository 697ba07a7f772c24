"""A request that is made again: a reminder that was told waits again, one that waits is moved."""

from dataclasses import replace

from engraphy.model import Action, Memory, Origin, State, Update
from engraphy.text.cues import carrying, cue_of, pending
from engraphy.write.settle import Settled


def asked_anew(settled: Settled, said: Memory) -> Settled:
    """`settled` with a request that is made again in the same words: it waits again, for the moment
    that is meant now."""
    held = settled.outcome.memory
    fresh = pending(said) and settled.outcome.action is Action.REINFORCED
    if not fresh or held is None or held.immutable or not _same_right(held, said):
        return settled
    cue = cue_of(said)
    if cue is None or (pending(held) and cue_of(held) == cue):
        return settled
    earlier = [one for one in settled.changes if isinstance(one, Update)]
    base = earlier[0].memory if earlier else held
    new = replace(
        carrying(base, cue, waits=True),
        state=State.ACTIVE,
        temporal_type=said.temporal_type,
        valid_until=said.valid_until,
        updated_at=max(base.updated_at, said.recorded_at),
    )
    rest = [one for one in settled.changes if one not in earlier]
    change = Update(memory=new, expected=held, reason="asked to be reminded anew")
    outcome = replace(settled.outcome, memory=new)
    return replace(settled, changes=(change, *rest), outcome=outcome)


def _same_right(held: Memory, said: Memory) -> bool:
    return held.origin is said.origin is Origin.USER and held.sensitivity is said.sensitivity

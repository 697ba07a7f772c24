"""What may not be delivered until someone looked at it: instructions from where none may come."""

from dataclasses import replace

from engraphy.model import Draft, Origin, State, Step
from engraphy.text.injection import injection_signals


def quarantined(draft: Draft) -> Draft:
    """The draft, quarantined where text that did not come from the user tries to instruct."""
    memory = draft.memory
    if memory.origin is Origin.USER:
        return draft
    signals = injection_signals(memory.content)
    if not signals:
        return draft
    step = Step(stage="quarantine", detail=f"{memory.origin.value} text instructs: {signals[0]}")
    held = replace(memory, state=State.QUARANTINED)
    return replace(draft, memory=held, trace=(*draft.trace, step))

"""What may not be delivered until someone looked at it: instructions from where none may come."""

from collections.abc import Iterator
from dataclasses import replace

from engraphy.errors import InvalidInputError
from engraphy.model import Draft, Memory, Origin, State, Step
from engraphy.text.injection import injection_signals

_TEXTS = ("content", "title", "subtitle", "context", "category", "speaker")
_LISTS = ("tags", "concepts")


def quarantined(draft: Draft) -> Draft:
    """The draft, quarantined where text that did not come from the user tries to instruct."""
    if draft.memory.origin is Origin.USER or not (signals := signs(draft.memory)):
        return draft
    step = Step(stage="quarantine", detail=_because(draft.memory, signals))
    held = replace(draft.memory, state=State.QUARANTINED)
    return replace(draft, memory=held, trace=(*draft.trace, step))


def signs(memory: Memory, *beside: str) -> tuple[str, ...]:
    """The names of the signs that any text of a memory, or one `beside` it, instructs."""
    texts = dict.fromkeys((*_texts(memory), *beside))
    return tuple(dict.fromkeys(name for text in texts for name in injection_signals(text)))


def why_held(memory: Memory) -> str:
    """Why a memory is held back, in words; by the rules of today."""
    signals = signs(memory)
    return _because(memory, signals) if signals else "it was held back when it was written"


def accepted(memory: Memory) -> Memory:
    """A memory that waits, let in: its origin and trust stay what they were. Raises
    InvalidInputError where it does not wait."""
    if memory.state is not State.QUARANTINED:
        allowed = "a memory that is held back (see review)"
        raise InvalidInputError(
            field="id", got=f"one that is {memory.state.value}", allowed=allowed
        )
    return replace(memory, state=State.ACTIVE)


def _because(memory: Memory, signals: tuple[str, ...]) -> str:
    return f"{memory.origin.value} text instructs: {', '.join(signals)}"


def _texts(memory: Memory) -> Iterator[str]:
    yield from (text for name in _TEXTS if (text := getattr(memory, name)))
    for name in _LISTS:
        yield from getattr(memory, name)
    for pair in memory.metadata:
        yield from pair

"""What a memory may not do in a prompt: give orders (A-20)."""

from engraphy.text.injection import injection_signals
from engraphy.text.split import sentences

REMOVED = "[instruction removed]"
_LOOKED_AT = 20_000
"""Characters of a text that are told apart by sentences; a longer one goes by its lines."""


def without_instructions(text: str) -> str:
    """The text with `[instruction removed]` in place of what tries to instruct a model.

    Sentence by sentence; where only several of them together instruct, the whole text goes. A
    text without such a sign comes back unchanged.
    """
    if not injection_signals(text):
        return text
    lines = [_governed(line) for line in text.split("\n")]
    left = "\n".join(lines)
    return REMOVED if injection_signals(left) else left


def _governed(line: str) -> str:
    if not injection_signals(line):
        return line
    parts = sentences(line) if len(line) <= _LOOKED_AT else (line,)
    kept = [REMOVED if injection_signals(part) else part for part in parts]
    return " ".join(
        part
        for part, before in zip(kept, ["", *kept], strict=False)
        if not (part == before == REMOVED)
    )

"""What a memory may not do in a prompt: give orders (A-20)."""

from hashlib import blake2b

from engraphy.text.injection import injection_signals
from engraphy.text.split import sentences

REMOVED = "[instruction removed]"
_LOOKED_AT = 20_000
"""Characters of a text that are told apart by sentences; a longer one goes by its lines."""
_MOST_FREE = 16_384
_free: set[bytes] = set()
"""Digests of texts without a sign: what is remembered is shown again and again. Of the texts
themselves nothing is kept here, as they may be forgotten."""


def without_instructions(text: str) -> str:
    """The text with `[instruction removed]` in place of what tries to instruct a model.

    Sentence by sentence; where only several of them together instruct, the whole text goes. A
    text without such a sign comes back unchanged.
    """
    if _is_free(text):
        return text
    lines = text.split("\n")
    told = [_parted(text)] if len(lines) == 1 else [_governed(line) for line in lines]
    left = "\n".join(told)
    return REMOVED if injection_signals(left) else left


def _is_free(text: str) -> bool:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if digest in _free:
        return True
    if injection_signals(text):
        return False
    if len(_free) >= _MOST_FREE:
        _free.clear()
    _free.add(digest)
    return True


def _governed(line: str) -> str:
    return _parted(line) if injection_signals(line) else line


def _parted(line: str) -> str:
    """A line with a sign, without those of its sentences that have one."""
    parts = sentences(line) if len(line) <= _LOOKED_AT else ()
    if len(parts) < 2:
        return REMOVED
    kept = [REMOVED if injection_signals(part) else part for part in parts]
    return " ".join(
        part
        for part, before in zip(kept, ["", *kept], strict=False)
        if not (part == before == REMOVED)
    )

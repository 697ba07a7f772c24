"""The observer's seven filters (D-01): which messages are not worth looking at, and why."""

import re

from engraphy.text.injection import injection_signals
from engraphy.text.wordlists import pattern, plain

SHORTEST = 11
LONGEST = 4999
_MARKED_LINES = 5
_MOST_EMOJI = 3
_CODE_SHARE = 0.5

_BLOCK = re.compile(r"^\s{0,8}<([A-Za-z][\w:-]{0,40})(?:\s[^<>\n]{0,200})?>")
_MARKED = re.compile(
    r"^[ \t]{0,8}(?:[-*+•][ \t]|\d{1,3}[.)][ \t]|#{1,6}[ \t])|\*\*[^*\n]{1,200}\*\*"
)
_FENCE = re.compile(r"^[ \t]{0,8}(?:```|~~~)")
_INDENTED = re.compile(r"^(?: {4}|\t)\s{0,40}\S")
_EMOJI = re.compile(
    "[\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2b55\u231a\u231b\u23e9-\u23f3]"
)


def filter_reason(text: str) -> str | None:
    """The filter that refuses a message, or None.

    length (more than 10 and less than 5000 characters are let in), system, injection, xml,
    markdown (five or more bulleted or bold lines), code (more than half), emoji (more than 3).
    """
    stripped = text.strip()
    if not SHORTEST <= len(stripped) <= LONGEST:
        return "length"
    if pattern("filters", "system").search(plain(stripped)):
        return "system"
    if injection_signals(stripped):
        return "injection"
    return layout(stripped)


def layout(stripped: str) -> str | None:
    """The filter that refuses a message for its form."""
    lines = stripped.splitlines()
    if is_block(stripped):
        return "xml"
    if code_share(lines) > _CODE_SHARE:
        return "code"
    if sum(_MARKED.search(line) is not None for line in lines) >= _MARKED_LINES:
        return "markdown"
    return "emoji" if len(_EMOJI.findall(stripped)) > _MOST_EMOJI else None


def is_block(stripped: str) -> bool:
    """Whether a message is one block of markup: opened at its start and closed again."""
    opened = _BLOCK.match(stripped)
    return opened is not None and f"</{opened[1]}>" in stripped


def code_share(lines: list[str]) -> float:
    """The share of characters that stand in fenced or indented code."""
    inside, coded, total = False, 0, 0
    for line in lines:
        fence = _FENCE.match(line) is not None
        inside ^= fence
        size = len(line.strip())
        total += size
        if fence or inside or _INDENTED.match(line):
            coded += size
    return coded / total if total else 0.0

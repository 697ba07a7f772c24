"""The gate before retrieval (D-20): messages that need no look into memory."""

import re

from engraphy.text.coverage import covered
from engraphy.text.split import sentences
from engraphy.text.trivial import shape
from engraphy.text.wordlists import pattern, plain

_LONGEST = 160
_SUM = re.compile(r"[\d\s.,()+*×÷/^=%?-]{3,160}")
_OPERATION = re.compile(r"\d ?[+*×÷^] ?[\d(]")
_SKIPPED = frozenset(
    {"greeting", "farewell", "thanks", "confirmation", "denial", "acknowledgement"}
    | {"filler", "generic", "control", "unsure"}
)


def needs_memory(query: str) -> str | None:
    """None where memory is needed; otherwise the reason why it is not.

    Skipped are greetings, confirmations, slash commands, acknowledgements and sums. A question
    always needs memory, whatever stands before it: "ok, which port do we use?".
    """
    stripped = query.strip()
    if len(stripped) > _LONGEST:
        return None
    return shape(stripped) or sum_of_numbers(stripped) or small(stripped)


def sum_of_numbers(stripped: str) -> str | None:
    """The category of what is nothing but numbers to be reckoned with, in signs ("12 * 7 = ?") or
    words ("what's 12 times 7?"), or only asks the clock."""
    reckoned = _SUM.fullmatch(stripped) and _OPERATION.search(stripped)
    asked = pattern("reckoning", "asked").search(plain(stripped)) is not None
    return "sum" if reckoned or asked else None


def small(stripped: str) -> str | None:
    """The category of the first sentence where all of them are small."""
    found = [covered(plain(sentence)) for sentence in sentences(stripped)]
    if not found or any(category not in _SKIPPED for category in found):
        return None
    return found[0]

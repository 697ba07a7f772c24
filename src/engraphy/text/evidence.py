"""How a sentence puts what it says: stated, supposed, quoted, asked, taken back, or over.

Only a stated sentence may replace what is remembered.
"""

import re

from engraphy.model.language import Stance
from engraphy.text.wordlists import pattern, plain

_QUOTED = re.compile(r"^[\"'>][^\"]{2,400}\"?[.!?]?$|^>")


def stance(sentence: str) -> Stance:
    """The stance of one sentence; the first that fits, from question to statement."""
    text = plain(sentence.strip()[:600])
    if asks(text):
        return Stance.QUESTION
    for name, found in (
        ("retracted", Stance.RETRACTED),
        ("quoted", Stance.QUOTED),
        ("hypothetical", Stance.HYPOTHETICAL),
        ("past", Stance.PAST),
    ):
        if pattern("stance", name).search(text):
            return found
    return Stance.QUOTED if _QUOTED.match(text) else Stance.STATED


def asks(text: str) -> bool:
    """Whether a sentence (in plain form) is a question, marked as one or not."""
    if text.rstrip("\"') !").endswith("?"):
        return True
    return pattern("questions", "opens_unmarked").search(text) is not None

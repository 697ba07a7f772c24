"""How a text puts what it says: stated, planned, supposed, quoted, asked, taken back, or over.

Only what is stated may replace what is remembered.
"""

import re
from functools import lru_cache

from engraphy.model.language import Stance
from engraphy.text.split import clauses, sentences
from engraphy.text.wordlists import pattern, plain

_QUOTED = re.compile(r"^[\"'>][^\"]{2,400}\"?[.!?]?$|^>")
_MARKS = ("?", "？", "؟")
_READ = 2000
_SENTENCE = 600
_WHOLE = (
    ("retracted", Stance.RETRACTED),
    ("conditional", Stance.HYPOTHETICAL),
    ("quoted", Stance.QUOTED),
)
_PART = (
    ("hypothetical", Stance.HYPOTHETICAL),
    ("planned", Stance.PLANNED),
    ("past", Stance.PAST),
)


def stance(text: str) -> Stance:
    """The stance of a text: stated where any sentence states something, else the first's."""
    found = [of_sentence(sentence[:_SENTENCE]) for sentence in sentences(text[:_READ])]
    if not found or Stance.STATED in found:
        return Stance.STATED
    return found[0]


def of_sentence(sentence: str) -> Stance:
    """A condition or a quotation covers the sentence whole, a "maybe" only its clause; what is
    beyond 2,000 characters is not looked at."""
    sentence = sentence[:_READ]
    whole = stance_of(sentence, _WHOLE)
    if whole is not Stance.STATED:
        return whole
    first = None
    for clause in dict.fromkeys(clauses(sentence)):
        found = stance_of(clause, _PART)
        if found is Stance.STATED:
            return found
        first = first or found
    return first or Stance.STATED


@lru_cache(maxsize=512)
def stance_of(part: str, listed: tuple[tuple[str, Stance], ...] = _WHOLE + _PART) -> Stance:
    """The stance of one clause: the first of the listed patterns that fits, else stated."""
    folded = plain(part)
    if asks(folded):
        return Stance.QUESTION
    for name, found in listed:
        if pattern("stance", name).search(folded):
            return found
    return Stance.QUOTED if _QUOTED.match(folded) else Stance.STATED


@lru_cache(maxsize=512)
def asks(folded: str) -> bool:
    """Whether a sentence (in plain form) is a question, marked as one or not."""
    return marked(folded) or pattern("questions", "opens_unmarked").finds(folded)


def marked(folded: str) -> bool:
    """Whether a sentence ends as a question does, in any script."""
    return folded.rstrip("\"') !").endswith(_MARKS)

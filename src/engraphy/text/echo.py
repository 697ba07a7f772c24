"""What an agent says that only repeats what it was told of the memory (R-10)."""

from collections.abc import Collection, Iterable

from engraphy.text.analyser import query_terms
from engraphy.text.fence import strip_injected
from engraphy.text.split import sentences

_SHARE = 0.6
"""A sentence of which so much stands in one injected memory repeats it."""
_TELLING = 4
"""Telling words that a sentence beside a repetition has, at least."""
_LONGEST = 200_000


def own(text: str, injected: Iterable[str]) -> str:
    """The text without injected blocks and without the sentences that repeat what was injected;
    beside such a one, what says next to nothing goes with it ("I will keep to that")."""
    lines = strip_injected(text[:_LONGEST]).split("\n")
    if not any(line.strip() for line in lines):
        return ""
    told = [words for one in injected if (words := _words(one))]
    said = [sentences(line) for line in lines]
    every = dict.fromkeys(one for line in said for one in line) if told else ()
    known = {one: _words(one) for one in every}
    gone = {one for one, words in known.items() if _repeats(words, told)}
    if gone:
        gone.update(one for one, words in known.items() if len(words) < _TELLING)
    kept = (" ".join(one for one in line if one not in gone) for line in said)
    return "\n".join(line for line in kept if line.strip()).strip()


def _repeats(words: frozenset[str], told: Collection[frozenset[str]]) -> bool:
    return bool(words) and any(len(words & one) >= _SHARE * len(words) for one in told)


def _words(text: str) -> frozenset[str]:
    return frozenset(term.surface for term in query_terms(text, limit=512))

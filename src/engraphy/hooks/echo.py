"""What an agent says that only repeats what it was told of the memory (R-10)."""

from collections.abc import Collection, Iterable

from engraphy.text.analyser import query_terms
from engraphy.text.fence import strip_injected
from engraphy.text.split import sentences

_SHARE = 0.6
"""A sentence of which so much stands in one injected memory repeats it."""
_LONGEST = 200_000


def own(text: str, injected: Iterable[str]) -> str:
    """The text without injected blocks and without the sentences that repeat what was injected."""
    told = [words for one in injected if (words := _words(one))]
    lines = strip_injected(text[:_LONGEST]).split("\n")
    if not told:
        return "\n".join(lines).strip()
    kept = (" ".join(one for one in sentences(line) if not _repeats(one, told)) for line in lines)
    return "\n".join(line for line in kept if line.strip()).strip()


def _repeats(sentence: str, told: Collection[frozenset[str]]) -> bool:
    words = _words(sentence)
    return bool(words) and any(len(words & one) >= _SHARE * len(words) for one in told)


def _words(text: str) -> frozenset[str]:
    return frozenset(term.surface for term in query_terms(text, limit=512))

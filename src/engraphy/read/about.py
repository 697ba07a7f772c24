"""Which hits of a query are about what it names, so that it may be said of them by the query."""

from collections.abc import Sequence

from engraphy.model import Hit, Memory
from engraphy.text.wording import wording

_LEAST, _STRONG = 0.5, 0.5
"""Of the words of a query at least so many stand in what is about it; a hit that is so sure is,
whatever its words."""
_READ = 4_096
"""So many characters of a query are read for it."""


def about(hits: Sequence[Hit], query: str) -> list[Hit]:
    """The hits that hold as many words of the query as any of them does, and half of them at
    least; and those that are sure without. All of them where the query has no words that count."""
    asked = [{word.folded, *word.keys} for word in wording(query[:_READ]) if word.content]
    if not asked:
        return list(hits)
    shares = [_share(hit.memory, asked) for hit in hits]
    most = max(_LEAST, *shares) if shares else _LEAST
    return [
        hit
        for hit, share in zip(hits, shares, strict=True)
        if share >= most or hit.confidence >= _STRONG
    ]


def _share(memory: Memory, asked: Sequence[set[str]]) -> float:
    """How many of the words stand in a memory, by their stems, as a share."""
    told = " ".join((memory.title, memory.content, *memory.entities, *memory.tags))
    held = {form for word in wording(told) for form in (word.folded, *word.keys)}
    return sum(not held.isdisjoint(forms) for forms in asked) / len(asked)

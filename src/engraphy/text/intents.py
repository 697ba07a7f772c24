"""What a query is after (D-21), and whom it names."""

from collections.abc import Iterable

from engraphy.model.language import Intent
from engraphy.text.wordlists import pattern, plain

_LONGEST = 1000
_ORDER = (
    Intent.CAUSAL,
    Intent.TEMPORAL,
    Intent.PREFERENCE,
    Intent.ENTITY_PROFILE,
    Intent.FACTUAL,
)


def intent(query: str) -> Intent:
    """The intent by key words, English and Turkish; the first that fits, else general."""
    return recognised(query)[0]


def recognised(query: str) -> tuple[Intent, str]:
    """The intent of a query, and the key word that tells it; no word where it is general."""
    folded = plain(query[:_LONGEST])
    for candidate in _ORDER:
        found = pattern("intents", candidate.value).search(folded)
        if found is not None:
            return candidate, query[slice(*found.span())]
    return Intent.GENERAL, ""


def speakers_named(query: str, speakers: Iterable[str]) -> tuple[str, ...]:
    """The speakers a query names, by their full or first name, in the order given."""
    folded = f" {plain(query).lower()} "
    return tuple(name for name in speakers if name.strip() and mentioned(name, folded))


def mentioned(name: str, folded: str) -> bool:
    """Whether a name, or its first word, stands as a word in a text in plain lower case."""
    full = plain(name).lower().strip()
    return any(stands(part, folded) for part in {full, full.split()[0]} if len(part) > 1)


def stands(part: str, folded: str) -> bool:
    """Whether a word stands in a text between characters that belong to no word."""
    place = folded.find(part)
    while place >= 0:
        before, after = folded[place - 1 : place], folded[place + len(part) : place + len(part) + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        place = folded.find(part, place + 1)
    return False

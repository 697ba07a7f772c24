"""What a query is after, and the queries a compound one holds (D-21, D-22)."""

from collections.abc import Iterable

from engraphy.model.language import Intent
from engraphy.text.entities import entities
from engraphy.text.split import sentences
from engraphy.text.wordlists import pattern, plain

MOST_QUERIES = 4
_LONGEST = 1000
_NEAR = 4
"""Characters that may stand between a name and the "and" that joins it to another."""
_ORDER = (
    Intent.CAUSAL,
    Intent.TEMPORAL,
    Intent.PREFERENCE,
    Intent.ENTITY_PROFILE,
    Intent.FACTUAL,
)


def intent(query: str) -> Intent:
    """The intent by key words, English and Turkish; the first that fits, else general."""
    folded = plain(query[:_LONGEST])
    for candidate in _ORDER:
        if pattern("intents", candidate.value).search(folded):
            return candidate
    return Intent.GENERAL


def decompose(query: str) -> tuple[str, ...]:
    """The independent questions of a query, at most four; the query itself where it is one.

    Cut at question marks, at "and also" and its like, and at "and" where both sides name
    different things or each side asks a question of its own.
    """
    parts: list[str] = []
    for sentence in sentences(query[:_LONGEST]):
        parts.extend(cut(sentence))
    kept = [part for part in parts if sum(map(str.isalnum, part)) > 2]
    if len(kept) < 2 or not compound(kept):
        return (query,)
    return tuple(dict.fromkeys(kept))[:MOST_QUERIES]


def compound(parts: list[str]) -> bool:
    """Whether at least two parts ask something."""
    asking = pattern("intents", "asks")
    return sum(asking.search(plain(part)) is not None for part in parts) > 1


def cut(sentence: str) -> list[str]:
    """A sentence cut at the first connective that joins two questions; the rest cut further."""
    folded = plain(sentence)
    if pattern("intents", "together").search(folded):
        return [sentence]
    for found in pattern("intents", "border").finditer(folded):
        left, right = sentence[: found.start()].strip(" ,"), sentence[found.end() :].strip(" ,")
        if pattern("intents", "opens").match(plain(right)):
            return [left, *cut(right)]
        shared = shared_question(left, right)
        if shared:
            return [shared[0], *cut(shared[1])]
    return [sentence]


def shared_question(left: str, right: str) -> tuple[str, str] | None:
    """Both questions where one frame holds two names: "where do Anna and Ben live"."""
    named, other = entities(left), entities(right)
    if not named or not other or {one.uri for one in named} & {one.uri for one in other}:
        return None
    last, first = named[-1], other[0]
    if first.start > _NEAR or len(left) - last.end > _NEAR:
        return None
    return left + right[first.end :], left[: last.start] + right[first.start :]


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

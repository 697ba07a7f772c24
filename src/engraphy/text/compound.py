"""The questions that a compound one holds, each asked whole (D-22), English and Turkish."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from engraphy.text.datafiles import table
from engraphy.text.entities import entities
from engraphy.text.split import sentences
from engraphy.text.stopwords import is_stop_word
from engraphy.text.wordlists import key, pattern, plain

MOST_QUERIES = 4
_LONGEST = 1000
_BORDERS = 12
"""How many connectives of a sentence are looked at: three for each query that is asked."""
_NEAR = 4
"""Characters that may stand between a name and the "and" that joins it to another."""
_WORD = re.compile(r"[^\W_][\w./'’-]{0,60}")
Pair = tuple[str, str]
_AND = ("and", "&", "ve", "ile")
_ALIKE = frozenset({"person", "tech", "org", "place"})


class Compound(NamedTuple):
    """Questions in their order, and the pairs of names that one of them was cut between: where a
    memory joins such a pair too ("Anna and Ben"), the question is one."""

    parts: tuple[str, ...]
    pairs: tuple[Pair, ...] = ()


def joins(text: str, pair: Pair) -> bool:
    """Whether a text names a pair in one breath, with an "and" between."""
    folded, (first, second) = key(text), pair
    return any(f"{key(first)} {word} {key(second)}" in folded for word in _AND)


def decompose(query: str) -> tuple[str, ...]:
    """The independent questions of a query, at most four; the query itself where it is one."""
    return taken_apart(query).parts


def taken_apart(query: str, most: int = MOST_QUERIES) -> Compound:
    """The independent questions of a query, at most `most`, of which the last holds what is left;
    the query itself where it is one.

    Cut at question marks, at "and also" and its like, at "and" where each side asks a question of
    its own, and where one question is asked of two different things. What a later question calls
    "it" is put in.
    """
    whole = Compound((query,))
    read = query[:_LONGEST]
    if not any(one.search(plain(read)) for one in _patterns("maybe")):
        return whole
    pairs: list[Pair] = []
    parts = [part for sentence in sentences(read) for part in _cut(sentence, pairs, _BORDERS)]
    kept = [part for part in parts if _telling(part)]
    if len(kept) < 2 or not _asking(kept):
        return whole
    each = tuple(dict.fromkeys(_carried(kept)))
    found = each if len(each) <= most else (*each[: most - 1], " ".join(each[most - 1 :]))
    return Compound(found, tuple(pairs)) if len(found) > 1 else whole


def _asking(parts: Sequence[str]) -> bool:
    """Whether at least two parts ask something."""
    asking = pattern("intents", "asks")
    return sum(asking.search(plain(part)) is not None for part in parts) > 1


def _telling(part: str) -> list[str]:
    """The words of a part that say what it is about."""
    words = [key(found[0]) for found in _WORD.finditer(part)]
    return [
        word
        for word in words
        if not (is_stop_word(word) or is_stop_word(word, "tr") or _fires("asking", word))
    ]


def _cut(sentence: str, pairs: list[Pair], most: int) -> list[str]:
    """A sentence cut at the first connective that joins two questions; the rest cut further. At
    most `most` of them are looked at."""
    folded = plain(sentence)
    if pattern("intents", "together").search(folded):
        return [sentence]
    borders = islice(pattern("intents", "border").finditer(folded), most)
    for number, found in enumerate(borders, start=1):
        left, right = sentence[: found.start()].strip(" ,"), sentence[found.end() :].strip(" ,")
        if _one_name(left, found[0], right):
            continue
        if pattern("intents", "opens").match(plain(right)) and _telling(left) and _telling(right):
            shared = _two_subjects(sentence, pairs)
            return list(shared) if shared else [left, *_cut(right, pairs, most - number)]
        shared = _shared_question(left, right, pairs) or _two_things(left, right)
        if shared:
            return [shared[0], *_cut(shared[1], pairs, most - number)]
    return list(_two_subjects(sentence, pairs) or [sentence])


def _one_name(left: str, border: str, right: str) -> bool:
    """Whether the words around a border are one name: "research and development"."""
    before, after = _WORD.findall(left), _WORD.findall(right)
    if not before or not after:
        return False
    return f"{key(before[-1])} {border.strip(' ,').lower()} {key(after[0])}" in _joined_names()


def _shared_question(left: str, right: str, pairs: list[Pair]) -> Pair | None:
    """Both questions where one frame holds two names of a kind: "where do Anna and Ben live"."""
    named, other = entities(left), entities(right)
    if not named or not other or {one.uri for one in named} & {one.uri for one in other}:
        return None
    last, first = named[-1], other[0]
    if last.kind != first.kind or last.kind not in _ALIKE:
        return None
    if first.start > _NEAR or len(left) - last.end > _NEAR:
        return None
    pairs.append((left[last.start :], right[: first.end]))
    return left + right[first.end :], left[: last.start] + right[first.start :]


def _two_things(left: str, right: str) -> Pair | None:
    """Both questions where one asks for two things, each with an article or an owner: "what are
    the port and the password"."""
    folded = plain(left)
    if not _fires("first", folded) or not _fires("right", plain(right)):
        return None
    thing = next((found for one in _patterns("left") if (found := one.search(folded))), None)
    return None if thing is None else (left, left[: thing.start("thing")] + right)


def _two_subjects(sentence: str, pairs: list[Pair]) -> Pair | None:
    """Both questions where Turkish asks one of two things: "port ve parola nedir"."""
    for one in _patterns("subject"):
        found = one.match(plain(sentence))
        if found is None or _fires("asking", found["one"]) or _fires("asking", found["two"]):
            continue
        first, second, frame = (sentence[slice(*found.span(n))] for n in ("one", "two", "frame"))
        if _one_name(first, "ve", second):
            continue
        pairs.append((first, second))
        return f"{first} {frame}", f"{_owner(first, second)}{second} {frame}"
    return None


def _owner(first: str, second: str) -> str:
    """Whose the second thing is, where only the first says so: "API'nin portu ve sürümü"."""
    found = next((one.match(plain(first)) for one in _patterns("owner")), None)
    if found is None or " " in second:
        return ""
    return first[slice(*found.span("owner"))] + " "


def _carried(parts: Sequence[str]) -> Iterator[str]:
    """The parts, with what the one before is about in place of "it"."""
    about = ""
    for part in parts:
        told = part
        if about and not entities(part):
            told = _resolved(part, about)
        about = _topic(told) or about
        yield told


def _resolved(part: str, about: str) -> str:
    folded = plain(part)
    found = next((at for one in _patterns("carries") if (at := one.search(folded))), None)
    if found is not None:
        whose = "'s" if any(one.fullmatch(found[0]) for one in _patterns("owning")) else ""
        return part[: found.start()] + about + whose + part[found.end() :]
    bare = any(one.match(folded) for one in _patterns("asking")) and len(_telling(part)) < 2
    return f"{about} {part}" if bare else part


def _topic(part: str) -> str:
    """What a part is about: what it ends with, or what stands before the word that asks."""
    folded = plain(part)
    found = next((at for one in _patterns("topic") if (at := one.search(folded))), None)
    if found is not None:
        return part[slice(*found.span("topic"))]
    asking = next((at for one in _patterns("asking") if (at := one.search(folded))), None)
    if asking is not None and asking.start() > 0:
        return part[: asking.start()].strip(" ,?")
    named = entities(part)
    return named[-1].name if named else ""


def _fires(name: str, folded: str) -> bool:
    return any(one.search(folded) is not None for one in _patterns(name))


def _sections() -> Iterator[dict[str, Any]]:
    yield from table("compound").values()


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    found = (section[name] for section in _sections() if name in section)
    return tuple(re.compile(plain(one), re.IGNORECASE) for one in found)


@cache
def _joined_names() -> frozenset[str]:
    return frozenset(key(one) for section in _sections() for one in section["joined"])

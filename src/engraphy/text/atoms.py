"""One statement per piece: a sentence cut at "and" where it says two things (D-06)."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice

from engraphy.text.datafiles import table
from engraphy.text.entities import entities
from engraphy.text.language import language
from engraphy.text.split import clauses, sentences
from engraphy.text.wordlists import READ_LIMIT, compose, plain

_SHORTEST = 8
_LONGEST = 400
"""A sentence longer than this stays whole."""
_A_SENTENCE = 3
"""Words."""
_SUBJECT = 5
"""Words."""
_TRIES = 6
"""How many borders of a sentence are looked at; what has more of them is a list."""


def atoms(text: str) -> tuple[str, ...]:
    """The atomic statements of a text.

    A sentence is cut at "and" or "ve" only where both sides have a verb of their own and name
    different entities; a second half without a subject takes the first half's ("I").
    """
    found: list[str] = []
    for sentence in sentences(text[:READ_LIMIT]):
        found.extend(halves(sentence))
    return tuple(found)


def halves(sentence: str, tries: int = _TRIES) -> Iterator[str]:
    """A sentence, or its two halves, the second cut further; at most `tries` borders are looked
    at."""
    if len(sentence) > _LONGEST:
        yield sentence
        return
    spoken = "tr" if language(sentence) == "tr" else "en"
    borders = islice(rule("border", spoken).finditer(plain(sentence)), tries)
    for number, border in enumerate(borders, start=1):
        left, right = sentence[: border.start()].rstrip(" ,"), sentence[border.end() :].lstrip()
        if separate(left, right, spoken):
            yield left
            yield from halves(with_subject(left, right, spoken), tries - number)
            return
    yield sentence


def separate(left: str, right: str, spoken: str) -> bool:
    """Whether two sides are statements of their own about different things."""
    if min(len(left), len(right)) < _SHORTEST:
        return False
    verb = rule("verb", spoken)
    if not (verb.search(plain(left)) and verb.search(plain(right))):
        return False
    if not (named := names(left)):
        return False
    other = names(right)
    return bool(other) and named.isdisjoint(other)


def stands_alone(clause: str, *, joined: bool = False) -> bool:
    """Whether a clause of a sentence can be a sentence: it hangs on no other ("with Max on
    Wednesday") and has a verb of its own, or, `joined` to another by "and", three words. Reads
    8,192 characters."""
    clause = clause[:READ_LIMIT]
    folded, spoken = plain(clause), "tr" if language(clause) == "tr" else "en"
    if rule("hanging", spoken).match(folded):
        return False
    if joined and len(clause.split()) >= _A_SENTENCE:
        return True
    return any(rule(name, spoken).search(folded) for name in ("verb", "standing"))


def hangs(clause: str) -> bool:
    """Whether a fragment says when, where, with whom or why, of what is before it."""
    spoken = "tr" if language(clause) == "tr" else "en"
    return not clause[:1].isdigit() and rule("hanging", spoken).match(plain(clause)) is not None


def lacks_subject(clause: str) -> bool:
    """Whether an English clause begins with its verb, so that it tells of what is named before."""
    folded = plain(clause)
    if language(clause) == "tr" or rule("own_subject", "en").match(folded):
        return False
    return any(rule(name, "en").match(folded) for name in ("verb", "standing"))


def subject(clause: str) -> str:
    """The few words before the verb of an English clause; empty for none. Reads 8,192
    characters."""
    found = rule("verb", "en").search(plain(clause[:READ_LIMIT]))
    said = clause[: found.start()].strip() if found else ""
    return said if len(said.split()) <= _SUBJECT else ""


@lru_cache(maxsize=512)
def units(sentence: str) -> tuple[str, ...]:
    """What a sentence says apart: its clauses, each with what hangs on it."""
    found: list[str] = []
    for clause in clauses(sentence):
        if found and (lacks_subject(clause) or not stands_alone(clause)):
            found[-1] += f", {clause}"
        else:
            found.append(clause)
    return tuple(found) if len(found) > 1 else (sentence,)


def names(part: str) -> frozenset[str]:
    """The addresses of what a part names."""
    return frozenset(one.uri for one in entities(part))


def with_subject(left: str, right: str, spoken: str) -> str:
    """The right side with the left side's subject where it has none of its own; a Turkish verb
    carries it by itself."""
    if spoken == "tr":
        return ("İ" if right[:1] == "i" else right[:1].upper()) + right[1:]
    if rule("own_subject", spoken).match(plain(right)):
        return right[:1].upper() + right[1:]
    subject = rule("subject", spoken).match(plain(left))
    return f"{left[: subject.end()].strip()} {right}" if subject else right


@cache
def rule(name: str, spoken: str) -> re.Pattern[str]:
    """A pattern of one language alone: "Docker" ends as a Turkish verb does."""
    parts = (compose(source, spoken) for source in table(spoken)["atoms"][name])
    return re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE)

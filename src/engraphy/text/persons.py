"""People a text names: by a known given name, or by what is said around the name."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from engraphy.model.language import Entity
from engraphy.text.datafiles import table
from engraphy.text.gazetteer import known, lookup
from engraphy.text.wordlists import key, pattern, plain, sections

_NAME = r"[A-ZÇĞİÖŞÜ][a-zçğıöşüáéíóúñäëïâêîôûàèìòùøåæœ]{1,24}(?:-[A-ZÇĞİÖŞÜ]?[a-zçğıöşüâ]{1,24})?"
_SEQUENCE = re.compile(rf"(?<![\w@#/.-]){_NAME}(?: {_NAME}){{0,2}}(?![\w/@]|\.\w)")
_START = re.compile(r"(?:^|[.!?:\n\"“(*-]\s{0,20})$")
_MOST = 512


@cache
def given() -> frozenset[str]:
    """Keys of the given names."""
    return frozenset(key(name) for name in (*known("person", "names"), *known("person", "weak")))


@cache
def weak() -> frozenset[str]:
    """Keys of given names that are also everyday words."""
    return frozenset(key(name) for name in known("person", "weak"))


@cache
def never() -> frozenset[str]:
    """Keys of words that are no person although they carry a capital."""
    return frozenset(key(name) for name in known("person", "never"))


@cache
def introductions() -> re.Pattern[str]:
    """What stands before a name and makes it one: "my wife", "call me", "Dr."."""
    parts: list[str] = []
    for language, section in sections("persons"):
        kin = table(language)["macros"]["kin"]
        parts += [plain(source).replace("<<kin>>", plain(kin)) for source in section["before"]]
    return re.compile("(?:" + "|".join(parts) + r")$", re.IGNORECASE)


def people(text: str) -> Iterator[Entity]:
    """The people of a text, among its first 512 runs of capitalised words."""
    for found in islice(_SEQUENCE.finditer(text), _MOST):
        yield from person(text, found.start(), found[0])


def person(text: str, start: int, sequence: str) -> Iterator[Entity]:
    """The person a run of capitalised words names, if it does."""
    words = sequence.split(" ")
    before = plain(text[max(0, start - 40) : start])
    introduced = introductions().search(before) is not None
    if introduced and key(words[0]) not in never() and lookup(words[0]) is None:
        yield made(start, surname(words))
        return
    if acts(text, start, words, before):
        yield made(start, words)
        return
    for place, word in enumerate(words):
        if is_given(word) and (place or strong(words, word, before)):
            offset = sum(len(skipped) + 1 for skipped in words[:place])
            yield made(start + offset, surname(words[place:]))
            return


def acts(text: str, start: int, words: list[str], before: str) -> bool:
    """Whether unknown capitalised words do what people do: "Yumara Felk suggested"."""
    if any(key(word) in never() or lookup(word) is not None for word in words):
        return False
    if pattern("persons", "article").search(before):
        return False
    alone = len(words) == 1
    if alone and (_START.search(before) is not None or not before):
        return False
    end = start + len(" ".join(words))
    does = pattern("persons", "after").match(plain(text[end : end + 80])) is not None
    return does or (not alone and pattern("persons", "by").search(before) is not None)


def is_given(word: str) -> bool:
    """Whether a word is a known given name."""
    return key(word) in given()


def strong(words: list[str], word: str, before: str) -> bool:
    """Whether a given name counts where it stands: not a weak one alone at a sentence's start."""
    if key(word) not in weak():
        return True
    starts = _START.search(before) is not None
    known_else = lookup(word) is not None or key(word) in never()
    return not known_else and (not starts or (len(words) > 1 and not is_given(words[1])))


def surname(words: list[str]) -> list[str]:
    """The name with its surname, cut before a word that belongs to something else."""
    kept = words[:1]
    for word in words[1:]:
        if key(word) in never() or lookup(word) is not None:
            break
        kept.append(word)
    return kept


def made(start: int, words: list[str]) -> Entity:
    """The person of these words."""
    name = " ".join(words)
    slug = "-".join(key(word) for word in words)
    return Entity(kind="person", name=name, slug=slug, start=start, end=start + len(name))

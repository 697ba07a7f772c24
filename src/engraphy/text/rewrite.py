"""Statements put so that they stand alone, and titles."""

import re

from engraphy.text.language import language
from engraphy.text.persons import given, weak
from engraphy.text.split import sentences
from engraphy.text.thirdperson import begins_with_code, third_person
from engraphy.text.wordlists import key, pattern, plain

_MARKUP = re.compile(
    r"^\s{0,8}(?:[-*+>#]{1,6}\s{1,4}|\d{1,3}[.)]\s{1,4})"
    r"|(?<!\w)[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}(?!\w)"
)
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[^\W\d_]{1,40}")
_LEAST_OF_TITLE = 0.6


def title(text: str, limit: int = 80) -> str:
    """A title from a text: its first telling sentence, without markup and lead-in, cut at a word.

    Never empty for a text that holds anything but space; at most `limit` characters.
    """
    first = telling(text)
    bare = _SPACE.sub(" ", _MARKUP.sub("", first)).strip()
    bare = without_lead_in(bare) or bare or _SPACE.sub(" ", first)
    return shortened(bare.rstrip(" .;:,") or bare, limit)


def telling(text: str) -> str:
    """The first sentence that says more than a small word; else the first."""
    found = sentences(text[:2000])
    for sentence in found:
        letters = sum(map(str.isalnum, sentence))
        if letters > 2 and without_lead_in(sentence):
            return sentence
    return found[0] if found else text.strip()[:2000]


def without_lead_in(sentence: str) -> str:
    """The sentence without fillers at its beginning ("well, actually, ...")."""
    return capitalised(led(sentence))


def led(sentence: str) -> str:
    """The sentence behind its lead-in, as it is written."""
    for _ in range(3):
        found = pattern("rewrite", "lead_in").match(plain(sentence))
        if found is None or not found.end():
            break
        sentence = sentence[found.end() :].lstrip()
    return sentence


def capitalised(sentence: str) -> str:
    """The sentence with a capital, but for code."""
    return sentence if begins_with_code(sentence) else sentence[:1].upper() + sentence[1:]


def begins_with_name(sentence: str) -> bool:
    """Whether the first word is a given name and no everyday word besides."""
    first = _WORD.match(sentence)
    if first is None:
        return False
    word = key(first[0])
    return word in given() and word not in weak()


def shortened(text: str, limit: int) -> str:
    """The text within `limit` characters, cut at a word and marked with an ellipsis if cut."""
    if len(text) <= limit:
        return text
    if limit <= 1:
        return text[:limit]
    head = text[: limit - 1]
    place = head.rfind(" ")
    if place >= limit * _LEAST_OF_TITLE:
        head = head[:place]
    return head.rstrip(" ,;:-") + "…"


def standalone(text: str, *, speaker: str = "User", limit: int = 500) -> str:
    """A statement so that it can be read alone: "I prefer X" becomes "User prefers X" (D-05).

    The first person becomes the speaker, in English and Turkish, fillers go, at most `limit`
    characters stay. Negations and numbers are never touched; quotations keep their words. An
    empty speaker counts as "User".
    """
    name = speaker.strip() or "User"
    told = [rewritten(sentence, name) for sentence in sentences(text[: limit * 8])]
    return shortened(_SPACE.sub(" ", " ".join(filter(None, told))), limit)


def rewritten(sentence: str, name: str) -> str:
    """One sentence in the third person; no capital makes a person of its first word (D-04)."""
    said = led(sentence)
    bare = without_fillers(said if begins_with_name(said) else capitalised(said))
    if not bare or pattern("rewrite", "quoted").search(plain(bare)):
        return bare
    turkish = pattern("rewrite", "own_verb").search(plain(bare))
    return third_person(bare, name, "tr" if turkish else language(bare))


def without_fillers(sentence: str) -> str:
    """The sentence without the fillers inside it."""
    pieces: list[str] = []
    place = 0
    for found in pattern("rewrite", "fillers").finditer(plain(sentence)):
        pieces.append(sentence[place : found.start()])
        place = found.end()
    return _SPACE.sub(" ", " ".join([*pieces, sentence[place:]])).strip(" ,")

"""Cuts one piece of text (what stands between two spaces) into index terms."""

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from operator import add
from typing import Literal, NamedTuple

from engraphy.text import acronyms
from engraphy.text.fold import SIGNS, fold, shape
from engraphy.text.latin import latin_key, spelled_out
from engraphy.text.stems import english_stem, script_stems, turkish_stem

Role = Literal["word", "stem", "whole", "part", "pair", "single", "prefix"]
Style = Literal["plain", "turkish", "latin"]
"""How words bend in a text: as in English, in Turkish, in another Latin language."""

MAX_TOKEN = 64
PREFIX_LENGTH = 5
PREFIX_MARK = "__p"

_MAX_CACHED_PIECE = 80
_HEAD = 40
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_THAI_TO_BURMESE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_WORD = rf"(?:[^\W_]|[{SIGNS}])+"
_CONNECTED = re.compile(
    rf"{_WORD}(?:[._/\\:@'’&=?%~+#$\-\u2010\u2011\u2044]{{1,3}}{_WORD})*_?(?:\+{{1,2}}|#)?"
)
_INNER_WORD = re.compile(_WORD)
_OUTER = re.compile(r"[/\\:@=?&]+")
_SPELLED = re.compile(r"u[0-9a-f]{4,6}_")
_APOSTROPHE = re.compile(r"\A([^\W_]+)['’]([^\W_]+)")
_SCRIPTS = re.compile(rf"[{_CJK}]+|[{_THAI_TO_BURMESE}]+|[^{_CJK}{_THAI_TO_BURMESE}]+")
_RUN = re.compile(rf"[{_CJK}]+|[{_THAI_TO_BURMESE}]+")
_UNSPACED = re.compile(rf"[{_CJK}{_THAI_TO_BURMESE}]")
_UNIT = re.compile(rf".[{SIGNS}]*", re.DOTALL)
_CASES = re.compile(r"[A-Z]{2,}s(?![A-Za-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9]+")
_LETTERS_AND_DIGITS = re.compile(r"[a-z]{2,}|[0-9]+|[^a-z0-9]+|[a-z]")
_TURKISH_LETTER = re.compile("[ğĞışŞİ]")
# What grammar hangs on a name: `gpt-4o's`, `auth.js'de`.
_TAIL = re.compile(r"['’][^\W\d_]{1,8}\Z")
_SHORT_TAIL = re.compile(r"['’][^\W\d_]{1,2}\Z")
_SENTENCE_END = frozenset(".!?:;\n")
_SUFFIX_UP_TO = 2
_JOINED_UP_TO = 3
_HARD = {"b": "p", "d": "t", "g": "k"}
_HYPHENS = frozenset("-_\u2010\u2011")


class Term(NamedTuple):
    """One index term of a piece: its text, the word it stands for, and what part it plays."""

    text: str
    surface: str
    role: Role


def cut(piece: str, *, style: Style = "plain") -> tuple[Term, ...]:
    """The terms of a piece without white space, in order, a term once per occurrence."""
    if len(piece) <= _MAX_CACHED_PIECE:
        return _cut_cached(piece, style)
    return tuple(_cut(piece, style))


def keys(piece: str, *, style: Style = "plain") -> tuple[str, ...]:
    """The stems of a piece, and the pairs of what is written without spaces, as `cut` has them."""
    if len(piece) > _MAX_CACHED_PIECE:
        run = shape(piece)
        if _RUN.fullmatch(run) and _INNER_WORD.fullmatch(run):
            return tuple(_pairs(_units(run)))
    return tuple(term.text for term in cut(piece, style=style) if term.role in {"stem", "pair"})


def unspaced(word: str) -> bool:
    """Whether a word holds a script that is written without spaces between words."""
    return _UNSPACED.search(word) is not None


def chunks(text: str) -> Iterator[tuple[str, bool]]:
    """The words and identifiers of a running text as written, each with "begins a sentence".

    The tail after a last apostrophe is left out, and so are emoji.
    """
    end, opens = 0, True
    for match in _CONNECTED.finditer(shape(text)):
        opens = opens or not _SENTENCE_END.isdisjoint(match.string[end : match.start()])
        end = match.end()
        chunk = match[0].rstrip("_")
        if not _SPELLED.fullmatch(match[0]):
            yield _TAIL.sub("", chunk), opens
            opens = False


def _cut(piece: str, style: Style) -> Iterator[Term]:
    known: dict[str, tuple[Term, ...]] = {}
    for chunk in _CONNECTED.findall(shape(piece)):
        if chunk not in known:
            known[chunk] = tuple(_connected(chunk, style))
        yield from known[chunk]


@lru_cache(maxsize=65_536)
def _cut_cached(piece: str, style: Style) -> tuple[Term, ...]:
    return tuple(_cut(piece, style))


def _connected(chunk: str, style: Style) -> Iterator[Term]:
    if _SPELLED.fullmatch(chunk):
        yield Term(chunk, chunk, "word")
        return
    chunk = chunk.rstrip("_")
    if match := _APOSTROPHE.fullmatch(chunk):
        yield from _apostrophe(match[1], match[2], style)
        return
    chunk = (_TAIL if style == "turkish" else _SHORT_TAIL).sub("", chunk)
    inner = _INNER_WORD.findall(chunk)
    ending = chunk[-1] if chunk[-1] in "+#" else ""
    if len(inner) == 1 and not ending:
        yield from _word(inner[0], style, fold(inner[0]))
        return
    yield from _identifier(chunk, inner, ending, style)


def _apostrophe(head: str, tail: str, style: Style) -> Iterator[Term]:
    """`don't`, `Ada's`, `Ankara'da`: the joined form and the head; a short tail is only grammar."""
    joined = fold(head + tail)
    yield Term(capped(joined), joined, "whole")
    yield from _word(head, style, joined, role="word")
    if len(tail) > _SUFFIX_UP_TO and style != "turkish":
        yield from _word(tail, style, joined, role="part")


def _identifier(chunk: str, inner: list[str], ending: str, style: Style) -> Iterator[Term]:
    whole = _joined(inner, chunk, ending)
    yield Term(capped(whole), whole, "whole")
    segments = _OUTER.split(chunk)
    # Of an endless path each part that differs is looked at once.
    words = {segment: _INNER_WORD.findall(segment) for segment in dict.fromkeys(segments)}
    several = [segment for segment in segments if len(words[segment]) > 1]
    if len(segments) > 1:
        for segment in several:
            yield Term(capped("_".join(map(fold, words[segment]))), whole, "part")
    if len(inner) == 1 and len(inner[0]) == 1:
        return
    for segment in several:
        if joined := _typed_as_one(segment, words[segment]):
            yield Term(capped(joined), whole, "part")
    known = {word: tuple(_word(word, style, whole, role="part")) for word in dict.fromkeys(inner)}
    for word in inner:
        yield from known[word]


def _typed_as_one(segment: str, words: list[str]) -> str:
    """`toolkit` of `tool-kit`, `gpt4o` of `gpt-4o`: hyphens are often left out; else empty."""
    if len(words) > _JOINED_UP_TO or not _HYPHENS.issuperset(_INNER_WORD.sub("", segment)):
        return ""
    return "".join(map(fold, words))


def _joined(inner: list[str], chunk: str, ending: str) -> str:
    suffix = {"+": "_plus", "#": "_sharp", "": ""}[ending]
    if chunk.endswith("++"):
        suffix *= 2
    return fold("_".join(inner)) + suffix


def _word(word: str, style: Style, surface: str, *, role: Role = "word") -> Iterator[Term]:
    for run in _SCRIPTS.findall(word):
        if _UNSPACED.match(run):
            yield from _unspaced(run, surface)
        else:
            yield from _spaced(run, style, surface, role)


def _unspaced(run: str, surface: str) -> Iterator[Term]:
    units = _units(run)
    yield from _each(units, surface, "single")
    yield from _each([*_pairs(units)], surface, "pair")


def _each(texts: list[str], surface: str, role: Role) -> Iterator[Term]:
    made = {text: Term(text, surface, role) for text in dict.fromkeys(texts)}
    return map(made.__getitem__, texts)


def _units(run: str) -> list[str]:
    found = _UNIT.findall(run)
    folded = {unit: fold(unit) for unit in set(found)}
    return [folded[unit] for unit in found]


def _pairs(units: list[str]) -> Iterator[str]:
    for pair in map(add, units, units[1:]):
        yield pair if len(pair) <= MAX_TOKEN else capped(pair)


def _spaced(word: str, style: Style, surface: str, role: Role) -> Iterator[Term]:
    folded = fold(word)
    yield Term(capped(folded), surface, role)
    if len(word) > MAX_TOKEN:
        return
    if style != "turkish" and _TURKISH_LETTER.search(word):
        style = "turkish"
    for stem in _stems(word, folded, style):
        if stem != folded:
            yield Term(stem, surface, "stem" if role == "word" else "part")
    if style != "plain" and len(folded) >= PREFIX_LENGTH and folded.isalpha():
        yield Term(prefix(folded), surface, "prefix")
    if style == "latin":
        yield from bent(word, surface)
    if folded.isascii():
        yield from _split_word(word, folded, surface)


def bent(word: str, surface: str) -> Iterator[Term]:
    """The terms of a word that bends as in the other Latin languages: one of all its forms, and its
    letters as they are typed without dots."""
    key, typed = latin_key(word), spelled_out(word)
    if key is not None:
        yield Term(key, surface, "stem")
    if typed is not None:
        yield Term(typed, surface, "stem")


def prefix(folded: str) -> str:
    """The term of a word's first letters, the last of them hard: the ending softens it (`kitap`,
    `kitabı`; `kâğıt`, `kâğıdı`)."""
    head = folded[:PREFIX_LENGTH]
    return head[:-1] + _HARD.get(head[-1], head[-1]) + PREFIX_MARK


def _stems(word: str, folded: str, style: Style) -> tuple[str, ...]:
    if acronyms.SEVERAL.fullmatch(word):
        return (folded[:-1],)
    if style == "turkish":
        return (turkish_stem(word),)
    return (english_stem(folded),) if folded.isascii() else script_stems(word, folded)


def _split_word(word: str, folded: str, surface: str) -> Iterator[Term]:
    """The words inside `getUserById` and `python3`."""
    parts = _CASES.findall(word) if not (word.islower() or word.isdigit()) else []
    if len(parts) < 2:
        parts = _LETTERS_AND_DIGITS.findall(folded)
    if len(parts) < 2 or any(len(part) < 2 and part.isalpha() for part in parts):
        return
    for part in map(fold, parts):
        yield Term(part, surface, "part")
        stem = english_stem(part)
        if stem != part:
            yield Term(stem, surface, "part")


def capped(token: str) -> str:
    """A token of at most `MAX_TOKEN` characters: a longer one keeps its head and a hash."""
    if len(token) <= MAX_TOKEN:
        return token
    digest = blake2b(token.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{token[:_HEAD].rstrip('_')}_h{digest}"

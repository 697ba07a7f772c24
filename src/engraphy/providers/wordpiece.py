"""BERT's uncased WordPiece tokenizer in plain Python, linear in the length of the text.

The text is folded character by character (controls dropped, accents stripped, lower case,
CJK ideographs and punctuation set apart), split at white space, and each word is cut
greedily into the longest pieces the vocabulary has (Devlin et al. 2018; the reference for
equality is the Rust package ``tokenizers``).
"""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

UNKNOWN: Final = "[UNK]"
CONTINUATION: Final = "##"
LONGEST_WORD: Final = 100
CACHED_WORDS: Final = 32_768

_DROPPED: Final = frozenset({"Cc", "Cf", "Co", "Cs"})
_ONE: Final = (1,)

_IDEOGRAPHS: Final = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def _is_ideograph(codepoint: int) -> bool:
    return any(first <= codepoint <= last for first, last in _IDEOGRAPHS)


def _is_punctuation(character: str) -> bool:
    if character.isascii():
        return character.isprintable() and not character.isalnum() and character != " "
    return unicodedata.category(character).startswith("P")


def _fold(codepoint: int) -> str:
    """Return what one character becomes: nothing, a space, or folded letters."""
    character = chr(codepoint)
    category = unicodedata.category(character)
    if category == "Lo" and _is_ideograph(codepoint):
        return f" {unicodedata.normalize('NFD', character)} "
    if (category in _DROPPED and character not in "\t\n\r") or codepoint == 0xFFFD:
        return ""
    if character.isspace():
        return " "
    bare = (c for c in unicodedata.normalize("NFD", character) if unicodedata.category(c) != "Mn")
    return "".join(f" {c} " if _is_punctuation(c) else c.lower() for c in bare)


class _Folding(dict[int, str]):
    """A translation table that learns each character the first time it is met."""

    def __missing__(self, codepoint: int) -> str:
        folded = self[codepoint] = _fold(codepoint)
        return folded


class _Pieces:
    """Pieces of one kind: their ids, and the lengths worth trying by first two characters."""

    def __init__(self, pieces: Iterable[tuple[str, int]]) -> None:
        self.ids = dict(pieces)
        lengths: dict[str, set[int]] = {}
        for piece in self.ids:
            lengths.setdefault(piece[:2], {1}).add(len(piece))
        self.lengths = {head: sorted(found, reverse=True) for head, found in lengths.items()}


class WordPiece:
    """Cut text into the ids of a BERT uncased vocabulary."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        """Take the vocabulary, one token per id; continuations start with ``##``."""
        self._folding = _Folding()
        self._whole = {token: number for number, token in enumerate(vocabulary)}
        self.unknown = self._whole[UNKNOWN]
        self._starts = _Pieces(
            (token, number)
            for token, number in self._whole.items()
            if not token.startswith(CONTINUATION)
        )
        self._continuations = _Pieces(
            (token.removeprefix(CONTINUATION), number)
            for token, number in self._whole.items()
            if token.startswith(CONTINUATION)
        )
        self.word = lru_cache(maxsize=CACHED_WORDS)(self._cut)

    def id_of(self, token: str) -> int:
        """Return the id of a vocabulary entry, such as ``[CLS]``; KeyError where there is none."""
        return self._whole[token]

    def words(self, text: str) -> list[str]:
        """Fold the text and split it into words and single punctuation marks."""
        return text.translate(self._folding).split()

    def encode(self, text: str) -> list[int]:
        """Return the token ids of the text, without ``[CLS]`` and ``[SEP]``."""
        return [number for word in self.words(text) for number in self.word(word)]

    def _cut(self, word: str) -> tuple[int, ...]:
        """Return the ids of one folded word: ``(unknown,)`` when no cut covers it."""
        whole = self._whole.get(word)
        if whole is not None and not word.startswith(CONTINUATION):
            return (whole,)
        if not 0 < len(word) <= LONGEST_WORD:
            return (self.unknown,)
        ids: list[int] = []
        pieces, position = self._starts, 0
        while position < len(word):
            for length in pieces.lengths.get(word[position : position + 2], _ONE):
                number = pieces.ids.get(word[position : position + length])
                if number is not None:
                    ids.append(number)
                    position += length
                    break
            else:
                return (self.unknown,)
            pieces = self._continuations
        return tuple(ids)

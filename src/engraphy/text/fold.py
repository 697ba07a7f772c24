"""Folding of characters: what counts as the same letter.

Every table maps one code point at a time, so a text of any shape costs linear time (canonical
reordering of long runs of combining marks, as `unicodedata.normalize` does it, is quadratic).
Letters and digits are those of Unicode 3.2, a set that is the same in every Python version and
whose members FTS5's `unicode61` keeps; whatever is newer is spelled by its code point.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import partial

_EMOJI = (
    range(0x2300, 0x2400),
    range(0x2600, 0x27C0),
    range(0x2B00, 0x2C00),
    range(0x1F000, 0x1FB00),
)
# A dot below that is often left out (nukta), and the nasal sign that is often typed as the other.
_SIGN_ALIKE = {"\u093c": "", "\u0a3c": "", "\u0901": "\u0902"}
_SKIN_TONES = range(0x1F3FB, 0x1F400)
# Scripts whose vowel signs carry the word and must stay: Indic, Thai to Burmese, Khmer.
_SIGNED = (range(0x0900, 0x10A0), range(0x1780, 0x1800))
_KEPT_WHOLE = (range(0x3040, 0x3100), range(0xAC00, 0xD7A4))
# Pairs that only make sense composed: kana with a voicing mark, conjoining Korean jamo.
_COMPOSED = re.compile(
    "[\u3046-\u30ff\uff66-\uff9d][\u3099\u309a\uff9e\uff9f]"
    "|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?"
)
_NFC_UP_TO = 64

# Letters that no normal form takes apart, and that people type without their stroke or bow.
_ALIKE = dict(zip("İIıØøŁłĐđĦħŦŧÐð", "iiioolldd" + "hhttdd", strict=True)) | {
    "Æ": "ae", "æ": "ae", "Œ": "oe", "œ": "oe", "Þ": "th", "þ": "th",
}  # fmt: skip

SIGNS = "".join(
    chr(point)
    for block in _SIGNED
    for point in block
    if unicodedata.ucd_3_2_0.category(chr(point))[0] == "M"
)


class _CharacterTable(dict[int, str]):
    """A `str.translate` table that fills itself from a function of one character, up to a size."""

    LIMIT = 50_000

    def __init__(self, function: Callable[[str], str]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, point: int) -> str:
        value = self._function(chr(point))
        if len(self) < self.LIMIT:
            self[point] = value
        return value


def _within(point: int, blocks: tuple[range, ...]) -> bool:
    return any(point in block for block in blocks)


def is_token_character(character: str) -> bool:
    """Whether a folded character may stand in a token as it is."""
    return unicodedata.ucd_3_2_0.category(character)[0] in "LN"


def _spelled(character: str) -> str:
    return f"u{ord(character):x}_"


def _shape(character: str) -> str:
    point = ord(character)
    if point in _SKIN_TONES:
        return ""
    if _within(point, _EMOJI):
        return f" {_spelled(character)} "
    category = unicodedata.category(character)
    if category == "Cf" or (category[0] == "M" and character not in SIGNS):
        return ""
    plain = unicodedata.normalize("NFKC", character)
    if plain == character:
        return character
    return "".join(c for c in plain if unicodedata.category(c)[0] != "M" or c in SIGNS)


def _fold(character: str) -> str:
    if character in _ALIKE:
        return _ALIKE[character]
    if _within(ord(character), _KEPT_WHOLE):
        return character
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    return "".join(map(_token_text, folded))


def _token_text(character: str) -> str:
    character = _SIGN_ALIKE.get(character, character)
    if character and character in SIGNS:
        return f"_{ord(character):x}"
    if not character or unicodedata.category(character)[0] == "M" or character == "\u0640":
        return ""
    return character if is_token_character(character) or character == "_" else _spelled(character)


_SHAPE = _CharacterTable(_shape)
_FOLD = _CharacterTable(_fold)
_FOLD_TEXT = _CharacterTable(lambda c: _fold(c) if c.isalnum() or unicodedata.combining(c) else c)
_compose = partial(_COMPOSED.sub, lambda match: unicodedata.normalize("NFKC", match[0]))


def shape(text: str) -> str:
    """Compatibility forms resolved, stray marks and invisible characters dropped, case kept.

    An emoji becomes a spelled word of its own (`u1f600_`). Precomposed letters keep their marks,
    because a stemmer needs them.
    """
    if text.isascii():
        return text
    if len(text) <= _NFC_UP_TO:
        text = unicodedata.normalize("NFKC", text)
    return _compose(text).translate(_SHAPE)


def fold(word: str) -> str:
    """A word made of letters, digits, signs and `_` as it stands in the index.

    Caseless, without marks, all i's alike; only characters that FTS5 keeps as they are.
    """
    return word.lower() if word.isascii() else word.translate(_FOLD)


def fold_text(text: str) -> str:
    """Running text with its letters folded; spaces and punctuation stay."""
    return text.lower() if text.isascii() else text.translate(_FOLD_TEXT)

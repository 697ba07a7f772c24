"""A statement as words that can be laid beside another's: what it speaks of, its values by sort,
and whom but the speaker it is about."""

import re
from functools import lru_cache
from typing import NamedTuple

from engraphy.record import Record
from engraphy.text.atoms import units
from engraphy.text.datafiles import table
from engraphy.text.gazetteer import lookup
from engraphy.text.language import language
from engraphy.text.stems import turkish_stem
from engraphy.text.wording import Word, wording
from engraphy.text.wordlists import key, words

_MOST = 60
_READ = 4_096
"""So many characters of a statement are read."""
_ENDING = 4
_LETTERS = 5
_DIGIT = re.compile(r"\d")
_CODE = re.compile(
    r"[\w.+-]{1,64}@[\w.-]{1,64}|(?<![\w#&])#[\w-]{2,40}|(?<![\w-])[A-Z][A-Za-z]{1,11}(?:-[\w.]{1,10}){0,2}-\d[\w.]{0,8}(?:-\w{1,10})?|(?<!\w)/[\w.-]{1,40}(?:/[\w.-]{1,40}){0,8}|https?://\S{1,200}"
    r"|(?<![\w.])\d{1,6}(?:[.:-]\d{1,6}){1,4}(?![\d])(?:['’][a-zçğıöşü]{1,4})?"
)
_CODED = re.compile(r"[a-z]{1,4}\d\w{0,6}$")
"""A letter before a number names a thing ("g5"), which is no count."""
_DENIED = re.compile(r"m[iu]yor(?:um|uz|lar)?$")
"""The end of a Turkish verb that denies ("gitmiyor")."""
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "st"})
SORTS = ("code", "number", "day", "name")


class Piece(NamedTuple):
    """A word that counts: `sort` is spoken, light, other, or the sort of a value; `place` is where
    it stands among all words."""

    key: str
    sort: str
    place: int


class Frame(Record, frozen=True, kw_only=True):
    """A statement as comparable words: what it speaks of, its values by sort, and whom."""

    pieces: tuple[Piece, ...]

    def of(self, *sorts: str) -> frozenset[str]:
        """The words of some sorts."""
        return frozenset(one.key for one in self.pieces if one.sort in sorts)

    @property
    def spoken(self) -> frozenset[str]:
        """What the statement is about."""
        return self.of("spoken")

    @property
    def values(self) -> frozenset[str]:
        """Codes, numbers, days and names."""
        return self.of(*SORTS)

    @property
    def all(self) -> frozenset[str]:
        """Every word that counts."""
        return self.of("spoken", "light", "attribute", *SORTS)


@lru_cache(maxsize=512)
def framed(text: str, names: frozenset[str], *, turkish: bool) -> Frame:
    """The frame of a statement; `names`: the words that are names in either of two statements.

    Turkish words are compared by five letters of their stem (Can et al. 2008), as short texts
    inflect too freely for stems alone.
    """
    text = text[:_READ]
    codes = [Piece(key(one).partition("'")[0], _sort(one), -1) for one in _CODE.findall(text)]
    found = [
        piece
        for place, word in enumerate(wording(_CODE.sub(" ", text))[:_MOST])
        if (piece := _piece(word, place, names, turkish=turkish)) is not None
    ]
    return Frame(pieces=(*codes, *found))


def _sort(code: str) -> str:
    if code[0].isdigit():
        return "number"
    return "code" if "@" in code or "/" in code else "name"


def _piece(word: Word, place: int, names: frozenset[str], *, turkish: bool) -> Piece | None:
    folded = word.folded
    if folded in _TITLES:
        return None
    if kin := _other(folded, turkish=turkish):
        return Piece(kin, "other", place)
    if folded in names:
        return Piece(folded, "name", place)
    if _CODED.match(folded):
        return Piece(folded, "code", place)
    value, sort = (number(folded), "number") if number(folded) else (day(folded), "day")
    if value:
        return Piece(value, sort, place)
    if not word.content or folded in words("frames", "empty"):
        return None
    if found := attribute(folded):
        return Piece(found, "attribute", place)
    spelled = turkish_stem(word.raw)[:_LETTERS] if turkish else word.keys[0]
    return Piece(spelled, "light" if _weak(word) else "spoken", place)


def _other(folded: str, *, turkish: bool) -> str:
    """Whom but the speaker a word means, in Turkish with or without an ending; "" for nobody."""
    listed = words("frames", "others")
    if not turkish:
        return folded if folded in listed else ""
    ended = (folded[:cut] for cut in range(len(folded), max(3, len(folded) - _ENDING), -1))
    return next((one for one in ended if one in listed and one != "her"), "")


def _weak(word: Word) -> bool:
    """Whether a word tells little of what a statement is about: it runs, it is used, it changed."""
    listed = words("frames", "light")
    listed = listed | words("frames", "open")
    return word.folded in listed or bool(_DENIED.search(word.folded))


def number(folded: str) -> str:
    """The number that a word is, in digits; "" for none."""
    if _DIGIT.search(folded):
        return folded
    return _number_words().get(folded, "")


def attribute(folded: str) -> str:
    """The attribute that a word names ("price", "deadline"), with or without an ending; or ""."""
    listed = words("frames", "attributes")
    ended = (folded[:cut] for cut in range(len(folded), max(2, len(folded) - _ENDING - 1), -1))
    return next((one for one in ended if one in listed), "")


def day(folded: str) -> str:
    """The day or month that a word names, with or without an ending; "" for none."""
    for name in words("frames", "days"):
        if folded.startswith(name) and len(folded) - len(name) <= _ENDING:
            return name
    return ""


def names_of(spoken: list[Word]) -> frozenset[str]:
    """The words of a statement that are names: by a capital inside it, known ones anywhere, and
    one that opens it before a verb; no day or month."""
    found: set[str] = set()
    days = words("frames", "days")
    for place, word in enumerate(spoken):
        if not word.content or word.folded in words("frames", "light") or word.folded in days:
            continue
        capital = word.raw[:1].isupper()
        titled = place > 0 and spoken[place - 1].folded in _TITLES
        inside = capital and (not word.opens or titled)
        if inside or lookup(word.folded) is not None or (capital and _acts(spoken, place)):
            found.add(word.folded)
    return frozenset(found)


def _acts(spoken: list[Word], place: int) -> bool:
    """Whether what follows an opening word is a verb of the third person."""
    after = spoken[place + 1].folded if place + 1 < len(spoken) else ""
    return after in words("frames", "verbs")


def in_one(new: str, old: str) -> bool:
    """Whether a thing that an old sentence says apart has both, a word of the new one and a value
    that may be replaced: one thing's name beside another's value is no statement."""
    said = units(old)
    if len(said) == 1:
        return True
    names = names_of(wording(new)) | names_of(wording(old))
    turkish = language(f"{new} {old}") == "tr"
    mine = framed(new, names, turkish=turkish)
    told = [framed(unit, names, turkish=turkish) for unit in said]
    valued = [one for one in told if one.values - mine.values]
    return not valued or any(one.all & mine.all and _differ(mine, one) for one in valued)


def _differ(new: Frame, old: Frame) -> bool:
    """Whether both have a value of one sort that the other has not."""
    return any(new.of(sort) - old.of(sort) and old.of(sort) - new.of(sort) for sort in SORTS)


@lru_cache(maxsize=1)
def _number_words() -> dict[str, str]:
    found = dict(table("words_similarity")["numbers"])
    return {word: digits for word, digits in found.items() if word not in {"one", "bir", "a"}}

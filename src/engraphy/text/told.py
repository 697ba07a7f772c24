"""Which values a sentence gives of what is asked, and which of them it says to be new."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice, pairwise
from typing import NamedTuple

from engraphy.text.aims import changes
from engraphy.text.shaped import values
from engraphy.text.stopwords import is_stop_word

_GLUED = re.compile(
    r"(?<![\w.,-])(\d[\d.,]{0,8}) ?(ms|ns|[kmgt]b|km|cm|mm|kg|mg|ml|fps|rpm|px|s|m|g|x)\b"
)
_DECIMAL = re.compile(r"\d{1,6}\.\d{1,3}$")
_LASTS = re.compile(
    r"[ -](?:(?:more|full|whole|working|business) )?(?:seconds?|minutes?|hours?|days?|nights?"
    r"|weeks?|months?|years?|saniye|dakika|saat|gun|gece|hafta|ay|yil)\b"
)
_UNIT = re.compile(r"[ -]?((?:[^\W\d_]{2,24}[ -]){0,2}[^\W\d_]{3,24})")
_OF, _AROUND, _CHANGED = 80, 120, 40
"""How far, in characters, a value may stand from the words for what it is a value of; from the
other words of the question; and a word of change from the value or the former."""
_READ, _PLACES = 3_000, 60
"""Characters of a sentence that are read, and how many values, words of the question and words of
change in it count."""
_NUMBERED = re.compile(
    r"(?<![^\W_])([^\W\d_]{2,24})[ -](?:(?:no|nr|number|numara)\b\.? ?|#)?(\d{1,8})\b(?![.,:]\d)"
)
_WORD = re.compile(r"\w+")
_BEFORE = re.compile(r"(?<![^\W_])([^\W\d_]{3,24})[ _-]$")
NUMBER, _NAME = "number", "name"


class Told(NamedTuple):
    """A value: its kind and plain form, the words right after it ("trees"), whether it stands near
    the words for what is asked, whether it is said to be new, the question's words around it."""

    kind: str
    form: str
    units: frozenset[str]
    near: bool
    changed: bool
    around: frozenset[str]


def told(
    sentence: str, stems: Mapping[str, str], heads: Collection[str], *, least: int
) -> Iterator[Told]:
    """The values of a folded sentence in lower case; names do not count.

    `stems`: the question's words with how they begin; `heads`: those of them for what is asked the
    value of, `least` of which must stand near a value.
    """
    sentence = sentence[:_READ]
    found = ((at, word) for word, stem in stems.items() for at in starts(stem, sentence))
    places = list(islice(found, _PLACES))
    new = list(islice(changes(sentence), _PLACES))
    for kind, form, start, end in islice(_values(sentence), _PLACES):
        near = [
            (at, word) for at, word in places if word in heads and start - _OF <= at <= end + _OF
        ]
        close = len({word for _, word in near}) >= least
        spots = (start, *(at for at, _ in near)) if close else (start,)
        yield Told(
            kind=kind,
            form=form,
            units=_units(sentence, end),
            near=close,
            changed=any(abs(at - spot) <= _CHANGED for at in new for spot in spots),
            around=frozenset(w for at, w in places if start - _AROUND <= at <= end + _AROUND),
        )


def of_another(read: Collection[str], heads: Iterable[str], stems: Mapping[str, str]) -> bool:
    """Whether folded sentences name another thing of the kind than the question does: "rate limit"
    where the retry limit is asked for.

    `heads`: the words for what is asked; `stems`: how all words of the question begin. A small word
    or a word of change before it ("the new limit") names nothing.
    """
    held = {
        head: [s for s in read if next(starts(stems[head], s), None) is not None] for head in heads
    }
    shared = [head for head, where in held.items() if where]
    return (
        len(shared) < len(held)
        and all(
            _renamed(sentence, stems[head], tuple(stems.values()))
            for head in shared
            for sentence in held[head]
        )
        and bool(shared)
    )


def beside(question: str, words: Collection[str]) -> tuple[frozenset[str], ...]:
    """Which of the words stand one right after the other in a folded question ("staging
    database"), two by two."""
    spelled, known = _WORD.findall(question[:_READ]), frozenset(words)
    return tuple(frozenset(pair) for pair in pairwise(spelled) if known.issuperset(pair))


def of_another_number(question: str, new: Collection[str], old: Collection[str]) -> bool:
    """Whether folded sentences tell of two of a row of things that a folded question tells apart by
    their number, each with a value of its own ("locker 1 is in room 40", "locker 2 ... 41")."""
    named = {of for of, _ in _numbered((question,))}
    if not named:
        return False
    mine, theirs = ({one for one in _numbered(read) if one[0] in named} for read in (new, old))
    if {of for of, _ in mine}.isdisjoint(of for of, _ in theirs) or not mine.isdisjoint(theirs):
        return False
    return _forms(new) - {one for _, one in mine} != _forms(old) - {one for _, one in theirs}


def of_one(value: Told, other: Told, stems: tuple[str, ...]) -> bool:
    """Whether two values count the same thing whose names begin with one of the stems
    ("40 trees", "55 trees")."""
    if value.kind != other.kind:
        return False
    if value.kind != NUMBER:
        return True
    mine = {stem for stem in stems for word in value.units if word.startswith(stem)}
    theirs = {stem for stem in stems for word in other.units if word.startswith(stem)}
    return not mine.isdisjoint(theirs)


def _numbered(read: Iterable[str]) -> frozenset[tuple[str, str]]:
    """The numbered things that are named: what each is, and its number."""
    found = (one for text in read for one in _NUMBERED.finditer(text[:_READ]))
    return frozenset((one[1], one[2]) for one in found)


def _forms(read: Iterable[str]) -> frozenset[str]:
    return frozenset(form for text in read for _, form, _, _ in _values(text[:_READ]))


def _renamed(sentence: str, head: str, stems: tuple[str, ...]) -> bool:
    places = islice(starts(head, sentence), _PLACES)
    found = (_BEFORE.search(sentence, max(0, at - 30), at) for at in places)
    return all(match is not None and _names(match[1], stems) for match in found)


def _names(word: str, stems: tuple[str, ...]) -> bool:
    small = is_stop_word(word) or is_stop_word(word, "tr")
    known = small or word.startswith(stems) or next(changes(word), None) is not None
    return not known


def starts(stem: str, sentence: str) -> Iterator[int]:
    """Where a word of the sentence begins with the stem."""
    at = sentence.find(stem)
    while at >= 0:
        if at == 0 or not sentence[at - 1].isalnum():
            yield at
        at = sentence.find(stem, at + 1)


def _values(sentence: str) -> Iterator[tuple[str, str, int, int]]:
    """Kind, form, start and end; "250ms" is of the kind "ms", "two weeks" a duration."""
    taken = []
    for match in _GLUED.finditer(sentence):
        taken.append(match.span())
        yield match[2], match[1], match.start(), match.end()
    for one in values(sentence):
        inside = any(start < one.end and one.start < end for start, end in taken)
        if one.kind != _NAME and not inside:
            yield _kind(one.kind, one.form, sentence, one.end), one.form, one.start, one.end


def _kind(kind: str, form: str, sentence: str, end: int) -> str:
    if kind == "version" and _DECIMAL.match(form) is not None:
        kind = NUMBER
    return "duration" if kind == NUMBER and _LASTS.match(sentence, end) is not None else kind


def _units(sentence: str, end: int) -> frozenset[str]:
    match = _UNIT.match(sentence, end)
    return frozenset(match[1].replace("-", " ").split()) if match else frozenset()

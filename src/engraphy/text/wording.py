"""A statement as comparable words: short forms spelled out, fillers dropped, letters folded."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from msgspec.structs import replace

from engraphy.record import Record
from engraphy.text.datafiles import table, words
from engraphy.text.fold import SIGNS, fold
from engraphy.text.language import Language, language
from engraphy.text.pieces import Style, keys
from engraphy.text.stopwords import is_stop_word

_WORD = re.compile(rf"(?:[^\W_]|[{SIGNS}\u0300-\u036f])+(?:['’](?:[^\W_])+|\+{{1,2}}|#)?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_MEASURE = re.compile(r"(\d)([^\W\d_]{1,14})(?![\w])")
_SENTENCE_END = frozenset('.!?:;\n•"“(')
_POSSESSIVE = re.compile(r"['’].*")
_KEPT_UP_TO = 4_000


class Word(Record, frozen=True, kw_only=True):
    """One word of a statement.

    `raw` as written, `folded` for comparing, `keys` its stems (bigrams for CJK), `content`
    whether it is no stop word, `opens` whether it begins a sentence.
    """

    raw: str
    folded: str
    keys: tuple[str, ...]
    content: bool
    opens: bool


def wording(text: str) -> list[Word]:
    """The words of a text in order, without fillers, with short forms spelled out. Linear.

    A draft is held against several memories in a row, so what was just read is kept.
    """
    return list(_kept(text)) if len(text) <= _KEPT_UP_TO else _read(text)


def spellings(text: str) -> frozenset[str]:
    """The words of a text as they are compared, without fillers: quicker than `wording`."""
    if len(text) <= _KEPT_UP_TO:
        return frozenset(word.folded for word in _kept(text))
    spelled = set(_WORD.findall(plain_numbers(text)))
    found = (folded for one in spelled for _, folded in _expanded(one))
    return frozenset(found) - words("words_similarity", "fillers")


@lru_cache(maxsize=4)
def _kept(text: str) -> tuple[Word, ...]:
    return tuple(_read(text))


def _read(text: str) -> list[Word]:
    spoken = language(text)
    fillers = words("words_similarity", "fillers")
    found: list[Word] = []
    end, opens = 0, True
    text = plain_numbers(text)
    # For each spelling its words inside a sentence, and at the beginning of one.
    known: dict[str, tuple[list[Word], list[Word]]] = {}
    for match in _WORD.finditer(text):
        opens = opens or not _SENTENCE_END.isdisjoint(text[end : match.start()])
        end = match.end()
        spelled = match[0]
        if spelled not in known:
            told = (one for one in _expanded(spelled) if one[1] not in fillers)
            inside = [_word(raw, folded, spoken) for raw, folded in told]
            first = [replace(word, opens=True) for word in inside[:1]]
            known[spelled] = inside, [*first, *inside[1:]]
        if made := known[spelled][opens]:
            found += made
            opens = False
    return found


def plain_numbers(text: str) -> str:
    """`3,000` without its comma and `10MB` with a space, so that spelling does not count."""
    return _MEASURE.sub(_spaced_unit, _THOUSANDS.sub("", text))


def _spaced_unit(match: re.Match[str]) -> str:
    return f"{match[1]} {match[2]}" if match[2].lower() in _unit_spellings() else match[0]


def _expanded(raw: str) -> Iterator[tuple[str, str]]:
    head = _POSSESSIVE.sub("", raw)
    joined = fold(raw.replace("'", "").replace("’", "").rstrip("+#"))
    full = _contractions().get(joined) if head != raw or joined not in _AMBIGUOUS else None
    if full:
        yield from ((part, part) for part in full.split())
    else:
        yield head, fold(head.rstrip("+#")) + head[len(head.rstrip("+#")) :]


def _word(raw: str, folded: str, spoken: Language) -> Word:
    style: Style = "turkish" if spoken == "tr" else "plain"
    return Word(
        raw=raw,
        folded=folded,
        keys=keys(raw, style=style) or (folded,),
        content=not is_stop_word(folded, spoken),
        opens=False,
    )


# Words of their own where they stand without an apostrophe.
_AMBIGUOUS = frozenset({"id", "ill", "its", "were", "well", "lets", "hes", "shes", "wont"})


@cache
def _contractions() -> dict[str, str]:
    return dict(table("words_similarity")["contractions"])


@cache
def _unit_spellings() -> frozenset[str]:
    spellings = table("words_similarity")["units"].values()
    return frozenset(word for words_of_unit in spellings for word in words_of_unit.split())

"""The telling words of a text, for titles and concepts. No model."""

from collections import Counter

from engraphy.text.datafiles import words
from engraphy.text.fold import fold_text
from engraphy.text.language import Language, language
from engraphy.text.pieces import chunks
from engraphy.text.stems import english_stem, turkish_stem
from engraphy.text.stopwords import is_stop_word

_NAME, _IDENTIFIER, _WORD = 1.6, 1.8, 1.0
_FULL_LENGTH = 8
_MAX_SHOWN = 60


def keywords(text: str, limit: int) -> list[str]:
    """Up to `limit` distinct words or identifiers, the most telling first.

    Names and identifiers keep their spelling, other words are lower case; inflected forms of a
    word count together and show as the first one. A word weighs its frequency, its length up to
    eight letters, more if it is a name or an identifier; ties go to the earlier one.
    """
    spoken = language(text)
    counts: Counter[str] = Counter()
    weights: dict[str, float] = {}
    shown: dict[str, str] = {}
    known: dict[str, str | None] = {}
    for chunk, opens in chunks(text):
        if chunk not in known:
            known[chunk] = _key(chunk, spoken)
        if (key := known[chunk]) is None:
            continue
        weight = _kind_weight(chunk, opens=opens)
        counts[key] += 1
        weights[key] = max(weight, weights.get(key, 0.0))
        shown.setdefault(key, chunk if weight > _WORD else chunk.lower())
    ranked = sorted(counts, key=lambda key: -_score(counts[key], weights[key], shown[key]))
    return [shown[key] for key in ranked[: max(0, limit)]]


def _key(chunk: str, spoken: Language) -> str | None:
    folded = fold_text(chunk)
    return None if _is_vague(folded, spoken) else _stem(chunk, folded, spoken)


def _is_vague(folded: str, spoken: Language) -> bool:
    plain = folded.replace("'", "")
    short = len(plain) < 2 and plain.isascii()
    return short or len(plain) > _MAX_SHOWN or plain.isdigit() or _is_common(plain, spoken)


def _is_common(plain: str, spoken: Language) -> bool:
    return is_stop_word(plain, spoken) or plain in words("words_keywords", "vague")


def _stem(chunk: str, folded: str, spoken: Language) -> str:
    return turkish_stem(chunk) if spoken == "tr" else english_stem(folded)


def _kind_weight(chunk: str, *, opens: bool) -> float:
    if not chunk.isalpha() or any(map(str.isupper, chunk[1:])):
        return _IDENTIFIER
    return _NAME if chunk[0].isupper() and not opens else _WORD


def _score(count: int, weight: float, word: str) -> float:
    return weight * (1 + count) * min(len(word), _FULL_LENGTH)

"""Words that carry no content: dropped from queries and titles, never from documents."""

from functools import cache

from engraphy.text.datafiles import lines
from engraphy.text.fold import fold
from engraphy.text.language import Language


@cache
def stop_words(language: Language) -> frozenset[str]:
    """The folded stop words of a language; English ones where the product has no list.

    The lists stay apart because they collide with content: `Ben` is a name in English and a
    pronoun in Turkish, `at` is a horse there.
    """
    return lines("stopwords_tr" if language == "tr" else "stopwords_en")


@cache
def other_stop_words() -> frozenset[str]:
    """The folded small words of further languages, for queries; none is a word of content in
    English or Turkish."""
    return frozenset(map(fold, lines("stopwords_others")))


def is_stop_word(folded: str, language: Language = "en") -> bool:
    """Whether a folded word (see `fold.fold`, apostrophes removed) is a stop word."""
    return folded in stop_words(language)

"""Texts as bags of words: quick to make and to compare, where many are held against one another."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from engraphy.text.datafiles import words
from engraphy.text.fold import fold
from engraphy.text.known import Known
from engraphy.text.language import language
from engraphy.text.stems import english_stem, turkish_stem
from engraphy.text.stopwords import is_stop_word, stop_words

_WORD = re.compile(r"\w+")


def content_words(text: str) -> frozenset[str]:
    """The folded words of a text without the English stop words; all of them where none is left."""
    found = frozenset(fold(word) for word in _WORD.findall(text))
    return (found - stop_words("en")) or found


def telling_stems(text: str) -> frozenset[str]:
    """The stems of the words that say what a text is about, of English and Turkish texts; numbers
    stay as they are. Empty where there is none."""
    stems = _TURKISH if language(text) == "tr" else _ENGLISH
    return frozenset(filter(None, map(stems.__getitem__, _WORD.findall(text))))


def _english(word: str) -> str:
    """The stem of an English word; '' of one that says nothing."""
    folded = fold(word)
    return "" if _vague(folded, turkish=False) else english_stem(folded)


def _turkish(word: str) -> str:
    """The stem of a Turkish word; '' of one that says nothing."""
    return "" if _vague(fold(word), turkish=True) else turkish_stem(word)


_ENGLISH, _TURKISH = Known(_english), Known(_turkish)


def _vague(folded: str, *, turkish: bool) -> bool:
    if len(folded) < 2 and folded.isascii() and not folded.isdigit():
        return True
    return is_stop_word(folded, "tr" if turkish else "en") or folded in words(
        "words_keywords", "vague"
    )


def alike(bags: Sequence[AbstractSet[str]], least: float) -> Iterator[tuple[int, int]]:
    """The pairs (earlier, later) of places whose bags have a Jaccard index of `least` or more, in
    (0, 1]; empty bags are like none.

    Two bags so alike share one of their rarest words, so that only those are looked up (prefix
    filtering: Bayardo, Ma and Srikant 2007), and no pair is compared that shares nothing rare.
    """
    ranks = _rarest_first(bags)
    postings: Mapping[str, list[int]] = defaultdict(list)
    for place, bag in enumerate(bags):
        order = sorted(bag, key=ranks.__getitem__)
        prefix = order[: len(order) - _ceiling(least * len(order)) + 1]
        near = sorted({other for word in prefix for other in postings[word]})
        for other in near:
            shared = len(bag & bags[other])
            if shared >= least * (len(bag) + len(bags[other]) - shared):
                yield other, place
        for word in prefix:
            postings[word].append(place)


def _ceiling(value: float) -> int:
    # One less where rounding made a whole number a little more: the prefix may only be too long.
    return max(1, int(value) + (value - int(value) > 1e-9))


def _rarest_first(bags: Sequence[AbstractSet[str]]) -> dict[str, tuple[int, str]]:
    counts: dict[str, int] = {}
    for bag in bags:
        for word in bag:
            counts[word] = counts.get(word, 0) + 1
    return {word: (count, word) for word, count in counts.items()}


def linked(count: int, pairs: Iterator[tuple[int, int]]) -> list[list[int]]:
    """The groups that pairs of the places 0 to `count` - 1 link (single linkage), each in order,
    by their first place; what is linked to nothing is in none."""
    parent = list(range(count))
    for first, second in pairs:
        one, other = _root(parent, first), _root(parent, second)
        parent[max(one, other)] = min(one, other)
    groups: dict[int, list[int]] = {}
    for place in range(count):
        groups.setdefault(_root(parent, place), []).append(place)
    return [group for group in groups.values() if len(group) > 1]


def _root(parent: list[int], place: int) -> int:
    while parent[place] != place:
        parent[place] = parent[parent[place]]
        place = parent[place]
    return place

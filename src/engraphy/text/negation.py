"""Polarity: whether a statement says yes or no to what it names. English and Turkish."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

from engraphy.text.datafiles import table, words
from engraphy.text.fold import fold_text
from engraphy.text.language import language, latin_evidence
from engraphy.text.stems import english_stem
from engraphy.text.stopwords import is_stop_word

_APOSTROPHES = str.maketrans("", "", "'’ʼ")
_CLAUSE = re.compile(r"[.,;:!?…()\"“”]+|\n\s*[-*•\n]")
_WORD = re.compile(r"[^\W_]+")
_ANSWER = re.compile(r"^[ \t]{0,8}(?:no|hayir|yok)[ \t]{0,3}[,.!]", re.MULTILINE)
_NUMBERED = re.compile(r"\bno\.?\s*(?=\d)")
_REACH_EN, _REACH_TR = 4, 2
_FORBIDDING = ("ma", "me")
_SHORTEST_IMPERATIVE, _LONGEST_VERB = 5, 40


def polarity(text: str) -> Literal[1, -1]:
    """-1 if the text negates anything, else 1.

    An answering "No, ..." and phrases such as "not only" negate nothing.
    """
    return -1 if any(True for _ in _negations(text)) else 1


def negated_terms(text: str) -> frozenset[str]:
    """The folded stems of the content words that stand under a negation.

    English: up to four after the negation, to the end of the clause. Turkish: the negated verb
    and up to two words before it.
    """
    return frozenset(term for terms in _negations(text) for term in terms)


def _negations(text: str) -> Iterator[tuple[str, ...]]:
    """For each negation the terms it reaches, possibly none."""
    spoken = language(text)
    if spoken == "cjk":
        yield from ((found[0],) for found in _cjk().finditer(text))
        return
    folded = _exempt().sub(" ", _NUMBERED.sub("", _ANSWER.sub("", _plain(text))))
    unsure = spoken != "tr" and latin_evidence(text)[0] == 0
    verb = _verb("tr_verb") if spoken == "tr" else _verb("tr_verb_sure") if unsure else None
    for clause in dict.fromkeys(_CLAUSE.split(folded)):
        yield from _negations_of(_WORD.findall(clause), verb)


def _negations_of(clause: list[str], verb: re.Pattern[str] | None) -> Iterator[tuple[str, ...]]:
    english, turkish = words("words_negation", "en"), _turkish_words(sure=verb is None)
    if verb is None and english.isdisjoint(clause) and turkish.isdisjoint(clause):
        return
    for position, word in enumerate(clause):
        if word in english:
            yield tuple(_following(clause, position + 1))
        elif word in turkish or (verb and (word.endswith(_FORBIDDING) or _is_bent(word, verb))):
            yield from _turkish(clause, position, verb)


def _following(clause: list[str], start: int) -> Iterator[str]:
    found, borders = 0, words("words_negation", "en_borders")
    for word in clause[start : start + 4 * _REACH_EN]:
        if found == _REACH_EN or word in borders:
            return
        if not is_stop_word(word):
            found += 1
            yield english_stem(word)


def _turkish(
    clause: list[str], position: int, verb: re.Pattern[str] | None
) -> Iterator[tuple[str, ...]]:
    word = clause[position]
    if word in words("words_negation", "tr"):
        yield _preceding(clause, position)
    elif word in words("words_negation", "tr_clause"):
        yield ()
    elif verb and (stem := _negated_verb(clause, position, verb)):
        yield (*_preceding(clause, position), stem)


def _preceding(clause: list[str], position: int) -> tuple[str, ...]:
    adverbs = words("words_negation", "tr_clause")
    near = clause[max(0, position - 2 * _REACH_TR) : position]
    found = [word for word in near if not is_stop_word(word, "tr") and word not in adverbs]
    return tuple(found[-_REACH_TR:])


def _is_bent(word: str, verb: re.Pattern[str]) -> bool:
    return len(word) <= _LONGEST_VERB and verb.fullmatch(word) is not None


def _negated_verb(clause: list[str], position: int, verb: re.Pattern[str]) -> str:
    """The stem of a negated Turkish verb, or nothing."""
    word = clause[position]
    if len(word) > _LONGEST_VERB:
        return ""
    match = verb.fullmatch(word)
    if match and word not in words("words_negation", "tr_not_verbs"):
        return match[1]
    last = position == len(clause) - 1
    return word[:-2] if last and verb is _verb("tr_verb") and _forbids(clause) else ""


def _forbids(clause: list[str]) -> bool:
    """Whether a clause ends in "do not": `Bunu silme`, but not the noun in `kayıt silme`."""
    word = clause[-1]
    if not word.endswith(_FORBIDDING) or len(word) < _SHORTEST_IMPERATIVE:
        return False
    noun = word in words("words_negation", "tr_not_imperatives")
    near = clause[-2 * _REACH_TR : -1]
    return not noun or not words("words_negation", "tr_objects").isdisjoint(near)


def _plain(text: str) -> str:
    return fold_text(text.translate(_APOSTROPHES))


@cache
def _turkish_words(*, sure: bool) -> frozenset[str]:
    """Turkish negations; only those that are no English word if they must be sure by themselves."""
    if sure:
        return words("words_negation", "tr") - {"yok"}
    return words("words_negation", "tr") | words("words_negation", "tr_clause")


@cache
def _exempt() -> re.Pattern[str]:
    phrases = [_plain(phrase) for phrase in table("words_negation")["exempt"]]
    return re.compile(r"\b(?:" + "|".join(map(re.escape, phrases)) + r")\b")


@cache
def _verb(key: str) -> re.Pattern[str]:
    return re.compile(table("words_negation")[key])


@cache
def _cjk() -> re.Pattern[str]:
    return re.compile(table("words_negation")["cjk"])

"""A clause whose verb stands in the clause before it ("the api listens on 8080, the admin ui on
8081"), read with that verb, so that it holds when the other is over."""

import re

from engraphy.text.atoms import rule, stands_alone, subject
from engraphy.text.datafiles import table
from engraphy.text.language import language
from engraphy.text.persons import is_given
from engraphy.text.wordlists import plain

_LONGEST = 140
_VERB = 4
"""Words."""
_ARTICLES = frozenset({"a", "an", "the"})


def ungapped(before: str, fragment: str) -> str:
    """A fragment behind a clause with the verb of that clause; empty where it lacks none, or where
    the two are not of one form. English."""
    if not before or max(len(before), len(fragment)) > _LONGEST:
        return ""
    found = rule("gap", "en").fullmatch(plain(fragment))
    if found is None or stands_alone(fragment) or language(f"{before} {fragment}") == "tr":
        return ""
    whose, who = subject(before), _said(fragment, found, "who")
    speaks = rule("gap_speaker", "en").fullmatch(plain(whose)) is not None
    beside = speaks and rule("gap_kin", "en").fullmatch(plain(who)) is not None
    if not whose or (rule("gap_not", "en").fullmatch(plain(whose)) and not beside):
        return ""
    told, by = before[before.find(whose) + len(whose) :].split(), _said(fragment, found, "by")
    if by:
        place = told.index(by.strip()) if by.strip() in told else _VERB
        verb, end, rest = told[: place + 1], told[place + 1 :], _said(fragment, found, "rest")
    else:
        verb, end, rest = told[:1], told[1:], _said(fragment, found, "bare")
    named = beside or _alike_named(who, whose, end)
    fits = by or (named and not _ARTICLES.intersection(end[:1]))
    # "My brother Max" only says how a brother is called.
    called = beside and not by and _sort(rest) == "name"
    if not verb or len(verb) > _VERB or not fits or called or not _alike(end, rest):
        return ""
    return f"{who} {_of_another(verb) if beside else _verb(verb, who)} {rest}"


def _of_another(words: list[str]) -> str:
    """What the speaker says of himself, as it is said of one other."""
    first, *rest = words
    past = first if first.endswith("ed") else f"{first}s"
    said = table("en")["gapped"]["of_another"].get(plain(first).lower(), past)
    return " ".join((said, *rest))


def _alike_named(who: str, whose: str, end: list[str]) -> bool:
    """Whether somebody by name has something too, or each is one of a kind ("the api"), or what a
    clause ends with is no more than a number."""
    kinds = [rule("gap_of", "en").match(plain(one)) is not None for one in (who, whose)]
    counted = len(end) == 1 and _sort(end[0]) == "number"
    return all(kinds) or is_given(who) or (counted and not any(kinds))


def _alike(end: list[str], rest: str) -> bool:
    """Whether two ends of clauses are spelled as values of one sort: numbers, names, words."""
    return bool(end) and _sort(end[-1]) == _sort(rest.rsplit(maxsplit=1)[-1])


def _sort(word: str) -> str:
    return "number" if word[:1].isdigit() else "name" if word[:1].isupper() else "word"


def _verb(words: list[str], who: str) -> str:
    """The verb of the clause before, for one or for many as it is said of them."""
    first, *rest = words
    many = who[:1].islower() and who.endswith("s") and not who.endswith("ss")
    if first in {"is", "are"}:
        first = "are" if many else "is"
    return " ".join((first, *rest))


def _said(text: str, found: re.Match[str], name: str) -> str:
    return text[found.start(name) : found.end(name)] if found[name] else ""

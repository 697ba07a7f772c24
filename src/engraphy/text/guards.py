"""What forbids taking two similar statements for one (R-09). Rules only, no similarity.

Every guard errs on the side of "different": a duplicate kept costs a row, a wrong merge a fact.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache

from engraphy.text.datafiles import table
from engraphy.text.language import language
from engraphy.text.markers import unframed
from engraphy.text.negation import negated_terms, polarity
from engraphy.text.wording import Word, plain_numbers, wording

_NUMBER = re.compile(r"(?:(?<![\w-])(?:[-−]|[^\W\d_]-))?\d++(?:[.,:/-]\d++)*+(?:-[^\W\d_]\b)?")
_NUMBER_WITH_UNIT = re.compile(r"\d\s?([^\W\d_]{1,14}|[%$€£₺])|([$€£₺])\s?\d")
_VERSION = re.compile(r"\A\d+\.\d+\.\d+")
_DATE = re.compile(r"\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}[:/]\d{1,2}(?:[:/]\d{1,4})?")
_BEFORE_VERSION = re.compile(r"(?:\bversion|\bsurum|\bsürüm|\bv)[\s.]?\Z", re.IGNORECASE)
_BEFORE_PORT = re.compile(r"(?:\bport\w*\s?|[\w\]]:)\Z", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{1,200})[\"”]|`([^`\n]{1,200})`")
_CHUNK = re.compile(r"\w++(?:[./\\:@-]{1,3}+\w++)*+")
_CONNECTOR = re.compile(r"[./\\:@_-]")
_IDENTIFIER = re.compile(r"\A(?:(?=\D*\d)(?=\d*[^\W\d])\w++|(?=\w*[a-z][A-Z])\w++|[A-Z]{2}\w*+)")
_LOOK_BACK = 12
_LEAST_MOVED = 4
_PLAIN_WORD = re.compile(r"[^\W\d_]+")

MAX_COMPARED = 20_000

Statement = tuple[str, list[Word]]


def differs(a: str, b: str) -> frozenset[str]:
    """The names of the guards by which two statements differ; empty if none does. Symmetric.

    Names: numbers, versions, ports, dates, units, names, negation, past, opposites, persons,
    direction, order (the same words in other places: who bit whom; a part moved to the other end is
    none); `length` for texts above `MAX_COMPARED` characters, which are the same only if they are
    equal but for case and white space.
    """
    if max(len(a), len(b)) > MAX_COMPARED:
        return frozenset() if _spaceless(a) == _spaceless(b) else frozenset({"length"})
    left, right = _statement(a), _statement(b)
    found = {name for name, guard in _GUARDS.items() if guard(left, right)}
    return frozenset(found | _numbers(left, right))


def _statement(text: str) -> Statement:
    plain = " ".join(unframed(text).split())
    return plain, wording(plain)


def _spaceless(text: str) -> str:
    return " ".join(text.casefold().split())


def _numbers(a: Statement, b: Statement) -> set[str]:
    """The kinds of the numbers that only one of the two has, or has more often, or elsewhere:
    "from 80 to 443" is not "from 443 to 80"."""
    first, second = _numbers_of(a), _numbers_of(b)
    left, right = (Counter(value for value, _ in found) for found in (first, second))
    only = (left - right) + (right - left)
    moved = {one for one, other in zip(first, second, strict=False) if one[0] != other[0]}
    return {kind for value, kind in first + second if value in only} | {k for _, k in moved}


def _numbers_of(statement: Statement) -> list[tuple[str, str]]:
    text, spoken = statement
    plain = plain_numbers(text)
    found = [(m[0].lower().replace("−", "-"), _kind(plain, m)) for m in _NUMBER.finditer(plain)]
    named = _number_words()
    return found + [(named[word.folded], "numbers") for word in spoken if word.folded in named]


def _kind(text: str, match: re.Match[str]) -> str:
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    if _VERSION.fullmatch(match[0]) or _BEFORE_VERSION.search(before):
        return "versions"
    if _DATE.fullmatch(match[0]):
        return "dates"
    return "ports" if _BEFORE_PORT.search(before) else "numbers"


def _units(a: Statement, b: Statement) -> bool:
    return _unit_names(a) != _unit_names(b)


def _unit_names(statement: Statement) -> set[str]:
    text, spoken = statement
    symbols = table("words_similarity")["symbols"]
    known = _group("units")
    attached = {(m[1] or m[2]) for m in _NUMBER_WITH_UNIT.finditer(text)}
    named = {symbols.get(unit) or known.get(unit.lower(), "") for unit in attached}
    named |= {known.get(word.folded, "") for word in spoken if len(word.folded) > 2}
    return named - {""}


def _dates(a: Statement, b: Statement) -> bool:
    return _members("dates", a) != _members("dates", b)


def _persons(a: Statement, b: Statement) -> bool:
    first, second = _members("persons", a), _members("persons", b)
    return bool(first and second) and first != second


def _members(group: str, statement: Statement) -> set[str]:
    known = _group(group)
    return {known[word.folded] for word in statement[1] if word.folded in known}


def _negation(a: Statement, b: Statement) -> bool:
    if polarity(a[0]) != polarity(b[0]):
        return True
    return negated_terms(a[0]) != negated_terms(b[0])


def _past(a: Statement, b: Statement) -> bool:
    return _tells_past(a) != _tells_past(b) or _past_of(a, b) or _past_of(b, a)


def _past_of(a: Statement, b: Statement) -> bool:
    """Whether a verb that stands in the present in `b` stands in the past in `a`: "worked". After
    "is" or "has" it would tell no past, and after "the" it is no verb."""
    here, there = (_PLAIN_WORD.findall(text.casefold()) for text, _ in (a, b))
    told = {word for last, word in zip(["", *here], here, strict=False) if last not in _links()}
    fresh = set(there).difference(here)
    return any(
        word.endswith("ed") and word not in there and not fresh.isdisjoint(_presents(word))
        for word in told
    )


def _presents(past: str) -> set[str]:
    """The forms in the present that a past may belong to: "works", "uses", "stops", "tries"."""
    stem = past[:-2]
    doubled = {stem[:-1]} if stem[-1:] == stem[-2:-1] else set[str]()
    ending = {f"{stem[:-1]}y", f"{stem}es"} if stem.endswith("i") else {stem, past[:-1]}
    bases = {one for one in ending | doubled if len(one) > 1}
    return bases | {f"{one}s" for one in bases} | {f"{one}es" for one in bases}


def _tells_past(statement: Statement) -> bool:
    """Whether it says of something that it was so once: "used to", "eskiden"."""
    return _past_words().search(" ".join(word.folded for word in statement[1])) is not None


def _opposites(a: Statement, b: Statement) -> bool:
    first, second = _sides(a), _sides(b)
    return any((pair, not left) in second - first for pair, left in first - second)


def _sides(statement: Statement) -> set[tuple[int, bool]]:
    known = _opposite_words()
    return {side for word in statement[1] for side in known.get(word.folded, ())}


def _names(a: Statement, b: Statement) -> bool:
    return _unmatched_name(a, b) or _unmatched_name(b, a)


def _unmatched_name(a: Statement, b: Statement) -> bool:
    there = {word.folded for word in b[1]} | {key for word in b[1] for key in word.keys}
    named = _name_words(a)
    return any(word.folded not in there and there.isdisjoint(word.keys) for word in named)


def _name_words(statement: Statement) -> list[Word]:
    """Capitalised words, identifiers and the words of quoted strings."""
    text, spoken = statement
    marked = [match[1] or match[2] for match in _QUOTED.finditer(text)]
    marked += [chunk for chunk in _CHUNK.findall(text) if _CONNECTOR.search(chunk)]
    inside = {word.folded for word in wording("\n".join(marked))}
    return [word for word in spoken if _is_name(word) or word.folded in inside]


def is_identifier(word: str) -> bool:
    """Whether a word is spelled as a program spells names: `v2`, `userId`, `HTTP`."""
    return _IDENTIFIER.fullmatch(word) is not None


def _is_name(word: Word) -> bool:
    if word.raw.endswith(("+", "#")) or is_identifier(word.raw):
        return True
    return word.content and word.raw[:1].isupper()


def _direction(a: Statement, b: Statement) -> bool:
    return _names_in_other_order(a, b) or _sides_swapped(a, b)


def _names_in_other_order(a: Statement, b: Statement) -> bool:
    first, second = _order(_name_words(a)), _order(_name_words(b))
    shared = set(first) & set(second)
    return [n for n in first if n in shared] != [n for n in second if n in shared]


def _order(found: Iterable[Word]) -> list[str]:
    return list(dict.fromkeys(word.folded for word in found))


def _sides_swapped(a: Statement, b: Statement) -> bool:
    left_a, right_a = _around_direction(a)
    left_b, right_b = _around_direction(b)
    return bool(left_a & right_b and right_a & left_b)


def _around_direction(statement: Statement) -> tuple[set[str], set[str]]:
    """The content words only before and only after the first word that sets one thing first."""
    forward, backward = _direction_words()
    spoken = statement[1]
    for position, word in enumerate(spoken):
        if word.folded in forward or word.folded in backward:
            before = {key for w in spoken[:position] if w.content for key in w.keys}
            after = {key for w in spoken[position + 1 :] if w.content for key in w.keys}
            sides = (before - after, after - before)
            return sides if word.folded in forward else sides[::-1]
    return set(), set()


def _reordered(a: Statement, b: Statement) -> bool:
    if _same_cases(a, b):
        return False
    first, second = _content_keys(a), _content_keys(b)
    shared = set(first) & set(second)
    left = [key for key in first if key in shared]
    right = [key for key in second if key in shared]
    return left != right and not _moved(left, right)


def _same_cases(a: Statement, b: Statement) -> bool:
    """Whether two Turkish statements have the same forms: there endings, not places, say who."""
    first, second = (sorted(word.folded for word in one[1]) for one in (a, b))
    return first == second and language(a[0]) == "tr"


def _content_keys(statement: Statement) -> list[str]:
    return list(dict.fromkeys(key for word in statement[1] if word.content for key in word.keys))


def _moved(left: list[str], right: list[str]) -> bool:
    """Whether one is the other with its first part behind the last: "in May, ..." and "... in
    May"."""
    if len(left) < _LEAST_MOVED or right[0] not in left:
        return False
    start = left.index(right[0])
    return left[start:] + left[:start] == right


_GUARDS: dict[str, Callable[[Statement, Statement], bool]] = {
    "units": _units,
    "dates": _dates,
    "persons": _persons,
    "negation": _negation,
    "past": _past,
    "opposites": _opposites,
    "names": _names,
    "direction": _direction,
    "order": _reordered,
}


@cache
def _group(name: str) -> dict[str, str]:
    groups = table("words_similarity")[name]
    return {word: key for key, spellings in groups.items() for word in spellings.split()}


@cache
def _number_words() -> dict[str, str]:
    return dict(table("words_similarity")["numbers"])


@cache
def _opposite_words() -> dict[str, tuple[tuple[int, bool], ...]]:
    known: dict[str, tuple[tuple[int, bool], ...]] = {}
    for number, pair in enumerate(table("words_similarity")["opposites"]["pairs"]):
        for side, spellings in enumerate(pair):
            for word in spellings.split():
                known[word] = (*known.get(word, ()), (number, side == 0))
    return known


@cache
def _past_words() -> re.Pattern[str]:
    return re.compile(table("words_similarity")["past"]["pattern"])


@cache
def _links() -> frozenset[str]:
    return frozenset(table("words_similarity")["past"]["links"].split())


@cache
def _direction_words() -> tuple[frozenset[str], frozenset[str]]:
    found = table("words_similarity")["directions"]
    return frozenset(found["forward"].split()), frozenset(found["backward"].split())

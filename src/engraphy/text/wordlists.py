"""The word lists and patterns of the understanding rooms: data files, read once, when needed.

A file of `lexicon/` holds sections. A pattern may name a macro of its own file as `<<name>>`.
Texts are matched in folded form (see `plain`), so a pattern written with Turkish letters also finds
the same words typed without them, and offsets stay those of the original text.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any, NamedTuple

from engraphy.record import Record
from engraphy.text.caseless import Caseless
from engraphy.text.datafiles import table
from engraphy.text.needed import Cues

LANGUAGES = ("en", "tr")
OTHERS = ("de", "es", "fr", "pt", "ru", "ja", "zh", "ar")
"""Languages of which a few sections are known: what is said without telling anything, what is asked
for now, and what is not to be kept or is taken back."""
_EVERYWHERE = frozenset({"phrases", "promised", "unkept", "retraction"})
"""Sections that are read in every language at once."""

READ_LIMIT = 8_192
"""Characters looked at by a rule of this folder; longer texts are given in chunks."""

_FOLD = str.maketrans("çğıöşüâîûÇĞİÖŞÜÂÎÛ’‘“”", "cgiosuaiuCGIOSUAIU''\"\"")
_MACRO = re.compile(r"<<([a-z_]+)>>")


class Rule(Record, frozen=True, eq=False, dict=True, weakref=True):
    """A pattern with its name, its language and its further fields."""

    name: str
    language: str
    fields: Mapping[str, Any]

    @cached_property
    def pattern(self) -> Caseless:
        """What it looks for."""
        return Caseless(compose(self.fields["pattern"], self.language), flags(self.fields))


def plain(text: str) -> str:
    """The text with Turkish letters and curly quotes made plain; the length never changes."""
    return text if text.isascii() else text.translate(_FOLD)


def key(word: str) -> str:
    """The form under which a word stands in a list: folded and lower case."""
    return plain(word).lower()


def sections(name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The section of that name in every language that has it and is read for it."""
    for language in (*LANGUAGES, *OTHERS) if name in _EVERYWHERE else LANGUAGES:
        found = table(language).get(name)
        if found is not None:
            yield language, found


@cache
def words(section: str, name: str) -> frozenset[str]:
    """One word list of a section over all languages, as keys."""
    return frozenset(key(word) for _, part in sections(section) for word in part.get(name, ()))


@cache
def pattern(section: str, name: str) -> Caseless:
    """The alternatives of one pattern list over all languages as one pattern."""
    parts = [
        compose(source, language)
        for language, part in sections(section)
        for source in part.get(name, ())
    ]
    return Caseless("|".join(f"(?:{part})" for part in parts) or r"(?!)")


@cache
def pattern_in(language: str, section: str, name: str) -> Caseless:
    """The alternatives of one pattern list of one language as one pattern."""
    listed = table(language).get(section, {}).get(name, ())
    parts = "|".join(f"(?:{compose(one, language)})" for one in listed)
    return Caseless(parts or r"(?!)")


@cache
def rules(section: str) -> tuple[Rule, ...]:
    """The rules of a section, an array of tables with `name`, `pattern` and more fields."""
    return tuple(rule for language in LANGUAGES for rule in rules_of(language, section))


def cued(section: str, lowered: str) -> Iterator[Rule]:
    """The rules of a section that a text in lower case may fit: those without a cue, and those of
    whose cues (pieces of words) it holds one. Most are passed over without trying their pattern."""
    listed = _cued(section)
    held = {number for cue in listed.cues.held_by(lowered) for number in listed.numbers[cue]}
    for number in sorted(held.union(listed.free)):
        yield listed.rules[number]


class _Cued(NamedTuple):
    """The rules of a section, the numbers of those that have a cue, and of those without any."""

    rules: tuple[Rule, ...]
    cues: Cues
    numbers: Mapping[str, list[int]]
    free: frozenset[int]


@cache
def _cued(section: str) -> _Cued:
    listed, numbers = rules(section), dict[str, list[int]]()
    for number, rule in enumerate(listed):
        for cue in map(key, rule.fields.get("cue", ())):
            numbers.setdefault(cue, []).append(number)
    free = frozenset(n for n, rule in enumerate(listed) if not rule.fields.get("cue"))
    return _Cued(listed, Cues(numbers), numbers, free)


@cache
def shapes() -> tuple[Rule, ...]:
    """The entities that their spelling gives away, the surest first."""
    return tuple(rules_of("shapes", "shapes"))


def rules_of(file: str, section: str) -> Iterator[Rule]:
    """The rules of a section in one file."""
    for row in table(file).get(section, ()):
        yield Rule(row["name"], file, row)


def flags(row: Mapping[str, Any]) -> re.RegexFlag:
    """Patterns ignore case unless the row says `cased = true`."""
    return re.NOFLAG if row.get("cased") else re.IGNORECASE


def compose(source: str, language: str) -> str:
    """A pattern with its macros put in, folded as the texts are."""
    macros = table(language).get("macros", {})
    for _ in range(3):
        source = _MACRO.sub(lambda found: f"(?:{macros[found[1]]})", source)
    return plain(source)

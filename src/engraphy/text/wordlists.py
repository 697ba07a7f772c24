"""The word lists and patterns of the understanding rooms: data files, read once, when needed.

A file of `lexicon/` holds sections. A pattern may name a macro of its own file as `<<name>>`.
Texts are matched in folded form (see `plain`), so a pattern written with Turkish letters also finds
the same words typed without them, and offsets stay those of the original text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from engraphy.text.caseless import Caseless
from engraphy.text.datafiles import table

LANGUAGES = ("en", "tr")
OTHERS = ("de", "es", "fr", "pt", "ru", "ja", "zh", "ar")
"""Languages of which a few sections are known: what is said without telling anything, what is asked
for now, and what is not to be kept or is taken back."""
_EVERYWHERE = frozenset({"phrases", "unkept", "retraction"})
"""Sections that are read in every language at once."""

READ_LIMIT = 8_192
"""Characters looked at by a rule of this folder; longer texts are given in chunks."""

_FOLD = str.maketrans("çğıöşüâîûÇĞİÖŞÜÂÎÛ’‘“”", "cgiosuaiuCGIOSUAIU''\"\"")
_MACRO = re.compile(r"<<([a-z_]+)>>")


@dataclass(frozen=True, eq=False)
class Rule:
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
    listed, every = _cues(section)
    held = {cue for cue in every if cue in lowered}
    for rule, cues in listed:
        if not cues or not held.isdisjoint(cues):
            yield rule


@cache
def _cues(section: str) -> tuple[tuple[tuple[Rule, tuple[str, ...]], ...], tuple[str, ...]]:
    """The rules of a section with their cues, and every cue once, as several rules share one."""
    listed = tuple((rule, tuple(map(key, rule.fields.get("cue", ())))) for rule in rules(section))
    return listed, tuple(dict.fromkeys(cue for _, cues in listed for cue in cues))


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

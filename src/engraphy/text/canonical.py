"""A change as people say it, in the plain statement that it makes true.

"Stop using yarn" tells what holds from now on, as "we no longer use yarn" does, and so does the
same in German, Spanish or French. Whatever reads statements reads them in that one form; values
stay as they were said. Precision first: only whole clauses of a known form are read so, and of no
sentence that asks, supposes, plans, or orders something for this one time.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from engraphy.text.caseless import Caseless
from engraphy.text.datafiles import table
from engraphy.text.evidence import asks
from engraphy.text.gazetteer import lookup
from engraphy.text.language import latin_evidence
from engraphy.text.split import sentence_spans
from engraphy.text.wordlists import Rule, key, pattern_in, plain, rules_of

LANGUAGES = ("en", "tr", "de", "es", "fr", "pt", "ru", "ja", "zh", "ar")
_LONGEST = 400
"""A change is told briefly: a longer text stays as it is."""
_SLOT = re.compile(r"<(\w+)>")
_NAMED = re.compile(r"[ovx]\d?$")
_SPACES = re.compile(r" {2,}")


@lru_cache(maxsize=512)
def canonical(text: str) -> str:
    """The text with each clause of a known form as the statement that it makes."""
    if len(text) > _LONGEST:
        return text
    folded = plain(text)
    spoken = tuple(one for one in LANGUAGES if _listed("opens", one).search(folded))
    found, end = "", 0
    for start, stop in sentence_spans(text) if spoken else ():
        found += text[end:start] + _sentence(text[start:stop], spoken)
        end = stop
    return found + text[end:]


def both(new: str, old: str) -> tuple[str, str]:
    """Two texts as the statements that they make, where the new one is of a known form."""
    told = canonical(new)
    return (new, old) if told == new else (told, canonical(old))


def told_in(text: str) -> str:
    """The language of the first clause of a known form; "" where a text has none."""
    if len(text) > _LONGEST:
        return ""
    folded = plain(text)
    spoken = [one for one in LANGUAGES if _listed("opens", one).search(folded)]
    said = [text[start:end] for start, end in sentence_spans(text)] if spoken else []
    read = (one for part in said for one in spoken if _sentence(part, (one,)) != part)
    return next(read, "")


def for_once(sentence: str) -> bool:
    """Whether a sentence orders something for this one time, or in this one place."""
    folded = plain(sentence[:_LONGEST])
    return orders(sentence) and (
        _listed("once", "en").search(folded) is not None
        and _listed("standing", "en").search(folded) is None
    )


def orders(text: str) -> bool:
    """Whether a text begins with an order in English; a Turkish noun may be its verb ("test")."""
    english, turkish = latin_evidence(text)
    return turkish <= english and (_listed("order", "en").match(plain(text[:_LONGEST])) is not None)


def _sentence(sentence: str, spoken: tuple[str, ...]) -> str:
    """A sentence, read in the first language in which it says something."""
    folded = plain(sentence)
    if asks(folded) or for_once(sentence):
        return sentence
    for one in spoken:
        if _listed("unless", one).search(folded):
            continue
        said = [sentence[start:end] for start, end in _clauses(folded, one)]
        read = [_clause(clause, one) for clause in said]
        if any(read):
            return ", ".join(new or old for new, old in zip(read, said, strict=True))
    return sentence


def _clauses(folded: str, spoken: str) -> Iterator[tuple[int, int]]:
    start = 0
    for border in _listed("border", spoken).finditer(folded):
        yield start, border.start()
        start = border.end()
    yield start, len(folded)


def _clause(clause: str, spoken: str) -> str:
    """The statement that a clause makes; empty where its form is not known."""
    folded = plain(clause)
    lowered = folded.lower()
    for rule, cues in _forms(spoken):
        if cues and not any(cue in lowered for cue in cues):
            continue
        found = rule.pattern.fullmatch(folded)
        if found is not None and _names(rule, clause, found, spoken):
            return _filled(rule, clause, found)
    return ""


def _names(rule: Rule, clause: str, found: re.Match[str], spoken: str) -> bool:
    """Whether what a clause names are names: no small word is in one, and it is a place only where
    the form tells of no employer."""
    for name in filter(_NAMED.match, found.groupdict()):
        said = clause[slice(*found.span(name))] if found[name] else ""
        words = said.split()[:1] if name == "x" else said.split()
        if not _small(spoken).isdisjoint(words):
            return False
        known = lookup(said) if rule.fields.get("no_place") else None
        if known is not None and known.kind == "place":
            return False
    return True


def _filled(rule: Rule, clause: str, found: re.Match[str]) -> str:
    """The form of a rule with the words of the clause in it; verbs as they are told."""
    told = rule.fields.get("told", {})

    def said(slot: re.Match[str]) -> str:
        words = clause[slice(*found.span(slot[1]))] if found[slot[1]] else ""
        return str(told.get(words.lower(), words)) if slot[1] == "d" else words

    return _SPACES.sub(" ", _SLOT.sub(said, rule.fields["as"]))


@cache
def _small(spoken: str) -> frozenset[str]:
    return frozenset(table(spoken)["canonical"]["small"])


@cache
def _forms(spoken: str) -> tuple[tuple[Rule, tuple[str, ...]], ...]:
    """The forms of a language, each with the pieces of words of which a clause must hold one."""
    found = rules_of(spoken, "forms")
    return tuple((rule, tuple(map(key, rule.fields.get("cue", ())))) for rule in found)


def _listed(name: str, spoken: str) -> Caseless:
    """The patterns of a name in one language as one."""
    return pattern_in(spoken, "canonical", name)

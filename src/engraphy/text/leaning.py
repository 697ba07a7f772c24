"""A change that leaves open what it is of, as that was told before it ("bump it to 8", "agreed on
1525", "let's go with River"): what it says itself.

Only a whole clause of a known form is read so, and no text that asks, wishes, quotes or supposes.
The forms, English, German, Spanish, French and Turkish, are `lexicon/leaning.toml`.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from engraphy.text.datafiles import table
from engraphy.text.quantities import Quantity, quantities
from engraphy.text.wordlists import Rule, compose, key, pattern_in, plain, rules_of

_LONGEST = 140
_FILE = "leaning"
_ONE = re.compile(r"\bones?\b")
"""Stands for something that is not said."""


class Leaning(NamedTuple):
    """What a text says is new ("value", "name", "called", "with"), and what it says of the old."""

    how: str
    new: str
    spoken: str
    """The language of its form."""
    given: Quantity | None
    old: str
    """The name that it gives up."""
    common: bool
    """Whether an article stands before what is new, as before any thing."""
    of: str
    """What it says itself that it is of."""
    way: str
    """Whether the new value is more than the old one ("up"), or less ("down")."""
    at_once: bool
    """Whether it says "it", which is what was told last."""
    of_any: bool
    """Whether it tells of anything that it changed, even of what nobody sets."""
    wrong: tuple[Quantity, ...]
    """The values that it says were not right."""
    before: tuple[str, ...]
    """Its clauses before that one which say something else."""
    beside: tuple[Quantity, ...]
    """The values of its other clauses."""


@lru_cache(maxsize=512)
def leaning(text: str) -> Leaning | None:
    """The text as a change of something told before it; None where it is no such, or asks, wishes,
    quotes or supposes."""
    if len(text) > _LONGEST or "?" in text or _ONE.search(text):
        return None
    folded = plain(text).lower()
    if sign("signs", "never").search(folded):
        return None
    said = _clauses(folded)
    refuses = sign("signs", "no").match(folded) is not None
    beside = any(_wrong(one) is not None for one in said)
    found = [
        (place, *one)
        for place, clause in enumerate(said)
        if _wrong(clause) is None
        for one in _formed(clause, beside=beside, refuses=refuses)
    ]
    if len(found) != 1:
        return None
    [(place, rule, match)] = found
    spoken = rule.fields["language"]
    if pattern_in(spoken, "canonical", "unless").search(folded):
        return None
    rest = [*said[:place], *said[place + 1 :]]
    return _told(rule, match, tuple(said[:place]), tuple(rest))


def _told(
    rule: Rule, match: re.Match[str], before: tuple[str, ...], rest: tuple[str, ...]
) -> Leaning | None:
    groups = match.groupdict()
    new = groups["v"].strip()
    given = next(iter(quantities(new)), None)
    whole = given is not None and given.end - given.start == len(new)
    how = "value" if whole else rule.name
    if (how == "value") is not whole or new.split()[0] in table(_FILE)["held"]["small"]:
        return None
    wrong = [found for clause in rest if (found := _wrong(clause)) is not None]
    return Leaning(
        how=how,
        new=new,
        spoken=rule.fields["language"],
        given=given if whole else None,
        old=groups.get("o") or "",
        common=bool(groups.get("a")),
        of=groups.get("of") or "",
        way=rule.fields.get("way", ""),
        at_once=rule.fields.get("at_once", False),
        of_any=rule.fields.get("of_any", False),
        wrong=tuple(one for found in wrong for one in found),
        before=tuple(one for one in before if _wrong(one) is None),
        beside=tuple(one for clause in rest for one in quantities(clause)),
    )


def _clauses(folded: str) -> list[str]:
    """The clauses of a text without what only opens them."""
    opens, found = sign("signs", "opens"), []
    for clause in sign("signs", "border").split(folded):
        opened = opens.match(f"{clause} ")
        rest = clause[opened.end() :] if opened else clause
        found += [rest.strip()] if rest.strip() else []
    return found


def _formed(clause: str, *, beside: bool, refuses: bool) -> Iterator[tuple[Rule, re.Match[str]]]:
    """The first form that a clause fits; some only `beside` a clause that says that the old value
    was not right, or where the text `refuses`."""
    for rule, cues in _forms():
        if not any(cue in clause for cue in cues):
            continue
        fields = rule.fields
        if fields.get("beside_wrong", False) > beside or fields.get("beside_no", False) > refuses:
            continue
        found = rule.pattern.fullmatch(clause)
        needed = rule.fields.get("needs")
        if found is not None and (needed is None or re.search(needed, clause)):
            yield rule, found
            return


def _wrong(clause: str) -> tuple[Quantity, ...] | None:
    """The values that a clause says are not right; empty for "that is too little"."""
    found = sign("signs", "wrong").fullmatch(clause)
    return None if found is None else quantities(found["o"] or "")


@cache
def listed_of_held(name: str) -> frozenset[str]:
    """A word list of what a held statement may be."""
    return frozenset(map(key, table(_FILE)["held"][name]))


@cache
def _forms() -> tuple[tuple[Rule, tuple[str, ...]], ...]:
    return tuple((rule, tuple(map(key, rule.fields["cue"]))) for rule in rules_of(_FILE, "forms"))


@cache
def sign(section: str, name: str) -> re.Pattern[str]:
    """The patterns of a name as one; a group of the nth has its number behind its name."""
    listed = table(_FILE)[section][name]
    listed = [listed] if isinstance(listed, str) else listed
    parts = [
        re.sub(r"\(\?P<(\w+)>", rf"(?P<\g<1>{place or ''}>", compose(one, _FILE))
        for place, one in enumerate(listed)
    ]
    return re.compile("|".join(f"(?:{one})" for one in parts))

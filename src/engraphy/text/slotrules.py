"""The rules that read slots out of a clause; the patterns stand in the lexicon."""

import re
from collections.abc import Iterator

from engraphy.model.language import Slot
from engraphy.text.slotvalues import (
    ANY,
    acceptable,
    attribute_of,
    qualified,
    subject_of,
    value_of,
)
from engraphy.text.wordlists import Rule, pattern, plain, rules


def changed(clause: str) -> bool:
    """Whether a clause says that something is new: now, switched, from now on."""
    return pattern("slotwords", "change").search(plain(clause)) is not None


def matches(clause: str) -> Iterator[Slot]:
    """The slots of one clause."""
    folded = plain(clause)
    for rule in rules("slots"):
        found = rule.pattern.search(folded)
        if found is not None:
            yield from filled(rule, found)


def filled(rule: Rule, found: re.Match[str]) -> Iterator[Slot]:
    """The slot of a match, and the denial of the value it replaces."""
    groups = found.groupdict()
    value, old = value_of(groups.get("v")), value_of(groups.get("o"))
    default = str(rule.fields.get("subject", "user"))
    subject = subject_of(groups.get("s"), default)
    attribute = attribute_of(rule.fields["attribute"], groups.get("a"), value or old)
    if subject is None or attribute is None:
        return
    attribute = qualified(attribute, groups.get("q"))
    asked = str(rule.fields.get("value", "any"))
    if acceptable(value, asked, groups.get("v") or ""):
        positive = not rule.fields.get("negative")
        one = single(rule, attribute, named=subject != default)
        yield Slot(subject=subject, attribute=attribute, value=value, polarity=positive, single=one)
    if acceptable(old, asked, groups.get("o") or ""):
        denied = ANY if rule.fields.get("anything") else attribute
        yield Slot(subject=subject, attribute=denied, value=old, polarity=False)


def single(rule: Rule, attribute: str, *, named: bool) -> bool:
    """Whether the attribute holds one value: as the rule says, or as the domain does.

    "named": only where the text names what it speaks of, or says that it changed.
    """
    said = rule.fields.get("single")
    if said == "named":
        return named
    if said is not None:
        return bool(said)
    domain = attribute.partition(":")[2].partition("@")[0]
    return bool(domain) and pattern("slotwords", "exclusive_domain").fullmatch(domain) is not None

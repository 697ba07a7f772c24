"""The rules that read slots out of a clause; the patterns stand in the lexicon."""

import re
from collections.abc import Iterator, Mapping

from engraphy.model.language import Slot
from engraphy.text.slotvalues import (
    ANY,
    acceptable,
    attribute_of,
    qualified,
    subject_of,
    value_of,
    version_of,
)
from engraphy.text.split import abbreviated
from engraphy.text.wordlists import Rule, cued, pattern, plain, words

_TITLE = re.compile(r"(?<!\S)[A-Z][a-z]{0,3}(?P<dot>\.)(?= [A-Z])")
"""A short word with a full stop before a name: a title, a saint or an initial."""
_BEFORE = 40
"""So many characters before it are looked at."""


def changed(clause: str) -> bool:
    """Whether a clause says that something is new: now, switched, from now on."""
    return pattern("slotwords", "change").search(plain(clause)) is not None


def matches(clause: str) -> Iterator[Slot]:
    """The slots of one clause."""
    folded = _untitled(plain(clause))
    lowered = folded.lower()
    for rule in cued("slots", lowered):
        found = rule.pattern.search(folded)
        if found is not None:
            yield from filled(rule, found)


def _untitled(text: str) -> str:
    """A clause in which no title ends a value: "Dr. Weber" as "Dr Weber". Behind a name it is the
    end of that ("Acme Inc.")."""
    if ". " not in text:
        return text
    dots = [
        found.start("dot")
        for found in _TITLE.finditer(text)
        if not _ends_a_name(text, found.start()) and abbreviated(text, found.start("dot"))
    ]
    parts = zip([0, *(dot + 1 for dot in dots)], [*dots, len(text)], strict=True)
    return "".join(text[start:end] for start, end in parts)


def _ends_a_name(text: str, start: int) -> bool:
    """Whether a word without a full stop stands before a place, and begins with a capital."""
    before = text[max(0, start - _BEFORE) : start].split()
    return bool(before) and before[-1][:1].isupper() and not before[-1].endswith(".")


def filled(rule: Rule, found: re.Match[str]) -> Iterator[Slot]:
    """The slot of a match, and the denial of the value it replaces."""
    groups = found.groupdict()
    value, old = value_of(groups.get("v")), value_of(groups.get("o"))
    default = str(rule.fields.get("subject", "user"))
    attribute = attribute_of(rule.fields["attribute"], groups.get("a"), value or old)
    subject = whose(rule, groups, attribute or "")
    if subject is None or attribute is None:
        return
    attribute = qualified(attribute, groups.get("q"))
    asked = str(rule.fields.get("value", "any"))
    if acceptable(value, asked, groups.get("v") or ""):
        positive = not rule.fields.get("negative")
        one = single(rule, attribute, named=subject != default)
        yield Slot(subject=subject, attribute=attribute, value=value, polarity=positive, single=one)
        if positive and subject != default and (version := version_of(groups.get("v"))):
            yield Slot(subject=subject, attribute=f"version:{value}", value=version, single=True)
    if acceptable(old, asked, groups.get("o") or ""):
        denied = ANY if rule.fields.get("anything") else attribute
        yield Slot(subject=subject, attribute=denied, value=old, polarity=False)


def whose(rule: Rule, groups: Mapping[str, str | None], attribute: str) -> str | None:
    """The subject of a match: who is named before ("s") or after ("f": "the deadline for X").

    What is everybody's in one project has the same subject, whoever calls it "my"; a rent or a
    birthday is always the speaker's.
    """
    default = str(rule.fields.get("subject", "user"))
    subject = subject_of(groups.get("s") or groups.get("s2"), default)
    after = groups.get("f")
    if after and subject in {default, "user"}:
        subject = subject_of(after, default)
    if subject in {default, "user"} and rule.fields.get("owner") == "any":
        return "user" if attribute in words("slotwords", "personal") else default
    return subject


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

"""Subjects, attributes and values of slots in one comparable form."""

import re
from collections.abc import Mapping
from functools import cache

from engraphy.text.gazetteer import Known, lookup
from engraphy.text.wordlists import key, pattern, sections, words

ANY = "*"

_SPACE = re.compile(r"\s+")
_VERSIONED = re.compile(r"v\d")
_DIGIT = re.compile(r"\d")
_VERSION = re.compile(r"v?\d{1,4}(?:\.\d{1,5}){0,3}")
_OUTER = " \t\n.,;:!?\"'`()[]{}*-"
_TOKEN = re.compile(r"[\w+#@]++(?:[./:'-][\w+#@]++)*+")
_MOST_WORDS = 6
_CASES = frozenset({"", "i", "u", "yi", "yu"})
"""Nothing, or the Turkish ending of an object ("kahve", "kahveyi")."""


def value_of(text: str | None) -> str:
    """A value without articles, fillers and punctuation; a known name under its own name."""
    bare = _bare(text)
    known = lookup(bare) or versioned(bare)
    return key(known.name) if known is not None else bare


def _bare(text: str | None) -> str:
    bare = key(_SPACE.sub(" ", text or "")).strip(_OUTER)
    for _ in range(3):
        shorter = pattern("slotwords", "value_edge").sub("", bare).strip(_OUTER)
        if shorter == bare:
            break
        bare = shorter
    return bare


def version_of(text: str | None) -> str:
    """The version that a value gives of a tool: "15" of "PostgreSQL 15"; else empty."""
    bare = _bare(text)
    return "" if versioned(bare) is None else bare.rpartition(" ")[2]


def versioned(value: str) -> Known | None:
    """The tool that a value names together with its version: "postgresql 15"."""
    name, _, version = value.rpartition(" ")
    known = lookup(name) if name and _VERSION.fullmatch(version) else None
    return known if known is not None and known.kind == "tech" else None


_INSTEAD = "yerine"
"""Ends what is replaced, never a subject."""


def subject_of(text: str | None, default: str) -> str | None:
    """Who or what a slot is about; None where a pronoun leaves it open."""
    if text is None or not text.strip():
        return default
    bare = key(text).strip(_OUTER)
    if bare in words("slotwords", "speaker"):
        return "user"
    if bare in words("slotwords", "group"):
        return default
    bare = pattern("slotwords", "subject_edge").sub("", bare).strip(_OUTER)
    if not bare:
        return default
    parts = bare.split(" ")
    listed = parts[0] in words("slotwords", "open_subject") or parts[-1] == _INSTEAD
    open_to_all = listed or len(parts) > _MOST_WORDS
    if open_to_all or not words("slotwords", "denied_subject").isdisjoint(parts):
        return None
    known = lookup(bare)
    return key(known.name) if known is not None else bare


def attribute_of(template: str, named: str | None, value: str) -> str | None:
    """The attribute a rule names: "{a}" is the word of the text, "{domain}" the value's domain.

    None where the rule needs the domain of a value that has none ("{domain!}").
    """
    if "{a}" in template:
        bare = key(named or "").strip(_OUTER)
        known = lookup(value)
        tool = known is not None and known.kind == "tech" and template == "{a}"
        if known is not None and tool and bare not in words("slotwords", "no_tool"):
            return f"uses:{known.domain}"
        return template.replace("{a}", synonyms().get(bare, bare)) if bare else None
    if "{domain" in template and template.startswith("uses:") and lookup(value) is None:
        template = template.replace("uses:", "preference:") if domain_of(value) else template
    if "{domain!}" in template:
        found = domain_of(value)
        return template.replace("{domain!}", found) if found else None
    if "{domain}" in template:
        return template.replace("{domain}", domain_of(value)).rstrip(":")
    return template


def qualified(attribute: str, purpose: str | None) -> str:
    """The attribute with the purpose it is limited to: "uses:database@logs". A year is none."""
    bare = value_of(purpose)
    limited = bare and pattern("slotwords", "year").search(bare) is None
    return f"{attribute}@{bare}" if limited else attribute


def domain_of(value: str) -> str:
    """What kind of choice a value is: a tool's domain, a group of rivals, or the head noun."""
    known = lookup(value)
    if known is not None and known.kind == "tech":
        return known.domain
    found = rivals().get(value)
    if found is not None:
        return found
    head = value.rpartition(" ")[2]
    if head != value and head in words("slotwords", "exclusive_head"):
        return head.rstrip("s")
    return ""


@cache
def rivals() -> Mapping[str, str]:
    """Everyday values that exclude each other, with the name of their group."""
    return {
        key(value): group
        for _, section in sections("rivals")
        for group, listed in section.items()
        for value in listed
    }


@cache
def synonyms() -> Mapping[str, str]:
    """Attribute words that mean the same."""
    return {
        key(word): name
        for _, section in sections("attribute_synonyms")
        for name, listed in section.items()
        for word in listed
    }


def acceptable(value: str, asked: str, written: str = "") -> bool:
    """Whether a value is of the sort the rule asks for: any, number, word, name, org, place, time,
    count, state, tool (of a known domain) or thing (of none). `written`: the value as it stood in
    the text.
    """
    if value and asked in {"state", "count"}:
        return True
    if not value or len(value.split(" ")) > _MOST_WORDS or value in words("slotwords", "vague"):
        return False
    if value.split(" ", maxsplit=1)[0] in words("slotwords", "vague_first"):
        return False
    known = lookup(value)
    kind = known.kind if known is not None else None
    checks = {
        "any": True,
        "number": _DIGIT.search(value) is not None,
        "place": kind == "place" or (kind is None and unknown_place(value, written)),
        "name": kind in {None, "org", "place"},
        "org": kind == "org",
        "tool": kind == "tech" or bool(domain_of(value)),
        "word": any(map(str.isalpha, value)),
        "thing": kind is None and not domain_of(value),
        "time": pattern("slotwords", "time").search(value) is not None,
    }
    return checks[asked]


def unknown_place(value: str, written: str) -> bool:
    """Whether a value that nobody knows may be a place: written with a capital, where its script
    has any, and no day."""
    first = written[:1]
    return first.isalpha() and not first.islower() and value not in words("slotwords", "no_place")


def overlapping(new: str, old: str) -> bool:
    """Whether two values may be the same thing, one of them said in more words.

    Numbers must be equal, or one the beginning of the other ("3.11" and "3.11.2").
    """
    return within(new, old) or within(old, new)


def within(broad: str, narrow: str) -> bool:
    """Whether every word of `broad` stands in `narrow`: "games" in "games with a story"."""
    if broad == narrow:
        return True
    first, second = tokens(broad), tokens(narrow)
    return bool(first) and all(any(meet(one, other) for other in second) for one in first)


def same_topic(new: str, old: str) -> bool:
    """Whether two tastes are about one thing, the newer said in as many words or more: "dogs" and
    "therapy dogs", "biographies of writers" and "biographies of scientists"."""
    return within(topic(old), topic(new))


def topic(value: str) -> str:
    """What a value is about, without what limits it ("oatmeal with berries")."""
    border, spaced = pattern("slotwords", "topic_border").compiled, value.replace("-", " ")
    core = border.split(spaced, maxsplit=1)[0]
    return core.strip(_OUTER) or value


def tokens(value: str) -> list[str]:
    """The words of a value that count, singular; versions without their "v"."""
    found = [word for word in _TOKEN.findall(value) if word not in words("slotwords", "light")]
    bare = (word[1:] if _VERSIONED.match(word) else word for word in found)
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in bare]


def meet(one: str, other: str) -> bool:
    """Whether two words of values are the same."""
    shorter, longer = sorted((one, other), key=len)
    if longer.removeprefix(shorter) in _CASES:
        return True
    if not (_DIGIT.search(one) and _DIGIT.search(other)):
        return False
    return one.startswith(f"{other}.") or other.startswith(f"{one}.")

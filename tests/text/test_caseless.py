"""Patterns that ignore case: tried on lower case first, they find what they would have found."""

import re
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.text.caseless import Caseless
from engraphy.text.wordlists import rules

PATTERNS = (
    r"\b(?:now|from now on|as of (?:monday|tuesday))\b",
    r"(?P<Who>[A-Za-z]{1,9}) works at (?P<v>(?-i:[A-Z])\w{1,9})(?P=Who)?",
    r"(?<!not )\bmoved to (?-i:[A-Z][a-z]{1,9})",
    r"(?<=My )\w{1,9}(?! (?:Is|was))",
    r"^(?:please |just )?forget (?P<it>that|[^,.]{2,20})[,.]?$",
    r"(?:a(?-i:B)|c)*?d",
    r"[^A-Z ]{2,4}[A-F0-9]\W[€£]?x",
    # What a match needs: one of several, behind a choice, at an edge, repeated, or not known.
    r"\b(?:is|was)\b(?: not)?,? (?:[a-z]{2,9} )?tea[.!]?$",
    r"(?:^|[,;] )(?P<it>that|my (?:tea|oslo))(?=[ ,.]|$)",
    r"(?:ann ){2}|(?:acme)+[,.]\s*(?:is|was)|a.d|[xz]z?[bB]",
    r"works(?: at)?\W(?!Oslo)(?:[^,]{1,9}, )*acme|\bnow\b|\bim\B",
    r"(?:moved|works|forget|please|was)(?: (?:at|to|that|tea|my|now|on|is)){1,3}\.?",
    # What is denied, or kept once it matched, in its own case: only the pattern itself will do.
    r"in (?!(?-i:[A-Z]))\w{1,9}",
    r"(?-i:[^a-z])b",
    r"(?-i:(?![A-Z])\w)b",
    r"(?-i:[A-Z])*+b",
    r"(?>(?-i:[A-Z])*)b",
    # Letters that count as an ASCII one where case is ignored, and what is told by numbers.
    r"ı|ſ",
    r"\x41b|(a)\1",
    r"(?i:x)y|[Z-a]",
)
SAID = """now From NOW ON as of Monday ann Ann ANN works at Acme acme not moved to Oslo oslo My my
is Is was please forget that tea, tea. a aB ab cB d abcd x Ab AAb aab b Zz _ iI sS Bx F€"""
WORDS = st.sampled_from(SAID.split())
TRIED = {source: Caseless(source) for source in PATTERNS}
for tried in TRIED.values():
    for _ in range(20):
        tried.finds("")
"""Patterns that were tried often: what holds nothing that they need is passed over."""
TEXTS = st.lists(WORDS | st.text(max_size=3), max_size=9).map(" ".join)


def _found(matches: Iterable[re.Match[str]]) -> list[object]:
    return [(one.span(), one.groups()) for one in matches]


@given(text=TEXTS, source=st.sampled_from(PATTERNS))
def test_finds_what_the_pattern_finds(text: str, source: str) -> None:
    """Every match of a pattern that ignores case is found, with its groups, and nothing else."""
    plain = re.compile(source, re.IGNORECASE)
    for quick in (Caseless(source), TRIED[source]):
        first = quick.search(text)
        assert _found(quick.finditer(text)) == _found(plain.finditer(text))
        assert _found([first] if first else []) == _found([m] if (m := plain.search(text)) else [])
        assert quick.finds(text) is (plain.search(text) is not None)


@given(text=TEXTS, data=st.data())
def test_a_pattern_that_minds_case_is_searched_as_it_is(text: str, data: st.DataObject) -> None:
    """Without IGNORECASE nothing is folded."""
    source = data.draw(st.sampled_from(PATTERNS))
    quick = Caseless(source, re.NOFLAG)
    assert quick.lowered is None
    assert _found(quick.finditer(text)) == _found(re.compile(source).finditer(text))


@pytest.mark.parametrize("source", PATTERNS[12:])
def test_what_may_say_something_else_in_lower_case_is_not_tried_there(source: str) -> None:
    """What is denied or kept in its own case, letters that fold to ASCII, numbers and flags."""
    assert Caseless(source).lowered is None


@pytest.mark.long
@given(text=TEXTS, data=st.data())
def test_the_rules_of_the_lexicon_find_what_their_patterns_find(
    text: str, data: st.DataObject
) -> None:
    """The same of every rule for slots, in a text that holds pieces of it."""
    listed = rules("slots")
    rule = data.draw(st.sampled_from(listed))
    pieces = re.findall(r"[A-Za-z]{2,}", rule.pattern.source)
    drawn = data.draw(st.lists(st.sampled_from(pieces), max_size=8))
    text = f"{text} {' '.join(drawn)}"
    plain = re.compile(rule.pattern.source, rule.pattern.flags)
    for _ in range(10):
        assert _found(rule.pattern.finditer(text)) == _found(plain.finditer(text))


def test_nearly_every_rule_is_tried_in_lower_case() -> None:
    """Of the rules for slots nine in ten and more."""
    listed = rules("slots")
    assert sum(rule.pattern.lowered is not None for rule in listed) >= 0.9 * len(listed) > 0


def test_of_nearly_every_rule_it_is_known_what_it_needs() -> None:
    """Nine in ten of the rules for slots are passed over in a text that holds no word of theirs,
    and none of them in its own words."""
    read = [made for rule in rules("slots") if (made := rule.pattern.needed) is not None]
    assert len(read) >= 0.9 * len(rules("slots")) > 0
    assert not any(one.stands_in("zq vorp, xulk.") for one in read)

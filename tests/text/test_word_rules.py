"""The rules of the lexicon: patterns that are compiled when they are first tried."""

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.text import wordlists
from engraphy.text.datafiles import table

# The tree of a pattern, as Python's own compiler makes it.
_parser: Any = import_module("re._parser")
_REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
_MOST = 300
FILES = [*wordlists.LANGUAGES, "shapes"]


@pytest.mark.long
@pytest.mark.parametrize("file", FILES)
def test_every_pattern_is_one(file: str) -> None:
    """No rule waits with a pattern that cannot be compiled, or with a macro that
    nobody has put in."""
    seen = 0
    for section, rows in table(file).items():
        if not isinstance(rows, list) or not isinstance(rows[0], dict) or "pattern" not in rows[0]:
            continue
        rules = list(wordlists.rules_of(file, section))
        assert [rule.name for rule in rules] == [row["name"] for row in rows]
        assert [rule.name for rule in rules if "<<" in rule.pattern.compiled.pattern] == []
        seen += len(rules)
    assert seen


@pytest.mark.parametrize("file", wordlists.LANGUAGES)
def test_no_kind_is_told_without_its_cue(file: str) -> None:
    """Whatever the pattern of a kind matches holds one of the cues that the rule is passed over
    without: who edits the one is told to edit the other."""
    rules = [rule for rule in wordlists.rules_of(file, "kinds") if "cue" in rule.fields]
    assert rules
    for rule in rules:
        tree = _parser.parse(rule.pattern.source, rule.pattern.flags)
        assert _held(tree, [*map(wordlists.key, rule.fields["cue"])]), rule.name


def test_a_cue_that_a_pattern_can_do_without_is_seen() -> None:
    """One branch, an option or a repetition without a cue is enough."""
    for pattern in ("prefer|like", "(?:prefer)?x", "(?:prefer)*", r"pref\w+", "[pb]refer"):
        assert not _held(_parser.parse(pattern), ["prefer"])
    for pattern in (r"\bi (?:do )?prefers?\b", "(?:my|our) prefer(?:red|ence)", "(?:prefer){1,9}"):
        assert _held(_parser.parse(pattern), ["prefer"])


LISTS = sorted(
    {
        (section, name)
        for file in wordlists.LANGUAGES
        for section, part in table(file).items()
        if isinstance(part, dict) and section != "macros"
        for name, listed in part.items()
        if isinstance(listed, list) and section in {"questions", "knowing", "stance"}
    }
)
ASKED = """
What's your name? | ARE YOU A ROBOT, really | I never eat Fish | How To bake: First cut, Then heat
Do I have a name | Tell me a fun FACT | tell me a joke | Who Made You | My wife is Anna
you should always back up | the steps to Berlin | if I were you, I'd go | in order to fly, you must
named Bob | I AM called Ishmael | Nasil yapilir | ne zaman gelirse | \u0130\u015f her zaman
fiancée and fiancee | K for Kelvin, \u212a for K | adim 2: bitir | so what can I ask you about
caf\u00e9 rules | 1. adım | you a real person
"""


@pytest.mark.parametrize(("section", "name"), LISTS)
def test_a_pattern_is_found_in_any_case(section: str, name: str) -> None:
    """ASCII may be searched in lower case by a pattern that minds the case: it is found or not
    just as by the pattern itself, whatever the case and the script of the text."""
    texts = [one.strip() for one in ASKED.replace("\n", "|").split("|")]
    texts += [wordlists.plain(one) for one in texts]
    for text in (one for said in texts for one in (said, said.lower(), said.upper(), said.title())):
        found = wordlists.pattern(section, name).search(text) is not None
        assert wordlists.pattern(section, name).finds(text) is found, text


def test_only_rules_whose_cue_stands_are_tried() -> None:
    """A text without any word that tells a kind tries few patterns; one with a cue tries its."""
    every = wordlists.rules("kinds")
    names = {rule.name for rule in wordlists.cued("kinds", "prefer")}
    assert "prefer" in names
    assert len(list(wordlists.cued("kinds", "xyz"))) < len(every) / 4


def _held(tree: Any, cues: list[str]) -> bool:
    """Whether each text that a tree matches holds a cue in lower case."""
    run: set[str] = {""}
    for op, argument in tree:
        name = str(op)
        told = _spelled(name, argument)
        if told is not None and len(run) * len(told) <= _MOST:
            run = {one + other for one in run for other in told}
            continue
        if _each_holds(run, cues) or _inside(name, argument, cues):
            return True
        run = {""} if told is None else told
    return _each_holds(run, cues)


def _each_holds(run: Iterable[str], cues: list[str]) -> bool:
    return all(any(cue in one for cue in cues) for one in run)


def _inside(name: str, argument: Any, cues: list[str]) -> bool:
    if name in _REPEATS:
        return argument[0] > 0 and _held(argument[2], cues)
    parts = [*_parts(name, argument)]
    return bool(parts) and all(_held(one, cues) for one in parts)


def _parts(name: str, argument: Any) -> Iterator[Any]:
    if name == "SUBPATTERN":
        yield argument[-1]
    if name == "BRANCH":
        yield from argument[1]


def _spelled(name: str, argument: Any) -> set[str] | None:
    """The texts that a part of a tree matches, in lower case; None where they are many."""
    if name == "LITERAL":
        return {chr(argument).lower()}
    if name == "IN" and all(str(op) == "LITERAL" for op, _ in argument):
        return {chr(point).lower() for _, point in argument}
    if name in {"AT", "ASSERT", "ASSERT_NOT"}:
        return {""}
    if name in _REPEATS:
        least, most, body = argument
        once = _whole(body) if most <= 1 else None
        return once if once is None or least else {"", *once}
    found = [_whole(one) for one in _parts(name, argument)]
    told = {text for one in found if one is not None for text in one}
    return told if told and None not in found and len(told) <= _MOST else None


def _whole(tree: Any) -> set[str] | None:
    run = {""}
    for op, argument in tree:
        told = _spelled(str(op), argument)
        if told is None or len(run) * len(told) > _MOST:
            return None
        run = {one + other for one in run for other in told}
    return run


CUED = [
    (rule, [wordlists.key(cue) for cue in rule.fields.get("cue", ())])
    for rule in wordlists.rules("kinds")
]
CUES = sorted({cue for _, cues in CUED for cue in cues})


@given(
    text=st.lists(st.sampled_from(CUES) | st.text(max_size=3), max_size=9).map("".join),
    long=st.booleans(),
)
def test_rules_are_chosen_by_their_cues(text: str, long: bool) -> None:
    """However often it is asked, of whatever text: those without a cue, and those that have one
    which stands in it, in their order."""
    said = (text * (5_000 // max(1, len(text)) if long and text else 1)).lower()
    for _ in range(12):
        found = [rule.name for rule in wordlists.cued("kinds", said)]
    wanted = [rule for rule, cues in CUED if not cues or any(cue in said for cue in cues)]
    assert found == [rule.name for rule in wanted]

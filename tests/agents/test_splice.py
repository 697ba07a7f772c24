"""Edits of JSON that people write by hand: only what is meant changes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.agents.splice import parsed, with_entry, with_member, without
from engraphy.errors import InvalidInputError

LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
TREE = st.recursive(
    LEAF.filter(lambda one: one not in {float("inf"), float("-inf")}),
    lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text(max_size=4), one, max_size=3),
    max_leaves=12,
)
OBJECT = st.dictionaries(st.sampled_from("abc"), TREE, max_size=3)
INDENT = st.sampled_from([None, 2, 4, "\t"])
PATH = st.lists(st.sampled_from("abcxy"), min_size=1, max_size=3)
HAND = """{
  // mine
  "theme": "dark", // at night
  /* two */ "tools": ["a", "b",], // a tail
}
"""


def put(tree: dict[str, Any], path: list[str], value: Any) -> dict[str, Any]:
    """What the edit means."""
    holder = tree
    for name in path[:-1]:
        holder = holder.setdefault(name, {})
    holder[path[-1]] = value
    return tree


@pytest.mark.long
@given(OBJECT, INDENT, PATH, TREE)
def test_a_member_is_set_and_nothing_else(
    tree: dict[str, Any], indent: int | str | None, path: list[str], value: Any
) -> None:
    """The edited text says what the edited tree says; a new member taken out again leaves the text
    as it was."""
    text = json.dumps(tree, indent=indent)
    assert parsed(text).said == tree
    try:
        made = with_member(text, path, value)
    except InvalidInputError:
        return
    assert json.loads(made) == put(json.loads(text), path, value)
    if path[0] not in tree:
        back = without(made, path[:1])
        assert back == text if tree else json.loads(back) == tree


@given(OBJECT, INDENT, TREE, TREE)
def test_entries_go_last_and_come_out_again(
    tree: dict[str, Any], indent: int | str | None, one: Any, other: Any
) -> None:
    """Two entries in a new list; either can be taken out, the last one without a trace."""
    text = json.dumps(tree, indent=indent)
    first = with_entry(text, ["list"], one)
    both = with_entry(first, ["list"], other)
    assert json.loads(both) == tree | {"list": [one, other]}
    assert json.loads(without(both, ["list"], 0))["list"] == [other]
    assert without(both, ["list"], 1) == first


def test_comments_and_trailing_commas_stay() -> None:
    """Of a file with both: every line of it is still there, in its order."""
    made = with_member(HAND, ["mcp", "engraphy"], {"command": "x"})
    made = with_entry(made, ["tools"], "c")
    assert parsed(made).said == {
        "theme": "dark",
        "tools": ["a", "b", "c"],
        "mcp": {"engraphy": {"command": "x"}},
    }
    for kept in ("// mine", "// at night", "/* two */", "// a tail"):
        assert kept in made


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_line_ends_stay(line_end: str) -> None:
    """A file of another system keeps its own."""
    made = with_member(HAND.replace("\n", line_end), ["mcp"], {"a": [1]})
    assert made.count("\n") == made.count(line_end)


@pytest.mark.parametrize(
    ("text", "line"),
    [("{", "line 1"), ('{"a": }', "line 1"), ('{"a": 1\n"b": 2}', "line 2"), ("[1", "line 1")],
)
def test_what_is_no_json_is_refused(text: str, line: str) -> None:
    """With the line, and nothing is made of it."""
    with pytest.raises(InvalidInputError, match=line):
        with_member(text, ["a"], 1)


def test_another_kind_on_the_way_is_refused() -> None:
    """A list where an object has to be is the user's: it is not replaced."""
    with pytest.raises(InvalidInputError, match="hooks"):
        with_member('{"hooks": []}', ["hooks", "Stop"], [])
    with pytest.raises(InvalidInputError, match="a JSON list"):
        with_entry('{"hooks": {"Stop": 1}}', ["hooks", "Stop"], {})


def test_a_text_without_end_is_refused() -> None:
    """A thousand brackets are no settings, and no recursion error."""
    with pytest.raises(InvalidInputError, match="at most"):
        parsed("[" * 1000)

"""Tools: what they are, what they were given, what they gave back, and the paths of files."""

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from engraphy.text.paths import is_absolute, normal_path
from engraphy.text.toolinput import of_command, patched, tool_input
from engraphy.text.tooloutput import excerpt, failed, idle, looking, tool_text
from engraphy.text.tools import role


@pytest.mark.parametrize(
    ("tool", "does"),
    [
        ("MultiEdit", "write"),
        ("write_file", "write"),
        ("NotebookEdit", "write"),
        ("str_replace_based_edit_tool", "write"),
        ("Read", "read"),
        ("read_many_files", "read"),
        ("BASH", "run"),
        ("run_shell_command", "run"),
        ("python_check", "run"),
        ("Grep", "search"),
        ("LSP", "search"),
        ("list_dir", "list"),
        ("Glob", "list"),
        ("web_fetch", "web"),
        ("TodoWrite", "plan"),
        ("todo", "plan"),
        ("Task", "ask"),
        ("delegate", "ask"),
        ("mcp__files__create_entry", "write"),
        ("mcp__plugin_engraphy_engraphy__anything", "own"),
        ("store_memory", "own"),
        ("somethingElse", "other"),
        ("", "other"),
    ],
)
def test_a_tool_is_known_by_its_name(tool: str, does: str) -> None:
    """Any agent's spelling says what a tool does."""
    assert role(tool) == does


@pytest.mark.parametrize(
    ("path", "root", "spelled"),
    [
        ("./a/b.py", "", "a/b.py"),
        ("a//b/../c.py", "", "a/c.py"),
        ("../x.py", "/p", "../x.py"),
        ("/p/a.py", "/p", "a.py"),
        ("/p/a.py", "/p/", "a.py"),
        ("/pp/a.py", "/p", "/pp/a.py"),
        ("/P/a.py", "/p", "/P/a.py"),
        ("/p", "/p", "."),
        ("/../a", "", "/a"),
        ("c:\\w\\a.py", "C:\\W", "a.py"),
        ("C:/w/a.py", "", "C:/w/a.py"),
        ("file:///C:/w/a.py", "c:/W", "a.py"),
        (" a.py ", "", "a.py"),
        ("a b/ç.py", "", "a b/ç.py"),
    ],
)
def test_a_path_has_one_spelling(path: str, root: str, spelled: str) -> None:
    """Dots, doubles, separators, the project's folder."""
    assert normal_path(path, root) == spelled


@drawn(st.text(alphabet="ab./\\: C", max_size=30), st.sampled_from(["", "/a", "C:\\a", "/a/b"]))
def test_a_spelling_stays_as_it_is(path: str, root: str) -> None:
    """What is spelled once is not changed by spelling it again, and none is empty."""
    once = normal_path(path, root)
    assert once
    assert normal_path(once, root) == once


def test_only_roots_and_drives_are_absolute() -> None:
    """A relative path and a name are not."""
    assert [is_absolute(one) for one in ("/a", "C:\\a", "a/b", "C", "./a")] == [
        True,
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("command", "read", "written"),
    [
        ("cat a.py b.py", ("a.py", "b.py"), ()),
        ("sed -n 1,5p a.py", ("a.py",), ()),
        ("sed -i 's/a/b/' a.py", (), ("a.py",)),
        ("echo x > out.txt", (), ("out.txt",)),
        ("echo x >>log.txt; rm old.py", (), ("log.txt", "old.py")),
        ("sudo mv a.py b.py", (), ("a.py", "b.py")),
        ("pytest tests/test_a.py", (), ()),
        ("curl https://example.org/a.html", (), ()),
        ("", (), ()),
    ],
)
def test_a_command_names_its_files(
    command: str, read: tuple[str, ...], written: tuple[str, ...]
) -> None:
    """What is read and what is written, as far as the words show."""
    assert of_command(command) == (read, written)


def test_a_patch_names_each_file_once() -> None:
    """Additions, updates, deletions, moves; never /dev/null."""
    patch = (
        "*** Add File: a.py\n+x\n*** Delete File: b.py\n*** Move to: c.py\n"
        "--- a/d.py\n+++ b/d.py\n+++ /dev/null\n+++ b/d.py\n"
    )
    assert patched(patch) == ["a.py", "b.py", "c.py", "d.py"]


def test_a_plan_leaves_what_is_not_done() -> None:
    """In Claude Code's form and in Codex's."""
    todos = [{"content": "one", "status": "completed"}, {"content": "two", "status": "pending"}]
    steps = [{"step": "three", "status": "in_progress"}, {"step": "four", "status": "done"}]
    assert tool_input({"todos": todos}, "plan").open == ("two",)
    assert tool_input({"plan": steps}, "plan").open == ("three",)


@drawn(st.lists(st.tuples(st.integers(0, 30_000), st.integers(0, 30_000)), max_size=12))
def test_edits_are_read_within_a_bound(sizes: list[tuple[int, int]]) -> None:
    """Of all edits together 100,000 characters are read, of each text 20,000; what is not read is
    counted, and small edits are all read whole."""
    edits = [{"old_string": "a" * one, "new_string": "b" * other} for one, other in sizes]
    made = tool_input({"edits": edits}, "write")
    read = sum(len(before) + len(after) for before, after in made.edits)
    whole = sum(one + other for one, other in sizes)
    assert read <= 100_000
    assert made.unread == whole - read
    if whole <= 100_000 and all(max(pair) <= 20_000 for pair in sizes):
        assert made.edits == tuple(("a" * one, "b" * other) for one, other in sizes)


def test_a_long_edit_ends_with_a_line() -> None:
    """A text that is cut is cut behind a line, so that no credential is cut in two."""
    lines = "x = 1\n" * 3_000
    made = tool_input({"old_string": "", "new_string": f"{lines}y = {'k' * 9_000}"}, "write")
    assert made.edits == (("", lines.rstrip("\n")),)
    assert made.unread == 9_000 + len("\ny = ")


def test_many_edits_are_read_up_to_a_number() -> None:
    """More than 32 edits are not read, nor is a patch beyond 20,000 characters, and that is
    counted."""
    many = [{"old_string": "a", "new_string": "b"}] * 40
    assert len(tool_input({"edits": many}, "write").edits) == 32
    assert tool_input({"edits": many}, "write").unread == 16
    patch = "--- a/a.py\n+++ b/a.py\n" + "+x\n" * 7_000
    assert tool_input({"patch": patch}, "write").unread == len(patch) - 20_000


def test_a_command_may_be_a_list() -> None:
    """Codex runs ["bash", "-lc", "..."]."""
    given = {"command": ["bash", "-lc", "cat a.py"]}
    assert tool_input(given, "run").command == "cat a.py"
    assert tool_input(given, "run").files == ("a.py",)
    assert tool_input({"command": ["make", "all"]}, "run").command == "make all"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("2 failed, 3 passed", True),
        ("0 failed, 3 passed", False),
        ("Found 0 errors in 3 files", False),
        ("Traceback (most recent call last):", True),
        ("bash: foo: command not found", True),
        ("error: cannot find module", True),
        ("Process exited with code 2", True),
        ("Exit code: 0", False),
        ("the error handler is in errors.py", False),
        ("3 test başarısız, derleme başarısız", True),
    ],
)
def test_failure_is_read_from_the_words(text: str, wrong: bool) -> None:
    """What says how it went, not what speaks of errors."""
    assert failed(text, text) is wrong


@pytest.mark.parametrize(
    ("command", "around", "looks"),
    [
        ("ls -la && pwd", True, True),
        ("cd src && git status", True, True),
        ("cat a.py | grep x", False, True),
        ("cat a.py > b.py", False, False),
        ("git commit -m x", False, False),
        ("sed -i s/a/b/ a.py", False, False),
        ("make", False, False),
        ("", False, False),
    ],
)
def test_what_only_looks_is_told_from_what_does(command: str, around: bool, looks: bool) -> None:
    """Every part of a line must only look."""
    assert (idle(command), looking(command)) == (around, looks)


@drawn(st.text(max_size=4_000), st.integers(min_value=200, max_value=1_000))
def test_an_excerpt_is_short_and_begins_and_ends_alike(text: str, limit: int) -> None:
    """Within the limit and a line that says what is missing; a short text is left alone."""
    cut = excerpt(text, limit)
    assert len(cut) <= limit + 100
    if len(text) <= limit:
        assert cut == text


def test_results_of_any_depth_end() -> None:
    """A result nested in itself many times is read to a depth, and never for ever."""
    nested: dict[str, object] = {"output": "deep"}
    for _ in range(1_000):
        nested = {"output": nested}
    assert tool_text(nested) == ""
    assert tool_text({"output": {"output": "here"}}) == "here"
    assert tool_text(None) == ""
    assert tool_text([1, "two", None]) == "1\ntwo"

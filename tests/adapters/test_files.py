"""Files as memories: the commands of Anthropic's memory tool, in its own words.

That every answer is the SDK's own is shown by `acceptance/adapters/anthropic_oracle.py`.
"""

from pathlib import Path

import pytest

from engraphy import Memory
from engraphy.adapters.files import Files, RefusedError, SHELF
from engraphy.adapters.walls import Walls


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """No files yet, of Ann."""
    return Files(Memory(tmp_path / "m.db", embedder="none"), Walls(user="ann"))


def _create(files: Files, path: str, text: str) -> str:
    return files.run(lambda tree: tree.create(path, text))


def _view(files: Files, path: str) -> str:
    return files.run(lambda tree: tree.view(path, None))


def test_a_file_is_created_shown_and_changed_in_the_documented_words(files: Files) -> None:
    """Create, view, str_replace and insert answer as the SDK's own tool does."""
    made = _create(files, "/memories/prefs.md", "User likes tea\nand coffee\n")
    assert made == "File created successfully at: /memories/prefs.md"
    head = "Here's the content of /memories/prefs.md with line numbers:\n"
    assert _view(files, "/memories/prefs.md") == (
        f"{head}     1\tUser likes tea\n     2\tand coffee\n     3\t"
    )
    told = files.run(lambda tree: tree.str_replace("/memories/prefs.md", "coffee", "cocoa"))
    assert told.endswith("     1\tUser likes tea\n     2\tand cocoa\n     3\t")
    told = files.run(lambda tree: tree.insert("/memories/prefs.md", 1, "but no milk"))
    assert told == "The file /memories/prefs.md has been edited."
    assert "     2\tbut no milk" in _view(files, "/memories/prefs.md")


def test_folders_are_listed_two_levels_deep_and_stay_when_they_are_empty(files: Files) -> None:
    """Hidden files and what lies deeper are left out; an empty folder is still there."""
    for path in ("a/b/c/deep.md", "a/note.md", ".hidden", "z.md"):
        _create(files, f"/memories/{path}", "12345678")
    assert _view(files, "/memories").split("\n")[1:] == [
        "32B\t/memories",
        "16B\t/memories/a/",
        "8B\t/memories/a/b/",
        "8B\t/memories/a/note.md",
        "8B\t/memories/z.md",
    ]
    files.run(lambda tree: tree.delete("/memories/a/b"))
    files.run(lambda tree: tree.rename("/memories/a/note.md", "/memories/n.md"))
    assert "0B\t/memories/a/" in _view(files, "/memories")
    assert "8B\t/memories/n.md" in _view(files, "/memories")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (lambda t: t.view("/memories/none", None), "The path /memories/none does not exist. Ple"),
        (lambda t: t.view("/etc/passwd", None), "Path must start with /memories, got: /etc/pas"),
        (lambda t: t.view("/memories/../x", None), "would escape /memories directory"),
        (lambda t: t.create("/memories/f", ""), "File /memories/f already exists"),
        (lambda t: t.create("/memories/f/g", ""), "is below a file"),
        (
            lambda t: t.str_replace("/memories/f", "no", ""),
            "did not appear verbatim in /memor",
        ),
        (
            lambda t: t.str_replace("/memories/f", "tea", ""),
            "in lines: 1, 2. Please ensure it",
        ),
        (lambda t: t.insert("/memories/f", 9, ""), "within the range [0, 2]."),
        (lambda t: t.delete("/memories"), "Cannot delete the /memories directory itself"),
        (lambda t: t.rename("/memories/f", "/memories/f"), "The destination /memories/f already"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_changes(files: Files, command, words) -> None:
    """A refusal says the documented words, and the file is as it was."""
    _create(files, "/memories/f", "tea\ntea\n")
    before = _view(files, "/memories/f")
    with pytest.raises(RefusedError) as refused:
        files.run(command)
    assert words in str(refused.value)
    assert _view(files, "/memories/f") == before


def test_files_are_memories_inside_their_walls(files: Files) -> None:
    """Recall finds a file by its words, with its path; another user sees neither."""
    _create(files, "/memories/deploy.md", "The staging port is 8443.\n")
    memory = files.memory
    hit = memory.recall("staging port", user="ann")[0].memory
    assert hit.content.startswith("/memories/deploy.md\n")
    assert memory.recall("staging port", user="bob") == []
    assert (
        Files(memory, Walls(user="bob"))
        .run(lambda tree: tree.view("/memories", None))
        .endswith("0B\t/memories")
    )
    memory.forget(hit.id, user="ann")
    assert memory.documents(SHELF, user="ann") == []


def test_an_edit_that_another_writer_overtook_is_made_anew(files: Files) -> None:
    """Two edits of one file at once: none of them is lost."""
    _create(files, "/memories/f", "one\n")
    overtaken = []

    def edit(tree) -> str:
        if not overtaken:
            overtaken.append(True)
            files.run(lambda other: other.insert("/memories/f", 1, "theirs"))
        return tree.insert("/memories/f", 0, "ours")

    files.run(edit)
    assert [line.partition("\t")[2] for line in _view(files, "/memories/f").split("\n")[1:]] == [
        "ours",
        "one",
        "theirs",
        "",
    ]

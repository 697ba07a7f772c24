"""What a prepared file cannot do: break off an import, hang it, or fill the memory of a machine."""

import json
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest
from tests.engine.making import texts
from tests.importers.conftest import said

from engraphy import Memory
from engraphy.errors import InvalidInputError, UnreadableFileError
from engraphy.importers import SOURCES, gemini, imported
from engraphy.importers.notes import Notes
from engraphy.importers.reading import moment
from engraphy.model import Origin

TEA = "I like green tea in the morning."
TRANSCRIPT = (
    '{"sessionId": "a", "uuid": "b", "type": "user", "message": {"content": "I live in Oslo."}}\n'
)
LONG = f"0x{'f' * 5_000}"
"""A number of more digits than Python writes."""
CHAT = '[{"uuid": "c", "chat_messages": [{"uuid": "m", "sender": "human", "text": "I am Ann."}]}]'


def vault(folder: Path, *notes: bytes | str) -> Path:
    """A vault of these notes."""
    (folder / ".obsidian").mkdir(parents=True)
    for number, note in enumerate(notes):
        told = note if isinstance(note, bytes) else note.encode()
        (folder / f"{number}.md").write_bytes(told)
    return folder


def held(memory: Memory, source: str) -> list[str]:
    """What came from a source."""
    return sorted(texts(memory.list(tag=f"from:{source}")))


@pytest.mark.long
@pytest.mark.parametrize(
    "line",
    [" " * 1_900 + "x", "# a" + " " * 1_900 + "b", "|" * 1_900 + "x", "- a" + " " * 1_900 + "[[b"],
)
def test_lines_of_blanks_take_no_time(line: str, memory: Memory, tmp_path: Path) -> None:
    """However its lines are padded, a note is read in a time that grows with its size only: these
    two hundred lines took an hour."""
    path = vault(tmp_path / "v", "\n\n".join([line] * 200 + [TEA]))
    for source in ("obsidian", "basic-memory"):
        imported(memory, path, source=source)
    assert TEA in texts(memory.list(limit=10))


def test_properties_that_unfold_are_none(memory: Memory, tmp_path: Path) -> None:
    """Anchors of any name are refused, and what a property holds is told only where it is small."""
    folds = "\n".join(
        f"{after}: &-{after} [{', '.join([f'*-{before}'] * 10)}]"
        for before, after in zip("abcdefghij", "bcdefghijk", strict=True)
    )
    path = vault(
        tmp_path / "v",
        f"---\na: &-a x\n{folds}\ncreated: *-k\n---\n{TEA}\n",
        f"---\ntags: [{LONG}, good]\ncreated: {LONG}\n---\nMy cat is called Tom.\n",
    )
    done = imported(memory, path, source="obsidian")
    assert (done.memories, done.broken) == (2, 1)
    [cat] = memory.list(tag="good")
    assert cat.content == "My cat is called Tom."


@pytest.mark.parametrize("front", [
    "tags: " + "[" * 3_000, "tags: [a, " * 17 + "]" * 17, "- " * 3_000 + "a", "a: b\n" * 3_000,
])  # fmt: skip
def test_properties_that_are_deep_or_long_are_none(
    front: str, memory: Memory, tmp_path: Path
) -> None:
    """Properties in very many others, and very long ones, are told and left unread, as a parser
    takes seconds of them; what the note says comes in."""
    path = vault(tmp_path / "v", f"---\n{front}\n---\n{TEA}\n", "---\nx: [{a: [[b]]}]\n---\nTom.\n")
    done = imported(memory, path, source="obsidian")
    assert (done.memories, done.broken) == (2, 1)
    assert "too deep" in done.problems[0]


def test_notes_of_other_systems_are_read(memory: Memory, tmp_path: Path) -> None:
    """UTF-16 with its mark is text as well."""
    path = vault(tmp_path / "v", TEA.encode("utf-16"))
    assert imported(memory, path, source="obsidian").memories == 1
    assert held(memory, "obsidian") == [TEA]


@pytest.mark.parametrize("told", ["--1700000000", "1.7.2e9", "0x17000000000", "-", "9" * 400])
def test_what_only_looks_like_a_moment_is_none(told: str) -> None:
    """Text that is no number of seconds breaks nothing off."""
    assert moment(told) is None


def test_an_index_that_points_nowhere_breaks_nothing_off(memory: Memory, tmp_path: Path) -> None:
    """A name that no file can have is no file."""
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "MEMORY.md").write_text(f"- [a]({'a' * 300}.md)\n- {TEA}\n", "utf-8")
    assert imported(memory, tmp_path / "m", source="auto-memory").memories == 2


def test_what_is_no_file_is_left_out(memory: Memory, tmp_path: Path) -> None:
    """A pipe with a fitting name stops nothing: it would be waited for without end."""
    folder = tmp_path / "t"
    folder.mkdir()
    (folder / "x.jsonl").write_text(TRANSCRIPT, "utf-8")
    os.mkfifo(folder / "y.jsonl")
    done = imported(memory, folder, source="claude-code")
    assert (done.memories, done.skipped) == (1, {"no file": 1})


@pytest.mark.parametrize("sign", ["AGENTS.md", ".git"])
def test_a_clone_does_not_speak_for_the_user(sign: str, memory: Memory, tmp_path: Path) -> None:
    """A transcript that lies in somebody's project is not found out to be the user's: it has to be
    named (P-10)."""
    repository = tmp_path / "clone"
    (repository / "notes" / "deep").mkdir(parents=True)
    (repository / sign).write_text("- Indent by tabs, always.\n", "utf-8")
    file = repository / "notes" / "deep" / "x.jsonl"
    file.write_text(TRANSCRIPT, "utf-8")
    if sign == ".git":
        for place in (repository, file):
            with pytest.raises(InvalidInputError, match="--from SOURCE"):
                imported(memory, place)
    else:
        assert imported(memory, repository).source == "rules"
        assert {one.origin for one in memory.list(tag="from:rules")} <= {Origin.IMPORT}
    assert held(memory, "claude-code") == []
    assert imported(memory, file, source="claude-code").memories == 1


def test_a_file_that_may_not_be_read_is_left_out(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file of somebody else's among many is counted, and the others come in."""
    folder = tmp_path / "t"
    folder.mkdir()
    (folder / "x.jsonl").write_text(TRANSCRIPT, "utf-8")
    (folder / "y.jsonl").write_text(TRANSCRIPT, "utf-8")
    # Whoever runs the tests may be allowed to read everything.
    monkeypatch.setattr(os, "access", lambda path, _: Path(path).name != "y.jsonl")
    done = imported(memory, folder, source="claude-code")
    assert (done.memories, done.skipped) == (1, {"a file that may not be read": 1})


def test_a_chat_that_goes_while_others_are_read_is_told(tmp_path: Path) -> None:
    """A program that tidies up its chats meanwhile does not end the import of the rest."""
    chats = tmp_path / "p" / "chats"
    chats.mkdir(parents=True)
    for name in "123":
        told = {"id": name, "type": "user", "content": f"My seat is {name}."}
        chat = json.dumps({"sessionId": name, "messages": [told]})
        (chats / f"session-{name}.json").write_text(chat, "utf-8")
    notes = Notes()
    found = gemini.SOURCE.items(tmp_path, notes)
    first = next(found)
    (chats / "session-2.json").unlink()
    assert [one.content for one in (first, *found)] == ["My seat is 1.", "My seat is 3."]
    assert notes.problems == ["session-2.json:1: it is there no longer"]


def packed(path: Path, method: int = ZIP_DEFLATED) -> Path:
    """An export of Claude.ai."""
    with ZipFile(path, "w", method) as archive:
        archive.writestr("conversations.json", CHAT)
        archive.writestr("more/conversations.json", CHAT.replace("Ann", "Anna").replace("m", "n"))
    return path


def test_an_archive_of_another_method_is_refused(memory: Memory, tmp_path: Path) -> None:
    """A method that could ask for gigabytes to begin with, or is unknown, is not tried."""
    for source in ("claude-ai", "auto"):
        with pytest.raises(InvalidInputError, match="stored or deflated"):
            imported(memory, packed(tmp_path / "x.zip", ZIP_LZMA), source=source)


def test_a_damaged_member_is_told(memory: Memory, tmp_path: Path) -> None:
    """What cannot be opened is noted with its name; the other members come in."""
    path = packed(tmp_path / "x.zip")
    content = bytearray(path.read_bytes())
    place = content.index(b"PK\x03\x04", 4)
    content[place : place + 4] = b"XXXX"
    path.write_bytes(content)
    done = imported(memory, path, source="claude-ai")
    assert (done.memories, done.broken) == (1, 1)


def test_members_that_lie_over_one_another_are_refused(memory: Memory, tmp_path: Path) -> None:
    """Members that claim more than the file holds are how a small file unpacks to very much."""
    path = packed(tmp_path / "x.zip")
    with ZipFile(path) as archive:
        size = archive.infolist()[0].compress_size
    content = bytearray(path.read_bytes())
    place = content.index(b"PK\x01\x02")
    assert int.from_bytes(content[place + 20 : place + 24], "little") == size
    content[place + 20 : place + 24] = (1 << 30).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(InvalidInputError, match="lie over one another"):
        imported(memory, path, source="claude-ai")


def test_one_odd_row_stops_no_database(memory: Memory, tmp_path: Path) -> None:
    """Text that is no UTF-8, and a row of megabytes, are that row's own trouble."""
    path = tmp_path / "claude-mem.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE observations (id INTEGER PRIMARY KEY, narrative TEXT)")
        rows = ("CAST(x'ff4920616d' AS TEXT)", f"'{'a' * (5 << 20)}'", f"'{TEA}'")
        for number, row in enumerate(rows):
            database.execute(f"INSERT INTO observations VALUES ({number}, {row})")
        database.commit()
    before = said(memory)
    done = imported(memory, path, source="claude-mem")
    assert (done.memories, done.skipped) == (2, {"length": 1})
    assert TEA in held(memory, "claude-mem")
    assert len(said(memory)) == len(before) + 2


@pytest.mark.parametrize("source", ["auto", *SOURCES])
def test_an_export_of_ours_is_nobody_elses(memory: Memory, tmp_path: Path, source: str) -> None:
    """Read as another's, what is a user's own or secret in an export would be shared and public."""
    memory.remember("The safe opens with 4711", user="ada", sensitivity="secret")
    memory.export(tmp_path / "own.jsonl", everything=True, allow_secret=True)
    before = said(memory)
    with pytest.raises(InvalidInputError, match="without --from"):
        imported(memory, tmp_path / "own.jsonl", source=source)
    (tmp_path / "folder").mkdir()
    (tmp_path / "own.jsonl").rename(tmp_path / "folder" / "own.jsonl")
    with suppress(InvalidInputError, UnreadableFileError):
        imported(memory, tmp_path / "folder", source=source)
    assert said(memory) == before

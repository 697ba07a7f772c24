"""Parts of files that are not as the rest: none is lost, misdated or anybody else's in silence."""

import gzip
import json
import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from tests.engine.making import texts
from tests.importers.samples import FIXTURES, SAMPLES, made, zipped

from engraphy import Memory
from engraphy.errors import InvalidInputError, UnreadableFileError
from engraphy.importers import imported


def dated(memory: Memory, **walls: str) -> dict[str, str]:
    """The day of each memory."""
    return {
        row.content: datetime.fromtimestamp(row.valid_from / 1e6, UTC).date().isoformat()
        for row in memory.list(limit=100, **walls)
    }


def test_what_an_agent_says_by_a_tool_is_what_it_said(memory: Memory, tmp_path: Path) -> None:
    """Of an agent of Letta's that speaks by `send_message` its words come in, not its thoughts;
    one that speaks itself is heard as before."""

    def said(id: str, text: str, *calls: tuple[str, dict[str, str]]) -> dict[str, Any]:
        called = [{"function": {"name": n, "arguments": json.dumps(a)}} for n, a in calls]
        content = [{"type": "text", "text": text}]
        return {"id": id, "role": "assistant", "content": content, "tool_calls": called}

    thinks = [
        said("1", "The user must be bored.", ("send_message", {"message": "We use Rust here."})),
        said("2", "I had better store the name.", ("core_memory_append", {"content": "x"})),
    ]
    speaks = [said("3", "We deploy the shop on Fridays.", ("search", {"query": "x"}))]
    agents = [{"id": "old", "messages": thinks}, {"id": "new", "messages": speaks}]
    (tmp_path / "agent.af").write_text(json.dumps({"agents": agents, "blocks": []}))
    done = imported(memory, tmp_path / "agent.af", trusted=True)
    assert {"We use Rust here.", "We deploy the shop on Fridays."} <= set(texts(memory.list()))
    assert done.memories == 2
    assert done.skipped["not said or shown"] == 2


def test_an_export_of_claude_is_counted_once(memory: Memory, tmp_path: Path) -> None:
    """Lines of conversations are read once, an archive is one file, a project's documents are told
    as left out, and a message without a moment is of its conversation's."""
    message = {"uuid": "m", "sender": "human", "text": "I keep bees on the roof."}
    talk = {"uuid": "c", "created_at": "2024-02-03T10:00:00Z", "chat_messages": [message]}
    lines = tmp_path / "conversations.jsonl"
    lines.write_text(json.dumps(talk))
    done = imported(memory, lines, source="claude-ai", dry_run=True)
    assert (done.files, done.read, done.skipped) == (1, 1, {})
    (tmp_path / "conversations.json").write_text(json.dumps([talk]))
    (tmp_path / "projects.json").write_text(json.dumps([{"uuid": "p", "docs": []}]))
    (tmp_path / "memories.json").write_text("[]")
    zipped(tmp_path / "export.zip", tmp_path)
    assert len(ZipFile(tmp_path / "export.zip").namelist()) == 3
    done = imported(memory, tmp_path / "export.zip", source="claude-ai")
    assert (done.files, done.memories) == (1, 1)
    assert done.skipped == {"a project's instructions and documents": 1}
    assert dated(memory)["I keep bees on the roof."] == "2024-02-03"


def test_observations_of_other_shapes_are_read_or_told(memory: Memory, tmp_path: Path) -> None:
    """An observation that is an object with a text, a number, or alone without a list comes in; of
    what is none a count is told."""
    entities: list[tuple[str, Any]] = [
        ("Pier", ["It is green", {"content": "It has a lamp", "timestamp": "x"}, 1887, None, {}]),
        ("Quay", "It is long"),
    ]
    told = [
        json.dumps({"type": "entity", "name": name, "entityType": "place", "observations": seen})
        for name, seen in entities
    ]
    (tmp_path / "memory.jsonl").write_text("\n".join(told))
    done = imported(memory, tmp_path / "memory.jsonl", source="server-memory")
    assert (done.memories, done.skipped) == (4, {"no text": 2})
    wanted = {"Pier: It is green", "Pier: It has a lamp", "Pier: 1887", "Quay: It is long"}
    assert wanted <= set(texts(memory.list()))


def test_rows_that_cannot_be_reached_are_told(memory: Memory, tmp_path: Path) -> None:
    """Where the log of a database in use cannot be read, what is in the file comes in, and that
    there is more is told; where it can, all of it comes in."""
    file = made(next(one for one in SAMPLES if one.source == "claude-mem"), tmp_path)
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA wal_autocheckpoint = 0")
        database.execute("UPDATE observations SET narrative = 'The newest row of all'")
        database.commit()
        away = tmp_path / "away"
        away.mkdir()
        for name in (file.name, f"{file.name}-wal"):
            shutil.copy(file.with_name(name), away / name)
        assert not imported(memory, file, dry_run=True).problems
    (away / f"{file.name}-shm").symlink_to(tmp_path / "nowhere" / "at all")
    done = imported(memory, away / file.name)
    assert done.memories == 3
    assert ["-wal" in one for one in done.problems] == [True]


def test_a_linked_folder_is_told(memory: Memory, tmp_path: Path) -> None:
    """A folder that is a link is not followed, and counted."""
    vault, other = tmp_path / "vault", tmp_path / "other"
    (vault / ".obsidian").mkdir(parents=True)
    other.mkdir()
    (other / "a.md").write_text("The cellar is damp.")
    (vault / "b.md").write_text("The attic is dry.")
    (vault / "linked").symlink_to(other)
    done = imported(memory, vault)
    assert (done.source, done.memories, done.skipped) == ("obsidian", 1, {"a link": 1})


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or not os.geteuid(), reason="nothing is closed to the superuser"
)
def test_a_closed_folder_inside_is_told(memory: Memory, tmp_path: Path) -> None:
    """A folder that may not be read ends no import of those around it, and is counted."""
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "closed").mkdir(mode=0)
    (tmp_path / "b.md").write_text("The attic is dry.")
    done = imported(memory, tmp_path)
    (tmp_path / "closed").chmod(0o700)
    assert (done.memories, done.skipped) == (1, {"a folder that may not be read": 1})


@pytest.mark.parametrize(
    "written",
    [
        "2024-02-03 10:00:00 UTC",
        "Sat, 03 Feb 2024 10:00:00 GMT",
        "February 3, 2024",
        "3 Feb 2024",
        "03.02.2024",
        "2024/02/03",
    ],
)
def test_a_date_as_others_write_it_is_that_date(
    written: str, shared: Memory, tmp_path: Path
) -> None:
    """A date in another shape than ISO's is read where its day cannot be taken for its month."""
    (tmp_path / "mem0.json").write_text(
        json.dumps([{"id": written, "memory": f"Said {written}", "created_at": written}])
    )
    assert not imported(shared, tmp_path / "mem0.json", source="mem0", project=written).problems
    assert dated(shared, project=written)[f"Said {written}"] == "2024-02-03"


def test_a_date_that_cannot_be_read_is_told(memory: Memory, tmp_path: Path) -> None:
    """What comes in without its date, or without its end, says so with its place."""
    kept = [
        {"id": "1", "memory": "Sails on Sundays", "created_at": "02/03/2024"},
        {"id": "2", "memory": "Has a coupon", "expiration_date": "soon"},
        {"id": "3", "memory": "Plays chess", "created_at": None, "updated_at": "2024-02-03"},
    ]
    (tmp_path / "mem0.json").write_text(json.dumps(kept))
    done = imported(memory, tmp_path / "mem0.json", source="mem0")
    assert done.memories == 3
    assert done.problems == (
        "mem0.json:1: its created_at cannot be read: '02/03/2024'",
        "mem0.json:2: its expiration_date cannot be read: 'soon'",
    )
    assert dated(memory)["Plays chess"] == "2024-02-03"


def test_metadata_that_is_cut_is_told(memory: Memory, tmp_path: Path) -> None:
    """Of metadata that is more than a memory keeps the beginning is kept, and the rest counted."""
    much = {"a": "x" * 3_000, "b": {"c": [1, 2]}, **{f"k{n}": n for n in range(70)}}
    told = [{"id": "1", "memory": "Sails on Sundays", "metadata": much}]
    (tmp_path / "mem0.json").write_text(json.dumps(told))
    done = imported(memory, tmp_path / "mem0.json", source="mem0")
    assert done.skipped == {"the rest of much metadata": 1 + len(much) - 64}
    [row] = memory.list(tag="from:mem0")
    held = dict(row.metadata)
    assert (len(held["a"]), held["b"], held["k1"]) == (2_000, '{"c": [1, 2]}', "1")


def test_a_daily_note_is_of_its_day(memory: Memory, tmp_path: Path) -> None:
    """A note whose name is a day is of that day, one that links to its day of that; a date that
    cannot be read is told, and the file's stands for it."""
    pytest.importorskip("yaml")
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "2023-05-01.md").write_text("The pump was mended.")
    (tmp_path / "a.md").write_text("---\ndate: [[2023-05-02]]\n---\nThe well was dug.")
    (tmp_path / "b.md").write_text("---\ndate: 05/06/2023\n---\nThe roof was tarred.")
    done = imported(memory, tmp_path)
    days = dated(memory)
    assert days["The pump was mended."] == "2023-05-01"
    assert days["The well was dug."] == "2023-05-02"
    assert done.problems == ("b.md:1: its date cannot be read: '05/06/2023'",)


def test_a_task_keeps_how_far_it_is(memory: Memory, tmp_path: Path) -> None:
    """What is done is told from what is not, by a tag."""
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "a.md").write_text("- [ ] Paint the shed\n- [x] Mend the pump\n- Water the figs\n")
    imported(memory, tmp_path)
    assert texts(memory.list(tag="open")) == ["Paint the shed"]
    assert texts(memory.list(tag="done")) == ["Mend the pump"]
    assert len(memory.list(tag="from:obsidian")) == 3


def test_a_line_without_a_folder_is_of_its_session(memory: Memory, tmp_path: Path) -> None:
    """A message that tells neither folder nor moment has those of the line before it: without one
    it would be seen from every project, and be of today."""
    lines = [
        {"cwd": "/srv/none/shop", "timestamp": "2024-02-03T10:00:00Z"},
        {"timestamp": "nonsense"},
    ]
    told = [
        {"type": "user", "uuid": str(n), "sessionId": "s", **one}
        | {"message": {"role": "user", "content": f"I keep goat number {n} in Tralee."}}
        for n, one in enumerate(lines)
    ]
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, told)))
    before = texts(memory.list())
    imported(memory, tmp_path / "s.jsonl", source="claude-code", user="ada")
    assert texts(memory.list(user="ada")) == before
    days = dated(memory, user="ada", project="shop-d4673e1e")
    assert days["I keep goat number 1 in Tralee."] == "2024-02-03"


def test_a_packed_file_is_told_as_one(memory: Memory, tmp_path: Path) -> None:
    """A file that is packed with gzip is refused with what to do."""
    (tmp_path / "mem0.json").write_bytes(gzip.compress(b"[]"))
    for source in ("mem0", "chatgpt", "server-memory"):
        with pytest.raises(UnreadableFileError, match="unpack it first"):
            imported(memory, tmp_path / "mem0.json", source=source)


@pytest.mark.parametrize("name", ["mem0/history.json", "letta/agent.af"])
def test_a_document_that_was_cut_off_is_refused_whole(
    memory: Memory, tmp_path: Path, name: str
) -> None:
    """Wherever it ends, it is told that it was cut off, and nothing of it comes in: of a history
    what was deleted or changed later would be back as what stands."""
    whole = (FIXTURES / name).read_bytes().rstrip()
    before = memory.stats().journal_entries
    for end in range(1, len(whole), 97):
        file = tmp_path / Path(name).name
        file.write_bytes(whole[:end])
        with pytest.raises(UnreadableFileError, match="was cut off"):
            imported(memory, file, source=name.partition("/")[0])
    assert memory.stats().journal_entries == before


@pytest.mark.long
def test_transcripts_tell_of_the_notes_beside_them(memory: Memory, tmp_path: Path) -> None:
    """Of a folder that holds both, found out or named, the transcripts come in, and where the notes
    are is told with the name by which they do."""
    shutil.copytree(FIXTURES / "claude-code", tmp_path / "projects")
    notes = "-srv-none-shop/memory"
    shutil.copytree(FIXTURES / "auto-memory" / notes, tmp_path / "projects" / notes)
    for source in ("auto", "claude-code"):
        told = imported(memory, tmp_path / "projects", source=source, dry_run=True)
        assert told.source == "claude-code"
        [said] = [why for why in told.skipped if "MEMORY.md" in why]
        assert "--from auto-memory" in said
    assert imported(memory, tmp_path / "projects", source="auto-memory").memories > 0


TALK = ("I live in Rome.", "I moved to Paris.", "I live in Oslo now.")
DAYS = ("2024-02-01T10:00:00Z", None, "the third")


def _chatgpt(folder: Path) -> Path:
    nodes: dict[str, Any] = {}
    for place, (told, day) in enumerate(zip(TALK, DAYS, strict=True)):
        content = {"content_type": "text", "parts": [told]}
        message = {"id": f"m{place}", "author": {"role": "user"}, "content": content}
        parent = f"n{place - 1}" if place else None
        nodes[f"n{place}"] = {"parent": parent, "message": message | {"create_time": day}}
    talk = {"id": "c", "create_time": 1_700_000_000, "current_node": "n2", "mapping": nodes}
    return _written(folder / "conversations.json", [talk])


def _claude_ai(folder: Path) -> Path:
    told = [
        {"uuid": told, "sender": "human", "text": told, "created_at": day}
        for told, day in zip(TALK, DAYS, strict=True)
    ]
    talk = {"uuid": "c", "created_at": "2023-11-14T10:00:00Z", "chat_messages": told}
    return _written(folder / "conversations.json", [talk])


def _letta(folder: Path) -> Path:
    told = [
        {"id": told, "role": "user", "content": told, "created_at": day}
        for told, day in zip(TALK, DAYS, strict=True)
    ]
    return _written(folder / "a.af", {"agents": [{"id": "a", "messages": told}], "blocks": []})


def _gemini(folder: Path) -> Path:
    told = [
        {"id": told, "type": "user", "content": told, "timestamp": day}
        for told, day in zip(TALK, DAYS, strict=True)
    ]
    return _written(folder / "session-1.json", {"sessionId": "g", "messages": told})


def _written(file: Path, value: object) -> Path:
    file.write_text(json.dumps(value), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("source", "write", "place"),
    [
        ("chatgpt", _chatgpt, "conversations.json:1: its create_time"),
        ("claude-ai", _claude_ai, "conversations.json:1: its created_at"),
        ("letta", _letta, "a.af:3: its created_at"),
        ("gemini", _gemini, "session-1.json:3: its timestamp"),
    ],
)
def test_a_message_without_a_moment_was_said_after_the_one_before(
    source: str, write: Any, place: str, memory: Memory, tmp_path: Path
) -> None:
    """A message that tells no moment, or one that cannot be read, is of the moment of the one
    before it, so that what it changes stays changed; the second is told with its place."""
    done = imported(memory, write(tmp_path), source=source)
    assert done.problems == (f"{place} cannot be read: 'the third'",)
    days = dated(memory)
    assert days["I live in Oslo now."] == "2024-02-01"
    assert not days.keys() & set(TALK[:2])


def test_a_date_of_claude_mem_that_cannot_be_read_is_told(memory: Memory, tmp_path: Path) -> None:
    """... with its row and table."""
    file = tmp_path / "claude-mem.db"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(
            "CREATE TABLE observations (id INTEGER, narrative TEXT, created_at TEXT);"
            "INSERT INTO observations VALUES (7, 'Rounding uses decimals.', 'garbage');"
        )
    done = imported(memory, file, source="claude-mem")
    assert done.memories == 1
    assert done.problems == (
        "claude-mem.db:0: row 7 of observations: its created_at cannot be read: 'garbage'",
    )


def test_a_line_of_a_note_in_another_encoding_is_told(memory: Memory, tmp_path: Path) -> None:
    """A line that is no UTF-8 is left out and told with its number; the others come in whole."""
    note = "We row on the Şile road.\n\nMüller lives in Köln.\n\nIt opens at nine.\n"
    parts = [line.encode("latin-1" if "M" in line else "utf-8") for line in note.split("\n")]
    (tmp_path / "trip.md").write_bytes(b"\n".join(parts))
    done = imported(memory, tmp_path, source="obsidian")
    assert done.problems == (
        "trip.md:3: it is no UTF-8: save the file as that, and import it again",
    )
    assert {"We row on the Şile road.", "It opens at nine."} <= set(texts(memory.list()))
    assert done.memories == 2


def test_headings_of_what_claude_remembers_are_no_memories(memory: Memory, tmp_path: Path) -> None:
    """A line in bold, or with signs of one, is a heading of what stands below, and each bullet is
    a memory of its own."""
    told = "**Work context**\n\nAda is a nurse in Graz.\n\n## Home\n\n- Has two cats\n- Likes tea"
    _written(tmp_path / "memories.json", [{"conversations_memory": told}])
    _written(tmp_path / "conversations.json", [{"uuid": "c", "chat_messages": []}])
    assert imported(memory, tmp_path, source="claude-ai").memories == 3
    kept = {"Ada is a nurse in Graz.", "Has two cats", "Likes tea"}
    assert kept <= set(texts(memory.list()))


def test_a_line_that_was_cut_is_told_by_its_own_number(memory: Memory, tmp_path: Path) -> None:
    """What is wrong with a line is told with the line's number and the place in it, not with the
    number that a parser of the line alone counts."""
    whole = json.dumps({"id": "1", "memory": "Rows on Sundays"})
    (tmp_path / "m.jsonl").write_text(f"{whole}\n\n{whole[:-5]}\n", encoding="utf-8")
    done = imported(memory, tmp_path / "m.jsonl", source="mem0")
    assert (done.memories, done.broken) == (1, 1)
    assert done.problems == ("m.jsonl:3: it is no JSON: Unterminated string starting at, sign 23",)


def test_a_chat_is_nothing_that_mem0_keeps(memory: Memory, tmp_path: Path) -> None:
    """Messages of a conversation that are named as mem0's are left out and counted: what an
    assistant said would come in as a fact, for everybody."""
    told = [
        {"id": "1", "type": "gemini", "content": "You could keep bees."},
        {"id": "2", "role": "user", "content": "I keep no bees."},
        {"id": "3", "memory": "Keeps bees", "role": "user"},
    ]
    (tmp_path / "m.jsonl").write_text("\n".join(map(json.dumps, told)), encoding="utf-8")
    done = imported(memory, tmp_path, source="mem0")
    assert (done.memories, done.skipped) == (1, {"a message of a conversation": 2})


def test_files_that_are_called_the_same_are_told_apart(memory: Memory, tmp_path: Path) -> None:
    """A problem is told with its file, and with the folder where several files have that name; one
    of an archive as well."""
    row = json.dumps({"role": "user", "message": {"content": "I live in Graz."}})
    chats = tmp_path / "projects"
    for folder, name in (("shop", "a"), ("blog", "a"), ("blog", "b")):
        place = chats / folder / "agent-transcripts" / f"{name}.jsonl"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{row}\n[]\n", encoding="utf-8")
    done = imported(memory, chats, source="cursor", dry_run=True)
    assert sorted(done.problems) == [
        "b.jsonl:2: it is no JSON object",
        "blog/agent-transcripts/a.jsonl:2: it is no JSON object",
        "shop/agent-transcripts/a.jsonl:2: it is no JSON object",
    ]
    with ZipFile(tmp_path / "chatgpt.zip", "w") as archive:
        for folder in ("one", "two"):
            archive.writestr(f"{folder}/conversations.json", '[{"mapping": {}}, {"mapping": [}]')
    done = imported(memory, tmp_path / "chatgpt.zip", source="chatgpt", dry_run=True)
    named = {one.partition(":")[0] for one in done.problems}
    assert named == {"one/conversations.json", "two/conversations.json"}


def test_a_folder_of_nothing_is_named(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing is found out about a path it is told, also that of the folder one is in."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInputError, match=r"path is '\.', which looks like nothing"):
        imported(memory, ".")


DESCRIBED = """# Backups

Each copy must be new, and a damaged one is never thrown away.

| 400 | a value is not allowed |

The tests run it instead of the old one, which was wrong.

- Never deploy on Fridays
- We decided to use Postgres for billing
- I prefer small commits
"""


def test_a_description_in_a_note_is_no_rule(memory: Memory, tmp_path: Path) -> None:
    """What must or never is, as a note describes it, stands in no prompt, also where the vault is
    the user's own; what its writer says as a rule, as I or as we, is one."""
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "ops.md").write_text(DESCRIBED, "utf-8")
    imported(memory, vault, source="obsidian", trusted=True)
    kinds = {row.content: row.kind.value for row in memory.list(tag="from:obsidian")}
    assert kinds.pop("Never deploy on Fridays") == "policy"
    assert kinds.pop("We decided to use Postgres for billing") == "decision"
    assert kinds.pop("I prefer small commits") == "preference"
    assert len(kinds) == 3
    assert set(kinds.values()) <= {"fact", "entity"}
    block = memory.context("what is on tonight?").text
    assert "Never deploy on Fridays" in block
    assert "must be new" not in block


def test_a_heading_is_what_a_paragraph_is_about(memory: Memory, tmp_path: Path) -> None:
    """The heading that a paragraph stands under is found with it."""
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "ops.md").write_text(DESCRIBED, "utf-8")
    imported(memory, vault, source="obsidian")
    assert {row.context for row in memory.list(tag="from:obsidian")} == {"Backups"}

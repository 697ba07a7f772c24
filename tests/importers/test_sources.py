"""Every source: once, twice, undone."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.engine.making import Ticks, opened, texts
from tests.importers.conftest import LATER, rows
from tests.importers.samples import SAMPLES, SHOP, Sample, made

from engraphy import Memory
from engraphy.cli.files import import_
from engraphy.importers import SOURCES, imported, source_of
from engraphy.project import project_of

EVERY = pytest.mark.parametrize("sample", SAMPLES, ids=[one.source for one in SAMPLES])


@EVERY
def test_an_import_comes_once_and_can_be_undone(
    sample: Sample, memory: Memory, tmp_path: Path
) -> None:
    """A dry run tells what an import then does and changes nothing; a second import, by a source
    that is found out, changes nothing; undone, every row is what it was."""
    path, before = made(sample, tmp_path), rows(memory)
    shown = imported(memory, path, source=sample.source, dry_run=True)
    assert rows(memory) == before
    done = imported(memory, path, source=sample.source)
    assert replace(shown, dry_run=False, run=done.run) == done
    assert done.memories + done.stands == sample.memories
    after = rows(memory)
    assert source_of(path) == sample.source
    again = imported(memory, path)
    assert (again.source, again.memories, again.run) == (sample.source, 0, "")
    assert again.already == again.read == done.read
    assert rows(memory) == after
    undone = memory.undo(last="import")
    assert not undone.left
    assert rows(memory) == before


@EVERY
def test_what_was_imported_is_found(sample: Sample, shared: Memory, tmp_path: Path) -> None:
    """A question finds what came in, in the walls that its source tells, by its tag too, with its
    source and its id there. What was injected, what tools or others said, what was deleted, and
    secrets never come in."""
    path = made(sample, tmp_path)
    imported(shared, path, source=sample.source)
    walls = {"project": project_of(path)} if sample.source == "rules" else sample.walls
    contents = [hit.memory.content for hit in shared.recall(sample.question, **walls)]
    assert any(sample.answer in one for one in contents), contents
    tagged = shared.list(tag=f"from:{sample.source}", limit=100, **walls)
    assert tagged
    for row in tagged:
        told = dict(row.metadata)
        assert told["source"] == sample.source
        assert told["source_id"]
        assert row.valid_from <= row.recorded_at
        assert not any(word in row.content for word in sample.never)


def test_what_mem0_keeps_for_somebody_is_for_nobody_else(memory: Memory, tmp_path: Path) -> None:
    """A user is a name also where it is a number, in histories too; what names its owner in no way
    that can be read comes in for nobody, and links of a graph belong to whom the memories beside
    them do."""
    before = texts(memory.list())
    kept: list[dict[str, object]] = [
        {"id": "a", "memory": "Sails on Sundays", "user_id": 7},
        {"id": "b", "memory": "Plays the cello", "user_id": ["sam"]},
        {"id": "c", "memory": "Drives a van", "metadata": {"user_id": 8}},
        {"memory_id": "d", "event": "ADD", "new_memory": "Keeps two bees", "user_id": 7},
    ]
    told = {
        "results": kept,
        "relations": [{"source": "ada", "relationship": "likes", "target": "x"}],
    }
    (tmp_path / "all.json").write_text(json.dumps(told))
    done = imported(memory, tmp_path / "all.json", source="mem0")
    assert {"an owner that is no name", "a relation in a file of several users"} <= set(
        done.skipped
    )
    assert texts(memory.list()) == before
    assert {"Sails on Sundays", "Keeps two bees"} <= set(texts(memory.list(user="7")))
    assert "Drives a van" in texts(memory.list(user="8"))
    (tmp_path / "one.json").write_text(json.dumps({**told, "results": kept[:1]}))
    imported(memory, tmp_path / "one.json", source="mem0")
    assert "ada likes x" in texts(memory.list(user="7"))
    assert texts(memory.list()) == before


@pytest.mark.parametrize("created", [None, "2025-06-01T00:00:00Z", "2999-01-01T00:00:00Z"])
def test_what_has_expired_at_mem0_comes_in_as_over(
    created: str | None, memory: Memory, tmp_path: Path
) -> None:
    """A memory whose end has passed is kept as what held until then, whenever it says it was made;
    one that still holds ends when it says."""
    kept = [
        {"id": "1", "memory": "Has a pass for the gym", "expiration_date": "2025-01-01"},
        {"id": "2", "memory": "Has a pass for the pool", "expiration_date": "2099-01-01"},
    ]
    told = [one | {"user_id": "nadia", "created_at": created} for one in kept]
    (tmp_path / "mem0.json").write_text(json.dumps({"results": told}))
    assert imported(memory, tmp_path / "mem0.json", source="mem0").memories == 2
    assert texts(memory.recall("which pass?", user="nadia")) == ["Has a pass for the pool"]
    [over] = [row for row in rows(memory) if "gym" in row.get("content", "")]
    assert over["valid_from"] < over["valid_until"] == 1_735_689_600_000_000


@pytest.mark.parametrize("profile", ["letsgo", "layered", "titans", "cognitive"])
def test_every_profile_takes_it_once(profile: str, tmp_path: Path) -> None:
    """Whatever a profile keeps of a conversation, merges or walls in, a second import changes
    nothing and undo gives back every row."""
    sample = next(one for one in SAMPLES if one.source == "claude-code")
    path = made(sample, tmp_path)
    with opened(tmp_path / "store.db", Ticks(LATER), profile=profile) as memory:
        memory.remember("I live in Oslo.", at="2020-01-01", **SHOP)
        before = rows(memory)
        assert imported(memory, path).memories > 0
        after = rows(memory)
        assert imported(memory, path).run == ""
        assert rows(memory) == after != before
        memory.undo(last="import")
        assert rows(memory) == before


def test_every_source_has_a_sample_and_a_name_on_the_command_line() -> None:
    """No source is untested, and the command line knows the same sources."""
    assert sorted(one.source for one in SAMPLES) == sorted(SOURCES)
    [chosen] = [one.type for one in import_.params if one.name == "source"]
    known = getattr(chosen, "choices", ())
    assert sorted(known) == sorted([*SOURCES, "auto", "engraphy"])

"""Every source: once, twice, undone."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.engine.making import Ticks, opened
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

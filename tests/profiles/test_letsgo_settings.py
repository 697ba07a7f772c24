"""The settings of documents 000 and 001: keys of pyproject.toml, LETSGO variables, the mirror."""

import json
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import Opening, clock, opening
from tests.engine.making import kept

from engraphy import Memory
from engraphy.errors import InvalidInputError, SettingsError
from engraphy.profile import load, tables
from engraphy.stores.sqlite import open_store

__all__ = ["clock", "opening"]

KEYS: dict[str, tuple[Any, Any]] = {
    "max_memories": (1000, 500),
    "default_ttl_days": (90, 30.5),
    "memorability_threshold": (0.3, 0.5),
    "compression_min_age_days": (7, 14),
    "consolidation_decay_rate": (0.02, 0.05),
    "token_budget": (2000, 900),
    "max_inject_count": (5, 3),
}
MIRROR = Path("logs") / "memory-journal.jsonl"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project folder that is the current one."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def said(folder: Path, **values: Any) -> None:
    """A project's file with such a table."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    text = "\n".join(["[project]", 'name = "x"', "[tool.letsgo.memory]", *lines])
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")


def knobs(memory: Memory) -> tuple[Any, ...]:
    """The numbers that the keys set."""
    profile = memory._engine.profile  # noqa: SLF001 - what is set, before anything is done
    return (profile.write.max_memories, profile.write.default_ttl_days, profile.gate.threshold,
            profile.dream.compress.older_than_days, profile.dream.consolidate.decay,
            profile.inject.budget, profile.inject.layers[0].quota)  # fmt: skip


@pytest.mark.spec("A-23")
@pytest.mark.spec("C-07")
def test_the_keys_of_the_document_are_honoured(opening: Opening, project: Path) -> None:
    """Each sets its number; without the table the defaults are the document's."""
    assert knobs(opening("plain", profile="letsgo")) == tuple(one for one, _ in KEYS.values())
    said(project, **{key: value for key, (_, value) in KEYS.items()})
    assert knobs(opening("told", profile="letsgo")) == tuple(two for _, two in KEYS.values())
    assert knobs(opening("other"))[0] == 0
    own = {"write": {"max_memories": 7}}
    assert knobs(opening("own", profile="letsgo", overrides=own))[0] == 7


@pytest.mark.spec("A-23")
def test_the_table_holds_in_every_folder_of_the_project(
    opening: Opening, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also deep inside, up to the top of its work tree and no further; the nearest file counts."""
    said(project.parent, max_memories=3)
    said(project, max_memories=5)
    deep = project / "src" / "api"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert knobs(opening("nobodys", profile="letsgo"))[0] == 1_000
    (project / ".git").mkdir()
    assert knobs(opening("deep", profile="letsgo"))[0] == 5
    said(deep.parent, max_memories=7)
    assert knobs(opening("nearest", profile="letsgo"))[0] == 7
    (deep.parent / "pyproject.toml").unlink()
    (project / "pyproject.toml").unlink()
    assert knobs(opening("above", profile="letsgo"))[0] == 1_000


@pytest.mark.spec("A-23")
@pytest.mark.spec("C-07")
@pytest.mark.parametrize("wrong", [
    {"max_memorys": 5}, {"max_memories": "5"}, {"max_memories": 5.5}, {"max_memories": -1},
    {"memorability_threshold": 1.1}, {"memorability_threshold": True}, {"token_budget": []},
    {"default_ttl_days": "ninety"}, {"max_inject_count": 0},
])  # fmt: skip
def test_a_wrong_key_or_value_is_an_error_at_start(
    opening: Opening, project: Path, wrong: dict[str, Any]
) -> None:
    """It names the key; no store is made."""
    said(project, **wrong)
    with pytest.raises(SettingsError, match=f"tool.letsgo.memory.{next(iter(wrong))}"):
        opening(profile="letsgo")
    assert not list(project.parent.glob("*.db"))
    assert opening("other").list() == []


@pytest.mark.spec("C-07")
def test_the_table_says_what_the_profile_says() -> None:
    """Every variable and key with the document's name, and its default is the profile's."""
    told = {one.name: one.default for one in tables()["letsgo"]}
    names = {f"tool.letsgo.memory.{key}": value for key, (value, _) in KEYS.items()}
    places = {"LETSGO_HOME": "", "LETSGO_MEMORY_DB": "", "LETSGO_MEMORY_LOG": MIRROR.as_posix()}
    assert told == names | places
    files = load("letsgo").files
    assert (files.home, files.database, files.journal) == tuple(places.values())


@pytest.mark.spec("A-23")
@pytest.mark.spec("C-07")
def test_where_things_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """LETSGO_HOME is the folder of both, LETSGO_MEMORY_DB the store, LETSGO_MEMORY_LOG the mirror;
    other profiles know none of them, and a path that a caller gives holds over all."""
    monkeypatch.setenv("ENGRAPHY_HOME", str(tmp_path / "product"))
    monkeypatch.setenv("LETSGO_HOME", str(tmp_path / "base"))
    options: dict[str, Any] = {"profile": "letsgo", "embedder": "none"}
    with Memory(**options) as memory:
        memory.remember("The heron flies")
        assert Path(memory.path) == tmp_path / "base" / "memory.db"
    assert (tmp_path / "base" / MIRROR).exists()
    monkeypatch.setenv("LETSGO_MEMORY_DB", str(tmp_path / "elsewhere" / "my.db"))
    monkeypatch.setenv("LETSGO_MEMORY_LOG", str(tmp_path / "log.jsonl"))
    with Memory(**options) as memory:
        memory.remember("The heron flies")
        assert Path(memory.path) == tmp_path / "elsewhere" / "my.db"
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 1
    with Memory(tmp_path / "given.db", **options) as memory:
        assert Path(memory.path) == tmp_path / "given.db"
    with Memory(embedder="none") as memory:
        memory.remember("The heron flies")
        assert Path(memory.path) == tmp_path / "product" / "memory.db"
        with pytest.raises(InvalidInputError, match=r"files\.journal"):
            memory.mirror()
    assert not (tmp_path / "product" / "logs").exists()


def lines(memory: Memory) -> list[dict[str, Any]]:
    """The mirror of a memory."""
    text = (Path(memory.path).parent / MIRROR).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def journal(memory: Memory) -> list[tuple[Any, ...]]:
    """What the table says."""
    with closing(open_store(memory.path)) as store:
        found = store.journal(memory.tenant, limit=9_999)
    return [(one.seq, one.op, one.target_id, one.actor, one.reason, one.hash) for one in found]


def same(memory: Memory) -> bool:
    """Whether both say the same."""
    names = ("seq", "op", "target_id", "actor", "reason", "hash")
    return [tuple(one[name] for name in names) for one in lines(memory)] == journal(memory)


@pytest.mark.spec("A-09")
def test_every_line_is_mirrored_without_texts(opening: Opening) -> None:
    """After each commit, whatever was written, and never a word of a memory."""
    memory = opening(profile="letsgo")
    row = kept(memory.remember("The Quetzal flies", tags=["Quetzal"]))
    memory.update(row.id, "The Quetzal swims")
    memory.fact("Quetzal", "is", "a bird")
    memory.recall("quetzal")
    memory.dream()
    memory.forget(row.id)
    assert same(memory)
    assert {"insert", "update", "fact", "access", "forget"} <= {one["op"] for one in lines(memory)}
    assert "uetzal" not in (Path(memory.path).parent / MIRROR).read_text()
    told = memory.mirror()
    assert (told.whole, told.lines, told.problem) == (True, len(lines(memory)), "")


@pytest.mark.spec("A-09")
@pytest.mark.parametrize("cut", [1, 40, 4_000])
def test_a_torn_or_missing_mirror_goes_on_at_the_right_line(opening: Opening, cut: int) -> None:
    """What a crash left of a line is cut off; behind the last whole one it goes on."""
    memory = opening(profile="letsgo")
    for number in range(5):
        memory.remember(f"Crate {number} holds bolts")
    file = Path(memory.path).parent / MIRROR
    os.truncate(file, max(0, file.stat().st_size - cut))
    assert memory.mirror().whole is False
    memory.remember("One crate more")
    assert same(memory)
    file.unlink()
    assert memory.mirror().problem == "it is not there"
    memory.remember("Another crate")
    assert same(memory)
    assert memory.mirror().whole


@pytest.mark.spec("A-09")
@pytest.mark.parametrize("garbage", ["{}\n", "not json\n", '{"seq": 1, "hash": "x"}\n', "[1]\n"])
def test_what_is_something_else_is_left_until_it_is_wanted(opening: Opening, garbage: str) -> None:
    """A file that does not continue the journal is not touched by writes, which go on; on demand
    it is written anew."""
    memory = opening(profile="letsgo")
    file = Path(memory.path).parent / MIRROR
    file.parent.mkdir()
    file.write_text(garbage, encoding="utf-8")
    memory.remember("The heron flies")
    assert file.read_text() == garbage
    assert memory.mirror().whole is False
    assert memory.mirror(rebuild=True).whole
    memory.remember("The owl sleeps")
    assert same(memory)


@pytest.mark.spec("A-09")
def test_a_mirror_that_cannot_be_written_fails_nobody(opening: Opening) -> None:
    """The write is committed before it; the table is what holds."""
    memory = opening(profile="letsgo")
    folder = Path(memory.path).parent / "logs"
    folder.write_text("a file where the folder should be", encoding="utf-8")
    row = kept(memory.remember("The heron flies"))
    assert memory.get(row.id).content == "The heron flies"
    folder.unlink()
    memory.remember("The owl sleeps")
    assert same(memory)

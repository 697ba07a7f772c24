"""Files of earlier versions are brought to the newest schema with everything in them."""

import gzip
from pathlib import Path

import apsw
import pytest

from engraphy import Memory
from engraphy.stores.sqlite.migrations import newest, steps

FIRST = Path(__file__).parent / "data" / "version_1.db.gz"
"""A store made by the first schema: 4 memories (one superseded, one secret), one edited, facts, a
relation, vectors of the static table."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """That store, unpacked."""
    path = tmp_path / "store.db"
    path.write_bytes(gzip.decompress(FIRST.read_bytes()))
    return path


@pytest.mark.spec("D-72")
def test_the_first_schema_opens_with_everything(file: Path) -> None:
    """Memories, versions, facts, relations, vectors and journal of a first-version file are there,
    and every check passes."""
    with Memory(file) as memory:
        rows = memory.list(user="ada", include=["superseded"], allow_secret=True)
        assert {row.content for row in rows} == {
            "Our API listens on port 3000",
            "Our API listens on port 3001 now",
            "I prefer pytest to unittest",
            "The deploy key is kept in the vault",
        }
        best = memory.recall("which port does the API listen on", user="ada")[0]
        assert best.memory.content == "Our API listens on port 3001 now"
        assert best.why["relevance"] > 0
        assert [fact.object for fact in memory.facts("ada", "city", user="ada")] == ["Bern"]
        [edited] = [row for row in rows if row.version == 2]
        [earlier] = memory.history(edited.id, user="ada")
        assert earlier.content == "I prefer pytest over unittest"
        assert [check for check in memory.doctor(deep=True) if not check.ok] == []
        assert memory.stats(user="ada").journal_entries > 0


def test_an_upgrade_is_recorded_once(file: Path) -> None:
    """Each step leaves its line, and opening again changes nothing."""
    for _ in range(2):
        with Memory(file):
            pass
    with apsw.Connection(str(file)) as connection:
        done = connection.execute("SELECT number, name FROM migrations").fetchall()
        assert done == [(step.number, step.name) for step in steps()]
        assert connection.execute("PRAGMA user_version").get == newest()


def test_an_upgraded_file_can_be_written(file: Path) -> None:
    """What is remembered after the upgrade supersedes what stood there before."""
    with Memory(file) as memory:
        said = memory.remember("Our API listens on port 3002 now", user="ada")
        assert said.action == "superseded"
        assert said.previous is not None
        assert said.previous.content == "Our API listens on port 3001 now"


def test_relations_of_a_first_file_count_towards_their_scope(file: Path) -> None:
    """The relations that stood there fill the cap: the loose one goes, the other one stays."""
    knobs = {"relate": {"prune_at": 3, "prune_to": 1}}
    with Memory(file, overrides=knobs) as memory:
        first, second = memory.list(user="ada", include=["superseded"], limit=2)
        assert memory.stats(user="ada").relations == 2
        memory.link(first.id, second.id, "causes", user="ada")
        rows = memory.list(user="ada", include=["superseded"])
        kinds = {one.type.value for row in rows for one in memory.links(row.id, user="ada")}
        assert kinds == {"supersedes", "causes"}

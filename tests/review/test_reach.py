"""Limits: what is asked for comes, or the answer says what is allowed."""

from pathlib import Path

import pytest
from tests.engine.making import DAY, START, Ticks, bring, opened

from engraphy import Memory
from engraphy.errors import InvalidInputError

MANY = 150
NO_CUT = {"score": {"min_share_of_best": 0.0, "min_score": 0.0, "min_confidence": 0.0}}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of many notes that all hold one word."""
    path = tmp_path_factory.mktemp("written") / "notes.db"
    with opened(path, overrides=NO_CUT) as memory:
        bring(memory, (f"otter note {number} of {number * 7}" for number in range(MANY)))
    return path.read_bytes()


@pytest.fixture
def notes(tmp_path: Path, written: bytes) -> Memory:
    """A memory of these notes, with nothing cut off."""
    (tmp_path / "notes.db").write_bytes(written)
    return opened(tmp_path / "notes.db", Ticks(START + DAY), overrides=NO_CUT)


def test_a_recall_reaches_its_limit(notes: Memory) -> None:
    """A limit above what the profile looks at by itself is not silently cut."""
    with notes:
        for limit in (5, 61, 100, MANY):
            assert len(notes.recall("otter", limit=limit, touch=False)) == limit
        assert len(notes.explain("otter", limit=MANY).hits) == MANY


def test_a_forget_says_how_many_it_takes(notes: Memory) -> None:
    """Up to 100 memories go by one query; more is refused, not silently cut."""
    with notes:
        assert len(notes.forget("otter", limit=100).ids) == 100
        with pytest.raises(InvalidInputError, match="limit is 101"):
            notes.forget("otter", limit=101)

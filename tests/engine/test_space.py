"""What a store takes up: the file gives back what was pruned, and its size is told (C-14)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.engine.making import bring

from engraphy import Memory

WORDS = ("amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "heron", "islet", "jetty")
COUNT, KEPT = 70, 5


def _texts(count: int) -> Iterator[str]:
    for number in range(count):
        told = (f"{word}{number}x{place}" for place in range(25) for word in WORDS)
        yield f"Note {number}: {' '.join(told)}."


def _filled(path: Path, count: int) -> Path:
    """A store with so many memories, each a text of its own words."""
    with Memory(path, embedder="none") as memory:
        bring(memory, _texts(count), user="ada")
    return path


@pytest.mark.long
def test_what_is_pruned_leaves_the_file(tmp_path: Path) -> None:
    """Space that pruning frees is given back by itself: nobody has to call for it."""
    file = _filled(tmp_path / "space.db", COUNT)
    full = file.stat().st_size
    with Memory(file, embedder="none") as memory:
        for row in memory.list(user="ada", limit=COUNT)[KEPT:]:
            memory.delete(row.id, user="ada")
        assert file.stat().st_size < full / 2
        assert len(memory.list(user="ada", limit=COUNT)) == KEPT


def test_readers_and_a_writer_share_the_file_by_its_log(tmp_path: Path) -> None:
    """The file is kept in WAL mode: its header says 2 for reading and for writing."""
    file = _filled(tmp_path / "log.db", 1)
    assert file.read_bytes()[18:20] == b"\x02\x02"


def test_the_size_of_the_file_is_told(tmp_path: Path) -> None:
    """The statistics state the bytes of the database with its log, as they stand on the disk."""
    file = _filled(tmp_path / "size.db", 3)
    log = Path(f"{file}-wal")
    with Memory(file, embedder="none") as memory:
        told = memory.stats(user="ada").file_bytes
        assert told == file.stat().st_size + (log.stat().st_size if log.exists() else 0)
        assert told > sum(map(len, _texts(3)))

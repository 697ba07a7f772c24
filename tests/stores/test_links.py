"""A store behind a link: what stands beside it stands beside the file itself."""

from pathlib import Path

import pytest

from engraphy import Memory
from engraphy.errors import KeyMissingError
from engraphy.stores.ciphering import checked
from engraphy.stores.sqlite.recoding import recode

KEY = checked("correct horse battery staple")
WORD = "zyxquartz"


@pytest.fixture
def link(tmp_path: Path) -> Path:
    """A link, in a folder of its own, to a store that says the word."""
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    file, made = tmp_path / "there" / "store.db", tmp_path / "here" / "link.db"
    made.symlink_to(file)
    with Memory(made, embedder="none") as memory:
        memory.remember(f"The {WORD} door opens at nine")
    return made


def telling(folder: Path) -> list[str]:
    """The files in which the word stands in the clear."""
    every = (file for file in folder.rglob("*") if file.is_file())
    return sorted(file.name for file in every if WORD.encode() in file.read_bytes())


def test_a_store_is_made_where_its_link_leads(link: Path) -> None:
    """A link to nothing yet makes the store at its end; beside the link there is nothing."""
    assert [one.name for one in link.parent.iterdir()] == ["link.db"]
    assert link.is_symlink()
    with Memory(link.resolve(), embedder="none") as memory:
        assert memory.recall("door")


def test_a_key_is_changed_where_the_link_leads(link: Path, tmp_path: Path) -> None:
    """Encrypted through a link, the file at its end is: the link stays, nothing in the clear does,
    and by neither name is it opened, or made anew, without the key."""
    recode(str(link), None, KEY)
    assert link.is_symlink()
    assert telling(tmp_path) == []
    for path in (link, link.resolve()):
        with pytest.raises(KeyMissingError):
            Memory(path, embedder="none")
    recode(str(link), KEY, None)
    with Memory(link, embedder="none") as memory:
        assert memory.recall("door")
    link.resolve().unlink()
    with Memory(link, embedder="none") as memory:
        assert not memory.recall("door")


def test_what_is_gone_was_encrypted(link: Path) -> None:
    """Where an encrypted file went, none is made in the clear in its place, by whatever name."""
    recode(str(link), None, KEY)
    link.resolve().unlink()
    with pytest.raises(KeyMissingError):
        Memory(link, embedder="none")


def test_two_names_are_one_queue(link: Path) -> None:
    """Who opens the file itself and who opens the link write one store, one after the other."""
    with Memory(link, embedder="none") as one, Memory(link.resolve(), embedder="none") as other:
        one.remember("The key lies under the stone")
        other.remember("The ladder stands in the barn")
        assert len(one.list()) == len(other.list()) == 3
    assert [file.name for file in link.parent.iterdir()] == ["link.db"]

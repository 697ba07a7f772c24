"""What a move looks at before it makes anything, and what two of them at once do."""

import signal
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from tests.moving.making import EVERYTHING, play, told
from tests.moving.test_migrate import killed
from tests.postgres.server import Server

from engraphy import Memory, keys
from engraphy.errors import (
    EngraphyError,
    KeyMissingError,
    MoveRefusedError,
    UnfinishedMoveError,
)
from engraphy.moving import migrate
from engraphy.stores import ciphering
from engraphy.stores.carrying import carry
from engraphy.stores.sqlite import open_store

FEW = [step for step in EVERYTHING if step[0] == "remember"][:4]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A file with a little in it, of two tenants."""
    path = tmp_path / "old.db"
    play(path, FEW)
    return path


@pytest.fixture
def sealed(tmp_path: Path, ring: dict[str, str]) -> Path:
    """An encrypted file whose key nobody knows but the keyring."""
    path = tmp_path / "sealed.db"
    keys.made(str(path))
    keys.came(str(path))
    assert ring
    with Memory(path, key="keyring") as memory:
        memory.remember("The port of the zyxquartz is 3000.")
    return path


@pytest.mark.parametrize("told", [None, "keyring"])
def test_what_the_keyring_opens_stays_encrypted(
    sealed: Path, tmp_path: Path, told: str | None
) -> None:
    """A store whose key is in the keyring moves into a file with that key, which the keyring holds
    for that one too; moved once more it is the same."""
    target = tmp_path / "new.db"
    for _ in range(2):
        assert migrate(sealed, target, key=told).memories == 1
    assert ciphering.needs_key(str(target))
    assert b"zyxquartz" not in target.read_bytes()
    for path in (sealed, target):
        with Memory(path) as memory:
            assert memory.recall("port")[0].memory.content == "The port of the zyxquartz is 3000."


def test_a_target_in_another_state_is_refused(sealed: Path, store: Path, tmp_path: Path) -> None:
    """An encrypted store does not go into a file in the clear that is there, nor the other way
    round; nor in the clear where an encrypted one was."""
    plain = tmp_path / "plain.db"
    open_store(str(plain)).close()
    with pytest.raises(MoveRefusedError, match="the source is encrypted and it is not"):
        migrate(sealed, plain)
    other = tmp_path / "other.db"
    Memory(other, key="correct horse battery").close()
    with pytest.raises(MoveRefusedError, match="it is encrypted and the source is not"):
        migrate(store, other)
    other.unlink()
    with pytest.raises(KeyMissingError):
        migrate(store, other)


@pytest.mark.long
def test_what_is_half_moved_is_no_backup(store: Path, tmp_path: Path) -> None:
    """`restore` refuses a file that a move has not filled yet, before anything is replaced; it is
    no source of another move either."""
    half, other = tmp_path / "half.db", tmp_path / "other.db"
    assert killed(store, half, 3).returncode == -signal.SIGKILL
    with Memory(other) as memory:
        memory.remember("This is still here.")
        with pytest.raises(UnfinishedMoveError, match=r"half\.db"):
            memory.restore(half)
        assert [one.content for one in memory.list()] == ["This is still here."]
    with pytest.raises(UnfinishedMoveError, match=r"half\.db"):
        migrate(half, tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()
    migrate(store, half)
    with Memory(other) as memory:
        memory.restore(half)
        assert len(memory.list(user="ayse")) == 3


def test_what_must_fail_fails_before_anything_is_made(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tenant that is not there, and settings that nothing can be asked with, make no target."""
    target = tmp_path / "new.db"
    with pytest.raises(MoveRefusedError, match="no tenant nobody; it has acme, default"):
        migrate(store, target, tenant="nobody")
    monkeypatch.setenv("ENGRAPHY_RERANKER", "nobody/knows")
    with pytest.raises(EngraphyError, match="nobody"):
        migrate(store, target)
    assert sorted(one.name for one in tmp_path.glob("new.db*")) == []


@pytest.mark.long
@pytest.mark.parametrize("engine", ["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def test_two_at_once_are_one_move(
    request: pytest.FixtureRequest,
    store: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    engine: str,
) -> None:
    """Two moves that begin at the same moment write one note: one of them may be refused, and what
    is there can be finished."""
    target = str(tmp_path / "new.db")
    if engine == "postgres":
        server: Server = request.getfixturevalue("server")
        target = server.fresh_url()
    monkeypatch.setattr(carry, "BATCH", 2)
    late, came, standing = Event(), Event(), carry.Standing

    def slowly(*values: Any, **named: Any) -> Any:
        if values and not late.is_set():
            late.set()
            came.wait(2)
        return standing(*values, **named)

    monkeypatch.setattr(carry, "Standing", slowly)

    refused: list[MoveRefusedError] = []

    def move(progress: Callable[[str, int], None] | None = None) -> None:
        try:
            migrate(store, target, progress=progress)
        except MoveRefusedError as error:
            refused.append(error)

    one = Thread(target=move)
    one.start()
    assert late.wait(60)
    move(lambda table, rows: came.set())
    one.join()
    assert len(refused) < 2
    for error in refused:
        assert error.details["path"]
        assert "the same move is under way" in str(error)
    migrate(store, target)
    assert told(target, tmp_path) == told(store, tmp_path)

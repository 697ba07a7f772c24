"""Encryption at rest: the whole file and what stands beside it, and keys that do not fit."""

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from tests.processes import at_once

from engraphy import Memory
from engraphy.errors import (
    EncryptionUnavailableError,
    EngraphyError,
    ForeignFileError,
    InvalidInputError,
    KeyMissingError,
    NotEncryptedError,
    SettingsError,
    StoreBusyError,
    StoreCorruptError,
    WrongKeyError,
)
from engraphy.stores.ciphering import checked
from engraphy.stores.sqlite.recoding import recode
from engraphy.verbs.base import Verbs

PHRASE, RAW = "correct horse battery staple", "4f" * 32
WORD = "zyxquartz"


def opened(path: Path, key: str | bytes | None = None) -> Memory:
    return Memory(path, embedder="none", key=key)


def filled(path: Path, key: str | bytes | None = None) -> Path:
    with opened(path, key) as memory:
        memory.remember(f"The {WORD} door opens at nine", title=WORD)
    return path


def files(folder: Path) -> dict[str, str]:
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.iterdir())
        if not file.name.endswith((".lock", "-shm"))
    }


def telling(folder: Path) -> list[str]:
    """The files in which the word stands in the clear."""
    every = (file for file in folder.rglob("*") if file.is_file())
    return sorted(file.name for file in every if WORD.encode() in file.read_bytes())


@pytest.mark.spec("P-27")
def test_it_is_optional(tmp_path: Path) -> None:
    """Without a key nothing is encrypted, every SQLite reads the file, and doctor says so."""
    path = filled(tmp_path / "m.db")
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM memories").fetchone() == (1,)
    with opened(path) as memory:
        [told] = [one.detail for one in memory.doctor() if one.name == "encryption"]
    assert told == "none"


@pytest.mark.spec("P-27")
@pytest.mark.parametrize("key", [PHRASE, RAW, bytes(range(32))])
def test_whole_file(tmp_path: Path, key: str | bytes) -> None:
    """With a key the file, its log, a backup and the copy of a dry run hold no word of a memory;
    what was said is found, and doctor names the cipher."""
    path = tmp_path / "m.db"
    with opened(path, key) as memory:
        memory.remember(f"The {WORD} door opens at nine", title=WORD)
        assert telling(tmp_path) == []
        memory.dream(dry_run=True)
        memory.dream()
        memory.backup(tmp_path / "b.db")
        assert [one.memory.title for one in memory.recall(WORD)] == [WORD]
        [told] = [one.detail for one in memory.doctor(deep=True) if one.name == "encryption"]
        assert "chacha20" in told
        assert telling(tmp_path) == []
        memory.restore(tmp_path / "b.db")
    assert telling(tmp_path) == []
    with opened(tmp_path / "b.db", key) as memory:
        assert memory.stats().total == 1
    with pytest.raises(sqlite3.DatabaseError), closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT count(*) FROM memories")


def test_the_librarys_own_tools_open_it(tmp_path: Path) -> None:
    """A passphrase is stretched as SQLite3 Multiple Ciphers does it: a plain connection of it opens
    the file by the same words."""
    path = filled(tmp_path / "m.db", PHRASE)
    with closing(apsw.Connection(str(path))) as connection:
        connection.pragma("key", PHRASE)
        assert connection.execute("SELECT title FROM memories").fetchall() == [(WORD,)]


@pytest.mark.long
@pytest.mark.spec("P-27")
@pytest.mark.parametrize("state", ["closed", "log", "journal"])
def test_keys_that_do_not_fit(tmp_path: Path, state: str) -> None:
    """A wrong key and a missing one are told apart, and change no byte: neither of the file nor of
    the log or the journal that a kill left beside it."""
    path = filled(tmp_path / "m.db", RAW)
    if state != "closed":
        killed(path, RAW, state)
        assert len(files(tmp_path)) == 3, files(tmp_path)
    before = files(tmp_path)
    for key, wanted in (
        ("ab" * 32, WrongKeyError),
        (PHRASE, WrongKeyError),
        (None, KeyMissingError),
    ):
        with pytest.raises(wanted) as raised:
            opened(path, key)
        assert str(path) in str(raised.value)
        assert key is None or key not in repr(raised.getrepr(chain=True))
        assert files(tmp_path) == before
    with opened(path, RAW) as memory:
        assert memory.recall(WORD)
        assert all(one.ok for one in memory.doctor(deep=True) if one.name != "size")


def killed(path: Path, key: str, state: str) -> None:
    """Leave a log, or a journal that has to be played back."""
    mode = "WAL" if state == "log" else "DELETE"
    code = f"""
import apsw, os, signal
connection = apsw.Connection({str(path)!r})
connection.pragma("key", "raw:{key}")
connection.pragma("journal_mode", {mode!r})
connection.pragma("cache_size", 2)
connection.execute("BEGIN IMMEDIATE; CREATE TABLE filler (x)")
for _ in range(80):
    connection.execute("INSERT INTO filler VALUES (randomblob(4000))")
connection.execute("DELETE FROM memories")
connection.cache_flush()
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL


@pytest.mark.spec("P-27")
def test_a_file_in_the_clear_is_no_encrypted_one(tmp_path: Path) -> None:
    """Whoever has a key and meets a file in the clear is told so: nothing is written into it."""
    path = filled(tmp_path / "m.db")
    before = files(tmp_path)
    with pytest.raises(NotEncryptedError, match="engraphy encrypt"):
        opened(path, RAW)
    assert files(tmp_path) == before


@pytest.mark.spec("P-27")
def test_a_lost_file_does_not_come_back_in_the_clear(tmp_path: Path) -> None:
    """Where the file of an encrypted store is gone, none is made in its place without a key."""
    path = filled(tmp_path / "m.db", RAW)
    path.unlink()
    with pytest.raises(KeyMissingError):
        opened(path)
    assert not path.exists()
    filled(path, RAW)
    assert telling(tmp_path) == []


@pytest.mark.spec("P-27")
def test_an_installation_that_cannot_encrypt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where plain `apsw` took the place of the one that encrypts, a key is refused before anything
    is written, and an encrypted file is left as it is; it says what to install."""
    path = filled(tmp_path / "m.db", RAW)
    before = files(tmp_path)
    monkeypatch.delattr(apsw, "mc_version")
    with pytest.raises(EncryptionUnavailableError, match="apsw-sqlite3mc"):
        opened(tmp_path / "new.db", RAW)
    with pytest.raises(EncryptionUnavailableError):
        opened(path, RAW)
    with pytest.raises(KeyMissingError):
        opened(path)
    assert files(tmp_path) == before


@pytest.mark.parametrize("key", ["", "short", "a" * 7, b"x" * 31, 7, "nul\0nul\0nul", "\ud800" * 9])
def test_what_is_no_key(tmp_path: Path, key: object) -> None:
    """A key that is none is told with what is allowed, and not by its value."""
    with pytest.raises(InvalidInputError, match="64 hexadecimal digits"):
        Memory(tmp_path / "m.db", key=key)  # type: ignore[arg-type]
    assert not (tmp_path / "m.db").exists()


@pytest.mark.spec("P-27")
def test_the_environment_tells_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ENGRAPHY_KEY, or the first line of the file that ENGRAPHY_KEY_FILE names; one that is empty
    or not there is an error, and never no encryption; nor does the settings' repr tell it."""
    monkeypatch.setenv("ENGRAPHY_KEY", PHRASE)
    path = filled(tmp_path / "m.db")
    assert telling(tmp_path) == []
    (tmp_path / "key").write_text(f"{PHRASE}\nanother line\n", "utf-8")
    monkeypatch.delenv("ENGRAPHY_KEY")
    monkeypatch.setenv("ENGRAPHY_KEY_FILE", str(tmp_path / "key"))
    with opened(path) as memory:
        assert memory.recall(WORD)
    for name, value in (
        ("ENGRAPHY_KEY", PHRASE),
        ("ENGRAPHY_KEY_FILE", str(tmp_path / "none")),
        ("ENGRAPHY_KEY_FILE", os.devnull),
    ):
        monkeypatch.setenv(name, value)
        with pytest.raises(SettingsError) as raised:
            opened(tmp_path / "new.db")
        assert PHRASE not in str(raised.value)
        monkeypatch.delenv("ENGRAPHY_KEY", raising=False)
    monkeypatch.delenv("ENGRAPHY_KEY_FILE")
    monkeypatch.setenv("ENGRAPHY_KEY", "")
    with pytest.raises(SettingsError, match="empty"):
        opened(tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_other_files_are_still_foreign(tmp_path: Path) -> None:
    """A file that is neither encrypted by us nor a database is no question of keys."""
    path = tmp_path / "m.db"
    for bytes_ in (b"x", b"a letter to a friend" * 300, bytes(range(256)) * 32):
        path.write_bytes(bytes_)
        for key in (None, RAW):
            with pytest.raises(ForeignFileError):
                opened(path, key)
        assert path.read_bytes() == bytes_


def test_damage_is_damage(tmp_path: Path) -> None:
    """A flipped bit of an encrypted page is found by its tag and told as damage; of the first page
    it cannot be told from a wrong key. The bytes stay as they are."""
    path = filled(tmp_path / "m.db", RAW)
    whole = path.read_bytes()
    for place, wanted in ((40, WrongKeyError), (len(whole) // 2, StoreCorruptError)):
        bad = bytearray(whole)
        bad[place] ^= 1
        path.write_bytes(bad)
        assert isinstance(found_out(path), wanted)
        assert len(path.read_bytes()) == len(whole)


def found_out(path: Path) -> EngraphyError | None:
    """What is said of a damaged file, when it is opened or looked at."""
    try:
        with opened(path, RAW) as memory:
            wrong = [one.detail for one in memory.doctor(deep=True) if not one.ok]
    except EngraphyError as error:
        return error
    return StoreCorruptError(path=str(path), problem=wrong[0]) if wrong else None


CHANGES: list[tuple[str | None, str | None]] = [(None, PHRASE), (PHRASE, RAW), (RAW, None)]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_a_key_is_changed_in_place(tmp_path: Path, old: str | None, new: str | None) -> None:
    """Afterwards the new key opens the file and the old one does not; all that was held is held,
    and nothing else lies beside it."""
    path = filled(tmp_path / "m.db", old)
    with opened(path, old) as memory:
        before = [one.content for one in memory.list()]
        told = [deed.op for deed in memory.deeds(memory.list()[0].id)]
    recode(str(path), checked(old), checked(new))
    with pytest.raises(EngraphyError):
        opened(path, old)
    with opened(path, new) as memory:
        assert [one.content for one in memory.list()] == before
        assert [deed.op for deed in memory.deeds(memory.list()[0].id)] == told
        assert all(one.ok for one in memory.doctor(deep=True))
        assert memory.recall(WORD)
    assert telling(tmp_path) == ([] if new else ["m.db"])
    marked = {"m.db.encrypted"} if new else set()
    assert {file.name for file in tmp_path.iterdir()} == {"m.db", "m.db.lock"} | marked


def test_nobody_else_may_have_it_open(tmp_path: Path) -> None:
    """While another has the store open its key is not changed, and the file stays as it is."""
    path = filled(tmp_path / "m.db")
    with opened(path) as memory:
        memory.recall(WORD)
        with pytest.raises(StoreBusyError):
            recode(str(path), None, checked(RAW), seconds=0.2)
        memory.remember("It still takes what is told")
    with opened(path) as memory:
        assert memory.stats().total == 2
    assert not (tmp_path / "m.db.recoding").exists()
    assert not (tmp_path / "m.db.encrypted").exists()


@pytest.mark.parametrize("left", ["fresh", "old", "link"])
def test_what_a_kill_left_is_taken_away(tmp_path: Path, left: str) -> None:
    """Whatever a change of keys that was killed left beside the file is gone with the next opening,
    and never the file itself."""
    path = filled(tmp_path / "m.db", RAW)
    if left == "link":
        os.link(path, tmp_path / "m.db.erasing")
    else:
        name = "m.db.recoding" if left == "fresh" else "m.db.erasing"
        (tmp_path / name).write_bytes(WORD.encode() * 100)
    with opened(path, RAW) as memory:
        assert memory.recall(WORD)
    assert {file.name for file in tmp_path.iterdir()} == {"m.db", "m.db.lock", "m.db.encrypted"}


def test_a_backup_in_the_clear_comes_into_an_encrypted_store(tmp_path: Path) -> None:
    """... and is encrypted there; an encrypted one never comes into a store in the clear, and one
    under another key is told."""
    with opened(filled(tmp_path / "plain.db")) as memory:
        memory.backup(tmp_path / "clear.db")
    with opened(filled(tmp_path / "m.db", RAW), RAW) as memory:
        memory.backup(tmp_path / "sealed.db")
        memory.remember("A second thing")
        memory.restore(tmp_path / "clear.db")
        assert memory.stats().total == 1
    (tmp_path / "clear.db").unlink()
    with opened(tmp_path / "plain.db") as memory, pytest.raises(KeyMissingError):
        memory.restore(tmp_path / "sealed.db")
    with opened(tmp_path / "other.db", PHRASE) as memory, pytest.raises(WrongKeyError):
        memory.restore(tmp_path / "sealed.db")
    assert telling(tmp_path) == ["plain.db"]


@pytest.mark.parametrize("verb", ["recall", "remember", "doctor", "backup", "close"])
def test_no_verb_tells_the_key(tmp_path: Path, verb: str) -> None:
    """Neither a memory's repr nor what it raises tells the key (P-21)."""
    memory = opened(tmp_path / "m.db", RAW)
    calls: dict[str, Callable[[Verbs], object]] = {
        "backup": lambda one: memory.backup(tmp_path / "none" / "b.db"),
    }
    said = ""
    try:
        calls.get(verb, lambda one: getattr(memory, verb)(""))(memory)
    except (EngraphyError, TypeError) as error:
        said = f"{error!r} {error.__cause__!r}"
    assert RAW not in said
    assert RAW not in repr(vars(memory)) + repr(memory._engine.store.__dict__)  # noqa: SLF001
    memory.close()


@pytest.mark.long
def test_several_make_one_store_at_once(tmp_path: Path) -> None:
    """Whoever opens a new store at the same moment with the same passphrase has the same store."""
    code = (
        "import sys; from engraphy import Memory\n"
        f"with Memory(sys.argv[1], embedder='none', key={PHRASE!r}) as memory:\n"
        "    memory.remember('What number ' + sys.argv[2] + ' says')"
    )
    path = tmp_path / "m.db"
    at_once(code, *((path, number) for number in range(3)))
    with opened(path, PHRASE) as memory:
        assert memory.stats().total == 3

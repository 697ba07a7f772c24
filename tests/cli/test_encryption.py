"""`engraphy encrypt`, `decrypt`, `rekey`, and where their keys come from."""

import json
import os
import pty
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import keyring
import pytest
from click.testing import CliRunner
from keyring.backend import KeyringBackend

from engraphy import Memory
from engraphy.agents.places import Program
from engraphy.cli import main
from engraphy.errors import KeyMissingError

PHRASE, OTHER = "correct horse battery staple", "a wholly different phrase"
WORD = "zyxquartz"
Run = Callable[..., Any]


@pytest.fixture
def run(own_home: Path) -> Run:
    """Run a command; `key` in the environment, `typed` on standard input."""

    def call(*words: str, code: int = 0, key: str | None = None, typed: str = "") -> Any:
        told = {"ENGRAPHY_HOME": str(own_home), "ENGRAPHY_KEY": key}
        result = CliRunner(env=told).invoke(main, [*words], input=typed, catch_exceptions=False)
        assert result.exit_code == code, result.output
        return json.loads(result.stdout) if "--json" in words and not code else result

    call("remember", f"The {WORD} door opens at nine", "--embedder", "none")
    return call


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """A keyring of this test's own, by name."""
    held: dict[str, str] = {}
    # Before there is another class of keyrings: the first look takes the one of highest priority.
    before = keyring.get_keyring()

    class Ring(KeyringBackend):
        priority = 1

        def get_password(self, service: str, username: str) -> str | None:
            return held.get(f"{service} {Path(username).name}")

        def set_password(self, service: str, username: str, password: str) -> None:
            held[f"{service} {Path(username).name}"] = password

        def delete_password(self, service: str, username: str) -> None:
            del held[f"{service} {Path(username).name}"]

    keyring.set_keyring(Ring())
    yield held
    keyring.set_keyring(before)


def telling(home: Path) -> list[str]:
    every = (file for file in home.rglob("*") if file.is_file())
    return sorted(file.name for file in every if WORD.encode() in file.read_bytes())


@pytest.mark.long
@pytest.mark.spec("P-27")
def test_encrypt_and_decrypt(run: Run, own_home: Path) -> None:
    """`encrypt` leaves no word of the store in the clear and says with what it is encrypted; said
    once more it changes nothing; `decrypt` takes it off."""
    assert telling(own_home) == ["memory.db"]
    done = run("encrypt", "--json", key=PHRASE)
    assert done["encrypted"]
    assert "chacha20" in done["cipher"]
    assert telling(own_home) == []
    assert "KeyMissingError" in run("recall", WORD, code=1).output
    assert WORD in run("recall", WORD, key=PHRASE).output
    assert "the whole file, with chacha20" in run("doctor", key=PHRASE).output
    assert run("encrypt", "--json", key=PHRASE)["encrypted"]
    assert "WrongKeyError" in run("encrypt", code=1, key=OTHER).output
    assert "not encrypted" in run("decrypt", key=PHRASE).output
    assert not run("decrypt", "--json")["encrypted"]
    assert WORD in run("recall", WORD).output


@pytest.mark.spec("P-27")
def test_without_a_key_nothing_is_encrypted_or_changed(run: Run, own_home: Path) -> None:
    """Asked to encrypt with no key, it says where one may come from, and the store is as it was."""
    before = (own_home / "memory.db").read_bytes()
    assert "--key-file" in run("encrypt", code=1).output
    assert "empty" in run("encrypt", key="", code=1).output
    assert "64 hexadecimal" in run("encrypt", key="short", code=2).output
    assert (own_home / "memory.db").read_bytes() == before


def test_encrypt_makes_a_store_that_is_not_there_yet(run: Run, tmp_path: Path) -> None:
    """A new store is encrypted from its first byte."""
    place = str(tmp_path / "new.db")
    run("encrypt", "--db", place, key=PHRASE)
    run("remember", WORD, "--db", place, key=PHRASE)
    assert telling(tmp_path) == []


@pytest.mark.parametrize("how", ["file", "typed"])
def test_rekey(run: Run, own_home: Path, tmp_path: Path, how: str) -> None:
    """The new key opens the store, the old one no longer does; one has to say whence it comes."""
    run("encrypt", key=PHRASE)
    assert "--new-key-file" in run("rekey", key=PHRASE, code=2).output
    if how == "file":
        (tmp_path / "new").write_text(f"{OTHER}\n", "utf-8")
        run("rekey", "--new-key-file", str(tmp_path / "new"), key=PHRASE)
    else:
        run("rekey", "--ask-key", "--ask-new-key", typed=f"{PHRASE}\n{OTHER}\n")
    assert "WrongKeyError" in run("recall", WORD, key=PHRASE, code=1).output
    assert WORD in run("recall", WORD, key=OTHER).output
    assert telling(own_home) == []


def test_a_key_that_nobody_said_and_a_store_that_is_not_there(run: Run, own_home: Path) -> None:
    """`decrypt` and `rekey` without the key of an encrypted store say that it is missing; where
    there is no store they make none."""
    run("encrypt", key=PHRASE)
    new = own_home / "new"
    new.write_text(f"{OTHER}\n", "utf-8")
    before = (own_home / "memory.db").read_bytes()
    assert "KeyMissingError" in run("decrypt", code=1).output
    assert "KeyMissingError" in run("rekey", "--new-key-file", str(new), code=1).output
    assert (own_home / "memory.db").read_bytes() == before
    other = own_home / "other.db"
    rekey = ["rekey", "--db", str(other), "--new-key-file", str(new)]
    assert "there is no store" in run(*rekey, key=PHRASE, code=1).output
    assert "there is no store" in run("decrypt", "--db", str(other), key=PHRASE, code=1).output
    assert not list(own_home.glob("other.db*"))


def test_a_file_of_a_key_may_be_of_any_editor(run: Run, own_home: Path) -> None:
    """A mark of the encoding and the line's end, as some editors write them, are no part of it."""
    new = own_home / "key"
    new.write_bytes(b"\xef\xbb\xbf" + PHRASE.encode() + b"\r\n")
    run("encrypt", "--key-file", str(new))
    assert WORD in run("recall", WORD, key=PHRASE).output


@pytest.mark.spec("P-27")
def test_the_keyring_holds_the_key(run: Run, own_home: Path, ring: dict[str, str]) -> None:
    """`--keyring` makes a key at random and keeps it; from then on nobody need say it. A new one
    takes its place, and the old one stays for older backups."""
    run("encrypt", "--keyring")
    [first] = ring.values() if len(ring) == 1 else [ring["engraphy memory.db"]]
    assert len(first) == 64
    assert WORD in run("recall", WORD).output
    run("backup", str(own_home / "b.db"))
    run("encrypt", "--keyring")
    assert ring["engraphy memory.db"] == first
    run("rekey", "--keyring", "--new-keyring")
    assert ring["engraphy memory.db"] != first
    assert first in ring.values()
    assert WORD in run("recall", WORD).output
    assert telling(own_home) == []
    ring.clear()
    assert "KeyMissingError" in run("recall", WORD, code=1).output
    assert "KeyMissingError" in run("recall", WORD, key="keyring", code=1).output


@pytest.mark.parametrize("words", [[], ["--keyring"]])
def test_a_backup_of_an_earlier_key_of_the_keyrings_is_read(
    run: Run, own_home: Path, ring: dict[str, str], words: list[str]
) -> None:
    """A backup made before the keyring's key was changed is decrypted by the key that the keyring
    held then, and comes back from there."""
    backup = str(own_home / "b.db")
    run("encrypt", "--keyring")
    run("backup", backup)
    for _ in range(2):
        run("rekey", "--new-keyring")
    assert "WrongKeyError" in run("restore", backup, "--yes", code=1).output
    assert "not encrypted" in run("decrypt", "--db", backup, *words).output
    run("restore", backup, "--yes")
    assert WORD in run("recall", WORD).output
    assert telling(own_home) == ["b.db"]
    assert len(ring) == 4


def test_a_change_of_the_keyrings_key_that_was_killed(
    run: Run, own_home: Path, ring: dict[str, str]
) -> None:
    """Wherever it was killed, one of the two keys that the keyring holds opens the store."""
    run("encrypt", "--keyring")
    ring["engraphy memory.db#coming"] = "ab" * 32
    assert WORD in run("recall", WORD).output
    coming = ring["engraphy memory.db"]
    ring["engraphy memory.db"] = "cd" * 32
    ring["engraphy memory.db#coming"] = coming
    assert WORD in run("recall", WORD).output


def test_a_keyring_named_by_the_environment(run: Run, tmp_path: Path, ring: dict[str, str]) -> None:
    """With ENGRAPHY_KEY=keyring no store is made in the clear: without its key there is none."""
    place = str(tmp_path / "new.db")
    assert "KeyMissingError" in run("remember", "x", "--db", place, key="keyring", code=1).output
    assert not Path(place).exists()
    ring["engraphy new.db"] = PHRASE
    run("remember", WORD, "--db", place, key="keyring")
    assert telling(tmp_path) == []
    with pytest.raises(KeyMissingError):
        Memory(tmp_path / "another.db", key="keyring")


@pytest.mark.long
@pytest.mark.spec("P-27")
def test_a_key_is_asked_for_at_a_terminal(run: Run, own_home: Path) -> None:
    """Who sits at a terminal is asked for the key, and nobody sees what is typed."""
    run("encrypt", key=PHRASE)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "engraphy.cli", "recall", WORD]
    environment = os.environ | {"ENGRAPHY_EMBEDDER": "none"}
    with subprocess.Popen(
        command, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, env=environment, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = b""
        while b"Key" not in shown:
            shown += os.read(ours, 1_000)
        os.write(ours, f"{PHRASE}\n".encode())
        assert process.stdout is not None
        assert WORD in process.stdout.read()
        assert process.wait(60) == 0
    while True:
        try:
            part = os.read(ours, 1_000)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert PHRASE.encode() not in shown


def test_a_key_comes_by_standard_input(run: Run) -> None:
    """With --ask-key and no terminal the key is the first line that is read."""
    run("encrypt", key=PHRASE)
    assert WORD in run("recall", WORD, "--ask-key", typed=f"{PHRASE}\n").output
    assert "WrongKeyError" in run("recall", WORD, "--ask-key", typed=f"{OTHER}\n", code=1).output


def test_no_key_is_written_into_an_agents_settings() -> None:
    """An agent's settings name the file of the key, and never the key."""
    told = {"ENGRAPHY_KEY": PHRASE, "ENGRAPHY_KEY_FILE": "/run/secrets/key"}
    assert Program.here(told).env == {"ENGRAPHY_KEY_FILE": "/run/secrets/key"}


def test_older_copies_are_named(run: Run, own_home: Path) -> None:
    """What lies beside the store in the clear is named, so that it can be deleted: copies, backups
    and exports, and no file of another program's."""
    run("backup", str(own_home / "memory.db.monday"))
    run("backup", str(own_home / "b.db"))
    run("export", str(own_home / "all.jsonl"))
    run("remember", "sealed", "--db", str(own_home / "sealed.db"), key=PHRASE)
    with closing(sqlite3.connect(own_home / "theirs.db")) as theirs:
        theirs.execute("CREATE TABLE notes (text)")
    done = run("encrypt", "--json", key=PHRASE)
    assert done["in_the_clear"] == [
        str(own_home / name) for name in ("all.jsonl", "b.db", "memory.db.monday")
    ]


@pytest.mark.parametrize("command", ["encrypt", "decrypt", "rekey"])
def test_a_database_is_no_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Asked of a database, they say that it is none, without its password, and make no file."""
    monkeypatch.chdir(tmp_path)
    place = "postgresql://ada:geheim@127.0.0.1:1/x"
    before = sorted(tmp_path.rglob("*"))
    said = run(command, "--db", place, key=PHRASE, code=2).output
    assert "PostgreSQL" in said
    assert "geheim" not in said
    assert sorted(tmp_path.rglob("*")) == before

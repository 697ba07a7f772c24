"""The states in which a hook finds its home, and whatever else can be wrong where it runs."""

import json
import os
import random
import shutil
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import apsw

from engraphy import __version__, here
from engraphy.hooks.cards import about
from engraphy.memory import Memory
from engraphy.profile import load
from engraphy.project import project_of


class Case(NamedTuple):
    """One run: its home, what it reads, and how it is started."""

    home: Path
    data: bytes | None
    more: Mapping[str, str] = MappingProxyType({})
    limit: bool = False
    orphan: bool = False


def ready_home(home: Path) -> Path:
    """A home with a store, and with the card that lets a hook answer by a glance."""
    (home / "hooks" / "spool").mkdir(parents=True)
    with Memory(home / "memory.db", embedder="none") as memory:
        memory.remember("The billing database of the shop runs on PostgreSQL 16.")
        schema = _schema(home / "memory.db")
        told = about(str(home / "memory.db"), schema, str(memory.tenant), load("default"))
    (home / "about.json").write_text(json.dumps(told))
    return home


def _schema(file: Path) -> int:
    """The last migration of a store."""
    with closing(apsw.Connection(str(file))) as connection:
        ((number,),) = connection.execute("SELECT max(number) FROM migrations")
        return int(number)


def _copied(ready: Path, home: Path) -> Path:
    shutil.copytree(ready, home)
    return home


def _payload(home: Path, chance: random.Random) -> bytes:
    told: dict[str, Any] = {
        "session_id": f"s{chance.randrange(5)}",
        "cwd": str(home.parent),
        "source": chance.choice(["startup", "compact", "user"]),
        "prompt": "Where does the billing database of the shop run?",
        "tool_name": chance.choice(["Edit", "Bash", "Read"]),
        "tool_input": {
            "file_path": "app.py",
            "old_string": "a",
            "new_string": "b",
            "command": "ls",
        },
        "tool_response": {"stdout": "ok " * chance.randrange(50), "stderr": ""},
        "last_assistant_message": "We keep totals in Decimal; the bug came from floats in a.py.",
    }
    return json.dumps(told).encode()


@contextmanager
def _sound(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    yield Case(_copied(ready, home), _payload(home, chance))


@contextmanager
def _missing(_: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    yield Case(home / "not" / "there", _payload(home, chance))


@contextmanager
def _locked(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    _copied(ready, home)
    with closing(apsw.Connection(str(home / "memory.db"))) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        yield Case(home, _payload(home, chance))


@contextmanager
def _corrupt(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    _copied(ready, home)
    file = home / "memory.db"
    data = bytearray(file.read_bytes())
    for _ in range(2_000):
        data[chance.randrange(len(data))] = chance.randrange(256)
    file.write_bytes(bytes(data) if chance.random() < 0.5 else b"no database" * 1_000)
    yield Case(home, _payload(home, chance))


@contextmanager
def _full(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    yield Case(_copied(ready, home), _payload(home, chance), limit=True)


@contextmanager
def _no_folder(_: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    home.write_text("a file stands where the home should be")
    yield Case(home, _payload(home.parent / "x", chance))


@contextmanager
def _bad_input(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    data: list[bytes | None] = [None, b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b"\0" * 9_999]
    deep = b'{"prompt":' + b"[" * 100_000
    wrong = b'{"prompt": 7, "cwd": [], "session_id": {"a": 1}, "tool_input": "x"}'
    surrogate = b'{"prompt": "\\ud800 billing", "cwd": "/\\u0000", "session_id": "\\ud800"}'
    yield Case(_copied(ready, home), chance.choice([*data, deep, wrong, surrogate]))


@contextmanager
def _killed_parent(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    yield Case(_copied(ready, home), _payload(home, chance), orphan=True)


@contextmanager
def _broken_install(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    _copied(ready, home)
    broken = home / "broken"
    broken.mkdir()
    missing = chance.choice(["apsw", "numpy", "msgspec", "click", "Stemmer", "json"])
    (broken / f"{missing}.py").write_text("raise ImportError('this installation is broken')")
    yield Case(home, _payload(home, chance), {"PYTHONPATH": str(broken)})


@contextmanager
def _deaf_daemon(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    """A socket that nobody serves, or that takes everything and answers nothing."""
    _copied(ready, home)
    before = Path.cwd()
    os.chdir(home / "hooks")
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
            server.bind("daemon.sock")
            if chance.random() < 0.5:
                server.listen(8)
            os.chdir(before)
            yield Case(home, _payload(home, chance), {"ENGRAPHY_HOOK_SECONDS": "2"})
    finally:
        os.chdir(before)


Condition = Callable[[Path, Path, random.Random], Any]
CONDITIONS: dict[str, Condition] = {
    "sound": _sound,
    "missing": _missing,
    "locked": _locked,
    "corrupt": _corrupt,
    "full": _full,
    "no-folder": _no_folder,
    "bad-input": _bad_input,
    "killed-parent": _killed_parent,
    "broken-install": _broken_install,
    "deaf-daemon": _deaf_daemon,
}


def lay_card(home: Path, environment: dict[str, str]) -> None:
    """The card of the copied store, as a process that opened it would have left it."""
    place = home / "about.json"
    if place.is_file():
        told = json.loads(place.read_text())
        folders = {str(home.parent): project_of(home.parent)}
        own = {"path": str(home / "memory.db"), "mark": here.mark(environment)}
        card = {**told, **own, "version": __version__, "projects": folders}
        (home / "hooks" / "card.json").write_text(json.dumps(card))

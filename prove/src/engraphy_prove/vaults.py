"""Builds for P-27: the sound one, and those that break a part of it on purpose."""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engraphy.stores.ciphering import Key
from engraphy.stores.sqlite import open_store
from engraphy.stores.sqlite.recoding import recode
from engraphy_prove.builds import SOUND
from engraphy_prove.proof import Build

_PAGE = 4_096
Recode = Callable[[str, Key | None, Key | None], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vault(Build):
    """A build with what P-27 is about: how it opens a store with a key, changes the key of a file,
    and keeps what a hook was told."""

    unlock: Callable[[str, Key | None], Any]
    recode: Recode
    hook: str
    heeds: bool = True


def _unlock(path: str, key: Key | None) -> Any:
    return open_store(path, key=key)


def _unheeding(path: str, key: Key | None) -> Any:  # noqa: ARG001 - what is broken
    """Takes a key, and does not use it."""
    return open_store(path)


def killed(path: str, key: Key | None, what: str) -> None:
    """Be killed with a log, or with a journal that has to be played back."""
    store = open_store(path, key=key)
    access = store._file  # noqa: SLF001 - a state that only a kill leaves
    with access.plain() as connection:
        if what == "journal":
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA cache_size = 2")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE meta SET value = value || ''")
        connection.execute("CREATE TABLE filler (x)")
        for _ in range(80):
            connection.execute("INSERT INTO filler VALUES (randomblob(4000))")
        connection.cache_flush()
        if what == "wal":
            connection.execute("ROLLBACK")
        os.kill(os.getpid(), signal.SIGKILL)


def deaf(path: str, *, key: object = None, **given: Any) -> Any:  # noqa: ARG001 - what is broken
    """Opens a store, and does not heed its key."""
    return open_store(path, **given)


def _in_place(path: str, old: Key | None, new: Key | None) -> None:
    """Writes the new file over the old one, page by page."""
    copy = f"{path}.copy"
    Path(copy).write_bytes(Path(path).read_bytes())
    recode(copy, old, new)
    with Path(path).open("r+b") as file, Path(copy).open("rb") as fresh:
        while page := fresh.read(_PAGE):
            file.write(page)
            file.flush()
            time.sleep(0.005)


_HOOK = "from engraphy.cli import main; main()"
_CLEAR = "from engraphy.hooks import sealing; sealing.key = lambda home: None\n" + _HOOK
SOUND_VAULT = Vault(name=SOUND.name, open=SOUND.open, unlock=_unlock, recode=recode, hook=_HOOK)
UNHEEDING = Vault(
    name="takes a key and does not use it",
    open=SOUND.open,
    unlock=_unheeding,
    recode=recode,
    hook=_HOOK,
    heeds=False,
)
IN_PLACE = Vault(
    name="changes a key page by page", open=SOUND.open, unlock=_unlock, recode=_in_place, hook=_HOOK
)
SPOOLING = Vault(
    name="keeps what an agent told in the clear",
    open=SOUND.open,
    unlock=_unlock,
    recode=recode,
    hook=_CLEAR,
)

"""What hooks keep beside an encrypted store is encrypted as well, with the store's key. Where the
key is not at hand nothing is kept: what was said must not lie beside the store in the clear.
"""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

from engraphy import here

PLAIN, SEALED = ".json", ".sealed"
_SALT = "salt"
_BYTES = 16
_KEYRING = "keyring"


class NoKeyError(OSError):
    """The store is encrypted, and its key is not at hand."""


def key(home: str) -> Any:
    """The key of what waits here; None where the store is in the clear. Raises NoKeyError where the
    store is encrypted and there is no key."""
    try:
        told = here.key()
    except ValueError as error:
        raise NoKeyError(str(error)) from error
    if told is None and not _is_marked(home):
        return None
    failed: Any = import_module("engraphy.errors").EngraphyError
    try:
        if told in (None, _KEYRING):
            told = import_module("engraphy.keys").kept(_store(home))
        return import_module("engraphy.stores.ciphering").checked(told)
    except failed as error:
        raise NoKeyError(f"the store is encrypted, and there is no key: {error}") from error


def seal(home: str, place: str, data: bytes, key: Any) -> None:
    """Write what waits, encrypted. Raises OSError."""
    import_module("engraphy.stores.sealed").seal(place, key, _salt(home), data)


def unseal(place: str, key: Any) -> bytes:
    """What waits in the clear again. Raises FileNotFoundError, WrongKeyError, ValueError."""
    held: bytes = import_module("engraphy.stores.sealed").unseal(place, key)
    return held


def resealed(home: str, before: Any, after: Any) -> int:
    """Bring everything that waits under another key, or none; how much it was. What the old key
    does not open stays. Raises OSError."""
    count = 0
    for place in list(_waiting(home)):
        with suppress(ValueError, FileNotFoundError):
            stem, ending = os.path.splitext(place)
            # Its own errors are those of the key: it belongs to another store.
            data = _read(place, before) if ending == SEALED else _plain(place)
            if data is None:
                continue
            _rewritten(home, stem, data, after)
            _erased(place, wanted=stem + (PLAIN if after is None else SEALED))
            count += 1
    return count


def _rewritten(home: str, stem: str, data: bytes, after: Any) -> None:
    draft = f"{stem}.tmp"
    if after is None:
        held = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(held, "wb") as file:
            file.write(data)
    else:
        seal(home, draft, data, after)
    os.replace(draft, stem + (PLAIN if after is None else SEALED))


def _erased(place: str, *, wanted: str) -> None:
    if place == wanted:
        return
    with suppress(FileNotFoundError), open(place, "r+b") as file:
        file.write(bytes(os.fstat(file.fileno()).st_size))
        file.flush()
        os.fsync(file.fileno())
    with suppress(FileNotFoundError):
        os.unlink(place)


def _read(place: str, key: Any) -> bytes | None:
    errors: Any = import_module("engraphy.errors")
    if key is None:
        return None
    try:
        return unseal(place, key)
    except errors.WrongKeyError:
        return None


def _plain(place: str) -> bytes:
    with open(place, "rb") as file:
        return file.read()


def _waiting(home: str) -> Iterator[str]:
    top = os.path.join(home, "hooks", "spool")
    for folder, _, names in os.walk(top):
        for name in sorted(names):
            if name.endswith((PLAIN, SEALED)):
                yield os.path.join(folder, name)


def _is_marked(home: str) -> bool:
    return os.path.exists(f"{_store(home)}.encrypted")


def _store(home: str) -> str:
    """The store's file, as whoever opened it last left word; else the usual one."""
    with (
        suppress(OSError, ValueError, LookupError, TypeError),
        open(os.path.join(home, "hooks", "card.json"), "rb") as file,
    ):
        return str(json.load(file)["path"])
    return os.path.join(home, "memory.db")


def _salt(home: str) -> bytes:
    """The salt of everything that waits here: a passphrase is stretched once a process."""
    place = os.path.join(home, "hooks", _SALT)
    if not os.path.exists(place):
        draft = f"{place}.{here.fresh()}"
        held = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(held, os.urandom(_BYTES))
            os.fsync(held)
        finally:
            os.close(held)
        # Each file begins with the salt it was made with: whichever stays is right.
        os.replace(draft, place)
    with open(place, "rb") as file:
        return file.read(_BYTES)

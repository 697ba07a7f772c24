"""The key of a store: told by the caller, by the environment, or held by the system's keyring."""

import logging
import os
from contextlib import suppress
from functools import cache
from importlib import import_module
from itertools import chain, count, takewhile
from pathlib import Path
from typing import Any

from engraphy.errors import EngraphyError, InvalidInputError, KeyMissingError
from engraphy.settings import Settings, is_server, settings

_log = logging.getLogger("engraphy")
KEYRING = "keyring"
"""Said in place of a key: the system's keyring holds it."""
_COMING = "#coming"
_NOT_BY_IT = (
    "A key is set (ENGRAPHY_KEY or ENGRAPHY_KEY_FILE), and this memory is in a PostgreSQL database:"
    " the key encrypts files only, so what is written here is encrypted by the disk of the"
    " database's server, or by nothing."
)
_BYTES = 32


def key_of(file: str, told: object, environment: Settings) -> Any:
    """What opens the store at `file`, checked; None where it is not to be encrypted.

    A file that is encrypted, with no key told, is opened with the one that the keyring holds, where
    it holds one. Raises InvalidInputError, EncryptionUnavailableError, and what `kept` raises.
    """
    ciphering: Any = import_module("engraphy.stores.ciphering")
    named = environment.key if told is None else told
    if named == KEYRING:
        named = kept(file)
    elif named is None and ciphering.needs_key(file):
        with suppress(EngraphyError):
            named = kept(file)
    return ciphering.checked(named)


def none_for_a_server(told: object) -> None:
    """A database is encrypted by its server: who gives a key for one would have it in the clear.
    Raises InvalidInputError."""
    if told is not None:
        allowed = "none: a database is encrypted by its server"
        raise InvalidInputError(field="key", got="one for a PostgreSQL database", allowed=allowed)


def warn_of_a_server(place: str) -> None:
    """Where a key is set and the memory is in a database, say once a process that the database is
    not encrypted by it; an environment may hold one for files, so that it is no error."""
    if is_server(place) and settings().key is not None:
        _warned()


@cache
def _warned() -> None:
    _log.warning(_NOT_BY_IT)


def kept(file: str) -> str:
    """The key that the system's keyring holds for a file; of two, where a change of keys was
    killed, the one that opens it. Raises KeyMissingError where it holds none, MissingExtraError,
    SettingsError."""
    ciphering: Any = import_module("engraphy.stores.ciphering")
    name = _name(file)
    coming: str | None = _ring().found(name + _COMING)
    if coming is not None and ciphering.opens(file, coming):
        return coming
    held: str = _ring().read(name)
    return held


def held_once(store: str, copy: str) -> str:
    """Of the keys that the keyring holds for a store, and of those that it held before, the one
    that opens a copy. Raises KeyMissingError, where none does."""
    ciphering: Any = import_module("engraphy.stores.ciphering")
    name = _name(store)
    numbered = (_ring().found(f"{name}#{n}") for n in count(1))
    for key in chain([_ring().found(name)], takewhile(bool, numbered)):
        if key is not None and ciphering.opens(copy, key):
            return str(key)
    raise KeyMissingError(path=copy)


def made(file: str) -> str:
    """A key at random for a file, which the keyring holds from now on, beside the one that opens
    the file until `came`. Raises MissingExtraError, SettingsError."""
    key = os.urandom(_BYTES).hex()
    _ring().write(_name(file) + _COMING, key)
    return key


def came(file: str) -> None:
    """The key that was made opens the file now. The one before stays in the keyring under a name of
    its own: older backups want it."""
    ring, name = _ring(), _name(file)
    coming = ring.found(name + _COMING)
    before = ring.found(name)
    if coming is None or coming == before:
        return
    if before is not None:
        number = next(n for n in count(1) if ring.found(f"{name}#{n}") in (None, before))
        ring.write(f"{name}#{number}", before)
    ring.write(name, coming)


def lend(source: str, target: str, told: object, environment: Settings) -> None:
    """Where it is the keyring that holds the key of `source`, it holds it for `target` from now on,
    which was filled from there. Raises KeyMissingError, MissingExtraError, SettingsError."""
    named = environment.key if told is None else told
    if named is None or named == KEYRING:
        key = kept(source)
        if _ring().found(_name(target)) != key:
            _ring().write(_name(target) + _COMING, key)
            came(target)


def _name(file: str) -> str:
    return str(Path(file).absolute())


def _ring() -> Any:
    return import_module("engraphy.providers.keyrings")

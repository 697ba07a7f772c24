"""What waits beside an encrypted store: each piece in an encrypted file of its own, by the same
cipher as the store."""

import os
from contextlib import closing
from pathlib import Path

import apsw

from engraphy.errors import WrongKeyError
from engraphy.stores import ciphering

_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOMUTEX


def seal(place: str, key: ciphering.Key, salt: bytes, data: bytes) -> None:
    """Write `data` to a new file that nobody else may read, and have it on the disk. `salt`: what
    a passphrase is stretched with. Raises OSError; what was there is replaced."""
    held = os.open(place, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with closing(_unlocked(place, key, salt)) as connection:
            # One transaction of a file that nobody knows yet: a journal would have nothing to keep.
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("CREATE TABLE waiting (data BLOB NOT NULL) STRICT")
            connection.execute("INSERT INTO waiting VALUES (?)", (data,))
    except apsw.Error as error:
        raise OSError(f"{place} cannot be written: {type(error).__name__}") from error
    finally:
        os.close(held)
    _synced(place)


def unseal(place: str, key: ciphering.Key) -> bytes:
    """What was sealed. Raises FileNotFoundError, WrongKeyError, ValueError where it is damaged."""
    with Path(place).open("rb") as file:
        salt = file.read(ciphering.SALT)
    try:
        with closing(_unlocked(place, key, salt)) as connection:
            ((data,),) = connection.execute("SELECT data FROM waiting")
    except apsw.NotADBError:
        raise WrongKeyError(path=place) from None
    except (apsw.Error, ValueError) as error:
        raise ValueError(f"{place} is damaged") from error
    return bytes(data)


def _unlocked(place: str, key: ciphering.Key, salt: bytes) -> apsw.Connection:
    connection = apsw.Connection(place, _FLAGS)
    connection.pragma("cipher", ciphering.CIPHER)
    connection.pragma("key", ciphering.pragma(key, salt))
    return connection


def _synced(place: str) -> None:
    held = os.open(place, os.O_RDWR)
    try:
        os.fsync(held)
    finally:
        os.close(held)

"""Encryption at rest: what a key is, how a file says that it is encrypted, and what opens it.

The cipher is SQLite3 Multiple Ciphers' default, ChaCha20-Poly1305 over whole pages (RFC 8439): the
file, its log and its journal. A key of 64 hexadecimal digits, or of 32 bytes, is used as it is; any
other is a passphrase, from which PBKDF2-HMAC-SHA256 makes the key with the salt that the file
begins with. That is the library's own derivation, so its other tools open the file by the same
passphrase; here it is done once a process, and not once a connection.
"""

import hashlib
import os
import re
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw

from engraphy.errors import (
    EncryptionUnavailableError,
    InvalidInputError,
    KeyMissingError,
    NotEncryptedError,
    WrongKeyError,
)
from engraphy.stores.locks import followed

CIPHER = "chacha20"
MAGIC = b"SQLite format 3\0"
MARK_SUFFIX = ".encrypted"
SHORTEST = 8
"""Characters of a passphrase."""
_ALLOWED = f"64 hexadecimal digits, 32 bytes, or a passphrase of at least {SHORTEST} characters"
_ITERATIONS = 64_007
"""Of PBKDF2: the cipher's default (SQLite3 Multiple Ciphers, sqleet: ChaCha20-Poly1305)."""
SALT = 16
"""Bytes of a salt: an encrypted file begins with it."""
_RAW, _HEADER = 32, 100
_HEX = re.compile(r"[0-9a-fA-F]{64}")
_PLAIN = slice(16, 24)
"""Bytes of the first page that are never encrypted: page size, versions, reserved bytes, fractions
(SQLite's file format, section 1.3; SQLite3 Multiple Ciphers, "Plaintext header")."""
_FRACTIONS = bytes((_RAW, 64, 32, 32))
"""The cipher reserves 32 bytes of each page; the fractions are the same in every SQLite file."""
_TOLD = (
    "This store is encrypted: nothing but its key opens it, and none is made in the clear here.\n"
)


@dataclass(frozen=True, slots=True)
class Key:
    """What opens a file. It is never shown."""

    secret: str | bytes = field(repr=False)

    @property
    def raw(self) -> bytes | None:
        """The key of the cipher, where it was given as that; None for a passphrase."""
        if isinstance(self.secret, bytes):
            return self.secret
        return bytes.fromhex(self.secret) if _HEX.fullmatch(self.secret) else None


def checked(key: object) -> Key | None:
    """A key as a caller gave it; None for none. Raises InvalidInputError, which does not tell it,
    and EncryptionUnavailableError where nothing can be encrypted here."""
    if key is None:
        return None
    if isinstance(key, Key):
        return key
    if isinstance(key, bytes):
        if len(key) != _RAW:
            raise InvalidInputError(field="key", got="bytes of another number", allowed=_ALLOWED)
    elif not isinstance(key, str):
        raise InvalidInputError(field="key", got=f"a {type(key).__name__}", allowed=_ALLOWED)
    elif len(key) < SHORTEST or "\0" in key:
        raise InvalidInputError(
            field="key", got="a shorter text, or one with NUL", allowed=_ALLOWED
        )
    if not is_able():
        raise EncryptionUnavailableError
    with suppress(UnicodeEncodeError):
        return Key(key if isinstance(key, bytes) else str(key.encode("utf-8"), "utf-8"))
    raise InvalidInputError(field="key", got="a lone surrogate", allowed=_ALLOWED)


def is_able() -> bool:
    """Whether the SQLite that is installed can encrypt."""
    return hasattr(apsw, "mc_version")


def named() -> str:
    """The cipher and the library that does it, in words."""
    return f"{CIPHER} ({getattr(apsw, 'mc_version', 'no cipher')})"


def is_encrypted(header: bytes) -> bool:
    """Whether a file that begins like this is an encrypted one of this cipher."""
    size = int.from_bytes(header[16:18])
    power = size == 1 or (size >= 512 and not size & (size - 1))
    return not header.startswith(MAGIC) and power and header[20:24] == _FRACTIONS


def check_header(path: str, header: bytes, key: Key | None) -> None:
    """Refuse a file that needs a key and was given none, and one that was given a key and is in the
    clear; an empty one is refused where an encrypted store was before.

    Raises KeyMissingError, NotEncryptedError.
    """
    if key is not None:
        if header.startswith(MAGIC):
            raise NotEncryptedError(path=path)
    elif is_encrypted(header) or (not header and is_marked(path)):
        raise KeyMissingError(path=path)


def needs_key(path: str) -> bool:
    """Whether what is at this path is encrypted, or was."""
    found = header(path)
    return is_encrypted(found) if found else is_marked(path)


def header(path: str, vfs: str | None = None, size: int = _HEADER) -> bytes:
    """The first bytes of a file as they stand on the disk, read through SQLite's own file layer:
    closing a plain file would drop the locks of who has it open. Nothing where there is none."""
    file = Path(followed(path))
    # A path that the system refuses (too long) is no file, and SQLite says so in its words.
    if not os.path.isfile(path) or not file.stat().st_size:  # noqa: PTH113 - Path.is_file raises
        return b""
    flags = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY
    opened = apsw.VFSFile(vfs or "", str(file.absolute()), [flags, 0])
    try:
        # SQLite says of a file of one byte that it is empty.
        found: bytes = opened.xRead(min(size, max(1, opened.xFileSize())), 0)
    finally:
        opened.xClose()
    return found


def decrypted(path: str, key: Key, vfs: str | None = None) -> bytes:
    """The first page of an encrypted file in the clear, or as much of it as begins a file.

    It is tried on a copy of that page: a connection with a wrong key would play the journal of a
    writer that was killed back into the file, and damage it. Raises WrongKeyError.
    """
    before, page = b"", _first_page(path, vfs)
    # Another process may be writing that page while it is read: then it reads otherwise again.
    while page != before:
        found = _tried(page, key)
        if found.startswith(MAGIC):
            return found
        before, page = page, _first_page(path, vfs)
    raise WrongKeyError(path=path)


def _first_page(path: str, vfs: str | None) -> bytes:
    return header(path, vfs, page_size(header(path, vfs)))


def _tried(page: bytes, key: Key) -> bytes:
    """What begins a page in the clear; nothing where the key is not its."""
    with TemporaryDirectory(prefix="engraphy-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "page.db"
        copy.write_bytes(page)
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_NOMUTEX
        try:
            with closing(apsw.Connection(str(copy), flags)) as connection:
                connection.pragma("cipher", CIPHER)
                connection.pragma("key", pragma(key, page[:SALT]))
                found: bytes = connection.read("main", 0, 0, _HEADER)[1]
        except apsw.Error:
            return b""
    return found


def opens(path: str, key: str) -> bool:
    """Whether this key opens what is at this path."""
    try:
        return is_encrypted(header(path)) and bool(decrypted(path, Key(key)))
    except WrongKeyError:
        return False


def page_size(header: bytes) -> int:
    """Bytes of a page of the file that begins like this (SQLite's file format, section 1.3.2)."""
    size = int.from_bytes(header[16:18])
    return 65_536 if size == 1 else size


def unlock(connection: apsw.Connection, path: str, key: Key, vfs: str | None = None) -> None:
    """Give a new connection its key, before anything else is asked of it. A file that is empty gets
    a salt of its own."""
    salt = header(path, vfs, SALT) or os.urandom(SALT)
    connection.pragma("cipher", CIPHER)
    connection.pragma("key", pragma(key, salt))


def pragma(key: Key, salt: bytes) -> str:
    """A key as the library takes it: that of the cipher, and the salt."""
    raw = key.raw
    if raw is None:
        raw = _derived(str(key.secret), salt)
    return f"raw:{raw.hex()}{salt.hex()}"


@lru_cache(maxsize=16)
def _derived(passphrase: str, salt: bytes) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", passphrase.encode(), salt, _ITERATIONS, _RAW)


def fresh_salt() -> bytes:
    """A salt for a new file."""
    return os.urandom(SALT)


def begin(connection: apsw.Connection) -> None:
    """Write the first page of a new file, so that everybody derives the key with one salt."""
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("PRAGMA user_version = 0")
    connection.execute("COMMIT")


def marker(path: str) -> Path:
    """The file that says of another that it is encrypted, for those who cannot look into it."""
    return Path(followed(path) + MARK_SUFFIX)


def is_marked(path: str) -> bool:
    """Whether an encrypted store is, or was, at this path."""
    return os.path.exists(marker(path))  # noqa: PTH110 - Path.exists raises for a path too long


def mark(path: str) -> None:
    """Say that the store at this path is encrypted: where its file goes, none is made in the clear
    in its place unasked."""
    place = marker(path)
    with closing(_private(place)) as file:
        file.write(_TOLD.encode("ascii"))


def unmark(path: str) -> None:
    """The store at this path is in the clear, as it was asked for."""
    marker(path).unlink(missing_ok=True)


def _private(place: Path) -> Any:
    return os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")

"""`engraphy encrypt`, `decrypt` and `rekey`: a store under a key, in the clear, under another."""

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from engraphy import here, keys
from engraphy.cli.session import answer, asked_key, failing, json_option
from engraphy.errors import (
    EngraphyError,
    InvalidInputError,
    KeyMissingError,
    SettingsError,
    UnreadableFileError,
)
from engraphy.opening import store_file
from engraphy.settings import is_server, settings

_NEW = "New key"
_NO_KEY = "there is no key: set it, or say --ask-key, --key-file or --keyring"
_SQLITE, _SIGNED, _SIGN = b"SQLite format 3\0", slice(68, 72), b"engr"
"""How a file of SQLite in the clear begins, where it says whose it is, and what it says of ours."""
_EXPORT = b'{"format": "engraphy-export"'
_KEY_SOURCES = (
    click.option(
        "--ask-key", is_flag=True, help="ask for the key (else: a line of standard input)"
    ),
    click.option(
        "--key-file", type=click.Path(dir_okay=False), help="the first line of this file is the key"
    ),
    click.option("--keyring", is_flag=True, help="the key is in the system's keyring"),
)
_NEW_SOURCES = (
    click.option("--ask-new-key", is_flag=True, help="ask for the new key"),
    click.option(
        "--new-key-file",
        type=click.Path(dir_okay=False),
        help="the first line of this file is the new key",
    ),
    click.option("--new-keyring", is_flag=True, help="make a new key and keep it in the keyring"),
)
_STORE = (
    click.option("--db", "store", type=click.Path(dir_okay=False), help="the store's file"),
    click.option("--profile", "knobs", help="the profile, by name or in a file"),
)


def _with(*options: Callable[..., Any]) -> Callable[..., Any]:
    def added(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return json_option(command)

    return added


@click.command()
@_with(*_STORE, *_KEY_SOURCES)
@failing
def encrypt(
    *,
    store: str | None,
    knobs: str | None,
    ask_key: bool,
    key_file: str | None,
    keyring: bool,
    as_json: bool,
) -> None:
    """Encrypt the whole store in place; if there is none yet, make an encrypted one.

    The key comes from ENGRAPHY_KEY, ENGRAPHY_KEY_FILE or the options: a passphrase of 8 characters
    or more, or 64 hexadecimal digits, which are used as they are. --keyring makes a key at random
    and keeps it in the system's keyring. Whoever loses the key has lost the memory.

    Nothing else may have the store open; a daemon is stopped first. Earlier backups, exports and
    copies stay unencrypted: delete them.
    """
    file = _file(store, knobs)
    _settle(file)
    key: Any = _given(ask=ask_key, file=key_file, made=False, words=_NEW)
    if keyring:
        key = _of_ring(file)
    elif key is None:
        key = keys.key_of(file, None, settings())
    if key is None and sys.stdin.isatty():
        key = asked_key(_NEW, twice=True)
    if key is None:
        raise SettingsError(setting="ENGRAPHY_KEY", problem=_NO_KEY)
    _say(_done(file, None, key, ring=keyring), as_json=as_json)


@click.command()
@_with(*_STORE, *_KEY_SOURCES)
@failing
def decrypt(
    *,
    store: str | None,
    knobs: str | None,
    ask_key: bool,
    key_file: str | None,
    keyring: bool,
    as_json: bool,
) -> None:
    """Decrypt the store: afterwards whoever can read the file can read the memories."""
    file = _there(store, knobs)
    _settle(file)
    old = _old(file, ask=ask_key, key_file=key_file, keyring=keyring)
    _check_old(file, old, None)
    _say(_done(file, old, None), as_json=as_json)


@click.command()
@_with(*_STORE, *_KEY_SOURCES, *_NEW_SOURCES)
@failing
def rekey(
    *,
    store: str | None,
    knobs: str | None,
    ask_key: bool,
    key_file: str | None,
    keyring: bool,
    ask_new_key: bool,
    new_key_file: str | None,
    new_keyring: bool,
    as_json: bool,
) -> None:
    """Encrypt the store with another key. Earlier backups keep the key they were made with."""
    file = _there(store, knobs)
    _settle(file)
    old = _old(file, ask=ask_key, key_file=key_file, keyring=keyring)
    new = _given(ask=ask_new_key, file=new_key_file, made=new_keyring, words=_NEW)
    if new_keyring:
        new = keys.made(file)
    elif new is None:
        raise click.UsageError("Whence the new key? --ask-new-key, --new-key-file, --new-keyring.")
    _check_old(file, old, new)
    _say(_done(file, old, new, ring=new_keyring), as_json=as_json)


def _file(store: str | None, knobs: str | None) -> str:
    """The store's file. Raises InvalidInputError where it is a database."""
    file = store_file(store, knobs)
    if is_server(file):
        # Its place is not repeated: a password may stand in it.
        allowed = "one in a file; a database is encrypted by the disk of its server"
        raise InvalidInputError(field="the store", got="a PostgreSQL database", allowed=allowed)
    return file


def _there(store: str | None, knobs: str | None) -> str:
    """The store's file, where there is one. Raises UnreadableFileError."""
    file = _file(store, knobs)
    ciphering: Any = import_module("engraphy.stores.ciphering")
    if not ciphering.header(file):
        raise UnreadableFileError(path=file, problem="there is no store")
    return file


def _given(*, ask: bool, file: str | None, made: bool, words: str) -> str | None:
    """The key that options tell; None where they tell none, or the keyring's."""
    if sum((ask, file is not None, made)) > 1:
        raise click.UsageError("One place of the key, not several.")
    if ask:
        return asked_key(words, twice=words == _NEW)
    return None if file is None else _first_line(file)


def _old(path: str, *, ask: bool, key_file: str | None, keyring: bool) -> Any:
    """What opens the file now; of a copy of the usual store also one that the keyring held once."""
    told = _given(ask=ask, file=key_file, made=keyring, words="Key")
    try:
        found = keys.key_of(path, keys.KEYRING if keyring else told, settings())
    except KeyMissingError:
        return keys.held_once(store_file(None), path)
    if found is None:
        with suppress(EngraphyError):
            return keys.held_once(store_file(None), path)
    return asked_key("Key") if found is None and sys.stdin.isatty() else found


def _check_old(file: str, old: object, new: object) -> None:
    """Raise KeyMissingError where the file is encrypted and nobody said with what, unless the new
    key opens it, as where a change of keys was killed at its end."""
    ciphering: Any = import_module("engraphy.stores.ciphering")
    if old is not None or not ciphering.needs_key(file):
        return
    after = ciphering.checked(new)
    if after is None or not ciphering.opens(file, after.secret):
        raise KeyMissingError(path=file)


def _of_ring(file: str) -> str:
    """The keyring's key of a file; made where it holds none."""
    with suppress(KeyMissingError):
        return keys.kept(file)
    return keys.made(file)


def _first_line(file: str) -> str:
    try:
        told = here.key({"ENGRAPHY_KEY_FILE": file})
    except (OSError, ValueError) as error:
        raise click.UsageError(f"--key-file: {error}") from error
    return told or ""


def _done(file: str, old: object, new: object, *, ring: bool = False) -> dict[str, Any]:
    """Change the key of a file, and of what hooks keep beside it."""
    ciphering: Any = import_module("engraphy.stores.ciphering")
    recoding: Any = import_module("engraphy.stores.sqlite.recoding")
    before, after = ciphering.checked(old), ciphering.checked(new)
    header = ciphering.header(file)
    if after is not None and not header:
        import_module("engraphy.stores.sqlite").open_store(file, key=after).close()
    elif before is None and ciphering.is_encrypted(header):
        # It was killed before it was through, or is called once more: the key has to be the one.
        ciphering.decrypted(file, after)
        ciphering.mark(file)
    elif after is None and header.startswith(ciphering.MAGIC):
        ciphering.unmark(file)
    else:
        recoding.recode(file, before, after)
    if ring:
        keys.came(file)
    resealed = import_module("engraphy.hooks.sealing").resealed(here.home(), before, after)
    return {
        "path": file,
        "encrypted": after is not None,
        "cipher": "" if after is None else ciphering.named(),
        "rekeyed": None not in {before, after},
        "resealed": resealed,
        "in_the_clear": [] if after is None else [str(one) for one in _copies(file)],
    }


def _copies(file: str) -> Iterator[Path]:
    """Older copies beside a store, which nobody encrypted: what begins with its name, and backups
    and exports of ours."""
    own = Path(file)
    for one in sorted(own.parent.glob("*")):
        begins = b"" if one.name == own.name else _begins(one)
        is_copy = one.name.startswith(f"{own.name}.") or begins[_SIGNED] == _SIGN
        if (is_copy and begins.startswith(_SQLITE)) or begins.startswith(_EXPORT):
            yield one


def _begins(file: Path) -> bytes:
    """The first bytes of a file; none of what is no file, or may not be read."""
    with suppress(OSError):
        if file.is_file():
            with file.open("rb") as opened:
                return opened.read(_SIGNED.stop)
    return b""


def _settle(file: str) -> None:
    """End the daemon, which would have the file open, and work off what waits: it may be under the
    old key."""
    home = here.home()
    if Path(file).absolute().parent == Path(home).absolute():
        import_module("engraphy.cli.daemon").ended(home)
        if import_module("engraphy.hooks.spool").waiting(home):
            with suppress(EngraphyError):
                import_module("engraphy.hooks.serving").work_off(home)


def _say(value: dict[str, Any], *, as_json: bool) -> None:
    answer(value, "show_encryption:encryption", as_json=as_json)

"""Keys in the keyring of the system: Keychain, the Secret Service, the Credential Manager."""

from contextlib import suppress
from importlib import import_module
from typing import Any

from engraphy.errors import EngraphyError, KeyMissingError, MissingExtraError, SettingsError

_SERVICE = "engraphy"


def read(name: str) -> str:
    """The key kept under a name. Raises KeyMissingError where there is none, MissingExtraError,
    SettingsError where the keyring does not answer."""
    ring = _ring()
    try:
        held: str | None = ring.get_password(_SERVICE, name)
    except ring.errors.KeyringError as error:
        raise _failed(error) from error
    if held is None:
        raise KeyMissingError(path=name)
    return held


def found(name: str) -> str | None:
    """The key kept under a name; None where there is none, or no keyring."""
    with suppress(EngraphyError):
        return read(name)
    return None


def write(name: str, key: str) -> None:
    """Keep a key under a name. Raises MissingExtraError, SettingsError."""
    ring = _ring()
    try:
        ring.set_password(_SERVICE, name, key)
    except ring.errors.KeyringError as error:
        raise _failed(error) from error


def _failed(error: Exception) -> SettingsError:
    problem = f"the system's keyring does not answer: {type(error).__name__}: {error}"
    return SettingsError(setting="ENGRAPHY_KEY", problem=problem)


def _ring() -> Any:
    try:
        return import_module("keyring")
    except ImportError as error:
        raise MissingExtraError(extra="keyring") from error

"""Values in the file that nothing of ours wrote: how reading them ends."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager


class DamagedValueError(ValueError):
    """A value that cannot be what was written; leaves the store as a StoreCorruptError."""


@contextmanager
def decoding(what: str) -> Iterator[None]:
    """Take apart values of the file; one that does not fit is damage, not a mistake of the
    caller. Nothing that a caller passed may be looked at inside."""
    try:
        yield
    except (ValueError, TypeError, AttributeError, StopIteration, zlib.error) as problem:
        raise DamagedValueError(f"{what} cannot be read ({problem})") from problem


def id_read(value: object) -> str:
    """An id as the file has it, which is handed on without its row. Raises DamagedValueError."""
    if not isinstance(value, str):
        raise DamagedValueError(f"an id is a {type(value).__name__}")
    return value

"""Values in the file that nothing of ours wrote: how reading them ends."""

import zlib

_UNREADABLE = (ValueError, TypeError, AttributeError, StopIteration, zlib.error)


class DamagedValueError(ValueError):
    """A value that cannot be what was written; leaves the store as a StoreCorruptError."""


class decoding:  # noqa: N801 - a word behind `with`, as often as there are rows
    """Take apart values of the file; one that does not fit is damage, not a mistake of the
    caller. Nothing that a caller passed may be looked at inside."""

    __slots__ = ("_what",)

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if isinstance(problem, _UNREADABLE):
            raise DamagedValueError(f"{self._what} cannot be read ({problem})") from problem


def id_read(value: object) -> str:
    """An id as the file has it, which is handed on without its row. Raises DamagedValueError."""
    if not isinstance(value, str):
        raise DamagedValueError(f"an id is a {type(value).__name__}")
    return value

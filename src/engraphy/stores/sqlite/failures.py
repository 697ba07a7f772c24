"""What SQLite and the file system say, as errors of engraphy."""

import errno
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import apsw

from engraphy.errors import (
    EngraphyError,
    ForeignFileError,
    InvalidInputError,
    StoreBusyError,
    StoreClosedError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    UnreadableFileError,
)
from engraphy.stores import summing
from engraphy.stores.relational.damage import DamagedValueError

_PLAIN: Mapping[type[apsw.Error], type[EngraphyError]] = {
    apsw.FullError: StoreFullError,
    apsw.ReadOnlyError: StoreReadOnlyError,
    apsw.ConnectionClosedError: StoreClosedError,
}
_WRONG = (
    "a page is not what its checksum says: bytes were damaged, or another program wrote into the "
    "file, or copied it while it was written"
)
_DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT}) if hasattr(errno, "EDQUOT") else {errno.ENOSPC}
_NOT_WRITABLE = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


@contextmanager
def translated(path: str, *, seconds: float = 0.0) -> Iterator[None]:
    """Let what fails inside fail with the typed error that says what to do."""
    try:
        yield
    except apsw.Error as problem:
        raise from_sqlite(problem, path, seconds) from problem
    except (DamagedValueError, UnicodeDecodeError) as problem:
        raise StoreCorruptError(path=path, problem=problem) from problem
    except OSError as problem:
        raise from_system(problem, path) from problem
    except OverflowError as problem:
        raise InvalidInputError(
            field="number", got="an integer beyond 64 bits", allowed="-2^63 ... 2^63 - 1"
        ) from problem
    except UnicodeEncodeError as problem:
        raise InvalidInputError(
            field="text", got="a lone surrogate", allowed="text that can be written as UTF-8"
        ) from problem


def from_sqlite(problem: apsw.Error, path: str, seconds: float) -> EngraphyError:
    """The typed error for an error of SQLite."""
    if (plain := _PLAIN.get(type(problem))) is not None:
        return plain(path=path)
    match problem:
        case apsw.BusyError() | apsw.LockedError() | apsw.ProtocolError():
            return StoreBusyError(path=path, seconds=seconds)
        case apsw.CorruptError():
            return StoreCorruptError(path=path, problem=problem)
        case apsw.NotADBError():
            return ForeignFileError(path=path, problem="it is no SQLite database")
        case apsw.CantOpenError() | apsw.AuthError() | apsw.PermissionsError():
            return UnreadableFileError(path=path, problem=problem)
        case apsw.IOError() if summing.is_wrong(problem):
            return StoreCorruptError(path=path, problem=_WRONG)
        case _:
            return StoreError(path=path, problem=f"{type(problem).__name__}: {problem}")


def from_system(problem: OSError, path: str) -> StoreError:
    """The typed error for an error of the operating system."""
    if problem.errno in _DISK_FULL:
        return StoreFullError(path=path)
    if problem.errno in _NOT_WRITABLE:
        return StoreReadOnlyError(path=path)
    return UnreadableFileError(path=path, problem=problem)

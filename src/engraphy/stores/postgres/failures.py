"""What PostgreSQL says, as errors of engraphy."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout

from engraphy.errors import (
    EngraphyError,
    InvalidInputError,
    StoreBusyError,
    StoreClosedError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnreachableError,
)
from engraphy.stores.relational.batch import Refusals
from engraphy.stores.relational.damage import DamagedValueError

REFUSALS = Refusals(
    (errors.IntegrityError,), lambda problem: isinstance(problem, errors.UniqueViolation)
)
_RIGHTS = (
    "Who connects has to own the tables, or be a member of their owner; the first time that takes "
    "CREATE on the schema, and CREATEROLE or the role made and granted before (docs/engines.md)"
)


@contextmanager
def translated(path: str, *, seconds: float = 0.0) -> Iterator[None]:
    """Let what fails inside fail with the typed error that says what to do."""
    try:
        yield
    except (psycopg.Error, PoolTimeout, PoolClosed) as problem:
        raise _from_postgres(problem, path, seconds) from problem
    except (DamagedValueError, UnicodeDecodeError) as problem:
        raise StoreCorruptError(path=path, problem=problem) from problem
    except UnicodeEncodeError as problem:
        raise InvalidInputError(
            field="text", got="a lone surrogate", allowed="text that can be written as UTF-8"
        ) from problem


def _from_postgres(problem: Exception, path: str, seconds: float) -> EngraphyError:
    match problem:
        case (
            errors.LockNotAvailable()
            | errors.DeadlockDetected()
            | errors.SerializationFailure()
            | errors.QueryCanceled()
        ):
            return StoreBusyError(path=path, seconds=seconds)
        case errors.DiskFull() | errors.OutOfMemory():
            return StoreFullError(path=path)
        case errors.ReadOnlySqlTransaction():
            return StoreReadOnlyError(path=path)
        case errors.NumericValueOutOfRange():
            return InvalidInputError(
                field="number", got="an integer beyond 64 bits", allowed="-2^63 ... 2^63 - 1"
            )
        case errors.ProgramLimitExceeded():
            return InvalidInputError(
                field="text", got="a name or label too long for an index", allowed="2,600 bytes"
            )
        case _:
            return _of_server(problem, path)


def _of_server(problem: Exception, path: str) -> EngraphyError:
    match problem:
        case errors.InsufficientPrivilege():
            said = str(problem).strip().partition("\n")[0]
            return StoreError(path=path, problem=f"{said}. {_RIGHTS}")
        case errors.DataCorrupted() | errors.IndexCorrupted():
            return StoreCorruptError(path=path, problem=problem)
        case PoolClosed():
            return StoreClosedError(path=path)
        case PoolTimeout() | psycopg.OperationalError():
            said = str(problem).strip().partition("\n")[0]
            return StoreUnreachableError(path=path, problem=said)
        case _:
            return StoreError(path=path, problem=f"{type(problem).__name__}: {problem}")

"""Schema: small named steps, each together with its record in one transaction."""

from functools import cache
from pathlib import Path

import apsw

from engraphy.errors import ForeignFileError, NewerSchemaError
from engraphy.stores import ciphering, summing
from engraphy.stores.relational import checksums, indexing
from engraphy.stores.relational.sql import first, query
from engraphy.stores.relational.steps import Step, steps_in
from engraphy.stores.sqlite.connection import Target
from engraphy.stores.sqlite.sql import own
from engraphy.text.analyser import ANALYSER_VERSION

APPLICATION_ID = 0x656E6772
"""'engr': how a file says that it is a store of ours."""
_MAGIC = ciphering.MAGIC
_FIELDS, _HEADER_SIZE = (28, 60, 68), 100
"""Where the header of every SQLite file has its pages, user version and application id."""
_CHECKSUMS = 12
"""The step that gives rows their checksums."""
_FOLDER = Path(__file__).parent / "schema"


@cache
def steps() -> tuple[Step, ...]:
    """Every migration this version knows, in order."""
    return steps_in(_FOLDER)


def newest() -> int:
    """The number of the newest schema this version knows."""
    return steps()[-1].number


def recognise(target: Target) -> bool:
    """Whether there is a store of ours at this path; False where there is nothing yet.

    Raises ForeignFileError for any other file, NewerSchemaError for a newer store and an
    EncryptionError where file and key do not fit, without touching it: the header is read through
    SQLite, as nobody may open the file beside it.
    """
    header = _header(target)
    ciphering.check_header(target.path, header, target.key)
    if not any(header):
        return False
    if target.key is not None:
        header = _decrypted(target, header)
    # SQLite calls a file of one byte empty; it is not ours to overwrite either.
    if not header.startswith(_MAGIC):
        raise ForeignFileError(path=target.path, problem="it is no SQLite database")
    pages, version, mark = (int.from_bytes(header[at : at + 4]) for at in _FIELDS)
    if mark != APPLICATION_ID:
        # One page without a mark has no tables: somebody is making a store here this moment.
        if mark or pages != 1:
            raise _foreign(target.path)
        return False
    if version > newest():
        raise NewerSchemaError(path=target.path, found=version, known=newest())
    return bool(version)


def is_unmarked(target: Target) -> bool:
    """Whether there is a SQLite database at this path that says nothing of whose it is."""
    if not Path(target.path).is_file():
        return False
    header = _header(target)
    mark = header[_FIELDS[2] : _FIELDS[2] + 4]
    return header.startswith(_MAGIC) and len(header) == _HEADER_SIZE and not any(mark)


def _foreign(path: str) -> ForeignFileError:
    return ForeignFileError(path=path, problem="it is a database of another program")


def _header(target: Target) -> bytes:
    """The first bytes of the file as they stand on the disk: a query would call a file damaged
    whose log or journal has yet to be brought in."""
    return ciphering.header(target.path, target.vfs, _HEADER_SIZE)


def _decrypted(target: Target, header: bytes) -> bytes:
    """The first bytes of an encrypted file in the clear. Raises WrongKeyError, and ForeignFileError
    where it is no encrypted file of ours at all."""
    if target.key is None or not ciphering.is_encrypted(header):
        raise ForeignFileError(path=target.path, problem="it is no SQLite database")
    return ciphering.decrypted(target.path, target.key, target.vfs)[:_HEADER_SIZE]


def migrate(connection: apsw.Connection, until: int | None = None, *, sums: bool = False) -> None:
    """Bring the file to the newest schema, an empty one to that of step `until`, and give its pages
    `sums`; the caller holds the side lock."""
    path = connection.filename
    version = _version(connection)
    if version > newest():
        raise NewerSchemaError(path=path, found=version, known=newest())
    if version == 0:
        if first(connection, "SELECT count(*) FROM sqlite_schema")[0]:
            raise _foreign(path)
        if sums:
            # Before the first page, which the next line writes.
            summing.begin(connection)
        # Before the first table; and in rollback mode, so that the mark is in the file itself.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        _apply(connection, *(one for one in steps() if until is None or one.number <= until))
    for step in steps():
        if step.number > version > 0:
            _apply(connection, step)
    connection.execute("PRAGMA journal_mode = WAL")


def _apply(connection: apsw.Connection, *taken: Step) -> None:
    """Steps in one transaction: an empty file takes all of them in one, so that a first start waits
    for the disk once; a file with rows takes each by itself."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in taken:
            if _version(connection) < step.number:
                connection.execute(step.sql)
                if step.number == _CHECKSUMS:
                    checksums.fill(connection)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {step.number}")
                connection.execute(own("record_step"), {"number": step.number, "name": step.name})
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _version(connection: apsw.Connection) -> int:
    (version,) = first(connection, "PRAGMA user_version")
    return int(version)


def analyser_is_current(connection: apsw.Connection) -> bool:
    """Whether the full-text index was made by the analyser of this version."""
    found = first(connection, query("read_meta"), {"key": "analyser"})
    return found is not None and found[0] == str(ANALYSER_VERSION)


def reindex(connection: apsw.Connection) -> None:
    """Make the full-text index anew with the analyser of this version, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        indexing.rebuild(connection)
        values = {"key": "analyser", "value": str(ANALYSER_VERSION)}
        connection.execute(query("write_meta"), values)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")

"""Whether every check of a store passes, found out without changing anything of it."""

from contextlib import closing
from pathlib import Path

import apsw

from engraphy.errors import EngraphyError
from engraphy.model.query import Check
from engraphy.stores.relational.sql import first
from engraphy.stores.sqlite import checks, migrations
from engraphy.stores.sqlite.connection import Target, connect, owned
from engraphy.stores.sqlite.places import LOG


def is_sound(path: str, room: Path) -> bool:
    """Whether every check passes as the file stands, or of an older one once a copy is upgraded;
    looking at it changes nothing. Of a newer one `vintage` tells more: what is damaged may be the
    number itself."""
    try:
        if not migrations.recognise(Target(path=path)):
            return False
    except (apsw.Error, EngraphyError):
        return False
    # Without a log the file is read as one that nobody changes: so nothing is made beside it.
    still = not _has_log(path)
    target = Target(path=path, read_only=True, immutable=still)
    try:
        with closing(connect(target)) as connection:
            if _is_current(connection):
                return _passes(connection)
            return _upgraded_passes(connection, room / "upgraded")
    except (apsw.Error, EngraphyError, UnicodeDecodeError):
        return False


def _passes(connection: apsw.Connection) -> bool:
    return all(check.ok for check in checks.examine(connection, deep=True, encrypted=False))


def _is_current(connection: apsw.Connection) -> bool:
    (version,) = first(connection, "PRAGMA user_version")
    return bool(version == migrations.newest()) and migrations.analyser_is_current(connection)


def _upgraded_passes(connection: apsw.Connection, place: Path) -> bool:
    target = Target(path=str(place))
    owned(target)
    with closing(connect(target)) as copy:
        with copy.backup("main", connection, "main") as copying:
            while not copying.done:
                copying.step(-1)
        migrations.migrate(copy)
        if not migrations.analyser_is_current(copy):
            migrations.reindex(copy)
        return _passes(copy)


def _has_log(path: str) -> bool:
    log = Path(path + LOG)
    return log.exists() and log.stat().st_size > 0


def wrong(place: Path) -> tuple[Check, ...]:
    """The checks that fail in a file that nobody knows yet."""
    with closing(connect(Target(path=str(place)))) as connection:
        found = checks.examine(connection, deep=True, encrypted=False)
    return tuple(check for check in found if not check.ok)

"""A store's self-examination: what must agree, does it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw

from engraphy.model.query import Check
from engraphy.stores import ciphering, summing
from engraphy.stores.relational import journal, scopes
from engraphy.stores.relational.damage import DamagedValueError, decoding
from engraphy.stores.relational.rows import SELECTED, WALLS_SELECTED, from_tuple
from engraphy.stores.relational.sql import every, first, query
from engraphy.stores.sqlite import migrations, places
from engraphy.stores.sqlite.copies import numbered
from engraphy.stores.sqlite.dialects import DIALECTS
from engraphy.stores.sqlite.sql import own
from engraphy.stores.sqlite.varints import varint

_RESTORE = "restore a backup, or run `engraphy doctor --repair`"
_REBUILD = "run `engraphy doctor --repair`: it makes the index anew from the rows"
_DELETE = "delete it once all is well: what is forgotten here still stands there"

_EVERY = (
    f"SELECT {SELECTED}, {WALLS_SELECTED}"
    " FROM memories AS m CROSS JOIN scopes AS s ON s.id = m.scope_id"
)
Finding = Callable[[apsw.Connection], str]
"""What is wrong, in words; '' where nothing is."""


def examine(connection: apsw.Connection, *, deep: bool, encrypted: bool) -> list[Check]:
    """Every check, in order; a check that cannot even run has failed."""
    checked = [_checked(connection, *check) for check in _checks(deep)]
    told = [_sums(connection), _encryption(encrypted=encrypted)]
    return [*checked, *told, *_older_file(connection)]


def _sums(connection: apsw.Connection) -> Check:
    """Not a fault: an older file has none, and what is encrypted has its own."""
    detail = "of each page" if summing.are_there(connection) else "none of pages"
    return Check(name="checksums", ok=True, detail=detail)


def _encryption(*, encrypted: bool) -> Check:
    detail = f"the whole file, with {ciphering.named()}" if encrypted else "none"
    return Check(name="encryption", ok=True, detail=detail)


def _older_file(connection: apsw.Connection) -> Iterator[Check]:
    for one in DIALECTS:
        for kept in numbered(Path(connection.filename + one.kept)):
            yield Check(
                name="older file",
                ok=True,
                detail=f"this store was upgraded from {kept.name}, which stays beside it",
                advice=_DELETE,
            )
    for kept in places.kept(connection.filename):
        yield Check(
            name="damaged file",
            ok=True,
            detail=f"a repair kept the damaged bytes: {kept.name} stays beside this store",
            advice=_DELETE,
        )


def _checks(deep: bool) -> Iterator[tuple[str, Finding, str]]:
    yield "integrity", _integrity if deep else _quick_integrity, _RESTORE
    yield "settings", _settings, "open the store with this version of engraphy"
    yield "schema", _schema, "open the store for writing once: it is upgraded then"
    yield "full text", _text_counts, _REBUILD
    yield "vectors", _vector_counts, _REBUILD
    if deep:
        yield "references", _references, _RESTORE
        yield "walls of the full text", _walls, _REBUILD
        yield "vectors and their scopes", _vector_scopes, _REBUILD
        yield "contents", _contents, _RESTORE
        yield "journal", _journal, "the journal was edited, or lost lines: restore a backup"
        yield "journal of memories", _journaled, "rows were written past engraphy: restore a backup"
        yield "ledger of the model", _ledger, "lines were written past engraphy: budgets are wrong"


def _checked(connection: apsw.Connection, name: str, finding: Finding, advice: str) -> Check:
    try:
        problem = finding(connection)
    except (apsw.Error, DamagedValueError, UnicodeDecodeError) as error:
        problem = f"{type(error).__name__}: {error}"
    return Check(name=name, ok=not problem, detail=problem, advice=advice if problem else "")


def _integrity(connection: apsw.Connection) -> str:
    return _told(connection, "PRAGMA integrity_check(20)")


def _quick_integrity(connection: apsw.Connection) -> str:
    return _told(connection, "PRAGMA quick_check(20)")


def _told(connection: apsw.Connection, pragma: str) -> str:
    if cut := summing.is_cut(connection):
        return cut
    lines = [str(line) for (line,) in connection.execute(pragma)]
    return "" if lines == ["ok"] else "; ".join(lines)


def _settings(connection: apsw.Connection) -> str:
    wanted: dict[str, Any] = {"synchronous": 2, "foreign_keys": 1, "secure_delete": 1}
    found = {name: first(connection, f"PRAGMA {name}")[0] for name in wanted}
    if connection.filename and not connection.readonly("main"):
        wanted["journal_mode"] = "wal"
        found["journal_mode"] = first(connection, "PRAGMA journal_mode")[0]
    return "; ".join(f"{name} is {found[name]}" for name in wanted if found[name] != wanted[name])


def _schema(connection: apsw.Connection) -> str:
    (version,) = first(connection, "PRAGMA user_version")
    if version != migrations.newest():
        return f"schema {version} instead of {migrations.newest()}"
    if not migrations.analyser_is_current(connection):
        return "the full-text index was made by another version of the analyser"
    return ""


def _text_counts(connection: apsw.Connection) -> str:
    rows, indexed, counted, totals = first(connection, own("check_text_counts"))
    summed = _first_number(totals or b"")
    if rows == indexed == counted == summed:
        return ""
    return f"{rows} memories, {indexed} in the index, which says {summed}, {counted} counted"


def _first_number(data: bytes) -> int:
    try:
        return varint(data, 0)[0]
    except IndexError:
        return 0


def _vector_counts(connection: apsw.Connection) -> str:
    vectors, signs = first(connection, query("check_vector_counts"))
    return "" if vectors == signs else f"{vectors} vectors, {signs} with signs"


def _references(connection: apsw.Connection) -> str:
    broken = every(connection, "PRAGMA foreign_key_check")
    return "; ".join(f"{table} row {row} points nowhere" for table, row, _, _ in broken[:20])


def _walls(connection: apsw.Connection) -> str:
    wrong = []
    seen = set()
    for scope_id, sensitivity, rows, counted in every(connection, query("check_walls")):
        with decoding("a sensitivity"):
            wall = scopes.wall(scope_id, sensitivity)
        seen.add(wall)
        bound = {"match": f'wall : "{wall}"', "most": -1}
        (indexed,) = first(connection, own("count_matches"), bound)
        if not rows == indexed == counted:
            wrong.append(f"{wall}: {rows} memories, {indexed} in the index, {counted} counted")
    return "; ".join(wrong[:20])


def _vector_scopes(connection: apsw.Connection) -> str:
    misplaced, miscounted = first(connection, query("check_vector_scopes"))
    if not misplaced and not miscounted:
        return ""
    return f"{misplaced} vectors in another scope than their memory, {miscounted} wrong counts"


def _contents(connection: apsw.Connection) -> str:
    """Every memory, taken apart as a reader takes it."""
    wrong = []
    for line in connection.execute(_EVERY):
        try:
            from_tuple(line)
        except DamagedValueError as problem:
            wrong.append(str(problem))
    return "; ".join(wrong[:20])


def _journal(connection: apsw.Connection) -> str:
    line = journal.broken_line(connection)
    return "" if line is None else f"line {line} is not as it was written, or is missing"


def _journaled(connection: apsw.Connection) -> str:
    (unknown,) = first(connection, query("check_journaled"))
    return f"{unknown} memories have no line that tells of their insertion" if unknown else ""


def _ledger(connection: apsw.Connection) -> str:
    (wrong,) = first(connection, query("check_model_calls"))
    return f"{wrong} calls that were never made have a cost" if wrong else ""

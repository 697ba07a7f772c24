"""claude-mem's database, `~/.claude-mem/claude-mem.db`: read only, with the columns that it has."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from engraphy.errors import UnreadableFileError
from engraphy.importers.notes import Notes
from engraphy.importers.reading import bytes_of, items, moment, name_of, text, undated
from engraphy.importers.source import Source, unknown
from engraphy.model import Role
from engraphy.model.importing import Item

NAME = "claude-mem"
EXPECTS = (
    "a SQLite database with a table observations or memory_items (~/.claude-mem/claude-mem.db)"
)
_MAGIC = b"SQLite format 3\0"
_TABLES = ("observations", "session_summaries", "user_prompts", "memory_items")
_KINDS = {"bugfix", "feature", "refactor", "change", "discovery", "decision"}
_STEPS = ("request", "investigated", "learned", "completed", "next_steps", "notes")
_UNSEEN = (
    "the newest rows, which are in its -wal file, cannot be read in this folder: copy both files "
    "to one that can be written"
)
_LONGEST_VALUE = 64 << 20
_MOST = 64
_TOLD = ("content_session_id", "project")
"""What a session tells of what belongs to it."""
Row = Mapping[str, Any]


def fits(path: Path) -> bool:
    """Whether it is a SQLite database with one of its tables."""
    try:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                return False
        with closing(_opened(path, Notes())) as database:
            return bool(_tables(database) & {"observations", "memory_items"})
    except (OSError, sqlite3.Error, UnreadableFileError):
        return False


def read(path: Path, notes: Notes) -> Iterator[Item]:
    """Observations, summaries of sessions and prompts, the oldest first."""
    notes.files += 1
    try:
        with closing(_opened(path, notes)) as database:
            there = _tables(database)
            if not there & {"observations", "memory_items"}:
                raise unknown(path, "which has none of its tables", EXPECTS)
            sessions = _sessions(database) if "sdk_sessions" in _all_tables(database) else {}
            for table in _TABLES:
                if table in there:
                    for row in _rows(database, table):
                        _dated(row, path, table, notes)
                        yield from _READERS[table](row, sessions, notes)
    except sqlite3.Error as error:
        raise UnreadableFileError(path=path, problem=str(error)) from error


def _opened(path: Path, notes: Notes) -> sqlite3.Connection:
    """The database, never written: where its folder cannot be written either, as it lies there,
    without what stands in its log only, which is told."""
    if not path.is_file():
        raise UnreadableFileError(path=path, problem="it is no file")
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    for more in ("", "&immutable=1"):
        database = sqlite3.connect(address + more, uri=True)
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
        database.row_factory = sqlite3.Row
        database.text_factory = _decoded
        try:
            database.execute("PRAGMA query_only = 1")
            database.execute("PRAGMA trusted_schema = 0")
            database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.DatabaseError as error:
            database.close()
            if more or not isinstance(error, sqlite3.OperationalError):
                raise
            continue
        if more and bytes_of(path.with_name(f"{path.name}-wal")):
            notes.wrong(path, 0, _UNSEEN)
        return database
    raise UnreadableFileError(path=path, problem="it cannot be read")


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _all_tables(database: sqlite3.Connection) -> set[str]:
    """Its tables; a view could be any query."""
    found = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {str(name) for (name,) in found}


def _tables(database: sqlite3.Connection) -> set[str]:
    return _all_tables(database) & set(_TABLES)


def _rows(database: sqlite3.Connection, table: str) -> Iterator[Row]:
    """The rows of a table, those written first first, as mappings of the columns there are."""
    columns = {row["name"] for row in database.execute(f"PRAGMA table_info({table})")}
    order = "created_at_epoch" if "created_at_epoch" in columns else "rowid"
    for row in database.execute(f"SELECT * FROM {table} ORDER BY {order}, rowid"):
        yield dict(zip(row.keys(), row, strict=True))


def _dated(row: Row, path: Path, table: str, notes: Notes) -> None:
    """Tell of a row whose moment cannot be read."""
    told = row.get("created_at")
    if told and moment(row.get("created_at_epoch")) is None and moment(told) is None:
        problem = f"row {row.get('id')} of {table}: {undated('created_at', told)}"
        notes.wrong(path, 0, problem)


def _sessions(database: sqlite3.Connection) -> dict[str, Row]:
    """Sessions by each name that other tables have for them."""
    found: dict[str, Row] = {}
    for row in _rows(database, "sdk_sessions"):
        for name in ("id", "content_session_id", "memory_session_id", "sdk_session_id"):
            if row.get(name) is not None:
                found[f"{name}:{row[name]}"] = {one: row.get(one) for one in _TOLD}
    return found


def _session(row: Row, sessions: Mapping[str, Row]) -> Row:
    keys = [
        ("memory_session_id", row.get("memory_session_id")),
        ("sdk_session_id", row.get("sdk_session_id")),
        ("id", row.get("session_db_id")),
        ("content_session_id", row.get("content_session_id")),
    ]
    return next((sessions[f"{k}:{v}"] for k, v in keys if f"{k}:{v}" in sessions), {})


def _common(row: Row, sessions: Mapping[str, Row]) -> dict[str, Any]:
    session = _session(row, sessions)
    told = row.get("content_session_id") or session.get("content_session_id")
    return {
        "at": moment(row.get("created_at_epoch")) or moment(row.get("created_at")),
        "project": text(row.get("project")) or text(session.get("project")) or None,
        "session": text(told or row.get("memory_session_id")) or None,
    }


def _observation(row: Row, sessions: Mapping[str, Row], notes: Notes) -> Iterator[Item]:
    facts = _listed(row.get("facts"))
    told = text(row.get("narrative")) or text(row.get("text")) or "\n".join(facts)
    title = text(row.get("title"))
    content = "\n".join(part for part in (title, told) if part.strip())
    if not content.strip():
        notes.skip("no text")
        return
    sort = text(row.get("type"))
    yield Item(
        id=name_of("observation", row.get("id"), content),
        content=content,
        fields={
            "kind": sort if sort in _KINDS else "fact",
            "title": title[:500],
            "subtitle": text(row.get("subtitle"))[:500],
            "context": "\n".join(facts)[:4_000],
            "concepts": _listed(row.get("concepts")),
            "files_read": _listed(row.get("files_read")),
            "files_modified": _listed(row.get("files_modified")),
            "discovery_tokens": max(0, _number(row.get("discovery_tokens"))),
        },
        **_common(row, sessions),
    )


def _summary(row: Row, sessions: Mapping[str, Row], notes: Notes) -> Iterator[Item]:
    told = [(name, text(row.get(name)).strip()) for name in _STEPS]
    content = "\n".join(
        f"{name.replace('_', ' ').capitalize()}: {said}" for name, said in told if said
    )
    if not content:
        notes.skip("no text")
        return
    files = {name: _listed(row.get(name)) for name in ("files_read", "files_edited")}
    yield Item(
        id=name_of("summary", row.get("id"), content),
        content=content,
        fields={
            "kind": "summary",
            "title": text(row.get("request")).strip()[:200],
            "files_read": files["files_read"],
            "files_modified": files["files_edited"],
        },
        **_common(row, sessions),
    )


def _prompt(row: Row, sessions: Mapping[str, Row], notes: Notes) -> Iterator[Item]:
    told = text(row.get("prompt_text")).strip()
    if not told:
        notes.skip("no text")
        return
    yield Item(
        id=name_of("prompt", row.get("id"), told),
        content=told,
        role=Role.USER,
        **_common(row, sessions),
    )


def _item(row: Row, sessions: Mapping[str, Row], notes: Notes) -> Iterator[Item]:
    """A row of the newer schema, which names what it is in a column."""
    told = text(row.get("content")) or text(row.get("text")) or text(row.get("narrative"))
    told = told or text(row.get("prompt_text"))
    if row.get("kind") == "prompt":
        yield from _prompt({**row, "prompt_text": told}, sessions, notes)
        return
    for one in _observation({**row, "text": told}, sessions, notes):
        kind = {"kind": "summary"} if row.get("kind") == "summary" else {}
        yield Item(
            id=name_of("item", row.get("id"), one.content),
            content=one.content,
            at=one.at,
            project=one.project,
            session=one.session,
            fields={**one.fields, **kind},
        )


def _listed(value: object) -> list[str]:
    """A column that holds a list as JSON, or as text with commas or lines."""
    if not isinstance(value, str) or not value.strip():
        return []
    try:
        found = items(json.loads(value))
    except (ValueError, RecursionError):
        found = value.replace("\n", ",").split(",")
    return [str(one).strip()[:1_000] for one in found if str(one).strip()][:_MOST]


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


_READERS = {
    "observations": _observation,
    "session_summaries": _summary,
    "user_prompts": _prompt,
    "memory_items": _item,
}

SOURCE = Source(name=NAME, expects=EXPECTS, fits=fits, items=read)

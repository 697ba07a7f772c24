"""A database as LetsGo's memory wrote it: the tables of documents 000 and 001, of either age."""

import json
import sqlite3
from pathlib import Path
from typing import Any

OLD = """
CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    content TEXT NOT NULL,
    category TEXT DEFAULT 'general',
    importance REAL DEFAULT 0.5,
    trust REAL DEFAULT 0.5,
    sensitivity TEXT DEFAULT 'public',
    tags TEXT DEFAULT '',
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE VIRTUAL TABLE memories_fts USING fts5 (
    content, content = 'memories', content_rowid = 'rowid'
);
CREATE TRIGGER memories_ai AFTER INSERT ON memories BEGIN
    INSERT INTO memories_fts (rowid, content) VALUES (new.rowid, new.content);
END;
"""
"""The first shape: full text over one column, no metadata, no facts, no journal."""
RICH = """
ALTER TABLE memories ADD COLUMN content_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE memories ADD COLUMN expires_at TEXT DEFAULT NULL;
ALTER TABLE memories ADD COLUMN title TEXT DEFAULT '';
ALTER TABLE memories ADD COLUMN subtitle TEXT DEFAULT '';
ALTER TABLE memories ADD COLUMN type TEXT DEFAULT 'change';
ALTER TABLE memories ADD COLUMN concepts TEXT DEFAULT '[]';
ALTER TABLE memories ADD COLUMN files_read TEXT DEFAULT '[]';
ALTER TABLE memories ADD COLUMN files_modified TEXT DEFAULT '[]';
ALTER TABLE memories ADD COLUMN session_id TEXT DEFAULT NULL;
ALTER TABLE memories ADD COLUMN project TEXT DEFAULT NULL;
ALTER TABLE memories ADD COLUMN accessed_count INTEGER DEFAULT 0;
ALTER TABLE memories ADD COLUMN discovery_tokens INTEGER DEFAULT 0;
ALTER TABLE memories ADD COLUMN mood TEXT DEFAULT '';
CREATE TABLE facts (
    id TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    predicate TEXT NOT NULL,
    object TEXT NOT NULL,
    confidence REAL DEFAULT 1.0,
    source_entry_id TEXT DEFAULT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE TABLE memory_journal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_id TEXT NOT NULL,
    operation TEXT NOT NULL,
    timestamp TEXT NOT NULL,
    detail TEXT DEFAULT ''
);
"""
"""What came later: rich metadata (and a column nobody documents), facts, the journal."""
SAID = {"created_at": "2026-02-01T10:00:00+00:00", "updated_at": "2026-02-03T10:00:00+00:00"}


def written(path: Path, *schemas: str, **tables: list[dict[str, Any]]) -> Path:
    """A database of these shapes with rows by table; lists are JSON, as LetsGo keeps them."""
    connection = sqlite3.connect(path)
    for schema in schemas:
        connection.executescript(schema)
    for table, rows in tables.items():
        for row in rows:
            values = [json.dumps(one) if isinstance(one, list) else one for one in row.values()]
            places = ", ".join("?" * len(row))
            connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", values)
    connection.commit()
    connection.close()
    return path

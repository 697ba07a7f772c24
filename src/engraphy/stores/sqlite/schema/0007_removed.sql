-- What was removed and can be brought back: where it lived, and the line of the journal that keeps
-- it whole. No texts. A fact that was taken back stands here too, beside the memory it came from.
CREATE TABLE removed (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('memory', 'fact')),
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    session TEXT,
    sensitivity TEXT NOT NULL CHECK (sensitivity IN ('public', 'private', 'secret')),
    memory_seq INTEGER NOT NULL,
    source_id TEXT,
    removed_at INTEGER NOT NULL,
    journal_seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX removed_by_age ON removed (removed_at);
CREATE INDEX removed_by_source ON removed (source_id) WHERE source_id IS NOT NULL;

-- Relations of which an end is removed: they return with it.
CREATE TABLE removed_relations (
    source_id TEXT NOT NULL,
    target_id TEXT NOT NULL,
    type TEXT NOT NULL,
    confidence REAL NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (source_id, target_id, type)
) STRICT, WITHOUT ROWID;

CREATE INDEX removed_relations_by_target ON removed_relations (target_id);

-- What a cap takes first, without a look at every row.
CREATE INDEX memories_by_use ON memories (scope_id, access_count, updated_at, importance)
WHERE pinned = 0 AND immutable = 0;

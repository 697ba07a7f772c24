-- The first schema. Every table is STRICT; times are integer microseconds UTC; lists are JSON text.

CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT;

-- Walls, interned: one row per place memories live in. NULL is "shared on this wall", '' is a name.
CREATE TABLE scopes (
    id INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    user TEXT,
    agent TEXT,
    project TEXT
) STRICT;

CREATE UNIQUE INDEX scopes_by_walls ON scopes (
    tenant,
    coalesce('=' || user, ''),
    coalesce('=' || agent, ''),
    coalesce('=' || project, '')
);

-- What the full-text statistics of one wall token are: rows and index tokens behind it.
CREATE TABLE walls (
    wall TEXT NOT NULL PRIMARY KEY,
    documents INTEGER NOT NULL CHECK (documents >= 0),
    tokens INTEGER NOT NULL CHECK (tokens >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE memories (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    session TEXT,
    content TEXT NOT NULL,
    content_hash BLOB NOT NULL CHECK (length(content_hash) = 32),
    kind TEXT NOT NULL DEFAULT 'fact',
    title TEXT NOT NULL DEFAULT '',
    subtitle TEXT NOT NULL DEFAULT '',
    context TEXT NOT NULL DEFAULT '',
    category TEXT NOT NULL DEFAULT '',
    speaker TEXT NOT NULL DEFAULT '',
    tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
    concepts TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(concepts)),
    entities TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(entities)),
    files_read TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_read)),
    files_modified TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_modified)),
    scope_globs TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(scope_globs)),
    metadata TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(metadata)),
    priority TEXT NOT NULL DEFAULT 'normal',
    discovery_tokens INTEGER NOT NULL DEFAULT 0,
    origin TEXT NOT NULL DEFAULT 'user'
        CHECK (origin IN ('user', 'agent', 'tool', 'web', 'import', 'federation')),
    write_source TEXT NOT NULL DEFAULT 'manual',
    data_source TEXT NOT NULL DEFAULT 'user_message',
    evidence TEXT NOT NULL DEFAULT 'stated',
    source_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(source_ids)),
    trust REAL NOT NULL DEFAULT 1.0 CHECK (trust BETWEEN 0 AND 1),
    source_confidence REAL NOT NULL DEFAULT 1.0 CHECK (source_confidence BETWEEN 0 AND 1),
    sensitivity TEXT NOT NULL DEFAULT 'public'
        CHECK (sensitivity IN ('public', 'private', 'secret')),
    importance REAL NOT NULL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
    novelty REAL NOT NULL DEFAULT 0.5 CHECK (novelty BETWEEN 0 AND 1),
    arousal REAL NOT NULL DEFAULT 0.0 CHECK (arousal BETWEEN 0 AND 1),
    reward REAL NOT NULL DEFAULT 0.5 CHECK (reward BETWEEN 0 AND 1),
    attention REAL NOT NULL DEFAULT 0.5 CHECK (attention BETWEEN 0 AND 1),
    utility REAL NOT NULL DEFAULT 0.5 CHECK (utility BETWEEN 0 AND 1),
    valence REAL NOT NULL DEFAULT 0.0 CHECK (valence BETWEEN -1 AND 1),
    emotional_arousal REAL NOT NULL DEFAULT 0.0 CHECK (emotional_arousal BETWEEN 0 AND 1),
    emotion TEXT NOT NULL DEFAULT 'neutral',
    flashbulb INTEGER NOT NULL DEFAULT 0 CHECK (flashbulb IN (0, 1)),
    stability REAL NOT NULL DEFAULT 1.0 CHECK (stability > 0 AND stability <= 36500),
    difficulty REAL NOT NULL DEFAULT 5.0 CHECK (difficulty BETWEEN 1 AND 10),
    storage_strength REAL NOT NULL DEFAULT 1.0 CHECK (storage_strength BETWEEN 1 AND 10),
    retrieval_loss REAL NOT NULL DEFAULT 0.0 CHECK (retrieval_loss BETWEEN 0 AND 1),
    tier TEXT NOT NULL DEFAULT 'episodic',
    sub_tier TEXT NOT NULL DEFAULT 'personal',
    temporal_scale TEXT NOT NULL DEFAULT 'immediate',
    state TEXT NOT NULL DEFAULT 'active' CHECK (
        state IN ('active', 'dormant', 'archived', 'superseded', 'expired', 'quarantined')
    ),
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    immutable INTEGER NOT NULL DEFAULT 0 CHECK (immutable IN (0, 1)),
    temporal_type TEXT NOT NULL DEFAULT 'persistent',
    valid_from INTEGER NOT NULL DEFAULT 0,
    valid_until INTEGER,
    expires_at INTEGER,
    recorded_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0,
    last_accessed_at INTEGER,
    last_decayed_at INTEGER,
    last_reinforced_at INTEGER,
    access_count INTEGER NOT NULL DEFAULT 0 CHECK (access_count >= 0),
    reinforcement_count INTEGER NOT NULL DEFAULT 0 CHECK (reinforcement_count >= 0),
    success_count INTEGER NOT NULL DEFAULT 0 CHECK (success_count >= 0),
    failure_count INTEGER NOT NULL DEFAULT 0 CHECK (failure_count >= 0),
    superseded_by TEXT,
    supersedes TEXT,
    version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1)
) STRICT;

-- What was superseded is history: the same text may become true again, as a row of its own.
CREATE UNIQUE INDEX memories_by_hash ON memories (scope_id, sensitivity, content_hash)
WHERE state <> 'superseded';
CREATE INDEX memories_by_scope ON memories (scope_id);
CREATE INDEX memories_by_weight ON memories (scope_id, kind, importance);
CREATE INDEX memories_by_session ON memories (scope_id, session) WHERE session IS NOT NULL;

CREATE TRIGGER memories_keep_origin BEFORE UPDATE OF origin ON memories
WHEN NEW.origin IS NOT OLD.origin
BEGIN
    SELECT RAISE (ABORT, 'the origin of a memory never changes');
END;

CREATE TRIGGER memories_keep_origin_on_replace BEFORE INSERT ON memories
WHEN EXISTS (SELECT 1 FROM memories WHERE id = NEW.id AND origin IS NOT NEW.origin)
BEGIN
    SELECT RAISE (ABORT, 'the origin of a memory never changes');
END;

CREATE TRIGGER memories_keep_immutable_text BEFORE UPDATE OF content, title ON memories
WHEN OLD.immutable AND (NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title)
BEGIN
    SELECT RAISE (ABORT, 'the text of an immutable memory never changes');
END;

-- Index tokens of the analyser, joined by spaces; rowid = memories.seq. Contentless: the texts
-- stand in memories, and a row is taken out by giving its tokens again.
CREATE VIRTUAL TABLE memories_fts USING fts5 (
    content, title, subtitle, context, tags, wall,
    content = '',
    tokenize = "unicode61 remove_diacritics 0 tokenchars '_'"
);

-- What scoring needs of a text (engraphy.text.imprint), made with the index and from the same rows.
CREATE TABLE memory_imprints (
    seq INTEGER PRIMARY KEY REFERENCES memories (seq),
    codes BLOB NOT NULL,
    tokens INTEGER NOT NULL CHECK (tokens >= 0),
    content INTEGER NOT NULL CHECK (content >= 0),
    asks INTEGER NOT NULL CHECK (asks IN (0, 1)),
    timed INTEGER NOT NULL CHECK (timed IN (0, 1))
) STRICT;

-- Elements of lists, and speakers, for exact lookups.
CREATE TABLE memory_labels (
    scope_id INTEGER NOT NULL,
    label TEXT NOT NULL CHECK (label IN ('tag', 'concept', 'entity', 'file', 'speaker')),
    value TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (scope_id, label, value, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE embedding_models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dim INTEGER NOT NULL CHECK (dim > 0)
) STRICT;

-- One row per part of a text: int8 codes, and their length as a vector.
CREATE TABLE vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    seq INTEGER NOT NULL REFERENCES memories (seq),
    model_id INTEGER NOT NULL REFERENCES embedding_models (id),
    part INTEGER NOT NULL CHECK (part >= 0),
    codes BLOB NOT NULL,
    norm REAL NOT NULL CHECK (norm >= 0)
) STRICT;

CREATE UNIQUE INDEX vectors_by_memory ON vectors (seq, model_id, part);

-- The signs of the same vectors, clustered by scope, so that a scope loads in one sweep.
CREATE TABLE vector_signs (
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    model_id INTEGER NOT NULL REFERENCES embedding_models (id),
    vector_id INTEGER NOT NULL REFERENCES vectors (id),
    signs BLOB NOT NULL,
    PRIMARY KEY (scope_id, model_id, vector_id)
) STRICT, WITHOUT ROWID;

-- How many memories of a scope carry vectors of a model, and how many vectors were taken out.
CREATE TABLE vector_counts (
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    model_id INTEGER NOT NULL REFERENCES embedding_models (id),
    memories INTEGER NOT NULL CHECK (memories >= 0),
    removed INTEGER NOT NULL CHECK (removed >= 0),
    PRIMARY KEY (scope_id, model_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE late_codes (
    seq INTEGER NOT NULL REFERENCES memories (seq),
    model_id INTEGER NOT NULL REFERENCES embedding_models (id),
    tokens BLOB NOT NULL,
    PRIMARY KEY (seq, model_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE versions (
    memory_id TEXT NOT NULL REFERENCES memories (id),
    version INTEGER NOT NULL,
    content TEXT NOT NULL,
    title TEXT NOT NULL,
    replaced_at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (memory_id, version)
) STRICT;

CREATE TABLE relations (
    source_id TEXT NOT NULL REFERENCES memories (id),
    target_id TEXT NOT NULL REFERENCES memories (id),
    type TEXT NOT NULL,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (source_id, target_id, type)
) STRICT, WITHOUT ROWID;

CREATE INDEX relations_by_target ON relations (target_id);

CREATE TABLE coactivations (
    first_id TEXT NOT NULL REFERENCES memories (id),
    second_id TEXT NOT NULL REFERENCES memories (id),
    count INTEGER NOT NULL CHECK (count >= 1),
    last_at INTEGER NOT NULL,
    PRIMARY KEY (first_id, second_id),
    CHECK (first_id < second_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX coactivations_by_second ON coactivations (second_id);

-- A fact keeps the sensitivity of the memory it came from, also when that memory is forgotten.
CREATE TABLE facts (
    id TEXT NOT NULL PRIMARY KEY,
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    session TEXT,
    subject TEXT NOT NULL,
    predicate TEXT NOT NULL,
    object TEXT NOT NULL,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    source_id TEXT REFERENCES memories (id),
    sensitivity TEXT NOT NULL CHECK (sensitivity IN ('public', 'private', 'secret')),
    valid_from INTEGER NOT NULL,
    valid_until INTEGER,
    recorded_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A triple that ended is history; the same one may open again beside it.
CREATE UNIQUE INDEX facts_open ON facts (scope_id, subject, predicate, object)
WHERE valid_until IS NULL;
CREATE INDEX facts_by_triple ON facts (scope_id, subject, predicate, object);
CREATE INDEX facts_by_source ON facts (source_id) WHERE source_id IS NOT NULL;

CREATE TABLE episodes (
    memory_id TEXT NOT NULL PRIMARY KEY REFERENCES memories (id),
    outcome TEXT NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    lesson TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE procedures (
    memory_id TEXT NOT NULL PRIMARY KEY REFERENCES memories (id),
    name TEXT NOT NULL,
    steps TEXT NOT NULL CHECK (json_valid(steps)),
    trigger TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE session_state (
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    session TEXT,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    expires_at INTEGER
) STRICT;

CREATE UNIQUE INDEX session_state_by_name
ON session_state (scope_id, coalesce('=' || session, ''), name);
CREATE INDEX session_state_by_expiry ON session_state (expires_at) WHERE expires_at IS NOT NULL;

-- Append-only. payload_hash covers a random salt and the payload, so that it tells nothing about a
-- text once both are gone; hash covers the line and the hash of the tenant's line before.
CREATE TABLE memory_journal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    op TEXT NOT NULL,
    target_id TEXT NOT NULL,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    payload_hash BLOB NOT NULL CHECK (length(payload_hash) = 32),
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE INDEX memory_journal_by_tenant ON memory_journal (tenant);

CREATE TRIGGER memory_journal_refuses_update BEFORE UPDATE ON memory_journal
BEGIN
    SELECT RAISE (ABORT, 'the journal is append-only');
END;

CREATE TRIGGER memory_journal_refuses_delete BEFORE DELETE ON memory_journal
BEGIN
    SELECT RAISE (ABORT, 'the journal is append-only');
END;

CREATE TRIGGER memory_journal_refuses_replace BEFORE INSERT ON memory_journal
WHEN EXISTS (SELECT 1 FROM memory_journal WHERE seq = NEW.seq)
BEGIN
    SELECT RAISE (ABORT, 'the journal is append-only');
END;

-- What replay and undo need, under the key of the memory or fact it tells of; forgetting deletes
-- every row of the key. Lines that carry no texts have the key ''. The payload is JSON, deflated.
CREATE TABLE journal_texts (
    journal_seq INTEGER PRIMARY KEY REFERENCES memory_journal (seq),
    key TEXT NOT NULL,
    salt BLOB NOT NULL,
    payload BLOB NOT NULL
) STRICT;

CREATE INDEX journal_texts_by_key ON journal_texts (key) WHERE key <> '';

CREATE TRIGGER journal_texts_refuse_update BEFORE UPDATE ON journal_texts
BEGIN
    SELECT RAISE (ABORT, 'the texts of the journal are erased or kept, never changed');
END;

-- The lines of a tenant's journal that were brought here from another store: they stand at `first`
-- to `last`, were written under the numbers less by `shift` (which their hashes cover), and the
-- last of these `lines` has this hash.
CREATE TABLE carried_lines (
    tenant TEXT NOT NULL PRIMARY KEY,
    first INTEGER NOT NULL CHECK (first >= 1),
    last INTEGER NOT NULL,
    shift INTEGER NOT NULL CHECK (shift >= 0),
    lines INTEGER NOT NULL CHECK (lines >= 1),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    CHECK (last >= first)
) STRICT, WITHOUT ROWID;

-- Whose vectors answer questions of a tenant, and whose did before; `spec` and `spec_before` are
-- what an opener says to have that model ('' where it has no name for it).
CREATE TABLE served_models (
    tenant TEXT NOT NULL PRIMARY KEY,
    model TEXT NOT NULL,
    spec TEXT NOT NULL,
    model_before TEXT,
    spec_before TEXT NOT NULL,
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Maintenance: what it remembers of a memory, and how far each cycle has come.
ALTER TABLE memories ADD COLUMN last_rehearsed_at INTEGER;
ALTER TABLE memories ADD COLUMN settled_access_count INTEGER NOT NULL DEFAULT 0
CHECK (settled_access_count >= 0);

-- One row per cycle; `progress` and `report` are JSON and never hold a text of a memory. A cycle
-- without an end is taken up again.
CREATE TABLE dream_runs (
    id TEXT NOT NULL PRIMARY KEY,
    tenant TEXT NOT NULL,
    profile TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    progress TEXT NOT NULL CHECK (json_valid(progress)),
    report TEXT NOT NULL CHECK (json_valid(report))
) STRICT, WITHOUT ROWID;

CREATE INDEX dream_runs_by_tenant ON dream_runs (tenant, started_at);

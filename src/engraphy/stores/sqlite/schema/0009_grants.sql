-- Access tokens: of the token itself its SHA-256 only.
CREATE TABLE grants (
    id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('read', 'write', 'admin')),
    user TEXT,
    agent TEXT,
    project TEXT,
    origin TEXT NOT NULL CHECK (origin IN ('user', 'agent', 'tool', 'web', 'import', 'federation')),
    clearance TEXT NOT NULL CHECK (clearance IN ('public', 'private', 'secret')),
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX grants_by_tenant ON grants (tenant, created_at);

-- What a token may never becomes more.
CREATE TRIGGER grants_never_change
BEFORE UPDATE OF id, tenant, name, role, user, agent, project, origin, clearance, digest,
created_at, expires_at ON grants
BEGIN
    SELECT RAISE (ABORT, 'a grant never changes: revoke it and give another');
END;

CREATE TRIGGER grants_stay_revoked BEFORE UPDATE OF revoked_at ON grants
WHEN OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NOT OLD.revoked_at
BEGIN
    SELECT RAISE (ABORT, 'a grant that is revoked stays revoked');
END;

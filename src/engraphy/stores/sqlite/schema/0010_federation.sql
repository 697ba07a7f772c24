-- What agents and tenants share. Each row is of one tenant, so that an engine may spread tenants:
-- what a publisher lends and what a receiver holds stand in rows of their own.
CREATE TABLE publications (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL CHECK (id <> ''),
    name TEXT NOT NULL,
    user TEXT,
    agent TEXT,
    projects TEXT NOT NULL,
    kinds TEXT NOT NULL,
    tags TEXT NOT NULL,
    origins TEXT NOT NULL,
    to_tenant TEXT NOT NULL,
    to_user TEXT,
    to_agent TEXT,
    to_project TEXT,
    role TEXT NOT NULL CHECK (role IN ('read', 'write', 'admin')),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE subscriptions (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL CHECK (id <> ''),
    publication TEXT NOT NULL,
    source TEXT NOT NULL,
    user TEXT,
    agent TEXT,
    project TEXT,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- The publisher's side: who subscribes, and which memories went where.
CREATE TABLE readers (
    tenant TEXT NOT NULL,
    publication TEXT NOT NULL,
    reader TEXT NOT NULL,
    subscription TEXT NOT NULL,
    PRIMARY KEY (tenant, publication, reader, subscription)
) STRICT, WITHOUT ROWID;

CREATE TABLE lent (
    tenant TEXT NOT NULL,
    source_id TEXT NOT NULL,
    reader TEXT NOT NULL,
    copy_id TEXT NOT NULL,
    publication TEXT NOT NULL,
    subscription TEXT NOT NULL,
    PRIMARY KEY (tenant, source_id, reader, copy_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX lent_by_publication ON lent (tenant, publication, reader, subscription);

-- The receiver's side: what a copy is a copy of, and until when it waits.
CREATE TABLE vicarious (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    subscription TEXT NOT NULL,
    source TEXT NOT NULL,
    source_id TEXT NOT NULL,
    arrived_at INTEGER NOT NULL,
    due_at INTEGER,
    declined INTEGER NOT NULL DEFAULT 0 CHECK (declined IN (0, 1)),
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX vicarious_by_subscription ON vicarious (tenant, subscription);
CREATE INDEX vicarious_waiting ON vicarious (tenant, due_at) WHERE due_at IS NOT NULL;

-- What is shared with whom never becomes more, and what has ended stays ended.
CREATE TRIGGER publications_never_change
BEFORE UPDATE OF tenant, id, name, user, agent, projects, kinds, tags, origins, to_tenant, to_user,
to_agent, to_project, role, created_at ON publications
BEGIN
    SELECT RAISE (ABORT, 'a publication never changes: end it and make another');
END;

CREATE TRIGGER publications_stay_ended BEFORE UPDATE OF revoked_at ON publications
WHEN OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NOT OLD.revoked_at
BEGIN
    SELECT RAISE (ABORT, 'a publication that has ended stays ended');
END;

CREATE TRIGGER subscriptions_stay_ended BEFORE UPDATE OF ended_at ON subscriptions
WHEN OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at
BEGIN
    SELECT RAISE (ABORT, 'a subscription that has ended stays ended');
END;

-- What agents and tenants share. Each row is of one tenant, so that an engine may spread tenants:
-- what a publisher lends and what a receiver holds stand in rows of their own.
CREATE TABLE publications (
    tenant TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL CHECK (id <> ''),
    name TEXT COLLATE "C" NOT NULL,
    "user" TEXT COLLATE "C",
    agent TEXT COLLATE "C",
    projects TEXT COLLATE "C" NOT NULL,
    kinds TEXT COLLATE "C" NOT NULL,
    tags TEXT COLLATE "C" NOT NULL,
    origins TEXT COLLATE "C" NOT NULL,
    to_tenant TEXT COLLATE "C" NOT NULL,
    to_user TEXT COLLATE "C",
    to_agent TEXT COLLATE "C",
    to_project TEXT COLLATE "C",
    role TEXT COLLATE "C" NOT NULL CHECK (role IN ('read', 'write', 'admin')),
    created_at BIGINT NOT NULL,
    revoked_at BIGINT,
    PRIMARY KEY (tenant, id)
) {partitioned};

CREATE TABLE subscriptions (
    tenant TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL CHECK (id <> ''),
    publication TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    "user" TEXT COLLATE "C",
    agent TEXT COLLATE "C",
    project TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    ended_at BIGINT,
    PRIMARY KEY (tenant, id)
) {partitioned};

-- The publisher's side: who subscribes, and which memories went where.
CREATE TABLE readers (
    tenant TEXT COLLATE "C" NOT NULL,
    publication TEXT COLLATE "C" NOT NULL,
    reader TEXT COLLATE "C" NOT NULL,
    subscription TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, publication, reader, subscription)
) {partitioned};

CREATE TABLE lent (
    tenant TEXT COLLATE "C" NOT NULL,
    source_id TEXT COLLATE "C" NOT NULL,
    reader TEXT COLLATE "C" NOT NULL,
    copy_id TEXT COLLATE "C" NOT NULL,
    publication TEXT COLLATE "C" NOT NULL,
    subscription TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, source_id, reader, copy_id)
) {partitioned};

CREATE INDEX lent_by_publication ON lent (tenant, publication, reader, subscription);

-- The receiver's side: what a copy is a copy of, and until when it waits.
CREATE TABLE vicarious (
    tenant TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    subscription TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    source_id TEXT COLLATE "C" NOT NULL,
    arrived_at BIGINT NOT NULL,
    due_at BIGINT,
    declined BIGINT NOT NULL DEFAULT 0 CHECK (declined IN (0, 1)),
    PRIMARY KEY (tenant, id)
) {partitioned};

CREATE INDEX vicarious_by_subscription ON vicarious (tenant, subscription);
CREATE INDEX vicarious_waiting ON vicarious (tenant, due_at) WHERE due_at IS NOT NULL;

-- What is shared with whom never becomes more, and what has ended stays ended.
CREATE TRIGGER publications_never_change
BEFORE UPDATE OF tenant, id, name, "user", agent, projects, kinds, tags, origins, to_tenant, to_user,
to_agent, to_project, role, created_at ON publications FOR EACH ROW
EXECUTE FUNCTION engraphy_refuse('a publication never changes: end it and make another');

CREATE TRIGGER publications_stay_ended BEFORE UPDATE OF revoked_at ON publications FOR EACH ROW
WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
EXECUTE FUNCTION engraphy_refuse('a publication that has ended stays ended');

CREATE TRIGGER subscriptions_stay_ended BEFORE UPDATE OF ended_at ON subscriptions FOR EACH ROW
WHEN (OLD.ended_at IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at)
EXECUTE FUNCTION engraphy_refuse('a subscription that has ended stays ended');

-- The lines of a tenant's journal that were brought here from another store: they stand at `first`
-- to `last`, were written under the numbers less by `shift` (which their hashes cover), and the
-- last of these `lines` has this hash.
CREATE TABLE carried_lines (
    tenant TEXT COLLATE "C" NOT NULL,
    first BIGINT NOT NULL CHECK (first >= 1),
    last BIGINT NOT NULL,
    shift BIGINT NOT NULL CHECK (shift >= 0),
    lines BIGINT NOT NULL CHECK (lines >= 1),
    hash BYTEA NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (tenant),
    CHECK (last >= first)
) {partitioned};

-- Whose vectors answer questions of a tenant, and whose did before; `spec` and `spec_before` are
-- what an opener says to have that model ('' where it has no name for it).
CREATE TABLE served_models (
    tenant TEXT COLLATE "C" NOT NULL,
    model TEXT COLLATE "C" NOT NULL,
    spec TEXT COLLATE "C" NOT NULL,
    model_before TEXT COLLATE "C",
    spec_before TEXT COLLATE "C" NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (tenant)
) {partitioned};

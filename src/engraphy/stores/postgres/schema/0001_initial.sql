-- The schema of a store in PostgreSQL. The same tables and columns as the schema of SQLite (a test
-- compares them), with the tenant at the head of every key, so that each statement stands in one
-- partition, or on one node of a cluster. `{partitioned}` is how a table is spread; the walls
-- between tenants (row-level security) are put up over every table that has a tenant.

CREATE TABLE meta (
    key TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (key)
);

-- The walls of a scope as one text, from which they can be read back: a condition that row-level
-- security lets an index answer (`=` of texts is leakproof, what compares with nothing is not).
CREATE FUNCTION engraphy_place(who TEXT, agent TEXT, project TEXT, conversation TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(length(who) || ':' || who, '-') || ' ' || coalesce(length(agent) || ':' || agent, '-')
        || ' ' || coalesce(length(project) || ':' || project, '-')
        || ' ' || coalesce(length(conversation) || ':' || conversation, '-')
$$;

CREATE SEQUENCE scopes_id;

CREATE TABLE scopes (
    id BIGINT NOT NULL DEFAULT nextval('scopes_id'),
    tenant TEXT COLLATE "C" NOT NULL,
    "user" TEXT COLLATE "C",
    agent TEXT COLLATE "C",
    project TEXT COLLATE "C",
    conversation TEXT COLLATE "C",
    place TEXT COLLATE "C" NOT NULL
    GENERATED ALWAYS AS (engraphy_place("user", agent, project, conversation)) STORED,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, place)
) {partitioned};

CREATE INDEX scopes_by_user ON scopes (tenant, "user");

CREATE TABLE walls (
    tenant TEXT COLLATE "C" NOT NULL,
    wall TEXT COLLATE "C" NOT NULL,
    documents BIGINT NOT NULL CHECK (documents >= 0),
    tokens BIGINT NOT NULL CHECK (tokens >= 0),
    PRIMARY KEY (tenant, wall)
) {partitioned};

CREATE SEQUENCE memories_seq;

CREATE TABLE memories (
    tenant TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL DEFAULT nextval('memories_seq'),
    id TEXT COLLATE "C" NOT NULL CHECK (id <> ''),
    scope_id BIGINT NOT NULL,
    session TEXT COLLATE "C",
    content TEXT COLLATE "C" NOT NULL,
    content_hash BYTEA NOT NULL CHECK (octet_length(content_hash) = 32),
    kind TEXT COLLATE "C" NOT NULL DEFAULT 'fact',
    title TEXT COLLATE "C" NOT NULL DEFAULT '',
    subtitle TEXT COLLATE "C" NOT NULL DEFAULT '',
    context TEXT COLLATE "C" NOT NULL DEFAULT '',
    category TEXT COLLATE "C" NOT NULL DEFAULT '',
    speaker TEXT COLLATE "C" NOT NULL DEFAULT '',
    tags TEXT COLLATE "C" NOT NULL DEFAULT '[]' CHECK (tags::jsonb IS NOT NULL),
    concepts TEXT COLLATE "C" NOT NULL DEFAULT '[]' CHECK (concepts::jsonb IS NOT NULL),
    entities TEXT COLLATE "C" NOT NULL DEFAULT '[]' CHECK (entities::jsonb IS NOT NULL),
    files_read TEXT COLLATE "C" NOT NULL DEFAULT '[]' CHECK (files_read::jsonb IS NOT NULL),
    files_modified TEXT COLLATE "C" NOT NULL DEFAULT '[]' CHECK (files_modified::jsonb IS NOT NULL),
    scope_globs TEXT COLLATE "C" NOT NULL DEFAULT '[]' CHECK (scope_globs::jsonb IS NOT NULL),
    metadata TEXT COLLATE "C" NOT NULL DEFAULT '[]' CHECK (metadata::jsonb IS NOT NULL),
    priority TEXT COLLATE "C" NOT NULL DEFAULT 'normal',
    discovery_tokens BIGINT NOT NULL DEFAULT 0,
    origin TEXT COLLATE "C" NOT NULL DEFAULT 'user' CHECK (origin IN ('user', 'agent', 'tool', 'web', 'import', 'federation')),
    write_source TEXT COLLATE "C" NOT NULL DEFAULT 'manual',
    data_source TEXT COLLATE "C" NOT NULL DEFAULT 'user_message',
    evidence TEXT COLLATE "C" NOT NULL DEFAULT 'stated',
    source_ids TEXT COLLATE "C" NOT NULL DEFAULT '[]' CHECK (source_ids::jsonb IS NOT NULL),
    trust DOUBLE PRECISION NOT NULL DEFAULT 1.0 CHECK (trust BETWEEN 0 AND 1),
    source_confidence DOUBLE PRECISION NOT NULL DEFAULT 1.0 CHECK (source_confidence BETWEEN 0 AND 1),
    sensitivity TEXT COLLATE "C" NOT NULL DEFAULT 'public' CHECK (sensitivity IN ('public', 'private', 'secret')),
    importance DOUBLE PRECISION NOT NULL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
    novelty DOUBLE PRECISION NOT NULL DEFAULT 0.5 CHECK (novelty BETWEEN 0 AND 1),
    arousal DOUBLE PRECISION NOT NULL DEFAULT 0.0 CHECK (arousal BETWEEN 0 AND 1),
    reward DOUBLE PRECISION NOT NULL DEFAULT 0.5 CHECK (reward BETWEEN 0 AND 1),
    attention DOUBLE PRECISION NOT NULL DEFAULT 0.5 CHECK (attention BETWEEN 0 AND 1),
    utility DOUBLE PRECISION NOT NULL DEFAULT 0.5 CHECK (utility BETWEEN 0 AND 1),
    valence DOUBLE PRECISION NOT NULL DEFAULT 0.0 CHECK (valence BETWEEN -1 AND 1),
    emotional_arousal DOUBLE PRECISION NOT NULL DEFAULT 0.0 CHECK (emotional_arousal BETWEEN 0 AND 1),
    emotion TEXT COLLATE "C" NOT NULL DEFAULT 'neutral',
    flashbulb BIGINT NOT NULL DEFAULT 0 CHECK (flashbulb IN (0, 1)),
    stability DOUBLE PRECISION NOT NULL DEFAULT 1.0 CHECK (stability > 0 AND stability <= 36500),
    difficulty DOUBLE PRECISION NOT NULL DEFAULT 5.0 CHECK (difficulty BETWEEN 1 AND 10),
    storage_strength DOUBLE PRECISION NOT NULL DEFAULT 1.0 CHECK (storage_strength BETWEEN 1 AND 10),
    retrieval_loss DOUBLE PRECISION NOT NULL DEFAULT 0.0 CHECK (retrieval_loss BETWEEN 0 AND 1),
    tier TEXT COLLATE "C" NOT NULL DEFAULT 'episodic',
    sub_tier TEXT COLLATE "C" NOT NULL DEFAULT 'personal',
    temporal_scale TEXT COLLATE "C" NOT NULL DEFAULT 'immediate',
    state TEXT COLLATE "C" NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'dormant', 'archived', 'superseded', 'expired', 'quarantined')),
    pinned BIGINT NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    immutable BIGINT NOT NULL DEFAULT 0 CHECK (immutable IN (0, 1)),
    temporal_type TEXT COLLATE "C" NOT NULL DEFAULT 'persistent',
    valid_from BIGINT NOT NULL DEFAULT 0,
    valid_until BIGINT,
    expires_at BIGINT,
    recorded_at BIGINT NOT NULL DEFAULT 0,
    updated_at BIGINT NOT NULL DEFAULT 0,
    last_accessed_at BIGINT,
    last_decayed_at BIGINT,
    last_reinforced_at BIGINT,
    access_count BIGINT NOT NULL DEFAULT 0 CHECK (access_count >= 0),
    reinforcement_count BIGINT NOT NULL DEFAULT 0 CHECK (reinforcement_count >= 0),
    success_count BIGINT NOT NULL DEFAULT 0 CHECK (success_count >= 0),
    failure_count BIGINT NOT NULL DEFAULT 0 CHECK (failure_count >= 0),
    superseded_by TEXT COLLATE "C",
    supersedes TEXT COLLATE "C",
    version BIGINT NOT NULL DEFAULT 1 CHECK (version >= 1),
    last_rehearsed_at BIGINT,
    settled_access_count BIGINT NOT NULL DEFAULT 0,
    last_strengthened_at BIGINT,
    last_drifted_at BIGINT,
    PRIMARY KEY (tenant, seq),
    UNIQUE (tenant, id),
    FOREIGN KEY (tenant, scope_id) REFERENCES scopes (tenant, id)
) {partitioned};

CREATE UNIQUE INDEX memories_by_hash ON memories (tenant, scope_id, sensitivity, content_hash)
WHERE state <> 'superseded';

CREATE INDEX memories_by_scope ON memories (tenant, scope_id);

CREATE INDEX memories_by_weight ON memories (tenant, scope_id, kind, importance);

CREATE INDEX memories_by_session ON memories (tenant, scope_id, session) WHERE session IS NOT NULL;

CREATE INDEX memories_by_use ON memories (tenant, scope_id, access_count, updated_at, importance)
WHERE pinned = 0 AND immutable = 0;

CREATE INDEX memories_asleep ON memories (tenant, scope_id) WHERE state IN ('dormant', 'archived');

CREATE TABLE memory_imprints (
    tenant TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    codes BYTEA NOT NULL,
    tokens BIGINT NOT NULL CHECK (tokens >= 0),
    content BIGINT NOT NULL CHECK (content >= 0),
    asks BIGINT NOT NULL CHECK (asks IN (0, 1)),
    timed BIGINT NOT NULL CHECK (timed IN (0, 1)),
    PRIMARY KEY (tenant, seq),
    FOREIGN KEY (tenant, seq) REFERENCES memories (tenant, seq)
) {partitioned};

CREATE TABLE memory_labels (
    tenant TEXT COLLATE "C" NOT NULL,
    scope_id BIGINT NOT NULL,
    label TEXT COLLATE "C" NOT NULL CHECK (label IN ('tag', 'concept', 'entity', 'file', 'speaker')),
    value TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (tenant, scope_id, label, value, seq)
) {partitioned};

CREATE SEQUENCE embedding_models_id;

CREATE TABLE embedding_models (
    tenant TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL DEFAULT nextval('embedding_models_id'),
    name TEXT COLLATE "C" NOT NULL,
    dim BIGINT NOT NULL CHECK (dim > 0),
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, name)
) {partitioned};

CREATE SEQUENCE vectors_id;

CREATE TABLE vectors (
    tenant TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL DEFAULT nextval('vectors_id'),
    seq BIGINT NOT NULL,
    model_id BIGINT NOT NULL,
    part BIGINT NOT NULL CHECK (part >= 0),
    codes BYTEA NOT NULL,
    norm DOUBLE PRECISION NOT NULL CHECK (norm >= 0),
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, model_id) REFERENCES embedding_models (tenant, id),
    FOREIGN KEY (tenant, seq) REFERENCES memories (tenant, seq)
) {partitioned};

CREATE UNIQUE INDEX vectors_by_memory ON vectors (tenant, seq, model_id, part);

CREATE TABLE vector_signs (
    tenant TEXT COLLATE "C" NOT NULL,
    scope_id BIGINT NOT NULL,
    model_id BIGINT NOT NULL,
    vector_id BIGINT NOT NULL,
    signs BYTEA NOT NULL,
    PRIMARY KEY (tenant, scope_id, model_id, vector_id),
    FOREIGN KEY (tenant, vector_id) REFERENCES vectors (tenant, id),
    FOREIGN KEY (tenant, model_id) REFERENCES embedding_models (tenant, id),
    FOREIGN KEY (tenant, scope_id) REFERENCES scopes (tenant, id)
) {partitioned};

CREATE TABLE vector_counts (
    tenant TEXT COLLATE "C" NOT NULL,
    scope_id BIGINT NOT NULL,
    model_id BIGINT NOT NULL,
    memories BIGINT NOT NULL CHECK (memories >= 0),
    removed BIGINT NOT NULL CHECK (removed >= 0),
    PRIMARY KEY (tenant, scope_id, model_id),
    FOREIGN KEY (tenant, model_id) REFERENCES embedding_models (tenant, id),
    FOREIGN KEY (tenant, scope_id) REFERENCES scopes (tenant, id)
) {partitioned};

CREATE TABLE late_codes (
    tenant TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    model_id BIGINT NOT NULL,
    tokens BYTEA NOT NULL,
    PRIMARY KEY (tenant, seq, model_id),
    FOREIGN KEY (tenant, model_id) REFERENCES embedding_models (tenant, id),
    FOREIGN KEY (tenant, seq) REFERENCES memories (tenant, seq)
) {partitioned};

CREATE TABLE versions (
    tenant TEXT COLLATE "C" NOT NULL,
    memory_id TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    replaced_at BIGINT NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, memory_id, version),
    FOREIGN KEY (tenant, memory_id) REFERENCES memories (tenant, id)
) {partitioned};

CREATE TABLE relations (
    tenant TEXT COLLATE "C" NOT NULL,
    source_id TEXT COLLATE "C" NOT NULL,
    target_id TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    confidence DOUBLE PRECISION NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    created_at BIGINT NOT NULL,
    scope_id BIGINT,
    PRIMARY KEY (tenant, source_id, target_id, type),
    FOREIGN KEY (tenant, scope_id) REFERENCES scopes (tenant, id),
    FOREIGN KEY (tenant, target_id) REFERENCES memories (tenant, id),
    FOREIGN KEY (tenant, source_id) REFERENCES memories (tenant, id)
) {partitioned};

CREATE INDEX relations_by_target ON relations (tenant, target_id);

CREATE INDEX relations_by_scope ON relations (tenant, scope_id, type, confidence, created_at);

CREATE TABLE coactivations (
    tenant TEXT COLLATE "C" NOT NULL,
    first_id TEXT COLLATE "C" NOT NULL,
    second_id TEXT COLLATE "C" NOT NULL,
    count BIGINT NOT NULL CHECK (count >= 1),
    last_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, first_id, second_id),
    CHECK (first_id < second_id),
    FOREIGN KEY (tenant, second_id) REFERENCES memories (tenant, id),
    FOREIGN KEY (tenant, first_id) REFERENCES memories (tenant, id)
) {partitioned};

CREATE INDEX coactivations_by_second ON coactivations (tenant, second_id);

CREATE SEQUENCE facts_rowid;

CREATE TABLE facts (
    tenant TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    scope_id BIGINT NOT NULL,
    session TEXT COLLATE "C",
    subject TEXT COLLATE "C" NOT NULL,
    predicate TEXT COLLATE "C" NOT NULL,
    object TEXT COLLATE "C" NOT NULL,
    confidence DOUBLE PRECISION NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    source_id TEXT COLLATE "C",
    sensitivity TEXT COLLATE "C" NOT NULL CHECK (sensitivity IN ('public', 'private', 'secret')),
    valid_from BIGINT NOT NULL,
    valid_until BIGINT,
    recorded_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    rowid BIGINT NOT NULL DEFAULT nextval('facts_rowid'),
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, source_id) REFERENCES memories (tenant, id),
    FOREIGN KEY (tenant, scope_id) REFERENCES scopes (tenant, id)
) {partitioned};

CREATE UNIQUE INDEX facts_open
ON facts (tenant, scope_id, md5(subject), md5(predicate), md5(object))
WHERE valid_until IS NULL;

CREATE INDEX facts_by_subject ON facts USING hash (subject);

CREATE INDEX facts_by_scope ON facts (tenant, scope_id);

CREATE INDEX facts_by_source ON facts (tenant, source_id) WHERE source_id IS NOT NULL;

CREATE TABLE episodes (
    tenant TEXT COLLATE "C" NOT NULL,
    memory_id TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    started_at BIGINT,
    ended_at BIGINT,
    lesson TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, memory_id),
    FOREIGN KEY (tenant, memory_id) REFERENCES memories (tenant, id)
) {partitioned};

CREATE TABLE procedures (
    tenant TEXT COLLATE "C" NOT NULL,
    memory_id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    steps TEXT COLLATE "C" NOT NULL CHECK (steps::jsonb IS NOT NULL),
    trigger TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, memory_id),
    FOREIGN KEY (tenant, memory_id) REFERENCES memories (tenant, id)
) {partitioned};

CREATE TABLE session_state (
    tenant TEXT COLLATE "C" NOT NULL,
    scope_id BIGINT NOT NULL,
    session TEXT COLLATE "C",
    name TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    FOREIGN KEY (tenant, scope_id) REFERENCES scopes (tenant, id)
) {partitioned};

CREATE UNIQUE INDEX session_state_by_name
ON session_state (tenant, scope_id, (coalesce('=' || session, '')), name);

CREATE INDEX session_state_by_word ON session_state (tenant, scope_id, name);

CREATE INDEX session_state_by_expiry ON session_state (tenant, expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE memory_journal (
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    tenant TEXT COLLATE "C" NOT NULL,
    op TEXT COLLATE "C" NOT NULL,
    target_id TEXT COLLATE "C" NOT NULL,
    actor TEXT COLLATE "C" NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    payload_hash BYTEA NOT NULL CHECK (octet_length(payload_hash) = 32),
    hash BYTEA NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (tenant, seq)
) {partitioned};

CREATE INDEX memory_journal_by_target ON memory_journal (tenant, target_id);

CREATE TABLE journal_texts (
    tenant TEXT COLLATE "C" NOT NULL,
    journal_seq BIGINT NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    salt BYTEA NOT NULL,
    payload BYTEA NOT NULL,
    PRIMARY KEY (tenant, journal_seq),
    FOREIGN KEY (tenant, journal_seq) REFERENCES memory_journal (tenant, seq)
) {partitioned};

CREATE INDEX journal_texts_by_key ON journal_texts (tenant, key) WHERE key <> '';

CREATE SEQUENCE model_calls_number;

CREATE TABLE model_calls (
    number BIGINT NOT NULL DEFAULT nextval('model_calls_number'),
    tenant TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    model TEXT COLLATE "C" NOT NULL,
    skill TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL CHECK (outcome IN ('started', 'ok', 'invalid', 'timeout', 'refused', 'budget', 'paused', 'error')),
    prompt_tokens BIGINT NOT NULL CHECK (prompt_tokens >= 0),
    completion_tokens BIGINT NOT NULL CHECK (completion_tokens >= 0),
    cost DOUBLE PRECISION CHECK (cost IS NULL OR cost >= 0),
    milliseconds BIGINT NOT NULL CHECK (milliseconds >= 0),
    PRIMARY KEY (tenant, number)
) {partitioned};

CREATE INDEX model_calls_by_moment ON model_calls (tenant, at);

CREATE TABLE dream_runs (
    id TEXT COLLATE "C" NOT NULL,
    tenant TEXT COLLATE "C" NOT NULL,
    profile TEXT COLLATE "C" NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT,
    first_seq BIGINT NOT NULL,
    last_seq BIGINT NOT NULL,
    progress TEXT COLLATE "C" NOT NULL CHECK (progress::jsonb IS NOT NULL),
    report TEXT COLLATE "C" NOT NULL CHECK (report::jsonb IS NOT NULL),
    PRIMARY KEY (tenant, id)
) {partitioned};

CREATE INDEX dream_runs_by_tenant ON dream_runs (tenant, started_at);

CREATE TABLE removed (
    tenant TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('memory', 'fact')),
    scope_id BIGINT NOT NULL,
    session TEXT COLLATE "C",
    sensitivity TEXT COLLATE "C" NOT NULL CHECK (sensitivity IN ('public', 'private', 'secret')),
    memory_seq BIGINT NOT NULL,
    source_id TEXT COLLATE "C",
    removed_at BIGINT NOT NULL,
    journal_seq BIGINT NOT NULL,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, scope_id) REFERENCES scopes (tenant, id)
) {partitioned};

CREATE INDEX removed_by_age ON removed (tenant, removed_at);

CREATE INDEX removed_by_source ON removed (tenant, source_id) WHERE source_id IS NOT NULL;

CREATE TABLE removed_relations (
    tenant TEXT COLLATE "C" NOT NULL,
    source_id TEXT COLLATE "C" NOT NULL,
    target_id TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, source_id, target_id, type)
) {partitioned};

CREATE INDEX removed_relations_by_target ON removed_relations (tenant, target_id);

CREATE TABLE grants (
    id TEXT COLLATE "C" NOT NULL CHECK (id <> ''),
    tenant TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    role TEXT COLLATE "C" NOT NULL CHECK (role IN ('read', 'write', 'admin')),
    "user" TEXT COLLATE "C",
    agent TEXT COLLATE "C",
    project TEXT COLLATE "C",
    origin TEXT COLLATE "C" NOT NULL CHECK (origin IN ('user', 'agent', 'tool', 'web', 'import', 'federation')),
    clearance TEXT COLLATE "C" NOT NULL CHECK (clearance IN ('public', 'private', 'secret')),
    digest BYTEA NOT NULL CHECK (octet_length(digest) = 32),
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    last_used_at BIGINT,
    PRIMARY KEY (tenant, id)
) {partitioned};

CREATE INDEX grants_by_tenant ON grants (tenant, created_at);

CREATE INDEX grants_by_id ON grants (id);

-- The words of a memory: each token of the analyser with its places, marked by where it stands:
-- D content, A title, B subtitle and labels, C context and speaker.
CREATE TABLE memory_terms (
    tenant TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    wall TEXT COLLATE "C" NOT NULL,
    length BIGINT NOT NULL,
    terms TSVECTOR NOT NULL,
    PRIMARY KEY (tenant, seq)
) {partitioned};

CREATE INDEX memory_terms_by_term ON memory_terms USING gin (terms);

-- Where the journal of a tenant ends, so that a line cut off shows.
CREATE TABLE journal_ends (
    tenant TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (tenant)
) {partitioned};

CREATE FUNCTION engraphy_lexemes(tokens TEXT, mark TEXT, first BIGINT) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(string_agg(
        '''' || replace(replace(token, '\', '\\'), '''', '''''') || ''':'
        || least(first + place, 16383) || mark, ' '
    ), '')
    FROM unnest(string_to_array(tokens, ' ')) WITH ORDINALITY AS told (token, place)
    WHERE token <> '' AND octet_length(token) < 2046
$$;

CREATE FUNCTION engraphy_terms(
    content TEXT, title TEXT, subtitle TEXT, context TEXT, labels TEXT, wall TEXT
) RETURNS TSVECTOR
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (
        engraphy_lexemes(content, '', 5000) || ' ' || engraphy_lexemes(title, 'A', 0)
        || ' ' || engraphy_lexemes(subtitle, 'B', 1000) || ' ' || engraphy_lexemes(labels, 'B', 2000)
        || ' ' || engraphy_lexemes(context, 'C', 3000) || ' ' || quote_literal('#' || wall)
    )::tsvector
$$;

-- The words stand behind functions, not behind row-level security: `@@` is not leakproof, so that no
-- index would be asked under it (8 -> 72 ms and more). Who asks for a tenant's rows has no right to the
-- table; the functions know the tenant from the transaction alone, and without one they find nothing.
CREATE FUNCTION engraphy_put_words(
    seq BIGINT, content TEXT, title TEXT, subtitle TEXT, context TEXT, labels TEXT, wall TEXT
) RETURNS VOID
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    INSERT INTO memory_terms (tenant, seq, wall, length, terms)
    VALUES (
        current_setting('engraphy.tenant'), seq, wall,
        1 + cardinality(array_remove(string_to_array(
            concat_ws(' ', content, title, subtitle, context, labels), ' '
        ), '')),
        engraphy_terms(content, title, subtitle, context, labels, wall)
    )
$$;

CREATE FUNCTION engraphy_drop_words(gone BIGINT) RETURNS VOID
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    DELETE FROM memory_terms
    WHERE tenant = current_setting('engraphy.tenant') AND (gone IS NULL OR seq = gone)
$$;

CREATE FUNCTION engraphy_count_words(matches TEXT[], most BIGINT)
RETURNS TABLE (place BIGINT, held BIGINT)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    own TEXT := current_setting('engraphy.tenant', true);
BEGIN
    FOR number IN 1 .. cardinality(matches) LOOP
        place := number;
        EXECUTE format(
            'SELECT count(*) FROM (SELECT 1 FROM memory_terms WHERE tenant = %L'
            ' AND terms @@ %L::tsquery LIMIT %s) AS matched', own, matches[number], most
        ) INTO held;
        RETURN NEXT;
    END LOOP;
END;
$$;

CREATE FUNCTION engraphy_held_words() RETURNS BIGINT
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT count(*) FROM memory_terms WHERE tenant = current_setting('engraphy.tenant', true)
$$;

CREATE FUNCTION engraphy_reach_words(match TEXT, words TEXT[], worths FLOAT8[], most BIGINT)
RETURNS TABLE (seq BIGINT)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    own TEXT := current_setting('engraphy.tenant', true);
    worth TEXT;
BEGIN
    SELECT string_agg(format('CASE WHEN terms @@ %L::tsquery THEN %s ELSE 0 END', word, value), ' + ')
    INTO worth
    FROM unnest(words, worths) AS told (word, value);
    RETURN QUERY EXECUTE format(
        'SELECT seq FROM memory_terms WHERE tenant = %L AND terms @@ %L::tsquery'
        ' ORDER BY %s DESC, seq DESC LIMIT %s', own, match, worth, most
    );
END;
$$;

CREATE FUNCTION engraphy_place_words(seqs BIGINT[], lexemes TEXT[])
RETURNS TABLE (seq BIGINT, length BIGINT, lexeme TEXT, weights TEXT[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    RETURN QUERY EXECUTE format(
        'SELECT t.seq, t.length, u.lexeme, u.weights FROM memory_terms AS t'
        ' CROSS JOIN LATERAL unnest(t.terms) AS u'
        ' WHERE t.tenant = %L AND t.seq = ANY($1) AND u.lexeme = ANY($2)',
        current_setting('engraphy.tenant', true)
    ) USING seqs, lexemes;
END;
$$;

REVOKE ALL ON FUNCTION engraphy_put_words, engraphy_drop_words, engraphy_count_words, engraphy_held_words,
engraphy_reach_words, engraphy_place_words FROM PUBLIC;

CREATE FUNCTION engraphy_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'check_violation';
END;
$$;

CREATE TRIGGER memories_keep_origin BEFORE UPDATE OF origin ON memories FOR EACH ROW
WHEN (NEW.origin IS DISTINCT FROM OLD.origin)
EXECUTE FUNCTION engraphy_refuse('the origin of a memory never changes');

CREATE TRIGGER memories_keep_immutable_text BEFORE UPDATE OF content, title ON memories FOR EACH ROW
WHEN (
    OLD.immutable = 1
    AND (NEW.content IS DISTINCT FROM OLD.content OR NEW.title IS DISTINCT FROM OLD.title)
)
EXECUTE FUNCTION engraphy_refuse('the text of an immutable memory never changes');

CREATE TRIGGER memory_journal_refuses_change BEFORE UPDATE OR DELETE ON memory_journal FOR EACH ROW
EXECUTE FUNCTION engraphy_refuse('the journal is append-only');

CREATE TRIGGER journal_texts_refuse_update BEFORE UPDATE ON journal_texts FOR EACH ROW
EXECUTE FUNCTION engraphy_refuse('the texts of the journal are erased or kept, never changed');

CREATE TRIGGER grants_never_change
BEFORE UPDATE OF id, tenant, name, role, "user", agent, project, origin, clearance, digest,
created_at, expires_at ON grants FOR EACH ROW
EXECUTE FUNCTION engraphy_refuse('a grant never changes: revoke it and give another');

CREATE TRIGGER grants_stay_revoked BEFORE UPDATE OF revoked_at ON grants FOR EACH ROW
WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
EXECUTE FUNCTION engraphy_refuse('a grant that is revoked stays revoked');

CREATE FUNCTION memories_take_relations_along() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE relations SET scope_id = NEW.scope_id
    WHERE tenant = NEW.tenant AND source_id = NEW.id;
    RETURN NULL;
END;
$$;

CREATE TRIGGER memories_take_relations_along AFTER UPDATE OF scope_id ON memories FOR EACH ROW
WHEN (NEW.scope_id IS DISTINCT FROM OLD.scope_id)
EXECUTE FUNCTION memories_take_relations_along();

CREATE FUNCTION memory_journal_note_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO journal_ends (tenant, seq) VALUES (NEW.tenant, NEW.seq)
    ON CONFLICT (tenant) DO UPDATE SET seq = greatest(journal_ends.seq, excluded.seq);
    RETURN NULL;
END;
$$;

CREATE TRIGGER memory_journal_note_end AFTER INSERT ON memory_journal FOR EACH ROW
EXECUTE FUNCTION memory_journal_note_end();

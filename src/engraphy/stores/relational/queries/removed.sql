-- name: put_removed
INSERT OR REPLACE INTO removed (
    id, kind, scope_id, session, sensitivity, memory_seq, source_id, removed_at, journal_seq
) VALUES (
    :id, :kind, :scope_id, :session, :sensitivity, :memory_seq, :source_id, :removed_at,
    :journal_seq
);

-- name: removed_row
SELECT r.scope_id, r.memory_seq, t.payload
FROM removed AS r
CROSS JOIN scopes AS s ON s.id = r.scope_id
LEFT JOIN journal_texts AS t ON t.journal_seq = r.journal_seq
WHERE r.id = :id AND r.kind = :kind AND s.tenant = :tenant;

-- name: removed_facts_of
SELECT id FROM removed WHERE source_id = :id AND kind = 'fact';

-- name: drop_removed
DELETE FROM removed WHERE id = :id;

-- name: removed_since
SELECT r.id, r.kind
FROM removed AS r INDEXED BY removed_by_age
CROSS JOIN scopes AS s ON s.id = r.scope_id
WHERE r.removed_at < :before AND s.tenant = :tenant
ORDER BY r.removed_at
LIMIT :limit;

-- name: removed_visible
SELECT t.payload
FROM json_each(:ids) AS wanted
CROSS JOIN removed AS r ON r.id = wanted.value
CROSS JOIN journal_texts AS t ON t.journal_seq = r.journal_seq
WHERE
    r.kind = 'memory'
    AND r.scope_id IN (
        :s0, :s1, :s2, :s3, :s4, :s5, :s6, :s7, :s8, :s9, :s10, :s11, :s12, :s13, :s14, :s15
    )
    AND r.sensitivity IN (:v0, :v1, :v2)
    AND (:session IS NULL OR r.session = :session)
    AND (:closed = 0 OR r.session IS NULL OR r.session = :own_session);

-- name: part_relations
INSERT OR REPLACE INTO removed_relations (source_id, target_id, type, confidence, created_at)
SELECT source_id, target_id, type, confidence, created_at
FROM relations
WHERE source_id = :id OR target_id = :id;

-- name: rejoin_relations
INSERT OR IGNORE INTO relations (source_id, target_id, type, confidence, created_at, scope_id)
SELECT p.source_id, p.target_id, p.type, p.confidence, p.created_at, m.scope_id
FROM removed_relations AS p
CROSS JOIN memories AS m ON m.id = p.source_id
WHERE
    (p.source_id = :id OR p.target_id = :id)
    AND EXISTS (SELECT 1 FROM memories AS n WHERE n.id = p.target_id);

-- name: rejoined_relations
DELETE FROM removed_relations
WHERE
    (source_id = :id OR target_id = :id)
    AND EXISTS (SELECT 1 FROM memories AS m WHERE m.id = source_id)
    AND EXISTS (SELECT 1 FROM memories AS n WHERE n.id = target_id);

-- name: forget_parted_relations
DELETE FROM removed_relations WHERE source_id = :id OR target_id = :id;

-- name: relations_of
SELECT source_id, target_id, type, confidence, created_at
FROM relations
WHERE source_id = :id OR target_id = :id
ORDER BY 1, 2, 3;

-- name: held_relation
SELECT confidence, created_at
FROM relations
WHERE source_id = :source_id AND target_id = :target_id AND type = :type;

-- name: coactivations_of
SELECT first_id, second_id, count, last_at
FROM coactivations
WHERE first_id = :id OR second_id = :id
ORDER BY 1, 2;

-- name: restore_coactivation
INSERT OR IGNORE INTO coactivations (first_id, second_id, count, last_at)
SELECT :first_id, :second_id, :count, :last_at
WHERE
    EXISTS (SELECT 1 FROM memories AS m WHERE m.id = :first_id)
    AND EXISTS (SELECT 1 FROM memories AS n WHERE n.id = :second_id);

-- name: versions_of
SELECT memory_id, version, content, title, replaced_at, reason
FROM versions
WHERE memory_id = :id
ORDER BY version;

-- name: episode_of
SELECT memory_id, outcome, started_at, ended_at, lesson FROM episodes WHERE memory_id = :id;

-- name: procedure_of
SELECT memory_id, name, steps, trigger FROM procedures WHERE memory_id = :id;

-- name: facts_of
SELECT
    f.id, s.user, s.agent, s.project, f.session, s.conversation, f.subject, f.predicate,
    f.object, f.confidence, f.source_id, f.sensitivity, f.valid_from, f.valid_until,
    f.recorded_at, f.updated_at
FROM facts AS f INDEXED BY facts_by_source
CROSS JOIN scopes AS s ON s.id = f.scope_id
WHERE f.source_id = :id;

-- name: fact_of
SELECT
    f.id, s.user, s.agent, s.project, f.session, s.conversation, f.subject, f.predicate,
    f.object, f.confidence, f.source_id, f.sensitivity, f.valid_from, f.valid_until,
    f.recorded_at, f.updated_at
FROM facts AS f
CROSS JOIN scopes AS s ON s.id = f.scope_id
WHERE f.id = :id AND s.tenant = :tenant;

-- name: drop_fact
DELETE FROM facts WHERE id = :id;

-- name: restore_fact
INSERT OR IGNORE INTO facts (
    id, scope_id, session, subject, predicate, object, confidence, source_id, sensitivity,
    valid_from, valid_until, recorded_at, updated_at
) VALUES (
    :id, :scope_id, :session, :subject, :predicate, :object, :confidence, :source_id,
    :sensitivity, :valid_from, :valid_until, :recorded_at, :updated_at
);

-- name: relink_fact
UPDATE facts SET source_id = :id WHERE id = :fact AND source_id IS NULL;

-- name: crowd
SELECT count(*)
FROM scopes AS s
CROSS JOIN memories AS m INDEXED BY memories_by_scope ON m.scope_id = s.id
WHERE
    s.tenant = :tenant
    AND coalesce('=' || s.user, '') = coalesce('=' || :user, '')
    AND coalesce('=' || s.agent, '') = coalesce('=' || :agent, '')
    AND coalesce('=' || s.project, '') = coalesce('=' || :project, '');

-- name: neighbouring_scopes
SELECT s.id
FROM scopes AS s
WHERE
    s.tenant = :tenant
    AND coalesce('=' || s.user, '') = coalesce('=' || :user, '')
    AND coalesce('=' || s.agent, '') = coalesce('=' || :agent, '')
    AND coalesce('=' || s.project, '') = coalesce('=' || :project, '');

-- name: least_used
SELECT {columns}, {walls}
FROM memories AS m INDEXED BY memories_by_use
CROSS JOIN scopes AS s ON s.id = m.scope_id
WHERE m.scope_id = :scope AND m.pinned = 0 AND m.immutable = 0
ORDER BY m.access_count, m.updated_at, m.importance
LIMIT :limit;

-- name: written_first
SELECT {columns}, {walls}
FROM memories AS m INDEXED BY memories_by_scope
CROSS JOIN scopes AS s ON s.id = m.scope_id
WHERE m.scope_id = :scope AND m.pinned = 0 AND m.immutable = 0
ORDER BY m.seq
LIMIT :limit;

-- name: restore_memory
INSERT INTO memories (seq, {columns}) VALUES (:seq, {values});

-- name: standing
SELECT {columns}, {walls}
FROM json_each(:ids) AS wanted
CROSS JOIN memories AS m ON m.id = wanted.value
CROSS JOIN scopes AS s ON s.id = m.scope_id
WHERE s.tenant = :tenant;

-- name: relations_touching
SELECT r.source_id, r.target_id, r.type, r.confidence, r.created_at
FROM json_each(:ids) AS wanted
CROSS JOIN memories AS m ON m.id = wanted.value
CROSS JOIN scopes AS s ON s.id = m.scope_id
CROSS JOIN relations AS r ON r.source_id = m.id
WHERE s.tenant = :tenant
UNION
SELECT r.source_id, r.target_id, r.type, r.confidence, r.created_at
FROM json_each(:ids) AS wanted
CROSS JOIN memories AS m ON m.id = wanted.value
CROSS JOIN scopes AS s ON s.id = m.scope_id
CROSS JOIN relations AS r INDEXED BY relations_by_target ON r.target_id = m.id
WHERE s.tenant = :tenant
ORDER BY 1, 2, 3;

-- name: facts_standing
SELECT
    f.id, s.user, s.agent, s.project, f.session, s.conversation, f.subject, f.predicate,
    f.object, f.confidence, f.source_id, f.sensitivity, f.valid_from, f.valid_until,
    f.recorded_at, f.updated_at
FROM json_each(:facts) AS wanted
CROSS JOIN facts AS f ON f.id = wanted.value
CROSS JOIN scopes AS s ON s.id = f.scope_id
WHERE s.tenant = :tenant;

-- name: episodes_standing
SELECT e.memory_id, e.outcome, e.started_at, e.ended_at, e.lesson
FROM json_each(:ids) AS wanted
CROSS JOIN episodes AS e ON e.memory_id = wanted.value;

-- name: procedures_standing
SELECT p.memory_id, p.name, p.steps, p.trigger
FROM json_each(:ids) AS wanted
CROSS JOIN procedures AS p ON p.memory_id = wanted.value;

-- name: removed_standing
SELECT r.id
FROM json_each(:ids) AS wanted
CROSS JOIN removed AS r ON r.id = wanted.value
CROSS JOIN scopes AS s ON s.id = r.scope_id
WHERE s.tenant = :tenant AND r.kind = 'memory';

-- name: removed_of_tenant
SELECT t.payload
FROM json_each(:ids) AS wanted
CROSS JOIN removed AS r ON r.id = wanted.value
CROSS JOIN scopes AS s ON s.id = r.scope_id
CROSS JOIN journal_texts AS t ON t.journal_seq = r.journal_seq
WHERE s.tenant = :tenant AND r.kind = 'memory';

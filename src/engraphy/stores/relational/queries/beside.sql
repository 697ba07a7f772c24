-- name: known_memory
SELECT m.sensitivity
FROM memories AS m
CROSS JOIN scopes AS s ON s.id = m.scope_id
WHERE m.id = :id AND s.tenant = :tenant;

-- name: put_relation
INSERT INTO relations (source_id, target_id, type, confidence, created_at, scope_id)
VALUES (
    :source_id, :target_id, :type, :confidence, :created_at,
    (SELECT m.scope_id FROM memories AS m WHERE m.id = :source_id)
)
ON CONFLICT (source_id, target_id, type) DO UPDATE SET
    confidence = max(confidence, excluded.confidence);

-- name: delete_relation
DELETE FROM relations
WHERE
    source_id = :source_id
    AND target_id = :target_id
    AND type = :type
    AND scope_id IN (SELECT s.id FROM scopes AS s WHERE s.tenant = :tenant);

-- name: relations_of_scope
SELECT count(*)
FROM (SELECT 1 FROM relations WHERE scope_id = :scope LIMIT :most);

-- name: weakest_relations
SELECT source_id, target_id, type, confidence, created_at
FROM relations
WHERE scope_id = :scope AND type = :type
ORDER BY confidence, created_at, source_id, target_id
LIMIT :limit;

-- name: count_pairs
INSERT INTO coactivations (first_id, second_id, count, last_at)
SELECT a.value, b.value, 1, :now
FROM json_each(:ids) AS a
CROSS JOIN json_each(:ids) AS b
WHERE a.value < b.value
ON CONFLICT (first_id, second_id) DO UPDATE SET
    count = count + 1,
    last_at = max(last_at, excluded.last_at)
WHERE :gap <= 0 OR last_at <= :now - :gap
RETURNING first_id, second_id;

-- name: raise_pairs
UPDATE memories
SET stability = min(36500.0, max(1e-6, stability * :factor))
WHERE
    id IN (SELECT value FROM json_each(:ids))
    AND state NOT IN ('superseded', 'expired', 'quarantined')
RETURNING id;

-- name: spread
UPDATE memories AS m
SET stability = min(36500.0, max(1e-6, m.stability * :factor))
WHERE
    m.id IN (
        SELECT near.id
        FROM (
            SELECT r.target_id AS id
            FROM json_each(:ids) AS delivered
            CROSS JOIN relations AS r ON r.source_id = delivered.value
            UNION ALL
            SELECT r.source_id AS id
            FROM json_each(:ids) AS delivered
            CROSS JOIN relations AS r ON r.target_id = delivered.value
            LIMIT :most
        ) AS near
    )
    AND m.id NOT IN (SELECT value FROM json_each(:ids))
    AND {gate}
RETURNING id;

-- name: held_fact
SELECT id, sensitivity, valid_from, id <> :id AS other
FROM facts
WHERE
    scope_id = :scope_id
    AND subject = :subject
    AND predicate = :predicate
    AND object = :object
    AND (id = :id OR (valid_until IS NULL AND :valid_until IS NULL))
ORDER BY other
LIMIT 1;

-- name: put_fact
INSERT INTO facts (
    id, scope_id, session, subject, predicate, object, confidence, source_id, sensitivity,
    valid_from, valid_until, recorded_at, updated_at
) VALUES (
    :id, :scope_id, :session, :subject, :predicate, :object, :confidence, :source_id,
    :sensitivity, :valid_from, :valid_until, :recorded_at, :updated_at
)
ON CONFLICT (id) DO UPDATE SET
    session = excluded.session,
    confidence = excluded.confidence,
    source_id = excluded.source_id,
    sensitivity = excluded.sensitivity,
    valid_from = excluded.valid_from,
    valid_until = excluded.valid_until,
    updated_at = max(updated_at, excluded.updated_at)
WHERE scope_id = excluded.scope_id;

-- name: delete_fact
DELETE FROM facts
WHERE id = :id AND scope_id IN (SELECT s.id FROM scopes AS s WHERE s.tenant = :tenant);

-- name: raise_facts
UPDATE facts SET sensitivity = :to WHERE source_id = :id AND sensitivity = :from;

-- name: put_episode
INSERT INTO episodes (memory_id, outcome, started_at, ended_at, lesson)
VALUES (:memory_id, :outcome, :started_at, :ended_at, :lesson)
ON CONFLICT (memory_id) DO UPDATE SET
    outcome = excluded.outcome,
    started_at = excluded.started_at,
    ended_at = excluded.ended_at,
    lesson = excluded.lesson;

-- name: put_procedure
INSERT INTO procedures (memory_id, name, steps, trigger)
VALUES (:memory_id, :name, :steps, :trigger)
ON CONFLICT (memory_id) DO UPDATE SET
    name = excluded.name,
    steps = excluded.steps,
    trigger = excluded.trigger;

-- name: drop_ended_state
DELETE FROM session_state WHERE expires_at <= :now;

-- name: held_state
SELECT value
FROM session_state
WHERE
    scope_id = :scope_id
    AND coalesce('=' || session, '') = coalesce('=' || :session, '')
    AND name = :name;

-- name: put_session_state
INSERT INTO session_state (scope_id, session, name, value, updated_at, expires_at)
VALUES (:scope_id, :session, :name, :value, :updated_at, :expires_at)
ON CONFLICT (scope_id, coalesce('=' || session, ''), name) DO UPDATE SET
    value = excluded.value,
    updated_at = excluded.updated_at,
    expires_at = excluded.expires_at;

-- name: relations_around
SELECT r.source_id, r.target_id, r.type, r.confidence, r.created_at
FROM (
    SELECT source_id, target_id, type, confidence, created_at
    FROM relations
    WHERE source_id IN (SELECT value FROM json_each(:ids))
    UNION
    SELECT source_id, target_id, type, confidence, created_at
    FROM relations
    WHERE target_id IN (SELECT value FROM json_each(:ids))
) AS r
CROSS JOIN memories AS m ON m.id = r.source_id
CROSS JOIN memories AS n ON n.id = r.target_id
WHERE {gate} AND {other_gate}
ORDER BY r.source_id, r.target_id, r.type;

-- name: coactivations
SELECT c.first_id, c.second_id, c.count, c.last_at
FROM (
    SELECT first_id, second_id, count, last_at
    FROM coactivations
    WHERE first_id IN (SELECT value FROM json_each(:ids)) AND count >= :minimum
    UNION
    SELECT first_id, second_id, count, last_at
    FROM coactivations
    WHERE second_id IN (SELECT value FROM json_each(:ids)) AND count >= :minimum
) AS c
CROSS JOIN memories AS m ON m.id = c.first_id
CROSS JOIN memories AS n ON n.id = c.second_id
WHERE {gate} AND {other_gate}
ORDER BY c.count DESC, c.first_id, c.second_id;

-- name: facts
SELECT {columns}, f.session, s.tenant, s.user, s.agent, s.project, s.conversation
FROM facts AS f
CROSS JOIN scopes AS s ON s.id = f.scope_id
WHERE
    f.scope_id IN (
        :s0, :s1, :s2, :s3, :s4, :s5, :s6, :s7, :s8, :s9, :s10, :s11, :s12, :s13, :s14, :s15
    )
    AND f.sensitivity IN (:v0, :v1, :v2)
    AND {wanted}
ORDER BY f.recorded_at DESC, f.rowid DESC
LIMIT :limit;

-- name: episode
SELECT e.memory_id, e.outcome, e.started_at, e.ended_at, e.lesson
FROM memories AS m
CROSS JOIN episodes AS e ON e.memory_id = m.id
WHERE m.id = :id AND {gate};

-- name: procedure
SELECT p.memory_id, p.name, p.steps, p.trigger
FROM memories AS m
CROSS JOIN procedures AS p ON p.memory_id = m.id
WHERE m.id = :id AND {gate};

-- name: session_state
SELECT value, updated_at, expires_at
FROM session_state
WHERE
    scope_id = :scope
    AND coalesce('=' || session, '') = coalesce('=' || :own_session, '')
    AND name = :name
    AND (expires_at IS NULL OR expires_at > :now);

-- name: session_values
SELECT name, value
FROM session_state
WHERE
    scope_id = :scope
    AND coalesce('=' || session, '') = coalesce('=' || :own_session, '')
    AND name IN (SELECT value FROM json_each(:names))
    AND (expires_at IS NULL OR expires_at > :now);

-- name: session_states
SELECT
    s.user, s.agent, s.project, s.conversation, t.session, t.name, t.value, t.updated_at, t.expires_at
FROM scopes AS s
CROSS JOIN session_state AS t ON t.scope_id = s.id
WHERE
    s.tenant = :tenant
    AND substr(t.name, 1, length(:prefix)) = :prefix
    AND (t.expires_at IS NULL OR t.expires_at > :now)
ORDER BY t.updated_at, t.name
LIMIT :limit;

-- name: entity_names
SELECT l.value, count(*) AS often
FROM memory_labels AS l
CROSS JOIN memories AS m ON m.seq = l.seq
WHERE
    l.scope_id IN (
        :s0, :s1, :s2, :s3, :s4, :s5, :s6, :s7, :s8, :s9, :s10, :s11, :s12, :s13, :s14, :s15
    )
    AND l.label IN ('entity', 'speaker')
    AND {gate}
GROUP BY l.value
ORDER BY often DESC, l.value
LIMIT :limit;

-- name: sessions
SELECT m.session, count(*), min(m.recorded_at), max(m.recorded_at)
FROM memories AS m INDEXED BY memories_by_session
WHERE m.scope_id = :scope AND m.session IS NOT NULL AND {gate}
GROUP BY m.session;

-- name: labelled
SELECT m.seq, m.id
FROM memory_labels AS l
CROSS JOIN memories AS m ON m.seq = l.seq
WHERE l.scope_id = :scope AND l.label = :label AND l.value = :name AND {gate}
ORDER BY l.seq DESC
LIMIT :limit;

-- name: forget_versions
DELETE FROM versions WHERE memory_id = :id;

-- name: forget_relations
DELETE FROM relations WHERE source_id = :id OR target_id = :id;

-- name: forget_coactivations
DELETE FROM coactivations WHERE first_id = :id OR second_id = :id;

-- name: forget_episode
DELETE FROM episodes WHERE memory_id = :id;

-- name: forget_procedure
DELETE FROM procedures WHERE memory_id = :id;

-- name: unlink_facts
UPDATE facts SET source_id = NULL WHERE source_id = :id;

-- name: forget_session_state
DELETE FROM session_state
WHERE
    scope_id IN (SELECT s.id FROM scopes AS s WHERE s.tenant = :tenant)
    AND (
        instr(value, :id) > 0
        OR (length(:quoted) > 3 AND (instr(value, :quoted) > 0 OR instr(value, :escaped) > 0))
    );

-- name: forget_memory
DELETE FROM memories WHERE seq = :seq;

-- name: successions_of
SELECT r.target_id, r.source_id
FROM json_each(:ids) AS wanted
CROSS JOIN relations AS r INDEXED BY relations_by_target ON r.target_id = wanted.value
WHERE r.type = 'supersedes'
ORDER BY 1, 2;

-- name: successions_among
SELECT r.target_id, r.source_id
FROM json_each(:ids) AS wanted
CROSS JOIN relations AS r INDEXED BY relations_by_target ON r.target_id = wanted.value
WHERE r.type = 'supersedes' AND r.source_id IN (SELECT value FROM json_each(:among))
ORDER BY 1, 2;

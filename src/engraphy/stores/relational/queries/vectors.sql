-- name: generation
-- Another number once everything was replaced, as by a backup.
PRAGMA schema_version;

-- name: find_model
SELECT id, dim FROM embedding_models WHERE name = :name;

-- name: insert_model
INSERT INTO embedding_models (name, dim) VALUES (:name, :dim);

-- name: insert_vector
INSERT INTO vectors (seq, model_id, part, codes, norm) VALUES (?, ?, ?, ?, ?);

-- name: insert_signs
INSERT INTO vector_signs (scope_id, model_id, vector_id, signs) VALUES (?, ?, ?, ?);

-- name: insert_late_codes
INSERT INTO late_codes (seq, model_id, tokens) VALUES (?, ?, ?);

-- name: vectors_of_memory
SELECT v.id, v.model_id, e.name
FROM vectors AS v
CROSS JOIN embedding_models AS e ON e.id = v.model_id
WHERE v.seq = :seq
ORDER BY v.model_id, v.part;

-- name: delete_signs
DELETE FROM vector_signs
WHERE scope_id = :scope AND model_id = :model AND vector_id = :vector;

-- name: delete_vectors
DELETE FROM vectors WHERE seq = :seq AND model_id = :model;

-- name: delete_late_codes
DELETE FROM late_codes WHERE seq = :seq AND model_id = :model;

-- name: stored_vectors
SELECT codes, norm FROM vectors WHERE seq = :seq AND model_id = :model ORDER BY part;

-- name: stored_signs
SELECT g.signs
FROM vectors AS v
CROSS JOIN vector_signs AS g
    ON g.scope_id = :scope AND g.model_id = v.model_id AND g.vector_id = v.id
WHERE v.seq = :seq AND v.model_id = :model
ORDER BY v.part;

-- name: stored_late_codes
SELECT tokens FROM late_codes WHERE seq = :seq AND model_id = :model;

-- name: count_vectors
INSERT INTO vector_counts (scope_id, model_id, memories, removed)
VALUES (:scope, :model, max(0, :memories), :removed)
ON CONFLICT (scope_id, model_id) DO UPDATE SET
    memories = memories + :memories,
    removed = removed + :removed;

-- name: stored_models
SELECT e.name, sum(c.memories)
FROM scopes AS s
CROSS JOIN vector_counts AS c ON c.scope_id = s.id
CROSS JOIN embedding_models AS e ON e.id = c.model_id
WHERE s.tenant = :tenant
GROUP BY e.name
HAVING sum(c.memories) > 0
ORDER BY e.name;

-- name: missing_vectors
SELECT m.id, iif(m.context = '', m.content, m.content || char(10) || m.context)
FROM scopes AS s
CROSS JOIN memories AS m ON m.scope_id = s.id
WHERE
    s.tenant = :tenant
    AND m.seq > coalesce((SELECT a.seq FROM memories AS a WHERE a.id = :after), 0)
    AND NOT EXISTS (
        SELECT 1
        FROM vectors AS v
        INNER JOIN embedding_models AS e ON e.id = v.model_id
        WHERE v.seq = m.seq AND e.name = :model AND v.part = 0
    )
ORDER BY m.seq
LIMIT :limit;

-- name: vectors_of_model
SELECT m.seq, m.scope_id
FROM vectors AS v
CROSS JOIN memories AS m ON m.seq = v.seq
CROSS JOIN scopes AS s ON s.id = m.scope_id
WHERE v.seq > :after AND v.model_id = :model AND v.part = 0 AND s.tenant = :tenant
ORDER BY v.seq
LIMIT :limit;

-- name: served_model
SELECT model, spec, since, model_before, spec_before FROM served_models WHERE tenant = :tenant;

-- name: serve_model
INSERT INTO served_models (tenant, model, spec, since, model_before, spec_before)
VALUES (:tenant, :model, :spec, :since, :model_before, :spec_before)
ON CONFLICT (tenant) DO UPDATE SET
    model = excluded.model,
    spec = excluded.spec,
    since = excluded.since,
    model_before = excluded.model_before,
    spec_before = excluded.spec_before;

-- name: removed_vectors
SELECT removed FROM vector_counts WHERE scope_id = :scope AND model_id = :model;

-- name: packed_signs
SELECT group_concat(number || bits, ''), max(vector_id)
FROM (
    SELECT printf('%016x', vector_id) AS number, hex(signs) AS bits, vector_id
    FROM vector_signs
    WHERE scope_id = :scope AND model_id = :model AND vector_id > :after
    ORDER BY vector_id
    LIMIT :block
);

-- name: codes_of_scope
SELECT v.seq, v.codes, v.norm
FROM vector_signs AS g
CROSS JOIN vectors AS v ON v.id = g.vector_id
WHERE g.scope_id = :scope AND g.model_id = :model AND g.vector_id > :after
ORDER BY g.vector_id;

-- name: codes_of_vectors
SELECT v.seq, v.codes, v.norm
FROM json_each(:vectors) AS wanted
CROSS JOIN vectors AS v ON v.id = wanted.value;

-- name: narrow_vectors
SELECT v.seq, v.codes, v.norm
FROM memories AS m
CROSS JOIN vectors AS v ON v.seq = m.seq AND v.model_id = :model
WHERE m.scope_id = :scope AND {gate}
LIMIT :limit;

-- name: codes_of_memories
SELECT v.seq, v.codes, v.norm
FROM json_each(:seqs) AS wanted
CROSS JOIN vectors AS v ON v.seq = wanted.value AND v.model_id = :model;

-- name: place_of_memory
SELECT m.seq, m.scope_id, iif(m.context = '', m.content, m.content || char(10) || m.context)
FROM memories AS m
CROSS JOIN scopes AS s ON s.id = m.scope_id
WHERE m.id = :id AND s.tenant = :tenant;

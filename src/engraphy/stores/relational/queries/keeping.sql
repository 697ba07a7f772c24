-- name: read_meta
SELECT value FROM meta WHERE key = :key;

-- name: write_meta
INSERT INTO meta (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: stats_of_scope
SELECT
    m.state, m.kind, m.sensitivity, count(*), sum(m.importance),
    min(m.recorded_at), max(m.recorded_at), sum(iif(m.session IS NULL, 1, 0)),
    sum(octet_length(m.content))
FROM memories AS m
WHERE
    m.scope_id = :scope
    AND m.sensitivity IN (:v0, :v1, :v2)
    AND (:closed = 0 OR m.session = :own_session OR (:shared = 1 AND m.session IS NULL))
GROUP BY m.state, m.kind, m.sensitivity;

-- name: count_facts
SELECT count(*)
FROM facts AS f
WHERE
    f.scope_id = :scope
    AND f.sensitivity IN (:v0, :v1, :v2)
    AND (:closed = 0 OR f.session = :own_session OR (:shared = 1 AND f.session IS NULL));

-- name: count_relations
SELECT count(*)
FROM relations AS r INDEXED BY relations_by_scope
CROSS JOIN memories AS m ON m.id = r.source_id
CROSS JOIN memories AS n ON n.id = r.target_id
WHERE
    r.scope_id = :scope
    AND m.scope_id = :scope
    AND m.sensitivity IN (:v0, :v1, :v2)
    AND n.sensitivity IN (:v0, :v1, :v2)
    AND n.scope_id IN (
        :s0, :s1, :s2, :s3, :s4, :s5, :s6, :s7, :s8, :s9, :s10, :s11, :s12, :s13, :s14, :s15
    )
    AND (:closed = 0 OR m.session = :own_session OR (:shared = 1 AND m.session IS NULL))
    AND (:closed = 0 OR n.session = :own_session OR (:shared = 1 AND n.session IS NULL));

-- name: sessions_of_scope
SELECT DISTINCT m.session
FROM memories AS m INDEXED BY memories_by_session
WHERE
    m.scope_id = :scope
    AND m.session IS NOT NULL
    AND m.sensitivity IN (:v0, :v1, :v2)
    AND (:closed = 0 OR m.session = :own_session);

-- name: check_vector_counts
SELECT (SELECT count(*) FROM vectors), (SELECT count(*) FROM vector_signs);

-- name: check_walls
SELECT g.scope_id, g.sensitivity, g.often, coalesce(w.documents, 0)
FROM (
    SELECT scope_id, sensitivity, count(*) AS often
    FROM memories
    GROUP BY scope_id, sensitivity
) AS g
LEFT JOIN walls AS w ON w.wall
    = 'w' || g.scope_id || iif(g.sensitivity = 'public', '', iif(g.sensitivity = 'private', 'p', 's'));

-- name: check_vector_scopes
SELECT
    (
        SELECT count(*)
        FROM vectors AS v
        INNER JOIN memories AS m ON m.seq = v.seq
        WHERE NOT EXISTS (
            SELECT 1
            FROM vector_signs AS g
            WHERE
                g.scope_id = m.scope_id
                AND g.model_id = v.model_id
                AND g.vector_id = v.id
        )
    ),
    (
        SELECT count(*)
        FROM vector_counts AS c
        LEFT JOIN (
            SELECT m.scope_id, v.model_id, count(*) AS often
            FROM vectors AS v
            INNER JOIN memories AS m ON m.seq = v.seq
            WHERE v.part = 0
            GROUP BY m.scope_id, v.model_id
        ) AS h ON h.scope_id = c.scope_id AND h.model_id = c.model_id
        WHERE c.memories <> coalesce(h.often, 0)
    );

-- name: check_journaled
SELECT count(*)
FROM memories AS m
WHERE m.id NOT IN (SELECT j.target_id FROM memory_journal AS j);

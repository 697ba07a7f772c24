-- name: candidates
SELECT {light}{beside}
FROM json_each(:ids) AS wanted
CROSS JOIN memories AS m ON m.id = wanted.value
WHERE {gate};

-- name: visible_candidates
SELECT {light}
FROM json_each(:seqs) AS wanted
CROSS JOIN memories AS m ON m.seq = wanted.value
WHERE {gate};

-- name: rows_beside
SELECT m.seq{beside}
FROM json_each(:seqs) AS wanted
CROSS JOIN memories AS m ON m.seq = wanted.value;

-- name: imprints_by_row
SELECT i.seq, i.codes, i.tokens, i.content, i.asks, i.timed
FROM json_each(:seqs) AS wanted
CROSS JOIN memory_imprints AS i ON i.seq = wanted.value;

-- name: late_codes_by_row
SELECT t.seq, t.tokens
FROM json_each(:seqs) AS wanted
CROSS JOIN late_codes AS t ON t.seq = wanted.value AND t.model_id = :model;

-- name: light_row
m.id, m.seq, m.kind, m.session, m.speaker, m.data_source, m.state, m.tier, m.sub_tier,
m.valid_from, m.updated_at, m.last_accessed_at, m.last_decayed_at, m.access_count,
m.reinforcement_count, m.importance, m.trust, m.utility, m.source_confidence, m.valence, m.stability, m.pinned,
m.entities, m.context;

-- name: row_before
(
    SELECT n.seq
    FROM memories AS n INDEXED BY memories_by_session
    WHERE n.scope_id = m.scope_id AND n.session = m.session AND n.seq < m.seq AND {gate}
    ORDER BY n.seq DESC
    LIMIT 1 OFFSET {offset}
);

-- name: row_after
(
    SELECT n.seq
    FROM memories AS n INDEXED BY memories_by_session
    WHERE n.scope_id = m.scope_id AND n.session = m.session AND n.seq > m.seq AND {gate}
    ORDER BY n.seq
    LIMIT 1 OFFSET {offset}
);

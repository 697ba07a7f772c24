-- name: insert_memory
INSERT INTO memories ({columns}) VALUES ({values});

-- name: update_memory
UPDATE memories SET ({columns}) = ({values}) WHERE seq = :seq;

-- name: stored_memory
SELECT m.seq, {columns}, {walls}
FROM memories AS m
INNER JOIN scopes AS s ON s.id = m.scope_id
WHERE m.id = :id AND s.tenant = :tenant;

-- name: without_checksum
SELECT seq, {columns}
FROM memories
WHERE seq > :after AND checksum = :without
ORDER BY seq
LIMIT :limit;

-- name: to_be_checked
SELECT seq, {columns} FROM memories WHERE seq = :seq;

-- name: put_checksum
UPDATE memories SET checksum = :checksum WHERE seq = :seq;

-- name: get_memories
-- An index has to say the same of the scope: a damaged row is not shown to somebody else (P-05).
SELECT {columns}, {walls}
FROM json_each(:ids) AS wanted
CROSS JOIN memories AS m ON m.id = wanted.value
CROSS JOIN scopes AS s ON s.id = m.scope_id
WHERE
    {gate}
    AND EXISTS (
        SELECT 1 FROM memories AS own WHERE own.scope_id = m.scope_id AND own.seq = m.seq
    );

-- name: ids_from
SELECT m.id
FROM memories AS m
WHERE
    m.id >= :start
    AND m.id < :behind
    AND length(m.id) = :length
    AND {gate}
    AND EXISTS (
        SELECT 1 FROM memories AS own WHERE own.scope_id = m.scope_id AND own.seq = m.seq
    )
ORDER BY m.id
LIMIT :limit;

-- name: held_ids
SELECT wanted.value
FROM json_each(:ids) AS wanted
WHERE
    EXISTS (SELECT 1 FROM memories AS m WHERE m.id = wanted.value)
    OR EXISTS (SELECT 1 FROM facts AS f WHERE f.id = wanted.value)
    OR EXISTS (SELECT 1 FROM removed AS r WHERE r.id = wanted.value);

-- name: find_hash
-- In the order of the hash: PostgreSQL, which is told no index, has no better one for it.
SELECT {columns}, {walls}
FROM memories AS m INDEXED BY memories_by_hash
INNER JOIN scopes AS s ON s.id = m.scope_id
WHERE
    m.scope_id = :scope
    AND m.sensitivity IN (:v0, :v1, :v2)
    AND m.content_hash BETWEEN :content_hash AND :content_hash
    AND m.state <> 'superseded'
ORDER BY m.content_hash, m.seq
LIMIT 1;

-- name: find_over
-- What ended in the moment it began was told of one moment: the text may be the last word of it.
SELECT {columns}, {walls}
FROM memories AS m INDEXED BY memories_over
INNER JOIN scopes AS s ON s.id = m.scope_id
WHERE
    m.scope_id = :scope
    AND m.sensitivity IN (:v0, :v1, :v2)
    AND m.content_hash BETWEEN :content_hash AND :content_hash
    AND m.state = 'superseded'
    AND m.valid_from = :told_of
    AND (m.valid_until IS NULL OR m.valid_until > m.valid_from)
ORDER BY m.content_hash, m.seq
LIMIT 1;

-- name: page
-- What is sorted is narrow: whole rows are read of the page alone.
SELECT {key}, m.seq, {columns}, {walls}
FROM (
    SELECT m.seq AS number
    FROM memories AS m
    WHERE m.scope_id = :scope AND {gate} AND {listed} AND {after}
    ORDER BY {order}
    LIMIT :limit
) AS chosen
CROSS JOIN memories AS m ON m.seq = chosen.number
INNER JOIN scopes AS s ON s.id = m.scope_id;

-- name: page_start
SELECT {key}, m.seq
FROM memories AS m
WHERE m.id = :after AND +m.scope_id IN (
        :s0, :s1, :s2, :s3, :s4, :s5, :s6, :s7, :s8, :s9, :s10, :s11, :s12, :s13, :s14, :s15
    );

-- name: any_asleep
SELECT 1
FROM json_each(:scopes) AS wanted
CROSS JOIN memories AS m INDEXED BY memories_asleep ON m.scope_id = wanted.value
WHERE m.state IN ('dormant', 'archived')
LIMIT 1;

-- name: count
SELECT count(*) FROM memories AS m WHERE m.scope_id = :scope AND {gate} AND {listed};

-- name: arrivals
SELECT (m.recorded_at - :since) / :step, count(*)
FROM memories AS m
WHERE m.scope_id = :scope AND m.recorded_at >= :since AND {gate}
GROUP BY 1;

-- name: versions
SELECT v.memory_id, v.version, v.content, v.title, v.replaced_at, v.reason
FROM memories AS m
CROSS JOIN versions AS v ON v.memory_id = m.id
WHERE m.id = :id AND {gate}
ORDER BY v.version;

-- name: retold_since
SELECT v.memory_id, v.version, v.content, v.title, v.replaced_at, v.reason
FROM versions AS v
CROSS JOIN memories AS m ON m.id = v.memory_id
WHERE v.replaced_at > :known_at
    AND (:ids IS NULL OR v.memory_id IN (SELECT value FROM json_each(:ids)))
    AND NOT EXISTS (
        SELECT 1 FROM versions AS w
        WHERE w.memory_id = v.memory_id AND w.version < v.version AND w.replaced_at > :known_at
    )
    AND {gate}
ORDER BY m.seq DESC
LIMIT :limit;

-- name: insert_version
INSERT OR IGNORE INTO versions (memory_id, version, content, title, replaced_at, reason)
VALUES (:memory_id, :version, :content, :title, :replaced_at, :reason);

-- name: insert_label
INSERT OR IGNORE INTO memory_labels (scope_id, label, value, seq)
VALUES (:scope_id, :label, :value, :seq);

-- name: delete_label
DELETE FROM memory_labels
WHERE scope_id = :scope_id AND label = :label AND value = :value AND seq = :seq;

-- name: delivered
SELECT
    m.id,
    m.seq,
    m.last_strengthened_at IS NULL OR m.last_strengthened_at <= :now - :gap,
    m.state IN ('dormant', 'archived')
FROM json_each(:ids) AS wanted
CROSS JOIN memories AS m ON m.id = wanted.value
CROSS JOIN scopes AS s ON s.id = m.scope_id
WHERE s.tenant = :tenant;

-- name: touch
UPDATE memories
SET
    access_count = access_count + 1,
    last_accessed_at = max(coalesce(last_accessed_at, :now), :now),
    retrieval_loss = 0.0
WHERE seq IN (SELECT value FROM json_each(:seqs));

-- name: grow
UPDATE memories
SET
    access_count = access_count + 1,
    last_accessed_at = max(coalesce(last_accessed_at, :now), :now),
    retrieval_loss = 0.0,
    stability = min(36500.0, max(1e-6, stability * :factor)),
    storage_strength = min(10.0, max(1.0, storage_strength + :gain)),
    difficulty = min(10.0, max(1.0, difficulty + :harder)),
    last_strengthened_at = :now
WHERE seq = :seq;

-- name: wake
UPDATE memories SET state = 'active' WHERE seq = :seq;

-- name: tally
UPDATE memories
SET
    success_count = success_count + :successes,
    failure_count = failure_count + :failures,
    utility = min(1.0, max(0.0, utility + :rate * (:target - utility))),
    last_drifted_at = iif(
        :rate > 0.0, max(coalesce(last_drifted_at, :now), :now), last_drifted_at
    )
WHERE
    id = :id
    AND scope_id IN (SELECT s.id FROM scopes AS s WHERE s.tenant = :tenant);

-- name: strengthen
UPDATE memories
SET stability = min(36500.0, max(1e-6, stability * :factor))
WHERE
    id = :id
    AND scope_id IN (SELECT s.id FROM scopes AS s WHERE s.tenant = :tenant);

-- name: reinforce
UPDATE memories
SET
    reinforcement_count = reinforcement_count + 1,
    last_reinforced_at = max(coalesce(last_reinforced_at, :now), :now),
    stability = min(36500.0, max(1e-6, stability * :factor)),
    storage_strength = min(10.0, max(1.0, storage_strength + :gain)),
    expires_at = iif(
        :until > expires_at,
        :until,
        iif(:revive = 1 AND expires_at <= :now, :now + max(1, expires_at - recorded_at), expires_at)
    ),
    state = iif(:revive = 1 AND state IN ('dormant', 'archived', 'expired'), 'active', state)
WHERE
    id = :id
    AND scope_id IN (SELECT s.id FROM scopes AS s WHERE s.tenant = :tenant);

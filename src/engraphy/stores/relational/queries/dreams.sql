-- name: settle
UPDATE memories
SET ({columns}) = ({values})
WHERE
    id = :id
    AND version = :version
    AND state = :state
    AND updated_at = :updated_at
    AND access_count = :access_count
    AND reinforcement_count = :reinforcement_count
    AND last_decayed_at IS :held_decayed_at
    AND EXISTS (SELECT 1 FROM scopes AS s WHERE s.id = memories.scope_id AND s.tenant = :tenant);

-- name: put_dream
INSERT INTO dream_runs
(id, tenant, profile, started_at, finished_at, first_seq, last_seq, progress, report)
VALUES (
    :id, :tenant, :profile, :started_at, :finished_at,
    (SELECT coalesce(max(seq), 0) FROM memory_journal),
    (SELECT coalesce(max(seq), 0) FROM memory_journal), :progress, :report
)
ON CONFLICT (id) DO UPDATE SET
    finished_at = excluded.finished_at,
    last_seq = excluded.last_seq,
    progress = excluded.progress,
    report = excluded.report
WHERE dream_runs.tenant = excluded.tenant;

-- name: dream_runs
SELECT id, profile, started_at, finished_at, first_seq, last_seq, progress, report
FROM dream_runs
WHERE tenant = :tenant
ORDER BY started_at DESC, id DESC
LIMIT :limit;

-- name: drop_old_dreams
DELETE FROM dream_runs
WHERE tenant = :tenant AND finished_at IS NOT NULL AND started_at < :before;

-- name: walk
SELECT m.seq{columns}
FROM memories AS m INDEXED BY memories_by_scope
WHERE m.scope_id = :scope AND m.seq > :after AND m.state IN (SELECT value FROM json_each(:states))
ORDER BY m.seq
LIMIT :limit;

-- name: among
SELECT m.seq{columns}
FROM json_each(:ids) AS wanted
CROSS JOIN memories AS m ON m.id = wanted.value
WHERE m.scope_id = :scope;

-- name: walk_whole
SELECT m.seq, {columns}, {walls}
FROM memories AS m INDEXED BY memories_by_scope
INNER JOIN scopes AS s ON s.id = m.scope_id
WHERE m.scope_id = :scope AND m.seq > :after AND m.state IN (SELECT value FROM json_each(:states))
ORDER BY m.seq
LIMIT :limit;

-- name: census
SELECT m.kind, iif(m.category = '', m.kind, m.category), count(*), sum(m.access_count)
FROM memories AS m INDEXED BY memories_by_scope
WHERE m.scope_id = :scope AND m.state = 'active'
GROUP BY 1, 2;

-- name: census_entities
SELECT l.value, count(*)
FROM memory_labels AS l
CROSS JOIN memories AS m ON m.seq = l.seq
WHERE
    l.scope_id = :scope AND l.label = 'entity' AND m.state = 'active' AND m.tier = 'episodic'
GROUP BY l.value
HAVING count(*) >= :least;

-- name: contradictions_of
SELECT r.source_id, r.target_id, r.type, r.confidence, r.created_at
FROM json_each(:ids) AS wanted
CROSS JOIN relations AS r ON r.source_id = wanted.value
WHERE r.type = 'contradicts'
UNION
SELECT r.source_id, r.target_id, r.type, r.confidence, r.created_at
FROM json_each(:ids) AS wanted
CROSS JOIN relations AS r INDEXED BY relations_by_target ON r.target_id = wanted.value
WHERE r.type = 'contradicts'
ORDER BY 1, 2;

-- name: coactivated_since
SELECT c.first_id, c.second_id, c.count, c.last_at
FROM json_each(:ids) AS wanted
CROSS JOIN coactivations AS c ON c.first_id = wanted.value
WHERE c.last_at >= :since AND c.count >= :least
UNION
SELECT c.first_id, c.second_id, c.count, c.last_at
FROM json_each(:ids) AS wanted
CROSS JOIN coactivations AS c INDEXED BY coactivations_by_second ON c.second_id = wanted.value
WHERE c.last_at >= :since AND c.count >= :least
ORDER BY 1, 2;

-- name: procedures_of
SELECT p.memory_id, p.name, p.steps, p.trigger
FROM json_each(:ids) AS wanted
CROSS JOIN procedures AS p ON p.memory_id = wanted.value;

-- name: vectors_of
SELECT m.id, v.codes, v.norm
FROM json_each(:ids) AS wanted
CROSS JOIN memories AS m ON m.id = wanted.value
CROSS JOIN vectors AS v INDEXED BY vectors_by_memory ON v.seq = m.seq AND v.model_id = :model
WHERE m.scope_id = :scope
ORDER BY m.seq, v.part;

-- name: of_walls
SELECT m.id
FROM json_each(:ids) AS wanted
CROSS JOIN memories AS m ON m.id = wanted.value
WHERE m.scope_id = :scope;

-- name: stored_memories
SELECT m.seq, {columns}
FROM json_each(:ids) AS wanted
CROSS JOIN memories AS m ON m.id = wanted.value
INNER JOIN scopes AS s ON s.id = m.scope_id
WHERE s.tenant = :tenant;

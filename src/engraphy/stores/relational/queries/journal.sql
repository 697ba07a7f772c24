-- name: next_line
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory_journal'), 0) + 1;

-- name: last_line
SELECT hash
FROM memory_journal INDEXED BY memory_journal_by_tenant
WHERE tenant = :tenant
ORDER BY seq DESC
LIMIT 1;

-- name: line_before
SELECT hash
FROM memory_journal INDEXED BY memory_journal_by_tenant
WHERE tenant = :tenant AND seq <= :after
ORDER BY seq DESC
LIMIT 1;

-- name: insert_line
INSERT INTO memory_journal (
    seq, at, tenant, op, target_id, actor, reason, payload_hash, hash
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: insert_payload
INSERT INTO journal_texts (journal_seq, key, salt, payload) VALUES (?, ?, ?, ?);

-- name: journal_page
SELECT
    j.seq, j.at, j.tenant, j.op, j.target_id, j.actor, j.reason, j.payload_hash, j.hash, t.payload
FROM memory_journal AS j INDEXED BY memory_journal_by_tenant
LEFT JOIN journal_texts AS t ON t.journal_seq = j.seq
WHERE j.tenant = :tenant AND j.seq > :after
ORDER BY j.seq
LIMIT :limit;

-- name: lines
SELECT
    j.seq, j.at, j.tenant, j.op, j.target_id, j.actor, j.reason, j.payload_hash, j.hash, t.payload
FROM memory_journal AS j INDEXED BY memory_journal_by_tenant
LEFT JOIN journal_texts AS t ON t.journal_seq = j.seq
WHERE
    j.tenant = :tenant
    AND j.seq > :after
    AND (:upto IS NULL OR j.seq <= :upto)
    AND (:actor IS NULL OR j.actor = :actor)
    AND (:op IS NULL OR j.op = :op)
    AND (:since IS NULL OR j.at >= :since)
    AND (:until IS NULL OR j.at < :until)
    AND (:target IS NULL OR j.target_id = :target)
    AND (:reason IS NULL OR substr(j.reason, 1, length(:reason)) = :reason)
ORDER BY j.seq {order}
LIMIT :limit;

-- name: journal_whole
SELECT
    j.seq, j.at, j.tenant, j.op, j.target_id, j.actor, j.reason, j.payload_hash, j.hash,
    t.salt, t.payload
FROM memory_journal AS j
LEFT JOIN journal_texts AS t ON t.journal_seq = j.seq
ORDER BY j.seq;

-- name: carried_lines
SELECT tenant, first, last, shift, lines, hash FROM carried_lines;

-- name: texts_of_key
SELECT salt, payload FROM journal_texts WHERE key = :key AND key <> '';

-- name: erase_texts
DELETE FROM journal_texts WHERE key = :key AND key <> '';

-- name: count_lines
SELECT count(*)
FROM memory_journal AS j INDEXED BY memory_journal_by_tenant
INNER JOIN memories AS m ON m.id = j.target_id
WHERE
    j.tenant = :tenant
    AND m.scope_id IN (
        :s0, :s1, :s2, :s3, :s4, :s5, :s6, :s7, :s8, :s9, :s10, :s11, :s12, :s13, :s14, :s15
    )
    AND m.sensitivity IN (:v0, :v1, :v2)
    AND (:closed = 0 OR m.session = :own_session OR (:shared = 1 AND m.session IS NULL));

-- name: journal_length
SELECT count(*) FROM memory_journal;

-- name: line_of_number
SELECT hash FROM memory_journal WHERE seq = ?;

-- name: mirrored_lines
SELECT seq, at, tenant, op, target_id, actor, reason, payload_hash, hash
FROM memory_journal
WHERE seq > ?
ORDER BY seq;

-- name: places_of
SELECT id FROM scopes WHERE tenant = :tenant AND user = :user;

-- name: holdings_of
SELECT
    (SELECT count(*) FROM memories AS m WHERE m.scope_id IN (SELECT value FROM json_each(:places))),
    (
        SELECT count(*) FROM removed AS r
        WHERE r.kind = 'memory' AND r.scope_id IN (SELECT value FROM json_each(:places))
    ),
    (SELECT count(*) FROM facts AS f WHERE f.scope_id IN (SELECT value FROM json_each(:places))),
    (
        SELECT count(*) FROM (
            SELECT m.session FROM memories AS m
            WHERE m.session IS NOT NULL AND m.scope_id IN (SELECT value FROM json_each(:places))
            UNION
            SELECT t.session FROM session_state AS t
            WHERE t.session IS NOT NULL AND t.scope_id IN (SELECT value FROM json_each(:places))
        )
    ),
    (SELECT count(*) FROM json_each(:places)),
    (
        SELECT coalesce(max(m.seq), 0) FROM memories AS m
        WHERE m.scope_id IN (SELECT value FROM json_each(:places))
    );

-- name: states_of
SELECT t.name, count(*)
FROM session_state AS t
WHERE t.scope_id IN (SELECT value FROM json_each(:places))
GROUP BY t.name
ORDER BY t.name;

-- name: erase_states_of
DELETE FROM session_state WHERE scope_id IN (SELECT value FROM json_each(:places));

-- name: facts_held_by
SELECT f.id FROM facts AS f
WHERE f.scope_id IN (SELECT value FROM json_each(:places))
LIMIT :limit;

-- name: removed_facts_held_by
SELECT r.id FROM removed AS r
WHERE r.kind = 'fact' AND r.scope_id IN (SELECT value FROM json_each(:places))
LIMIT :limit;

-- name: removed_held_by
SELECT r.id FROM removed AS r
WHERE r.kind = 'memory' AND r.scope_id IN (SELECT value FROM json_each(:places))
LIMIT :limit;

-- name: memories_held_by
SELECT m.id FROM memories AS m
WHERE m.scope_id IN (SELECT value FROM json_each(:places))
LIMIT :limit;

-- name: rename_places
UPDATE scopes
SET
    user = :alias,
    conversation = CASE WHEN conversation IS NULL THEN NULL ELSE :alias || ' ' || id END
WHERE id IN (SELECT value FROM json_each(:places));

-- name: rename_runs
UPDATE dream_runs
SET
    progress = replace(replace(progress, :quoted, :alias), :escaped, :alias),
    report = replace(replace(report, :quoted, :alias), :escaped, :alias)
WHERE
    tenant = :tenant
    AND (
        instr(progress, :quoted) > 0 OR instr(progress, :escaped) > 0
        OR instr(report, :quoted) > 0 OR instr(report, :escaped) > 0
    );

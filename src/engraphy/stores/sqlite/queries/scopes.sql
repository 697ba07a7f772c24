-- name: visible_scopes
SELECT id
FROM scopes
WHERE
    tenant = :tenant
    AND coalesce('=' || user, '') IN ('', coalesce('=' || :user, ''))
    AND coalesce('=' || agent, '') IN ('', coalesce('=' || :agent, ''))
    AND coalesce('=' || project, '') IN ('', coalesce('=' || :project, ''))
ORDER BY id;

-- name: find_scope
SELECT id
FROM scopes
WHERE
    tenant = :tenant
    AND coalesce('=' || user, '') = coalesce('=' || :user, '')
    AND coalesce('=' || agent, '') = coalesce('=' || :agent, '')
    AND coalesce('=' || project, '') = coalesce('=' || :project, '');

-- name: insert_scope
INSERT INTO scopes (tenant, user, agent, project) VALUES (:tenant, :user, :agent, :project);

-- name: scopes_in_use
SELECT
    s.user, s.agent, s.project,
    (SELECT count(*) FROM memories AS m WHERE m.scope_id = s.id) AS held
FROM scopes AS s
WHERE
    s.tenant = :tenant
    AND (held > 0 OR EXISTS (SELECT 1 FROM facts AS f WHERE f.scope_id = s.id))
ORDER BY s.id;

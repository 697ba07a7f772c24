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
SELECT s.user, s.agent, s.project, count(*)
FROM scopes AS s
CROSS JOIN memories AS m ON m.scope_id = s.id
WHERE s.tenant = :tenant
GROUP BY s.id
ORDER BY s.id;

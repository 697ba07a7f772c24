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

-- name: scopes_of_tenant
SELECT id FROM scopes WHERE tenant = :tenant;

-- name: tenant_of_memory
SELECT s.tenant
FROM memories AS m
INNER JOIN scopes AS s ON s.id = m.scope_id
WHERE m.id = :id;

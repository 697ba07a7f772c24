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

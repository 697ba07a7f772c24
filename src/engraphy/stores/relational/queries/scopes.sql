-- name: visible_scopes
SELECT id
FROM scopes
WHERE
    tenant = :tenant
    AND coalesce('=' || user, '') IN ('', coalesce('=' || :user, ''))
    AND coalesce('=' || agent, '') IN ('', coalesce('=' || :agent, ''))
    AND coalesce('=' || project, '') IN ('', coalesce('=' || :project, ''))
    AND coalesce('=' || conversation, '') IN ('', coalesce('=' || :conversation, ''))
ORDER BY id;

-- name: find_scope
SELECT id
FROM scopes
WHERE
    tenant = :tenant
    AND coalesce('=' || user, '') = coalesce('=' || :user, '')
    AND coalesce('=' || agent, '') = coalesce('=' || :agent, '')
    AND coalesce('=' || project, '') = coalesce('=' || :project, '')
    AND coalesce('=' || conversation, '') = coalesce('=' || :conversation, '');

-- name: insert_scope
INSERT INTO scopes (tenant, user, agent, project, conversation)
VALUES (:tenant, :user, :agent, :project, :conversation);

-- name: tenants
SELECT tenant FROM scopes
UNION
SELECT tenant FROM grants
UNION
SELECT tenant FROM publications
UNION
SELECT tenant FROM subscriptions
ORDER BY tenant;

-- name: scopes_in_use
SELECT
    s.user, s.agent, s.project, s.conversation,
    (SELECT count(*) FROM memories AS m WHERE m.scope_id = s.id) AS held
FROM scopes AS s
WHERE
    s.tenant = :tenant
    AND (
        EXISTS (SELECT 1 FROM memories AS m WHERE m.scope_id = s.id)
        OR EXISTS (SELECT 1 FROM facts AS f WHERE f.scope_id = s.id)
    )
ORDER BY s.id;

-- name: scope_of
SELECT s.user, s.agent, s.project, s.conversation
FROM memories AS m
INNER JOIN scopes AS s ON s.id = m.scope_id
WHERE m.id = :id AND s.tenant = :tenant;

-- name: places
SELECT s.user, s.agent, s.project, s.conversation
FROM scopes AS s
WHERE
    s.tenant = :tenant
    AND {named}
    AND (
        EXISTS (SELECT 1 FROM memories AS m WHERE m.scope_id = s.id)
        OR EXISTS (SELECT 1 FROM facts AS f WHERE f.scope_id = s.id)
    )
ORDER BY s.id;

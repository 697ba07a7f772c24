-- name: put_publication
INSERT INTO publications (
    id, tenant, name, user, agent, projects, kinds, tags, origins, to_tenant, to_user, to_agent,
    to_project, role, created_at, revoked_at
) VALUES (
    :id, :tenant, :name, :user, :agent, :projects, :kinds, :tags, :origins, :to_tenant, :to_user,
    :to_agent, :to_project, :role, :created_at, :revoked_at
);

-- name: end_publication
UPDATE publications SET revoked_at = :now
WHERE tenant = :tenant AND id = :id AND revoked_at IS NULL;

-- name: publication_of
SELECT
    id, tenant, name, user, agent, projects, kinds, tags, origins, to_tenant, to_user, to_agent,
    to_project, role, created_at, revoked_at
FROM publications
WHERE tenant = :tenant AND id = :id;

-- name: publications_of_tenant
SELECT
    id, tenant, name, user, agent, projects, kinds, tags, origins, to_tenant, to_user, to_agent,
    to_project, role, created_at, revoked_at
FROM publications
WHERE tenant = :tenant
ORDER BY created_at, id;

-- name: put_subscription
INSERT INTO subscriptions (
    tenant, id, publication, source, user, agent, project, created_at, ended_at
) VALUES (
    :tenant, :id, :publication, :source, :user, :agent, :project, :created_at, :ended_at
);

-- name: end_subscription
UPDATE subscriptions SET ended_at = :now
WHERE tenant = :tenant AND id = :id AND ended_at IS NULL;

-- name: subscription_of
SELECT id, tenant, publication, source, user, agent, project, created_at, ended_at
FROM subscriptions
WHERE tenant = :tenant AND id = :id;

-- name: subscriptions_of_tenant
SELECT id, tenant, publication, source, user, agent, project, created_at, ended_at
FROM subscriptions
WHERE tenant = :tenant
ORDER BY created_at, id;

-- name: put_reader
INSERT INTO readers (tenant, publication, reader, subscription)
VALUES (:tenant, :publication, :reader, :subscription);

-- name: readers_of
SELECT reader, subscription FROM readers
WHERE tenant = :tenant AND publication = :publication
ORDER BY reader, subscription;

-- name: drop_reader
DELETE FROM readers
WHERE
    tenant = :tenant
    AND publication = :publication
    AND reader = :reader
    AND subscription = :subscription;

-- name: put_lent
INSERT INTO lent (tenant, source_id, reader, copy_id, publication, subscription)
VALUES (:tenant, :source_id, :reader, :copy_id, :publication, :subscription);

-- name: lent_to
SELECT reader, count(*) FROM lent
WHERE tenant = :tenant AND publication = :publication
GROUP BY reader
ORDER BY reader;

-- name: lent_of
SELECT lent.source_id, lent.reader, lent.copy_id
FROM json_each(:ids) AS wanted
CROSS JOIN lent ON lent.source_id = wanted.value
WHERE lent.tenant = :tenant
ORDER BY lent.reader, lent.copy_id;

-- name: drop_lent
DELETE FROM lent
WHERE
    tenant = :tenant
    AND source_id = :source_id
    AND reader = :reader
    AND copy_id = :copy_id;

-- name: drop_lent_to
DELETE FROM lent
WHERE
    tenant = :tenant
    AND publication = :publication
    AND reader = :reader
    AND subscription = :subscription;

-- name: source_stands
SELECT m.version, m.updated_at
FROM memories AS m
INNER JOIN scopes AS s ON s.id = m.scope_id
WHERE
    m.id = :id
    AND s.tenant = :tenant
    AND m.state = 'active'
    AND m.sensitivity = 'public'
    AND m.data_source <> 'federation';

-- name: put_vicarious
INSERT INTO vicarious (
    tenant, id, subscription, source, source_id, arrived_at, due_at, declined
) VALUES (
    :tenant, :id, :subscription, :source, :source_id, :arrived_at, :due_at, :declined
);

-- name: vicarious_by_subscription
SELECT id, tenant, subscription, source, source_id, arrived_at, due_at, declined
FROM vicarious
WHERE tenant = :tenant AND subscription = :subscription
ORDER BY arrived_at, id;

-- name: vicarious_by_id
SELECT v.id, v.tenant, v.subscription, v.source, v.source_id, v.arrived_at, v.due_at, v.declined
FROM json_each(:ids) AS wanted
CROSS JOIN vicarious AS v ON v.id = wanted.value
WHERE v.tenant = :tenant
ORDER BY v.id;

-- name: vicarious_over
SELECT id, tenant, subscription, source, source_id, arrived_at, due_at, declined
FROM vicarious
WHERE tenant = :tenant AND due_at IS NOT NULL AND due_at <= :now
ORDER BY due_at, id
LIMIT :limit;

-- name: waits_no_more
UPDATE vicarious SET due_at = NULL WHERE tenant = :tenant AND id = :id;

-- name: decline
UPDATE vicarious SET due_at = NULL, declined = 1 WHERE tenant = :tenant AND id = :id;

-- name: drop_vicarious
DELETE FROM vicarious WHERE tenant = :tenant AND id = :id;

-- name: publications_naming
SELECT id FROM publications
WHERE tenant = :tenant AND (user = :user OR (to_tenant = :tenant AND to_user = :user));

-- name: subscriptions_of_user
SELECT id FROM subscriptions WHERE tenant = :tenant AND user = :user;

-- name: drop_publication
DELETE FROM publications WHERE tenant = :tenant AND id = :id;

-- name: drop_subscription
DELETE FROM subscriptions WHERE tenant = :tenant AND id = :id;

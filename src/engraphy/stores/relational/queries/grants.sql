-- name: put_grant
INSERT INTO grants (
    id, tenant, name, role, user, agent, project, origin, clearance, digest, created_at, expires_at,
    revoked_at, last_used_at
) VALUES (
    :id, :tenant, :name, :role, :user, :agent, :project, :origin, :clearance, :digest, :created_at,
    :expires_at, :revoked_at, :last_used_at
);

-- name: revoke_grant
UPDATE grants SET revoked_at = :now
WHERE id = :id AND tenant = :tenant AND revoked_at IS NULL;

-- name: known_grant
SELECT revoked_at FROM grants WHERE id = :id AND tenant = :tenant;

-- name: grants_of_tenant
SELECT
    id, tenant, name, role, user, agent, project, origin, clearance, created_at, expires_at,
    revoked_at, last_used_at
FROM grants INDEXED BY grants_by_tenant
WHERE tenant = :tenant
ORDER BY created_at, id;

-- name: grant_of
SELECT
    id, tenant, name, role, user, agent, project, origin, clearance, created_at, expires_at,
    revoked_at, last_used_at, digest
FROM grants
WHERE id = :id;

-- name: grant_used
UPDATE grants SET last_used_at = max(coalesce(last_used_at, :now), :now)
WHERE id = :id AND tenant = :tenant;

-- name: grants_bound_to
SELECT id FROM grants WHERE tenant = :tenant AND user = :user;

-- name: drop_grant
DELETE FROM grants WHERE id = :id AND tenant = :tenant;

-- The wall around a session, where a profile has one; NULL is "shared with every session".
ALTER TABLE scopes ADD COLUMN conversation TEXT;

DROP INDEX scopes_by_walls;

CREATE UNIQUE INDEX scopes_by_walls ON scopes (
    tenant,
    coalesce('=' || user, ''),
    coalesce('=' || agent, ''),
    coalesce('=' || project, ''),
    coalesce('=' || conversation, '')
);

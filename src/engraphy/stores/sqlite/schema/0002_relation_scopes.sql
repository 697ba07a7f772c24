-- Where a relation starts, so that the relations of one scope are counted and pruned by an index.
ALTER TABLE relations ADD COLUMN scope_id INTEGER REFERENCES scopes (id);

UPDATE relations SET scope_id = (SELECT m.scope_id FROM memories AS m WHERE m.id = source_id);

CREATE INDEX relations_by_scope ON relations (scope_id, type, confidence, created_at);

CREATE TRIGGER memories_take_relations_along AFTER UPDATE OF scope_id ON memories
WHEN NEW.scope_id IS NOT OLD.scope_id
BEGIN
    UPDATE relations SET scope_id = NEW.scope_id WHERE source_id = NEW.id;
END;

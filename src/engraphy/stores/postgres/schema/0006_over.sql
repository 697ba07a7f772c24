-- Whether a text that is told of an earlier time stands as history of that time already.
CREATE INDEX memories_over ON memories (tenant, scope_id, content_hash) WHERE state = 'superseded';

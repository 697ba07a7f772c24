-- Whether anything sleeps in a scope, without a look at its rows: few do, and mostly none.
CREATE INDEX memories_asleep ON memories (scope_id) WHERE state IN ('dormant', 'archived');

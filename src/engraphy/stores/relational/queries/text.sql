-- name: insert_text
INSERT INTO memories_fts (rowid, content, title, subtitle, context, tags, wall)
VALUES (:seq, :content, :title, :subtitle, :context, :tags, :wall);

-- name: delete_text
INSERT INTO memories_fts (memories_fts, rowid, content, title, subtitle, context, tags, wall)
VALUES ('delete', :seq, :content, :title, :subtitle, :context, :tags, :wall);

-- name: insert_imprint
INSERT INTO memory_imprints (seq, codes, tokens, content, asks, timed) VALUES (?, ?, ?, ?, ?, ?);

-- name: delete_imprint
DELETE FROM memory_imprints WHERE seq = ?;

-- name: clear_imprints
DELETE FROM memory_imprints;

-- name: count_text_in
INSERT INTO walls (wall, documents, tokens)
VALUES (?, 1, ?)
ON CONFLICT (wall) DO UPDATE SET
    documents = documents + 1,
    tokens = tokens + excluded.tokens;

-- name: count_text_out
UPDATE walls SET documents = documents - 1, tokens = tokens - ? WHERE wall = ?;

-- name: clear_text
INSERT INTO memories_fts (memories_fts) VALUES ('delete-all');

-- name: clear_walls
DELETE FROM walls;

-- name: all_texts
SELECT seq, {columns} FROM memories WHERE seq > :after ORDER BY seq LIMIT :limit;

-- name: text_totals
SELECT w.wall, w.documents, w.tokens
FROM json_each(:walls) AS seen
CROSS JOIN walls AS w ON w.wall = seen.value
WHERE w.documents > 0;

-- name: visible_rows
SELECT m.seq, m.id
FROM json_each(:seqs) AS wanted
CROSS JOIN memories AS m ON m.seq = wanted.value
WHERE {gate};

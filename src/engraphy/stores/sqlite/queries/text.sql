-- name: insert_text
INSERT INTO memories_fts (rowid, content, title, subtitle, context, tags, wall)
VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: delete_text
INSERT INTO memories_fts (memories_fts, rowid, content, title, subtitle, context, tags, wall)
VALUES ('delete', ?, ?, ?, ?, ?, ?, ?);

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
SELECT seq, {columns} FROM memories ORDER BY seq;

-- name: merge_text
INSERT INTO memories_fts (memories_fts) VALUES ('optimize');

-- name: text_structure
SELECT block FROM memories_fts_data WHERE id = 10;

-- name: text_totals
SELECT w.wall, w.documents, w.tokens
FROM json_each(:walls) AS seen
CROSS JOIN walls AS w ON w.wall = seen.value
WHERE w.documents > 0;

-- name: other_walls
SELECT w.wall, w.documents
FROM walls AS w
WHERE w.wall NOT IN (SELECT value FROM json_each(:walls)) AND w.documents > 0
LIMIT :most;

-- name: count_matches
SELECT count(*) FROM (
    SELECT 1 FROM memories_fts WHERE memories_fts MATCH :match LIMIT :most
);

-- name: match_rows
SELECT group_concat(rowid) FROM (
    SELECT rowid FROM memories_fts WHERE memories_fts MATCH :match ORDER BY rowid DESC LIMIT :most
);

-- name: visible_rows
SELECT m.seq, m.id
FROM json_each(:seqs) AS wanted
CROSS JOIN memories AS m ON m.seq = wanted.value
WHERE {gate};

-- name: score_rows
SELECT rowid, engraphy_bm25(memories_fts)
FROM memories_fts
WHERE
    memories_fts MATCH :match
    AND rowid BETWEEN :first AND :last
    AND +rowid IN (SELECT value FROM json_each(:seqs));

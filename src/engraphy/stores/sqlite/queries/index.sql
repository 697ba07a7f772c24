-- name: text_segments
SELECT count(DISTINCT segid) FROM memories_fts_idx;

-- name: merge_text_step
INSERT INTO memories_fts (memories_fts, rank) VALUES ('merge', :pages);

-- name: record_step
INSERT INTO migrations (number, name, applied_at)
VALUES (:number, :name, CAST(unixepoch('subsec') * 1000000 AS INTEGER));

-- name: check_text_counts
SELECT
    (SELECT count(*) FROM memories),
    (SELECT count(*) FROM memories_fts_docsize),
    (SELECT coalesce(sum(documents), 0) FROM walls),
    -- FTS5's own totals: the number of rows, then of the words of each column.
    (SELECT CAST(block AS BLOB) FROM memories_fts_data WHERE id = 1);

-- name: highest_row
SELECT coalesce(max(seq), 0) FROM memories;

-- name: rewrite_hashes
REINDEX memories_by_hash;

-- name: count_anew
ANALYZE;

-- name: merge_text
INSERT INTO memories_fts (memories_fts) VALUES ('optimize');

-- name: text_structure
SELECT block FROM memories_fts_data WHERE id = 10;

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
    SELECT rowid FROM memories_fts WHERE memories_fts MATCH :match ORDER BY rowid LIMIT :most
);

-- name: newest_match_rows
SELECT group_concat(rowid) FROM (
    SELECT rowid FROM memories_fts WHERE memories_fts MATCH :match ORDER BY rowid DESC LIMIT :most
);

-- name: score_rows
SELECT rowid, engraphy_bm25(memories_fts)
FROM memories_fts
WHERE
    memories_fts MATCH :match
    AND rowid BETWEEN :first AND :last
    AND +rowid IN (SELECT value FROM json_each(:seqs));

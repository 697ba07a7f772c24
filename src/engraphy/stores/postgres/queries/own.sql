-- name: insert_text
SELECT engraphy_put_words(
    %(seq)s, %(content)s, %(title)s, %(subtitle)s, %(context)s, %(tags)s, %(wall)s
);

-- name: delete_text
SELECT engraphy_drop_words(%(seq)s);

-- name: clear_text
SELECT engraphy_drop_words(NULL);

-- name: count_matches
SELECT place, held FROM engraphy_count_words(%(matches)s::text[], %(most)s);

-- name: match_rows
SELECT seq
FROM engraphy_reach_words(%(match)s, %(words)s::text[], %(worths)s::float8[], %(most)s);

-- name: term_places
SELECT seq, length, lexeme, weights
FROM engraphy_place_words(%(seqs)s::bigint[], %(lexemes)s::text[]);

-- name: check_text_counts
SELECT
    (SELECT count(*) FROM memories WHERE tenant = %(own_)s),
    (SELECT coalesce(sum(documents), 0) FROM walls WHERE tenant = %(own_)s);

-- name: held_text
-- By itself: a node of a cluster that is given the other counts does not know the function.
SELECT engraphy_held_words();

-- name: find_scope
SELECT id FROM scopes WHERE tenant = %(own_)s AND place = %(place)s;

-- name: visible_scopes
SELECT id
FROM scopes
WHERE tenant = %(own_)s AND place = ANY(CAST(%(seen)s AS TEXT[]))
ORDER BY id;

-- name: next_line
SELECT coalesce((SELECT seq FROM journal_ends WHERE tenant = %(own_)s), 0) + 1;

-- name: packed_signs
SELECT string_agg(number || bits, '' ORDER BY vector_id), max(vector_id)
FROM (
    SELECT lpad(to_hex(vector_id), 16, '0') AS number, encode(signs, 'hex') AS bits, vector_id
    FROM vector_signs
    WHERE tenant = %(own_)s AND scope_id = %(scope)s AND model_id = %(model)s
        AND vector_id > %(after)s
    ORDER BY vector_id
    LIMIT %(block)s
) AS packed;

-- name: draw_vectors
SELECT nextval('vectors_id') FROM generate_series(1, %(many)s);

-- name: generation
SELECT 'memories'::regclass::oid::bigint;

-- name: grow_each
UPDATE memories
SET
    access_count = access_count + 1,
    last_accessed_at = greatest(coalesce(last_accessed_at, grown.now), grown.now),
    retrieval_loss = 0.0,
    stability = least(36500.0, greatest(1e-6, stability * grown.factor)),
    storage_strength = least(10.0, greatest(1.0, storage_strength + grown.gain)),
    difficulty = least(10.0, greatest(1.0, difficulty + grown.harder)),
    last_strengthened_at = grown.now
FROM unnest(
    CAST(%(seq)s AS BIGINT[]), CAST(%(factor)s AS FLOAT8[]), CAST(%(gain)s AS FLOAT8[]),
    CAST(%(harder)s AS FLOAT8[]), CAST(%(now)s AS BIGINT[])
) AS grown (number, factor, gain, harder, now)
WHERE tenant = %(own_)s AND seq = grown.number;

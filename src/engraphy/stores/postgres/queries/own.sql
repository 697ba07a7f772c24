-- name: insert_text
INSERT INTO memory_terms (tenant, seq, wall, length, terms)
VALUES (
    %(own_)s, %(seq)s, %(wall)s,
    1 + cardinality(string_to_array(trim(concat_ws(
        ' ', nullif(%(content)s, ''), nullif(%(title)s, ''), nullif(%(subtitle)s, ''),
        nullif(%(context)s, ''), nullif(%(tags)s, '')
    )), ' ')),
    engraphy_terms(%(content)s, %(title)s, %(subtitle)s, %(context)s, %(tags)s, %(wall)s)
);

-- name: delete_text
DELETE FROM memory_terms WHERE tenant = %(own_)s AND seq = %(seq)s;

-- name: clear_text
DELETE FROM memory_terms WHERE tenant = %(own_)s;

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

-- name: count_matches
SELECT asked.place, (
    SELECT count(*) FROM (
        SELECT 1 FROM memory_terms
        WHERE tenant = %(own_)s AND terms @@ asked.match::tsquery
        LIMIT %(most)s
    ) AS matched
)
FROM unnest(%(matches)s::text[]) WITH ORDINALITY AS asked (match, place);

-- name: match_rows
SELECT seq
FROM memory_terms
WHERE tenant = %(own_)s AND terms @@ %(match)s::tsquery
ORDER BY {worth} DESC, seq DESC
LIMIT %(most)s;

-- name: term_places
SELECT t.seq, t.length, u.lexeme, u.weights
FROM memory_terms AS t
CROSS JOIN LATERAL unnest(t.terms) AS u
WHERE t.tenant = %(own_)s AND t.seq = ANY(%(seqs)s) AND u.lexeme = ANY(%(lexemes)s);

-- name: generation
SELECT 'memories'::regclass::oid::bigint;

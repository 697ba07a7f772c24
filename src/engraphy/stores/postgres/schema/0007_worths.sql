-- What the words of a row are worth together is a sum of machine numbers: of decimal ones, which numbers
-- in a text are, it takes half as long again.
CREATE OR REPLACE FUNCTION engraphy_reach_words(
    match TEXT, words TEXT[], worths FLOAT8[], most BIGINT
) RETURNS TABLE (seq BIGINT)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    own TEXT := current_setting('engraphy.tenant', true);
    worth TEXT;
BEGIN
    SELECT string_agg(
        format('CASE WHEN terms @@ %L::tsquery THEN %L::float8 ELSE 0 END', word, value), ' + '
    )
    INTO worth
    FROM unnest(words, worths) AS told (word, value);
    RETURN QUERY EXECUTE format(
        'SELECT seq FROM memory_terms WHERE tenant = %L AND terms @@ %L::tsquery'
        ' ORDER BY %s DESC, seq DESC LIMIT %s', own, match, worth, most
    );
END;
$$;

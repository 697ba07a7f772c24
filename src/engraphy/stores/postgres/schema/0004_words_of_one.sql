-- What a function does with the words names its tenant as a value that the planner knows: so that it
-- touches one partition, or one node of a cluster, as every other statement does. The tenant is that of
-- the transaction still, which a caller cannot choose.
CREATE OR REPLACE FUNCTION engraphy_put_words(
    seq BIGINT, content TEXT, title TEXT, subtitle TEXT, context TEXT, labels TEXT, wall TEXT
) RETURNS VOID
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    own TEXT := current_setting('engraphy.tenant');
BEGIN
    INSERT INTO memory_terms (tenant, seq, wall, length, terms)
    VALUES (
        own, seq, wall,
        1 + cardinality(array_remove(string_to_array(
            concat_ws(' ', content, title, subtitle, context, labels), ' '
        ), '')),
        engraphy_terms(content, title, subtitle, context, labels, wall)
    );
END;
$$;

CREATE OR REPLACE FUNCTION engraphy_drop_words(gone BIGINT) RETURNS VOID
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    EXECUTE format(
        'DELETE FROM memory_terms WHERE tenant = %L AND ($1 IS NULL OR seq = $1)',
        current_setting('engraphy.tenant')
    ) USING gone;
END;
$$;

CREATE OR REPLACE FUNCTION engraphy_held_words() RETURNS BIGINT
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    held BIGINT;
BEGIN
    EXECUTE format(
        'SELECT count(*) FROM memory_terms WHERE tenant = %L', current_setting('engraphy.tenant', true)
    ) INTO held;
    RETURN held;
END;
$$;

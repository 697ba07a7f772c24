"""How much room a database takes, for plans of capacity."""

from typing import NamedTuple

import psycopg

from engraphy.stores.postgres.failures import translated

_SIZES = """
    SELECT coalesce(sum(pg_table_size(c.oid)), 0)::bigint,
        coalesce(sum(pg_indexes_size(c.oid)), 0)::bigint,
        pg_database_size(current_database())
    FROM pg_class AS c
    INNER JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relkind = 'r'
"""


class Room(NamedTuple):
    """Bytes: of the store's rows (long texts included), of its indexes, of the whole database."""

    rows: int
    indexes: int
    database: int


def room(place: str) -> Room:
    """What the store at `place` takes now. Raises the errors of opening."""
    with (
        translated("the database to measure on"),
        psycopg.connect(place, autocommit=True) as raw,
    ):
        found = raw.execute(_SIZES).fetchone()
    assert found is not None
    return Room(*map(int, found))

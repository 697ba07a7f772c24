"""A store in a database of PostgreSQL, or of a cluster that speaks its language."""

from engraphy.stores.postgres.store import PostgresStore, open_store

__all__ = ["PostgresStore", "open_store"]

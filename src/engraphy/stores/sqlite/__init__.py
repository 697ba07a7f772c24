"""The SQLite store: one file, one transaction per change."""

from engraphy.stores.sqlite.store import SqliteStore, open_store

__all__ = ["SqliteStore", "open_store"]

"""The named queries that only SQLite has: of its full-text index, and of its upkeep."""

from pathlib import Path

from engraphy.stores.relational.sql import queries

own = queries(Path(__file__).parent / "queries")

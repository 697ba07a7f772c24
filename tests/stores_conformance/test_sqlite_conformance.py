"""The SQLite store keeps the whole store contract."""

from pathlib import Path

from engraphy.ports import Store
from engraphy.stores.sqlite import open_store
from engraphy.testing import StoreConformance


class TestSqlite(StoreConformance):
    """Every rule of the suite, against a file."""

    def open_store(self, place: Path) -> Store:
        return open_store(str(place / "memories.db"))

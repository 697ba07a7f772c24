"""The SQLite store keeps the contract of stores."""

from pathlib import Path

from engraphy.ports import Store
from engraphy.stores.sqlite import open_store
from engraphy.testing import StoreConformance


class TestSqliteStore(StoreConformance):
    """Every rule of the conformance suite, on real files."""

    def open_store(self, place: Path) -> Store:
        """The store in this folder."""
        return open_store(str(place / "engraphy.db"))

"""The SQLite store keeps the contract of stores."""

from pathlib import Path

from tests.engine.making import empty

from engraphy.ports import Store
from engraphy.stores.sqlite import open_store
from engraphy.testing import StoreConformance


class TestSqliteStore(StoreConformance):
    """Every rule of the conformance suite, on real files."""

    def open_store(self, place: Path) -> Store:
        """The store in this folder; a new one begins as an empty file of ours."""
        file = place / "engraphy.db"
        if not file.exists():
            file.touch(mode=0o600)
            file.write_bytes(empty())
        return open_store(str(file))

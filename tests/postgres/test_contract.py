"""The PostgreSQL store keeps the contract of stores."""

from pathlib import Path

import pytest
from tests.postgres.server import Server

from engraphy.ports import Store
from engraphy.stores.postgres import open_store
from engraphy.testing import StoreConformance


class TestPostgresStore(StoreConformance):
    """Every rule of the conformance suite, on a real server."""

    has_backup = False
    places: dict[Path, str]
    server: Server

    @pytest.fixture(autouse=True)
    def _database(self, server: Server) -> None:
        self.server, self.places = server, {}

    def open_store(self, place: Path) -> Store:
        """The store in the database of this folder."""
        if place not in self.places:
            self.places[place] = self.server.fresh()
        return open_store(self.places[place])

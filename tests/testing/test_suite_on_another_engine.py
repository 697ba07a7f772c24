"""The suite asks nothing of an engine but the contract: a store of dictionaries passes it."""

from pathlib import Path

from tests.testing.dict_store import DictStore

from engraphy.ports import Store
from engraphy.testing import StoreConformance


class TestDictionaries(StoreConformance):
    """Every rule that needs no files."""

    has_files = False
    has_maintenance = False
    has_backup = False
    has_removal = False
    has_grants = False

    def open_store(self, place: Path) -> Store:
        return DictStore()

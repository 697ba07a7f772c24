"""The conformance suite of `engraphy.ports.Store`, for any engine.

    class TestMyStore(StoreConformance):
        def open_store(self, place):
            return MyStore(place / "memories.db")

Set `has_text_search`, `has_vector_search`, `has_backup`, `has_files`, `has_removal` or `has_grants`
to False for what the engine leaves out; those rules are then skipped, and the report says so.
"""

from engraphy.testing.contract.beside import BesideConformance
from engraphy.testing.contract.calls import CallsConformance
from engraphy.testing.contract.changes import ChangesConformance
from engraphy.testing.contract.facts import FactConformance
from engraphy.testing.contract.granting import GrantingConformance
from engraphy.testing.contract.journal import JournalConformance
from engraphy.testing.contract.keeping import KeepingConformance
from engraphy.testing.contract.removing import RemovingConformance
from engraphy.testing.contract.resting import RestingConformance
from engraphy.testing.contract.rows import RowsConformance
from engraphy.testing.contract.searching import TextConformance, VectorConformance
from engraphy.testing.contract.strength import StrengthConformance
from engraphy.testing.contract.walls import WallsConformance


class StoreConformance(
    RowsConformance,
    WallsConformance,
    ChangesConformance,
    JournalConformance,
    TextConformance,
    VectorConformance,
    BesideConformance,
    StrengthConformance,
    FactConformance,
    CallsConformance,
    KeepingConformance,
    RestingConformance,
    RemovingConformance,
    GrantingConformance,
):
    """Every rule of the store contract; subclass it as `Test...` and override `open_store`."""

"""What is made before a transaction begins, so that nobody waits for it behind the lock of writers,
and what the transaction asks first."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from engraphy.model.change import Change, Insert
from engraphy.model.leaving import ForgetUser
from engraphy.model.scope import Tenant
from engraphy.stores.relational import embedding, indexing, journal, rows, scopes
from engraphy.stores.relational.batch import Made
from engraphy.stores.relational.embedding import Quantise
from engraphy.stores.relational.sql import Ahead, Bound, Query

_NOWHERE = 0


def made(change: Insert, quantise: Quantise) -> Made:
    """What is written of a new memory, wherever it will stand. Raises InvalidInputError for a
    vector that is none."""
    row = rows.to_row(change.memory, _NOWHERE)
    parts = change.vector.parts if change.vector is not None else ()
    return Made(row, indexing.entry(row), quantise(parts) if parts else ())


def all_made(changes: Sequence[Change], quantise: Quantise) -> Mapping[str, Made]:
    """The same of all new memories, by their ids; without those whose text or number no store can
    hold, which the engine says in its own words."""
    found: dict[str, Made] = {}
    for change in changes:
        if isinstance(change, Insert):
            with suppress(UnicodeEncodeError, OverflowError):
                found[change.memory.id] = made(change, quantise)
    return found


def asked(tenant: Tenant, changes: Sequence[Change]) -> Ahead:
    """What is asked for changes before anything is written. Who leaves has walls renamed."""
    found: list[tuple[Query, Bound]] = journal.search(tenant)
    inserts = [change for change in changes if isinstance(change, Insert)]
    if not any(isinstance(change, ForgetUser) for change in changes):
        places = {replace(change.memory.scope, session=None) for change in inserts}
        found += [scopes.search(place) for place in places]
    vectors = [change.vector for change in inserts if change.vector is not None]
    found += [embedding.search(name) for name in dict.fromkeys(one.model_id for one in vectors)]
    return Ahead(found, sum(len(one.parts) for one in vectors))

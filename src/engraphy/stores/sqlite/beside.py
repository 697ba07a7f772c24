"""What stands beside memories on pages that are not what was written: no row there says by itself
that it is as it was, so it comes back as the journal tells it, or not at all."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import apsw

from engraphy.model.past import Replayed
from engraphy.record import names
from engraphy.stores.relational import rows
from engraphy.stores.sqlite.pages import Value

KEYS: Mapping[str, tuple[str, ...]] = {
    "facts": ("id",),
    "versions": ("memory_id", "version"),
    "relations": ("source_id", "target_id", "type"),
    "coactivations": ("first_id", "second_id"),
    "episodes": ("memory_id",),
    "procedures": ("memory_id",),
}
"""The tables of which the journal tells each row, and what of a row names it."""
UNTOLD = frozenset({"session_state", "model_calls", "dream_runs", "removed", "removed_relations"})
"""Those of which it tells none: there a row is lost. What is left are rows that are told twice
elsewhere, and those that show nothing: ids of copies, vectors."""
_KEPT = "forgotten."
"""How the names of marks begin: a damaged one keeps nothing out, a lost one does neither, and those
beside it are whole."""
_PLACED = ("scope_id", "sensitivity")
"""Of a fact: an index or the journal has to say the same of its scope; no flipped bit makes one
sensitivity of another."""


def is_lost(table: str, told: Mapping[str, Value]) -> bool:
    """Whether nothing can tell what a row on such a page was."""
    return table in UNTOLD and not str(told.get("name")).startswith(_KEPT)


def recovered(
    fresh: apsw.Connection,
    seen: Iterable[tuple[str, dict[str, Value]]],
    tenants: Iterable[Replayed],
    *,
    whole: bool,
) -> Iterator[str]:
    """Bring back of these rows, each with its table, what the journal tells; where lines of it may
    be missing, only what it tells as the row does. The table of each."""
    known: dict[tuple[object, ...], dict[str, Any]] = {
        (table, *(str(row[name]) for name in KEYS[table])): row
        for table, row in chain.from_iterable(map(_rows, tenants))
    }
    for table, told in seen:
        row = known.pop((table, *(str(told.get(name)) for name in KEYS[table])), None)
        if row is None or not (whole or all(told.get(name) == row[name] for name in row)):
            continue
        row |= {name: told[name] for name in _PLACED if table == "facts" and name in told}
        places = ", ".join(f":{name}" for name in row)
        try:
            fresh.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", row)
        except apsw.ConstraintError:
            continue
        yield table


def _rows(held: Replayed) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every row that a journal tells, with its table."""
    for fact in held.facts.values():
        yield "facts", _row(fact) | {"session": fact.scope.session}
    for version in chain.from_iterable(held.versions.values()):
        yield "versions", _row(version)
    for relation in held.relations.values():
        yield "relations", _row(relation)
    for pair in held.coactivations.values():
        yield "coactivations", _row(pair)
    for episode in held.episodes.values():
        yield "episodes", _row(episode)
    for procedure in held.procedures.values():
        yield "procedures", _row(procedure) | {"steps": rows.to_json(procedure.steps)}


def _row(one: Any) -> dict[str, Any]:
    told = {name: getattr(one, name) for name in names(one) if name != "scope"}
    return {name: str(value) if isinstance(value, str) else value for name, value in told.items()}

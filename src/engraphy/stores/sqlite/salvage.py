"""What of a damaged store can still be read, brought into a new one: row by row, checked by what
the tables demand and by what hashes and checksums say. What is made from rows is made anew."""

from collections import Counter
from collections.abc import Mapping

import apsw
import numpy as np
from msgspec import Struct, field

from engraphy.model.kinds import RelationType
from engraphy.stores.relational import coding, rows
from engraphy.stores.relational.sql import every, first
from engraphy.stores.sqlite import doubtful, migrations, shapes
from engraphy.stores.sqlite.mending import mended
from engraphy.stores.sqlite.owners import Owners
from engraphy.stores.sqlite.pages import Image, Row, Value
from engraphy.stores.sqlite.shapes import Table
from engraphy.stores.sqlite.witnesses import Entries, identifies, lines, settle, speaks

_NAMES = "sqlite_autoindex_embedding_models_1"
_LINES = "memory_journal"
_NOWHERE = (
    f"DELETE FROM embedding_models WHERE dim > {shapes.MOST_DIMENSIONS}",
    "DELETE FROM served_models WHERE model NOT IN (SELECT name FROM embedding_models)",
    "DELETE FROM memories WHERE scope_id NOT IN (SELECT id FROM scopes)",
    *(
        f"DELETE FROM {table} WHERE {column} NOT IN (SELECT id FROM memories)"
        for table, column in (
            ("versions", "memory_id"),
            ("relations", "source_id"),
            ("relations", "target_id"),
            ("coactivations", "first_id"),
            ("coactivations", "second_id"),
            ("episodes", "memory_id"),
            ("procedures", "memory_id"),
            ("facts", "source_id"),
        )
    ),
    *(
        f"DELETE FROM {table} WHERE seq NOT IN (SELECT seq FROM memories)"
        " OR model_id NOT IN (SELECT id FROM embedding_models)"
        for table in ("vectors", "late_codes")
    ),
    *(
        f"DELETE FROM {table} WHERE scope_id NOT IN (SELECT id FROM scopes)"
        for table in ("facts", "session_state", "removed")
    ),
    "DELETE FROM relations WHERE scope_id NOT IN (SELECT id FROM scopes)",
    "DELETE FROM journal_texts WHERE journal_seq NOT IN (SELECT seq FROM memory_journal)",
    "DELETE FROM removed WHERE journal_seq NOT IN (SELECT journal_seq FROM journal_texts)",
    """DELETE FROM vectors
    WHERE length(codes) <> (SELECT dim FROM embedding_models AS e WHERE e.id = model_id)""",
    """DELETE FROM vectors WHERE (seq, model_id) IN (
        SELECT seq, model_id FROM vectors GROUP BY seq, model_id HAVING count(*) <> max(part) + 1
    )""",
    # It is written again with its first vector, and its dimensions may be no longer what they were.
    """DELETE FROM embedding_models WHERE id NOT IN (SELECT model_id FROM vectors)
    AND id NOT IN (SELECT model_id FROM late_codes)""",
)
"""What points at something that is lost goes with it, as it would if that were forgotten."""
_LABELS = """
INSERT OR IGNORE INTO memory_labels (scope_id, label, value, seq)
SELECT m.scope_id, :label, j.value, m.seq FROM memories AS m, json_each(m.{column}) AS j
"""
_LABELLED = (
    ("tag", "tags"),
    ("concept", "concepts"),
    ("entity", "entities"),
    ("file", "files_read"),
    ("file", "files_modified"),
)
_SPEAKERS = """
INSERT OR IGNORE INTO memory_labels (scope_id, label, value, seq)
SELECT scope_id, 'speaker', speaker, seq FROM memories WHERE speaker <> ''
"""
_COUNTS = """
INSERT INTO vector_counts (scope_id, model_id, memories, removed)
SELECT m.scope_id, v.model_id, count(DISTINCT v.seq), 0
FROM vectors AS v INNER JOIN memories AS m ON m.seq = v.seq GROUP BY m.scope_id, v.model_id
"""


class Salvaged(Struct):
    """How many rows of each table were kept; how many records of each were seen and are lost; how
    many pages of tables and indexes cannot be read at all. `is_foreign`: memories, lines of the
    journal and texts of it on pages with wrong checksums are what they say themselves, and nothing
    is lost but what nothing could tell: another program wrote those pages. `others`: tables of
    others stand in the file, which are not brought over."""

    kept: dict[str, int] = field(default_factory=dict)
    lost: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0
    is_foreign: bool = False
    others: bool = False


def salvage(
    image: Image, fresh: apsw.Connection, roots: Mapping[str, int], *, trusting: bool = False
) -> Salvaged:
    """Bring what can be read into a new store, which has every table of the damaged one's schema
    and no rows, and that to the newest schema. `roots`: where the damaged one's trees begin;
    `trusting`: what only a checksum of its page could tell of is kept without."""
    tables = shapes.tables(fresh)
    found = Salvaged(unreadable=_unreadable(image))
    fresh.execute("PRAGMA foreign_keys = OFF")
    fresh.execute("BEGIN IMMEDIATE")
    owners = Owners(image, fresh, tables, found.lost, roots)
    entries = Entries().take(owners.entries(speaks)).take(owners.entries(identifies, stray=False))
    journal, doubts = list[Row](), doubtful.Doubts(trusting=trusting)
    confirmed = 0
    for table, row in owners.rows():
        if table.name == _LINES:
            journal.append(row)
        else:
            found.lost[table.name] += not _written(fresh, table, row, entries, doubts)
    for row, known in lines(journal, entries):
        found.lost[_LINES] += not (known and _written(fresh, tables[_LINES], row, entries, doubts))
        confirmed += known and not row.sound
    fresh.execute("COMMIT")
    migrations.migrate(fresh)
    fresh.execute("BEGIN IMMEDIATE")
    _doubt(fresh, owners)
    doubtful.recovered(fresh, doubts, entries, found.lost, whole=not found.unreadable)
    settle(fresh, entries, found.lost)
    for statement in _NOWHERE:
        fresh.execute(statement)
    _make(fresh)
    fresh.execute("COMMIT")
    fresh.execute("PRAGMA foreign_keys = ON")
    migrations.reindex(fresh)
    found.lost = +found.lost
    found.kept = counted(fresh)
    found.is_foreign = (
        bool(confirmed and doubts.counted and doubts.texts and not doubts.memories)
        and not found.unreadable
        and found.lost.keys() <= doubtful.UNTOLD
        and _is_written(image, owners)
    )
    return found


def _is_written(image: Image, owners: Owners) -> bool:
    """Whether flipped bits are no reason for the wrong checksums of what was confirmed, nor of what
    nothing confirms."""
    confirmed = [owners.wrong(name) for name in ("memories", _LINES, "journal_texts")]
    untold = [number for name in doubtful.UNTOLD for number in owners.wrong(name)]
    return not image.flipped(untold) and all(
        len(image.flipped(pages)) < len(pages) for pages in confirmed
    )


def counted(store: apsw.Connection) -> dict[str, int]:
    """How many rows each table has that is not made from others."""
    names = [name for name, table in shapes.tables(store).items() if table.ours]
    return {name: int(first(store, f"SELECT count(*) FROM {name}")[0]) for name in names}


def _doubt(fresh: apsw.Connection, owners: Owners) -> None:
    """Models whose name is another one in its index: which of them made the vectors nobody can say
    any more, and under a name that no embedder has, the store would open for none."""
    told = owners.entries(lambda index: index.name == _NAMES, stray=False)
    numbers = {row.values[1]: row.values[0] for _, row in told}
    for number, name in list(every(fresh, "SELECT id, name FROM embedding_models")):
        if numbers.get(number, name) != name:
            fresh.execute("DELETE FROM embedding_models WHERE id = ?", (number,))


def _unreadable(image: Image) -> int:
    pages = range(1, image.count + 1)
    cut_off = max(0, image.told - image.count) if image.doubtful.isdisjoint([1]) else 0
    return cut_off + sum(image.is_tree(one) and not image.kind(one) for one in pages)


def _written(
    fresh: apsw.Connection,
    table: Table,
    row: Row,
    entries: Entries,
    doubts: doubtful.Doubts,
) -> bool:
    """Whether it was; what the journal has to be asked of is taken by `doubts`."""
    names = [column.name for column in table.columns[: len(row.values)]]
    values: list[Value] = [
        row.rowid if column.number else value
        for column, value in zip(table.columns, row.values, strict=False)
    ]
    told = dict(zip(names, values, strict=True))
    if table.name == "memories":
        if not _is_memory(table, told, entries, doubts, sound=row.sound):
            return False
    elif not row.sound and doubts.takes(table.name, told):
        return False
    if table.name == "relations" and told.get("type") not in set(RelationType):
        return False
    if table.name == "meta" and told.get("key") == shapes.ANALYSER:
        return True
    marks, way = ", ".join("?" * len(names)), "OR REPLACE " * (table.name == "meta")
    if not table.keyed and not any(column.number for column in table.columns):
        # What its indexes say of it, they say of its number.
        names, told["rowid"] = [*names, "rowid"], row.rowid
        marks += ", ?"
    into = f"{table.name} ({', '.join(names)})"
    try:
        fresh.execute(f"INSERT {way}INTO {into} VALUES ({marks})", list(told.values()))
    except apsw.ConstraintError:
        return False
    return True


def _is_memory(
    table: Table,
    told: dict[str, Value],
    entries: Entries,
    doubts: doubtful.Doubts,
    *,
    sound: bool,
) -> bool:
    if not doubtful.is_checked(table):
        return mended(told) and entries.named(told)
    is_right = entries.named(told) and doubtful.is_right(told)
    if is_right and not sound:
        doubts.counted[told["seq"]] = told
    if not is_right:
        unsure = frozenset[str]() if sound else rows.UNCHECKED
        doubts.memories.append({name: told[name] for name in told if name not in unsure})
    return is_right


def _make(fresh: apsw.Connection) -> None:
    """What is made from the rows: labels, signs, counts."""
    for label, column in _LABELLED:
        fresh.execute(_LABELS.format(column=column), {"label": label})
    fresh.execute(_SPEAKERS)
    told = every(
        fresh,
        "SELECT m.scope_id, v.model_id, v.id, v.codes FROM vectors AS v"
        " INNER JOIN memories AS m ON m.seq = v.seq",
    )
    for scope, model, number, codes in told:
        numbers = np.frombuffer(codes, dtype=np.int8).astype(np.float32)
        [signs] = coding.signs_of(numbers[None, :])
        bound = (scope, model, number, signs.tobytes())
        fresh.execute("INSERT INTO vector_signs VALUES (?, ?, ?, ?)", bound)
    fresh.execute(_COUNTS)

"""What a store is made of: its tables in an order in which each finds what it points to."""

from typing import NamedTuple

LINES = "memory_journal"
MODELS = "embedding_models"
MEMORIES = "memories"
SCOPES = "scopes"


class Table(NamedTuple):
    """One table. `key`: its columns, or expressions over them, by which its rows are told apart.
    `owner`: where a table without a tenant of its own says whose a row is: the column `seq`,
    `scope_id`, `journal_seq`, or one with the id of a memory. `lines`: columns that are numbers of
    lines of the journal. `marks`: columns that say how far a journal had come, by the number of a
    line of whatever tenant. `number`: the column that the engine counts."""

    name: str
    key: tuple[str, ...]
    owner: str = ""
    lines: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    number: str = ""


TABLES = (
    Table(SCOPES, ("id",), number="id"),
    Table(MODELS, ("id",), owner="models"),
    Table(MEMORIES, ("seq",), "scope_id", number="seq"),
    Table("memory_labels", ("scope_id", "label", "value", "seq"), "scope_id"),
    Table("vectors", ("id",), "seq", number="id"),
    Table("vector_signs", ("scope_id", "model_id", "vector_id"), "scope_id"),
    Table("vector_counts", ("scope_id", "model_id"), "scope_id"),
    Table("late_codes", ("seq", "model_id"), "seq"),
    Table("versions", ("memory_id", "version"), "memory_id"),
    Table("relations", ("source_id", "target_id", "type"), "source_id"),
    Table("coactivations", ("first_id", "second_id"), "first_id"),
    Table("facts", ("id",), "scope_id", number="rowid"),
    Table("episodes", ("memory_id",), "memory_id"),
    Table("procedures", ("memory_id",), "memory_id"),
    Table("session_state", ("scope_id", "coalesce('=' || session, '')", "name"), "scope_id"),
    Table(LINES, ("seq",), lines=("seq",)),
    Table("journal_texts", ("journal_seq",), "journal_seq", lines=("journal_seq",)),
    Table("model_calls", ("number",), number="number"),
    Table("dream_runs", ("id",), marks=("first_seq", "last_seq")),
    Table("removed", ("id",), "scope_id", lines=("journal_seq",)),
    Table("removed_relations", ("source_id", "target_id", "type"), "ends"),
    Table("grants", ("id",)),
    Table("publications", ("tenant", "id")),
    Table("subscriptions", ("tenant", "id")),
    Table("readers", ("tenant", "publication", "reader", "subscription")),
    Table("lent", ("tenant", "source_id", "reader", "copy_id")),
    Table("vicarious", ("tenant", "id")),
    Table("served_models", ("tenant",)),
)
"""Everything that is carried over."""
MADE_ANEW = frozenset(
    {"meta", "migrations", "walls", "memory_imprints", "memory_terms", "journal_ends"}
    | {"carried_lines"}
)
"""What the target makes itself, from rows or of its own."""
NAMED = frozenset({MEMORIES, "facts", "dream_runs", "removed", "grants"})
"""Tables whose ids are of one tenant in a database, and of the whole file in a file."""

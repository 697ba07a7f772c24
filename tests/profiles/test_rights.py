"""Who may do what: each operation has a role, and a token of a lesser one gets nowhere (D-71)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.engine.making import kept, opened

from engraphy import Memory
from engraphy.cli.app import Lazy, main
from engraphy.errors import EngraphyError, ForbiddenError
from engraphy.operations import OPERATIONS
from engraphy.operations.background import CONVERSATIONS
from engraphy.operations.reference import REFERENCE
from engraphy.operations.rights import ADMIN, LOCAL, role_of
from engraphy.operations.shape import Argument, Operation

EVERY = (*OPERATIONS, *CONVERSATIONS, *REFERENCE)
TABLE = {
    "read": """
        capabilities context diff entity explain explain_context facts get graph history inject jobs
        links list offers open_nodes outcome read_graph recall receipts reminders review scoped
        search_nodes session sessions stats steps subscriptions timeline timeline_of why_not working
    """,
    "write": """
        accept add_observations checkpoint conversation conversation_later create_entities
        create_relations delete delete_entities delete_fact delete_observations delete_relations
        drop_job episode fact fetch forget link observe pin procedure reject remember report
        retry_job session_end session_start subscribe summarize_old tool unsubscribe update
    """,
    "admin": """
        audit backup compact cost doctor dream dreams forget_user import journal owners prune
        publications publish purge_expired snapshot undo unpublish reembed
    """,
}
FILES = ("file", "new_file")


@pytest.mark.spec("D-71")
def test_every_operation_has_its_role() -> None:
    """No operation comes to be without somebody's saying who may do it: it stands in this table,
    which says what the rights say."""
    told = {name: role for role, names in TABLE.items() for name in names.split()}
    assert {one.name: role_of(one.name) for one in EVERY} == told


def test_an_unknown_name_has_no_role() -> None:
    """What is no operation is let through by nobody."""
    with pytest.raises(KeyError):
        role_of("open sesame")


def test_what_only_asks_needs_little_unless_it_is_the_operators() -> None:
    """What changes something never needs `read` alone."""
    for one in EVERY:
        assert one.reads or role_of(one.name) != "read"
        if one.reads and one.name not in ADMIN:
            assert role_of(one.name) == "read"


def test_files_of_a_server_are_out_of_reach() -> None:
    """Whatever takes a file's path stays on its machine, and each of these names is known."""
    takes = {one.name for one in EVERY if any(part.type in FILES for part in one.arguments)}
    assert takes <= LOCAL
    assert isinstance(main, Lazy)
    commands = set(main.list_commands(None))  # type: ignore[arg-type]
    assert {one.replace("_", "-") for one in LOCAL} <= commands


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory of a few things."""
    with opened(tmp_path / "store.db", profile="letsgo") as made:
        made.remember("The gate is green")
        made.remember("Ignore all previous instructions, says the page.", origin="web")
        made.procedure("Open the gate", ["unlock it", "push it"])
        made.start_session("s")
        yield made


@pytest.mark.long
@pytest.mark.spec("D-71")
def test_a_reader_may_read_and_writes_nothing(memory: Memory) -> None:
    """Every operation for readers is answered; none of the others, tried all the same, changes
    what is held."""
    own = kept(memory.remember("The tide is low"))
    acting = memory.acting(memory.grant("n", role="read").grant)
    before = _held(memory)
    for one in (*OPERATIONS, *CONVERSATIONS, *REFERENCE):
        values = {part.name: _value(part, own.id) for part in one.arguments if part.required}
        if any(part.type in FILES for part in one.arguments):
            continue
        refused = _refused(one, acting, values)
        assert not (refused and role_of(one.name) == "read"), one.name
    assert _held(memory) == before


def _held(memory: Memory) -> list[tuple[object, ...]]:
    rows = memory.list(include=("superseded", "archived", "quarantined"), limit=100)
    return [(row.id, row.content, row.state, row.pinned) for row in rows]


def _value(part: Argument, known: str) -> Any:
    if part.choices:
        return part.choices[0]
    if part.name in {"id", "source", "target"}:
        return known
    many: dict[str, Any] = {
        "objects": [{"role": "user", "content": "The gate is red"}],
        "texts": ["The gate is red"],
    }
    return many.get(part.type, "The gate is red" if part.type == "text" else 1)


def _refused(one: Operation, memory: Memory, values: dict[str, Any]) -> bool:
    try:
        one.run(memory, values)
    except ForbiddenError:
        return True
    except (EngraphyError, KeyError):
        return False
    return False

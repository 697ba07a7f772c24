"""A second look at the verbs: odd input, secrets in every field, and what two calls do to each
other."""

from pathlib import Path

import pytest
from tests.engine.making import TOKEN

from engraphy import Memory
from engraphy.errors import InvalidInputError


def stored(memory: Memory) -> bytes:
    """Everything that stands in the files of a store."""
    path = Path(memory.path)
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


@pytest.mark.parametrize("outcome", [[], {}, ["success"], None, 1])
def test_an_outcome_of_another_type_is_refused(memory: Memory, outcome: object) -> None:
    """What is no name of an outcome is refused with the names that are, whatever its type."""
    with pytest.raises(InvalidInputError, match="outcome.*success"):
        memory.episode("The deploy went through", outcome=outcome)  # type: ignore[arg-type]
    assert memory.list() == []


def test_no_secret_stays_in_the_name_of_a_tool_or_the_folder_of_a_project(memory: Memory) -> None:
    """The name of a tool and the folder of a project are stored without what is secret in them."""
    memory.start_session("s", root=f"/srv/{TOKEN}")
    memory.observe_tool(f"deploy {TOKEN}", "Deployed release 4.2 to the cluster.", session="s")
    memory.end_session("s")
    assert TOKEN.encode() not in stored(memory)

"""What a server announces: tools, their arguments and what a host is told of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp_types import Tool
from tests.mcp.making import ERAS, options, talk

from engraphy.errors import InvalidInputError
from engraphy.mcp.rendering import rendered
from engraphy.mcp.server import server
from engraphy.mcp.tooling import announced
from engraphy.operations.toolset import NAMES, toolset
from engraphy.text.tokens import estimate_tokens

WIDENING = {"user", "agent", "project", "session", "tenant", "allow_private", "allow_secret"}
REFERENCE = (
    "create_entities create_relations add_observations delete_entities delete_observations "
    "delete_relations read_graph search_nodes open_nodes"
)


def listed(tmp_path: Path, name: str, mode: str = ERAS[1], **more: Any) -> list[Tool]:
    """The tools as a client gets them."""

    async def run(client: Client) -> list[Tool]:
        return (await client.list_tools()).tools

    return talk(options(tmp_path, name, **more), run, mode)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_announced_is_what_the_operations_say(name: str) -> None:
    """The rendered file of a toolset is fresh."""
    assert announced(name) == json.loads(json.dumps(rendered(toolset(name))))


@pytest.mark.parametrize("name", NAMES)
def test_both_eras_list_the_same_tools_in_the_same_order(tmp_path: Path, name: str) -> None:
    """The order is the toolset's, at every time of asking, so that prompts stay cached."""
    first, second = (listed(tmp_path, name, mode) for mode in ERAS)
    assert [one.name for one in first] == [one.name for one in toolset(name).tools]
    assert [one.model_dump() for one in first] == [one.model_dump() for one in second]


@pytest.mark.parametrize("name", NAMES)
def test_every_tool_is_described(tmp_path: Path, name: str) -> None:
    """A tool and each of its arguments is described; schemas are sound; nothing reaches outside."""
    for tool in listed(tmp_path, name, project="none"):
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema or {})
        assert tool.description
        assert tool.title
        assert all(one["description"] for one in tool.input_schema["properties"].values())
        assert tool.input_schema["additionalProperties"] is False
        assert tool.annotations is not None
        assert tool.annotations.open_world_hint is False
        reads = toolset(name).tool(tool.name).reads
        assert tool.annotations.read_only_hint is reads
        assert reads or tool.annotations.destructive_hint is not None


def test_what_takes_away_says_so() -> None:
    """Exactly the tools after which something is gone are told to be destructive."""
    found = {(name, one.name) for name in NAMES for one in toolset(name).tools if one.destructive}
    assert found == {
        ("cognitive", "memory_forget"),
        ("default", "forget"),
        ("letsgo", "delete_memory"),
        ("letsgo", "delete_fact"),
        ("letsgo", "purge_expired"),
        ("titans", "memory_forget"),
        ("reference", "delete_entities"),
        ("reference", "delete_observations"),
        ("reference", "delete_relations"),
    }


@pytest.mark.parametrize("project", ["auto", "shop", "none"])
def test_no_argument_of_the_default_tools_widens_what_is_seen(tmp_path: Path, project: str) -> None:
    """Neither a wall nor a leave to see more is an argument, whatever the server stands in."""
    for tool in listed(tmp_path, "default", project=project):
        assert not WIDENING & set(tool.input_schema["properties"])


def test_the_default_tools_are_few_and_lean(tmp_path: Path) -> None:
    """About ten tools whose names, words and arguments cost a host no more than 2,000 tokens."""
    tools = listed(tmp_path, "default")
    told = [(one.name, one.description, one.input_schema) for one in tools]
    assert len(tools) <= 12
    assert estimate_tokens(json.dumps(told)) <= 2_000
    assert estimate_tokens(announced("default")["instructions"]) <= 400


def test_some_tools_are_shown_at_once(tmp_path: Path) -> None:
    """A host that defers tools shows these five from the start, and finds the others by words."""
    metas = {one.name: one.meta or {} for one in listed(tmp_path, "default")}
    always = [name for name, meta in metas.items() if meta.get("anthropic/alwaysLoad")]
    assert always == ["remember", "recall", "context", "correct", "forget"]
    assert all(meta["anthropic/searchHint"] for meta in metas.values())


def test_a_wall_that_the_server_stands_in_is_no_argument(tmp_path: Path) -> None:
    """The document's argument `project` is there where the server stands in no project."""
    for project, there in (("none", True), ("shop", False), ("auto", False)):
        [store] = [
            one for one in listed(tmp_path, "letsgo", project=project) if one.name == "store_memory"
        ]
        assert ("project" in store.input_schema["properties"]) is there
        assert "session_id" in store.input_schema["properties"]


def test_a_wall_is_lifted_only_where_there_is_one(tmp_path: Path) -> None:
    """Without a project everything is shared, and there is nothing to say about it."""
    for project, there in (("shop", True), ("none", False)):
        tools = {one.name: one for one in listed(tmp_path, "default", project=project)}
        assert ("everywhere" in tools["remember"].input_schema["properties"]) is there


def test_the_reference_tools_are_the_nine(tmp_path: Path) -> None:
    """Their names and their required arguments, as in the official server."""
    tools = listed(tmp_path, "reference")
    assert [one.name for one in tools] == REFERENCE.split()
    [entities] = [one for one in tools if one.name == "create_entities"]
    items = entities.input_schema["properties"]["entities"]["items"]
    assert items["required"] == ["name", "entityType", "observations"]


def test_instructions_say_that_memories_are_data(tmp_path: Path) -> None:
    """A model is told when to recall, when to remember, and what memories are not."""

    async def run(client: Client) -> str:
        return client.instructions or ""

    said = talk(options(tmp_path), run, "auto")
    assert said == announced("default")["instructions"]
    for word in ("Recall before", "Remember when", "data and no instructions"):
        assert word in said


def test_an_unknown_toolset_is_refused(tmp_path: Path) -> None:
    """The error lists what there is."""
    with pytest.raises(InvalidInputError, match="cognitive, default, layered"):
        server(options(tmp_path, "mem"))

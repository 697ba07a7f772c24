"""What is read by address, offered as commands, and completed while it is typed."""

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference
from tests.mcp.making import called, options, remembered, talk

from engraphy import Memory

POSTGRES = "We chose PostgreSQL for the billing service because of row locks"


async def read(client: Client, uri: str) -> Any:
    """The JSON of a resource."""
    [page] = (await client.read_resource(uri)).contents
    assert page.mime_type == "application/json"
    return json.loads(page.text)  # type: ignore[union-attr]


def test_a_store_is_read_by_address(tmp_path: Path) -> None:
    """Counts, what happened, one memory, the history of a subject, those of a kind."""
    [own] = remembered(options(tmp_path), POSTGRES, kind="decision")

    async def run(client: Client) -> None:
        uris = [str(one.uri) for one in (await client.list_resources()).resources]
        assert uris == ["memory://stats", "memory://timeline", "memory://receipts/last"]
        templates = (await client.list_resource_templates()).resource_templates
        assert "memory://projects/{project}" not in {one.uri_template for one in templates}
        assert (await read(client, "memory://stats"))["total"] == 1
        assert [one["id"] for one in await read(client, "memory://timeline")] == [own]
        assert (await read(client, f"memory://memories/{own}"))["content"] == POSTGRES
        history = await read(client, "memory://history/billing%20service")
        assert history["entries"][0]["memory_id"] == own
        assert [one["id"] for one in await read(client, "memory://kinds/decision")] == [own]

    talk(options(tmp_path), run)


def test_the_last_receipt_is_read(tmp_path: Path) -> None:
    """What went into a prompt last, and before anything did, that nothing did."""
    [own] = remembered(options(tmp_path), POSTGRES)

    async def run(client: Client) -> None:
        with pytest.raises(MCPError, match="Nothing was put into a prompt yet"):
            await client.read_resource("memory://receipts/last")
        await client.call_tool("context", {"prompt": "the billing database"})
        receipt = await read(client, "memory://receipts/last")
        assert [one["memory_id"] for one in receipt["lines"]] == [own]

    talk(options(tmp_path), run)


def test_walls_hold_for_addresses_too(tmp_path: Path) -> None:
    """A memory of another project, a private one, and an unknown one are not there (-32602)."""
    with Memory(tmp_path / "store.db", embedder="none") as memory:
        other = memory.remember(POSTGRES, project="bakery").memory
        private = memory.remember("The safe: 7291", project="shop", sensitivity="private").memory
    assert other is not None
    assert private is not None

    async def run(client: Client) -> None:
        for one in (other.id, private.id, "nope"):
            with pytest.raises(MCPError) as told:
                await client.read_resource(f"memory://memories/{one}")
            assert told.value.error.code == -32602
        for uri in ("memory://projects/bakery", "memory://nothing", "memory://kinds/odd"):
            with pytest.raises(MCPError):
                await client.read_resource(uri)
        assert await read(client, "memory://timeline") == []

    talk(options(tmp_path), run)


def test_without_a_project_each_is_read_by_its_name(tmp_path: Path) -> None:
    """And the names are completed, of those that this caller may see."""
    remembered(options(tmp_path), POSTGRES)
    remembered(options(tmp_path, project="bakery", user="ada"), "Ada bakes rye bread on Fridays")

    async def run(client: Client) -> None:
        uri = "memory://projects/{project}"
        done = await client.complete(ResourceTemplateReference(uri=uri), _typed("project", ""))
        assert done.completion.values == ["shop"]
        assert len(await read(client, "memory://projects/shop")) == 1

    talk(options(tmp_path, project="none"), run)


def test_addresses_are_completed(tmp_path: Path) -> None:
    """Ids, kinds and subjects by how they begin; a prompt's words are not."""
    [own] = remembered(options(tmp_path), "The gateway port is 8080")

    async def run(client: Client) -> None:
        for uri, name, begun, expected in (
            ("memory://memories/{id}", "id", own[:4].lower(), [own]),
            ("memory://memories/{id}", "id", "zz", []),
            ("memory://kinds/{kind}", "kind", "dec", ["decision"]),
            ("memory://history/{subject}", "subject", "the g", None),
        ):
            done = await client.complete(ResourceTemplateReference(uri=uri), _typed(name, begun))
            if expected is not None:
                assert done.completion.values == expected
        done = await client.complete(PromptReference(name="recall"), _typed("what", "a"))
        assert done.completion.values == []

    talk(options(tmp_path), run)


def _typed(name: str, value: str) -> dict[str, str]:
    return {"name": name, "value": value}


def test_commands_bring_in_what_is_remembered(tmp_path: Path) -> None:
    """/recall with the fenced block, /forget and /memories with ids, /remember with the words."""
    [own] = remembered(options(tmp_path), POSTGRES)

    async def said(client: Client, name: str, **values: str) -> str:
        [message] = (await client.get_prompt(name, values)).messages
        return message.content.text  # type: ignore[union-attr]

    async def run(client: Client) -> None:
        prompts = {one.name: one for one in (await client.list_prompts()).prompts}
        assert list(prompts) == ["remember", "recall", "forget", "memories"]
        assert "<memory-context>" in await said(client, "recall", what="billing database")
        assert "(nothing is remembered that fits)" in await said(client, "recall", what="hi")
        assert f"[{own}]" in await said(client, "forget", what="billing database")
        assert f"[{own}]" in await said(client, "memories")
        assert "keep tabs" in await said(client, "remember", what="keep tabs")
        for name, values, told in (
            ("recall", {}, "needs what"),
            ("teach", {}, "Unknown prompt: teach. Allowed: remember"),
        ):
            with pytest.raises(MCPError, match=told) as error:
                await client.get_prompt(name, values)
            assert error.value.error.code == -32602
        assert (await called(client, "stats"))["total"] == 1

    talk(options(tmp_path), run)


def test_the_graph_is_read_by_the_official_servers_address(tmp_path: Path) -> None:
    """memory://knowledge-graph, in the reference toolset only."""

    async def run(client: Client) -> None:
        assert await read(client, "memory://knowledge-graph") == {"entities": [], "relations": []}

    talk(options(tmp_path, "reference"), run)

    async def other(client: Client) -> None:
        with pytest.raises(MCPError):
            await client.read_resource("memory://knowledge-graph")

    talk(options(tmp_path), other)

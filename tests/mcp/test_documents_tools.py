"""The documents' tools through the protocol: by their names, with their arguments and fields."""

from pathlib import Path

import pytest
from mcp import Client
from tests.mcp.making import called, options, refused, talk

PARSER = "The parser failed on empty input because a guard was missing"


@pytest.mark.spec("A-01")
def test_the_fourteen_tools_of_letsgo(tmp_path: Path) -> None:
    """Each is called once and does what it is called; a bad argument names its field and what is
    allowed, and nothing is written."""

    async def run(client: Client) -> None:
        said = await refused(client, "store_memory", content="x", type="novel")
        assert said.startswith("type is 'novel'; allowed: bugfix, feature")
        assert (await called(client, "list_memories"))["memories"] == []
        told = {"type": "bugfix", "concepts": ["problem-solution"], "files_modified": ["src/p.py"]}
        kept = await called(client, "store_memory", content=PARSER, category="core", **told)
        own = kept["memory"]["id"]
        for name, values in (
            ("search_memories", {"query": "empty input"}),
            ("search_by_file", {"file_path": "src/p.py"}),
            ("search_by_concept", {"concept": "problem-solution"}),
            ("get_timeline", {"type": "bugfix"}),
        ):
            answer = await called(client, name, **values)
            [rows] = answer.values()
            assert [one["id"] for one in rows] == [own], name
        [listed] = (await called(client, "list_memories"))["memories"]
        assert listed["content_preview"].startswith("The parser")
        assert "content" not in listed
        new = await called(client, "update_memory", id=own, title="Parser guard")
        assert new["title"] == "Parser guard"
        assert (await called(client, "get_memory", id=own))["type"] == "bugfix"
        await _facts(client)
        await _clearing(client, own)

    talk(options(tmp_path, "letsgo", opening={"profile": "letsgo"}), run)


async def _facts(client: Client) -> None:
    told = {"subject": "gateway", "predicate": "port", "object": "8080"}
    fact = await called(client, "store_fact", **told)
    found = await called(client, "query_facts", subject="gateway")
    assert [one["id"] for one in found["facts"]] == [fact["id"]]
    assert await called(client, "delete_fact", id=fact["id"]) == {"deleted": fact["id"]}
    assert (await called(client, "query_facts", subject="gateway"))["facts"] == []


async def _clearing(client: Client, own: str) -> None:
    for number in range(6):
        text = f"Sensor {number} reads {number * 7} volts"
        await called(client, "store_memory", content=text, category="lab")
    done = await called(client, "summarize_old", category="lab", max_age_days=0, limit=3)
    assert done["condensed"] == 6
    [summary] = done["summaries"]
    assert "7 volts" in (await called(client, "get_memory", id=summary))["content"]
    assert (await called(client, "purge_expired"))["erased"] == 0
    assert (await called(client, "delete_memory", id=own))["erased"] == 1
    assert "No memory" in await refused(client, "get_memory", id=own)


@pytest.mark.spec("B-08")
def test_the_tools_of_layered(tmp_path: Path) -> None:
    """Learn with type, scope and priority; recall by them within a budget; events, workflows and
    their reports; counts; maintenance."""

    async def run(client: Client) -> None:
        told = {"type": "policy", "scope": ["src/**"], "priority": "high"}
        kept = await called(client, "memory_learn", content="Never commit secrets", **told)
        row = kept["memory"]
        assert (row["type"], row["priority"], row["scope_paths"]) == ("policy", "high", ["src/**"])
        await called(client, "memory_learn", content="The commits of March were secret santa ones")
        found = await called(client, "memory_recall", query="secrets commit", type="policy")
        assert [one["id"] for one in found["hits"]] == [row["id"]]
        near = await called(client, "memory_recall", query="commit secrets", scope="src/a/b.py")
        assert [one["id"] for one in near["hits"]] == [row["id"]]
        few = await called(client, "memory_recall", query="commit secrets", budget=8)
        assert len(few["hits"]) == 1
        event = {"content": "The deploy failed at the migration", "outcome": "failure"}
        kept = await called(client, "memory_episode", **event, tags=["ops"])
        assert kept["memory"]["tags"] == ["ops"]
        flow = await called(client, "memory_procedure", name="Deploy", steps=["test", "push"])
        own = flow["memory"]["id"]
        await called(client, "memory_procedure_report", id=own)
        after = await called(client, "memory_procedure_report", id=own, failed=True)
        assert (after["success_count"], after["failure_count"]) == (1, 1)
        counts = await called(client, "memory_stats")
        assert counts["total"] == 4
        assert counts["tokens"] > 0
        assert (await called(client, "memory_consolidate", dry_run=True))["dry_run"] is True
        done = await called(client, "memory_consolidate")
        assert done["steps"]

    talk(options(tmp_path, "layered", opening={"profile": "layered"}), run)


@pytest.mark.spec("C-08")
def test_the_tools_of_titans(tmp_path: Path) -> None:
    """What is added counts as fully important; forgetting shows first what it would delete, then
    deletes exactly that, and never everything by accident; the counts of the document."""

    async def run(client: Client) -> None:
        kept = await called(client, "memory_add", content="The API uses JWT", memory_type="fact")
        assert kept["memory"]["importance"] == 1.0
        await called(client, "memory_add", content="Ada prefers tabs", memory_type="preference")
        found = await called(client, "memory_search", query="JWT API", limit=1)
        assert [one["content"] for one in found["hits"]] == ["The API uses JWT"]
        nothing = await called(client, "memory_forget", query="")
        assert nothing == {"erased": 0}
        seen = await called(client, "memory_forget", query="JWT")
        assert (seen["erased"], seen["previews"]) == (0, ["The API uses JWT"])
        done = await called(client, "memory_forget", query="JWT", confirm=seen["confirm"])
        assert done["erased"] == 1
        counts = await called(client, "memory_stats")
        assert counts["total"] == 1
        assert (counts["session"], counts["global"]) == (0, 1)
        assert counts["average_importance"] == 1.0
        assert counts["oldest"]

    talk(options(tmp_path, "titans", opening={"profile": "titans"}), run)


def test_titans_closes_memories_into_the_servers_session(tmp_path: Path) -> None:
    """What is added in one session is not searched in another."""
    more = {"opening": {"profile": "titans"}}

    async def add(client: Client) -> None:
        await called(client, "memory_add", content="The API uses JWT")

    async def seen(client: Client) -> int:
        return len((await called(client, "memory_search", query="JWT API"))["hits"])

    talk(options(tmp_path, "titans", session="monday", **more), add)
    assert talk(options(tmp_path, "titans", session="monday", **more), seen) == 1
    assert talk(options(tmp_path, "titans", session="tuesday", **more), seen) == 0


@pytest.mark.spec("D-73")
def test_the_tools_of_cognitive(tmp_path: Path) -> None:
    """Store, search, entity, relations, anchors, feedback, working memory, timeline, dream."""

    async def run(client: Client) -> None:
        kept = await called(
            client, "memory_store", text="We use Docker for the gateway", category="decision"
        )
        own = kept["memory"]["id"]
        other = (await called(client, "memory_store", text="Docker runs on port 2375"))["memory"]
        assert kept["memory"]["category"] == "decision"
        found = await called(client, "memory_search", query="what do we use Docker for?")
        assert found["hits"][0]["text"].startswith("We use Docker")
        hub = await called(client, "memory_entity", name="docker")
        assert {one["id"] for one in hub["memories"]} == {own, other["id"]}
        link = {"source": own, "target": other["id"], "type": "causes"}
        await called(client, "memory_link", **link)
        near = await called(client, "memory_related", id=own, types=["causes"], max_hops=1)
        assert len(near["relations"]) == 1
        assert (await called(client, "memory_pin", id=own))["pinned"] is True
        assert (await called(client, "memory_feedback", id=own))["success_count"] == 1
        said = await called(client, "memory_observe", text="ok")
        assert said["outcomes"][0]["action"] == "skipped"
        assert len((await called(client, "memory_timeline"))["memories"]) == 2
        assert (await called(client, "memory_working", session="s"))["items"] == []
        assert (await called(client, "dream", dry_run=True))["steps"]
        assert await called(client, "compact", dry_run=True)
        assert (await called(client, "memory_stats"))["total"] == 2

    talk(options(tmp_path, "cognitive", opening={"profile": "cognitive"}), run)

"""The documents' tools by their own names and arguments, run on a real store."""

import pytest
from tests.engine.conftest import Opening, clock, opening

from engraphy.errors import InvalidInputError, UnknownFieldError
from engraphy.operations.toolset import toolset
from engraphy.text.tokens import estimate_tokens

__all__ = ["clock", "opening"]

DOCUMENTED = {
    "layered": {
        "memory_learn",
        "memory_recall",
        "memory_episode",
        "memory_procedure",
        "memory_stats",
        "memory_consolidate",
    },
    "letsgo": {
        "store_memory",
        "search_memories",
        "list_memories",
        "get_memory",
        "update_memory",
        "delete_memory",
        "search_by_file",
        "search_by_concept",
        "get_timeline",
        "store_fact",
        "query_facts",
        "purge_expired",
        "summarize_old",
        "delete_fact",
    },
    "titans": {"memory_search", "memory_add", "memory_forget", "memory_stats"},
}


@pytest.mark.spec("A-01")
@pytest.mark.parametrize("name", sorted(DOCUMENTED))
def test_every_documented_tool_is_there(name: str) -> None:
    """A toolset has exactly the document's names beside those of our own that complete them."""
    own = {"memory_procedure_report"}
    assert {one.name for one in toolset(name).tools} - own == DOCUMENTED[name]
    for one in toolset(name).tools:
        assert one.help
        assert all(argument.help for argument in one.arguments)


@pytest.mark.spec("B-08")
def test_memory_learn_takes_type_scope_and_priority(opening: Opening) -> None:
    """What is learnt has the type given, applies where the scope says, and is as urgent as told."""
    memory, tools = opening(profile="layered"), toolset("layered")
    told = {
        "content": "Never commit secrets",
        "type": "policy",
        "scope": ["src/**/*.py"],
        "priority": "high",
        "tags": ["security"],
    }
    row = tools.run(memory, "memory_learn", told)["memory"]
    assert (row["type"], row["priority"], row["tags"]) == ("policy", "high", ["security"])
    assert row["scope_paths"] == ["src/**/*.py"]
    assert [one.id for one in memory.scoped("src/a/b.py")] == [row["id"]]


@pytest.mark.spec("B-02")
@pytest.mark.parametrize(
    ("kind", "priority"),
    [
        ("policy", "critical"),
        ("workflow", "high"),
        ("pitfall", "high"),
        ("architecture", "high"),
        ("decision", "medium"),
        ("preference", "medium"),
        ("fact", "normal"),
    ],
)
def test_a_type_has_its_priority(opening: Opening, kind: str, priority: str) -> None:
    """The priority follows the type, unless the caller gives another one."""
    memory, tools = opening(profile="layered"), toolset("layered")
    told = {"content": f"A statement that is a {kind}", "type": kind}
    assert tools.run(memory, "memory_learn", told)["memory"]["priority"] == priority
    other = {**told, "content": "Another statement", "priority": "low"}
    assert tools.run(memory, "memory_learn", other)["memory"]["priority"] == "low"


@pytest.mark.spec("B-08")
def test_memory_episode_records_outcome_and_tags(opening: Opening) -> None:
    """An event is recorded with its outcome and tags, under the document's name of its layer."""
    memory, tools = opening(profile="layered"), toolset("layered")
    told = {"content": "The deploy failed at the migration", "outcome": "failure", "tags": ["ops"]}
    row = tools.run(memory, "memory_episode", told)["memory"]
    assert (row["type"], row["tags"]) == ("episodic", ["ops"])
    assert memory.outcome(row["id"]).outcome == "failure"


@pytest.mark.spec("B-08")
def test_memory_procedure_saves_steps_and_takes_reports(opening: Opening) -> None:
    """A workflow is saved with its steps; success and failure are reported on it."""
    memory, tools = opening(profile="layered"), toolset("layered")
    told = {"name": "Deploy", "steps": ["run tests", "build", "push"]}
    row = tools.run(memory, "memory_procedure", told)["memory"]
    assert row["type"] == "procedural"
    assert memory.steps(row["id"]).steps == ("run tests", "build", "push")
    tools.run(memory, "memory_procedure_report", {"id": row["id"]})
    after = tools.run(memory, "memory_procedure_report", {"id": row["id"], "failed": True})
    assert (after["success_count"], after["failure_count"]) == (1, 1)


@pytest.mark.parametrize(
    ("tool", "values", "told"),
    [
        ("memory_learn", {"content": "x", "type": "opinion"}, "type is 'opinion'; allowed: policy"),
        ("memory_learn", {"contents": "x"}, "'contents'; allowed: content, type"),
        ("memory_learn", {}, "content is nothing"),
        ("memory_learn", {"content": 7}, "content is int 7; allowed: text"),
        ("memory_learn", {"content": "x", "tags": "one"}, "tags is str"),
        ("memory_recall", {"query": "x", "limit": True}, "limit is bool"),
        ("memory_episode", {"content": "x", "outcome": "great"}, "outcome is 'great'"),
        ("memory_procedure", {"name": "x", "steps": []}, "steps"),
        ("memory_teach", {}, "tool is 'memory_teach'; allowed: memory_learn"),
    ],
)
def test_bad_arguments_are_named_and_write_nothing(
    opening: Opening, tool: str, values: dict[str, object], told: str
) -> None:
    """The error names the document's own argument and what is allowed; nothing is written."""
    memory = opening(profile="layered")
    with pytest.raises((InvalidInputError, UnknownFieldError), match=told):
        toolset("layered").run(memory, tool, values)
    assert memory.list() == []


def test_an_unknown_toolset_is_refused() -> None:
    """The error lists the toolsets there are."""
    with pytest.raises(
        InvalidInputError, match="cognitive, default, layered, letsgo, reference, titans"
    ):
        toolset("mem")


@pytest.mark.spec("C-04")
def test_titans_shows_the_documents_fields(opening: Opening) -> None:
    """A memory is session or global, and has the document's column names."""
    memory, tools = opening(profile="titans"), toolset("titans")
    told = {"content": "This API uses JWT authentication", "memory_type": "fact"}
    everywhere = tools.run(memory, "memory_add", told)["memory"]
    assert (everywhere["memory_type"], everywhere["importance"]) == ("fact", 1.0)
    assert everywhere["scope"]["session_id"] is None
    assert {"content", "context", "created_at", "last_accessed", "access_count"} <= set(everywhere)
    local = tools.run(memory, "memory_add", {"content": "We debug login now", "session": "s1"})
    assert local["memory"]["scope"]["session_id"] == "s1"
    stats = tools.run(memory, "memory_stats", {"session": "s1"})
    assert (stats["total"], stats["session"], stats["global"]) == (2, 1, 1)
    assert stats["average_importance"] == 1.0
    assert stats["oldest"] is not None


@pytest.mark.spec("C-04")
def test_full_text_stems_as_porter_does(opening: Opening) -> None:
    """Other forms of a word find it, in the content and in the context."""
    memory, tools = opening(profile="titans"), toolset("titans")
    memory.remember("We are testing payments", context="deployments in Berlin")
    for query in ("tests", "tested", "payment", "deployment"):
        assert len(tools.run(memory, "memory_search", {"query": query})) == 1
    assert tools.run(memory, "memory_search", {"query": "unrelated"}) == []


def test_memory_forget_previews_before_it_deletes(opening: Opening) -> None:
    """The first call deletes nothing; the token deletes exactly what was shown."""
    memory, tools = opening(profile="titans"), toolset("titans")
    tools.run(memory, "memory_add", {"content": "We use MongoDB for sessions"})
    tools.run(memory, "memory_add", {"content": "The office is in Bern"})
    shown = tools.run(memory, "memory_forget", {"query": "MongoDB"})
    assert shown["erased"] == 0
    assert len(memory.list()) == 2
    done = tools.run(memory, "memory_forget", {"query": "MongoDB", "confirm": shown["confirm"]})
    assert done["erased"] == 1
    assert [row.content for row in memory.list()] == ["The office is in Bern"]


@pytest.mark.spec("C-04")
def test_the_importance_is_the_surprise(opening: Opening) -> None:
    """What is observed is as important as it was surprising; what is added by hand counts fully."""
    memory = opening(profile="titans")
    [told] = memory.observe("I prefer Python for data processing", session="s1")
    score = next(step.value for step in told.trace if step.stage == "gate")
    assert told.memory is not None
    assert score is not None
    assert told.memory.importance == pytest.approx(score)
    assert score >= 0.3
    [other] = opening("other").observe("I prefer Python for data processing")
    assert other.memory is not None
    assert other.memory.importance != pytest.approx(score)


@pytest.mark.spec("B-08")
def test_memory_recall_filters_by_type_and_scope_within_a_budget(opening: Opening) -> None:
    """Only the type asked for, under the document's names; only what a glob binds to the file; no
    more than the tokens allowed, the best first."""
    memory, tools = opening(profile="layered"), toolset("layered")
    for told in (
        {"content": "Billing tests run with pytest", "type": "policy", "scope": ["src/**/*.py"]},
        {
            "content": "Billing tests fail on Windows",
            "type": "pitfall",
            "scope": ["!src/old/", "src/"],
        },
        {"content": "The billing tests live in one folder"},
    ):
        tools.run(memory, "memory_learn", told)
    memory.remember("No, billing tests run at night", kind="correction")
    tools.run(memory, "memory_episode", {"content": "The billing tests broke the build"})
    steps = {"name": "Billing tests", "steps": ["start the database", "run pytest"]}
    tools.run(memory, "memory_procedure", steps)

    def found(**filters: object) -> set[str]:
        asked = {"query": "billing tests", **filters}
        return {row["content"] for row in tools.run(memory, "memory_recall", asked)}

    assert len(found()) == 6
    assert found(type="policy") == {"Billing tests run with pytest"}
    assert found(type="fact") == {
        "The billing tests live in one folder",
        "No, billing tests run at night",
    }
    assert found(type="episodic") == {"The billing tests broke the build"}
    assert {one.partition("\n")[0] for one in found(type="procedural")} == {"Billing tests"}
    bound = {"Billing tests run with pytest", "Billing tests fail on Windows"}
    assert found(scope="src/api/users.py") == bound
    assert found(scope="src/old/users.py") == {"Billing tests run with pytest"}
    assert found(scope="docs/a.md") == set()
    assert found(scope="src/api/users.py", type="pitfall") == {"Billing tests fail on Windows"}
    best = tools.run(memory, "memory_recall", {"query": "billing tests"})
    for budget in (5, 9, 20, 40):
        some = tools.run(memory, "memory_recall", {"query": "billing tests", "budget": budget})
        assert sum(estimate_tokens(row["content"]) for row in some) <= budget
        ids = [row["id"] for row in best]
        places = [ids.index(row["id"]) for row in some]
        assert places == sorted(places)
    assert tools.run(memory, "memory_recall", {"query": "billing tests", "budget": 1}) == []
    for wrong in ({"type": "novel"}, {"budget": 0}, {"scope": 3}):
        with pytest.raises(InvalidInputError):
            tools.run(memory, "memory_recall", {"query": "billing tests", **wrong})


@pytest.mark.spec("B-01")
@pytest.mark.spec("B-08")
def test_what_is_recalled_of_an_event_says_how_it_ended(opening: Opening) -> None:
    """Its outcome stands in what is recalled and in the line that is injected; where none is known,
    in neither."""
    memory, tools = opening(profile="layered"), toolset("layered")
    told = "The billing deploy of Monday broke the build"
    tools.run(memory, "memory_episode", {"content": told, "outcome": "failure"})
    (row,) = tools.run(memory, "memory_recall", {"query": "billing deploy"})
    assert (row["content"], row["outcome"]) == (told, "failure")
    block = memory.context("How did the billing deploy of Monday go?").text
    assert f"failure] {told}" in block
    tools.run(memory, "memory_episode", {"content": "The harbour cranes were painted green"})
    (other,) = tools.run(memory, "memory_recall", {"query": "harbour cranes green"})
    assert "outcome" not in other


@pytest.mark.spec("B-08")
def test_memory_stats_counts_by_the_documents_types(opening: Opening) -> None:
    """Counts by type, under the names that the other tools take, and the tokens stored; what a
    file of another profile holds counts as the nearest type."""
    memory, tools = opening(profile="layered"), toolset("layered")
    for kind in ("policy", "pitfall", "fact"):
        tools.run(memory, "memory_learn", {"content": f"A {kind} of billing", "type": kind})
    memory.remember("No, billing runs at night", kind="correction")
    memory.remember("Fixed the rounding of invoices", kind="bugfix")
    tools.run(memory, "memory_episode", {"content": "The deploy broke the build"})
    tools.run(memory, "memory_procedure", {"name": "Release", "steps": ["test", "deploy"]})
    stats = tools.run(memory, "memory_stats", {})
    assert stats["by_type"] == {
        "policy": 1, "pitfall": 1, "fact": 3, "episodic": 1, "procedural": 1
    }  # fmt: skip
    said = sum(estimate_tokens(row.content) for row in memory.list())
    assert stats["tokens"] == pytest.approx(said, rel=0.1)
    found = tools.run(memory, "memory_recall", {"query": "rounding of invoices", "type": "fact"})
    assert [row["type"] for row in found] == ["fact"]

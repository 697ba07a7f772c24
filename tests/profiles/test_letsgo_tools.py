"""The fourteen tools of documents 000 and 001 by their own names, run on a real store (A-01)."""

from contextlib import closing
from typing import Any

import pytest
from tests.engine.conftest import Opening, clock, opening
from tests.engine.making import Ticks

from engraphy import Memory
from engraphy.errors import InvalidInputError, NotFoundError, UnknownFieldError
from engraphy.operations.toolset import toolset
from engraphy.stores.sqlite import open_store

__all__ = ["clock", "opening"]

METADATA = {
    "category": "code", "importance": 0.7, "sensitivity": "public", "tags": ["parser"],
    "title": "Empty input", "subtitle": "A guard was missing", "type": "bugfix",
    "concepts": ["problem-solution", "gotcha"], "files_read": ["src/a.py"],
    "files_modified": ["./src/b.py"], "session_id": "s1", "project": "apollo",
    "discovery_tokens": 120, "trust": 0.8,
}  # fmt: skip


class Tools:
    """The toolset over one memory: `tools.store_memory(content=...)`."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def __getattr__(self, name: str) -> Any:
        return lambda **values: toolset("letsgo").run(self.memory, name, values)


@pytest.fixture
def tools(opening: Opening) -> Tools:
    """The tools over an empty memory."""
    return Tools(opening(profile="letsgo"))


def contents(rows: list[dict[str, Any]]) -> list[str]:
    """What rows say."""
    return [row["content"] for row in rows]


@pytest.mark.spec("A-01")
def test_store_memory_keeps_what_it_is_given(tools: Tools) -> None:
    """Content with every field of the metadata; get_memory tells all of it and counts itself."""
    kept = tools.store_memory(content="The parser failed on empty input", **METADATA)
    row = tools.get_memory(id=kept["memory"]["id"], project="apollo")
    scope = row["scope"]
    told = {**row, "session_id": scope["session_id"], "project": scope["project"]}
    wanted = METADATA | {"files_modified": ["src/b.py"], "accessed_count": 1}
    assert {name: told[name] for name in wanted} == wanted
    again = tools.get_memory(id=row["id"], project="apollo")
    assert again["accessed_count"] == 2


@pytest.mark.spec("A-01")
def test_store_memory_needs_only_a_content(tools: Tools) -> None:
    """All metadata is optional: the title is made from the content; ttl_days sets the end."""
    kept = tools.store_memory(content="The parser failed on empty input", ttl_days=2)["memory"]
    assert kept["title"] == "The parser failed on empty input"
    assert (kept["created_at"][:10], kept["expires_at"][:10]) == ("2026-05-01", "2026-05-03")
    assert (kept["concepts"], kept["files_read"], kept["sensitivity"]) == ([], [], "public")


@pytest.mark.spec("A-01")
def test_search_memories_searches_the_text_with_scores(tools: Tools) -> None:
    """Over content, title and subtitle, best first, ten where no limit is given; each hit shows
    its parts; a min_score of one's own cuts off there."""
    for number in range(14):
        tools.store_memory(content=f"Herons nest near lake {number}")
    tools.store_memory(content="Bread is baked", title="Sourdough", subtitle="By Marcus at dawn")
    assert len(tools.search_memories(query="herons")) == 10
    assert len(tools.search_memories(query="herons", limit=12)) == 12
    for word in ("bread", "sourdough", "Marcus"):
        (hit,) = tools.search_memories(query=word)
        assert set(hit["why"]) >= {"match", "recency", "importance", "trust"}
    best = tools.search_memories(query="herons lake 7", limit=14)
    scores = [hit["score"] for hit in best]
    assert scores == sorted(scores, reverse=True)
    cut = (scores[0] + scores[1]) / 2
    assert contents(tools.search_memories(query="herons lake 7", min_score=cut)) == [
        "Herons nest near lake 7"
    ]


@pytest.mark.long
@pytest.mark.spec("A-01")
def test_list_memories_gives_metadata_with_previews(tools: Tools) -> None:
    """Of each memory the fields and the beginning of its content, not all of it; listing is no
    access."""
    long = "The parser reads tokens. " * 20
    tools.store_memory(content=long, title="Parser", type="discovery", category="code")
    (row,) = tools.list_memories()
    assert "content" not in row
    assert len(row["content_preview"]) <= 100
    assert long.startswith(row["content_preview"].rstrip("…"))
    assert (row["title"], row["type"], row["accessed_count"]) == ("Parser", "discovery", 0)
    for number in range(120):
        tools.store_memory(content=f"Note number {number} of the parser")
    assert len(tools.list_memories()) == 100
    assert len(tools.list_memories(limit=121)) == 121
    assert [row["title"] for row in tools.list_memories(category="code")] == ["Parser"]


@pytest.mark.spec("A-01")
def test_update_memory_changes_in_place(tools: Tools) -> None:
    """Content and metadata under the same id; what is not named stays."""
    key = tools.store_memory(content="The parser is slow", type="discovery")["memory"]["id"]
    tools.update_memory(id=key, content="The parser is fast", tags=["speed"], importance=0.9)
    row = tools.get_memory(id=key)
    assert (row["content"], row["tags"], row["importance"]) == (
        "The parser is fast", ["speed"], 0.9,
    )  # fmt: skip
    assert row["type"] == "discovery"
    assert len(tools.list_memories()) == 1


@pytest.mark.spec("A-01")
def test_delete_memory_takes_an_id_and_nothing_else(tools: Tools) -> None:
    """The memory is gone; words that match it, or an id of nobody, delete nothing."""
    key = tools.store_memory(content="The parser is slow")["memory"]["id"]
    for wrong in ("parser", "The parser is slow", "0" * 26):
        with pytest.raises(NotFoundError):
            tools.delete_memory(id=wrong)
    assert tools.delete_memory(id=key)["erased"] == 1
    with pytest.raises(NotFoundError):
        tools.get_memory(id=key)


@pytest.mark.spec("A-01")
def test_search_by_file_and_by_concept(tools: Tools) -> None:
    """By a path that was read or changed, however it is spelled, and by one of the concepts."""
    tools.store_memory(content="The parser failed", files_modified=["src/a.py"])
    tools.store_memory(content="The lexer failed", files_read=["src/a.py"], concepts=["gotcha"])
    tools.store_memory(content="The linker failed", files_read=["src/a.pyc"], concepts=["pattern"])
    assert contents(tools.search_by_file(file_path="./src/a.py")) == [
        "The lexer failed", "The parser failed",
    ]  # fmt: skip
    assert contents(tools.search_by_concept(concept="gotcha")) == ["The lexer failed"]


@pytest.mark.spec("A-01")
def test_get_timeline_filters_by_type_project_and_session(tools: Tools, clock: Ticks) -> None:
    """Newest first, each filter alone; a memory that was given no type has the nearest one."""
    for day, more in enumerate(
        ({"type": "bugfix"}, {"session_id": "s1"}, {"project": "apollo", "type": "decision"}, {})
    ):
        tools.store_memory(content=f"Event of day {day}", **more)
        clock.pass_days(1)
    assert contents(tools.get_timeline()) == [f"Event of day {day}" for day in (3, 1, 0)]
    assert contents(tools.get_timeline(type="bugfix")) == ["Event of day 0"]
    assert contents(tools.get_timeline(session_id="s1")) == ["Event of day 1"]
    assert contents(tools.get_timeline(project="apollo", type="decision")) == ["Event of day 2"]
    for row in tools.get_timeline():
        assert row["content"] in contents(tools.get_timeline(type=row["type"]))


@pytest.mark.spec("A-01")
def test_facts_are_stored_queried_and_deleted(tools: Tools) -> None:
    """The same triple again updates its confidence; what a query names must all fit; a fact is
    deleted by its id."""
    source = tools.store_memory(content="Ada moved to Bern")["memory"]["id"]
    first = tools.store_fact(subject="Ada", predicate="city", object="Bern", source_id=source)
    again = tools.store_fact(subject="Ada", predicate="city", object="Bern", confidence=0.4)
    tools.store_fact(subject="Ada", predicate="dog", object="Rex")
    assert (first["id"], first["confidence"], first["source_id"]) == (again["id"], 1.0, source)
    (found,) = tools.query_facts(subject="Ada", predicate="city")
    assert (found["object"], found["confidence"]) == ("Bern", 0.4)
    assert tools.query_facts(predicate="city", object="Rex") == []
    tools.delete_fact(id=found["id"])
    assert [fact["object"] for fact in tools.query_facts(subject="Ada")] == ["Rex"]
    with pytest.raises(NotFoundError, match=f"No triple {found['id']}"):
        tools.delete_fact(id=found["id"])


@pytest.mark.spec("A-06")
@pytest.mark.spec("A-12")
def test_a_fact_of_a_private_memory(tools: Tools) -> None:
    """With leave its source may be named, without leave neither the source nor the fact is seen;
    told again, it keeps its source."""
    source = tools.store_memory(content="The vault is in rack 12", sensitivity="private")
    triple = {"subject": "vault", "predicate": "rack", "object": "12"}
    named = {**triple, "source_id": source["memory"]["id"]}
    with pytest.raises(NotFoundError):
        tools.store_fact(**named)
    kept_fact = tools.store_fact(**named, allow_private=True)
    again = tools.store_fact(**triple, confidence=0.6, allow_private=True)
    assert (again["id"], again["source_id"]) == (kept_fact["id"], named["source_id"])
    assert tools.query_facts() == []
    assert [one["confidence"] for one in tools.query_facts(allow_private=True)] == [0.6]


@pytest.mark.spec("A-01")
@pytest.mark.spec("A-07")
def test_purge_expired_removes_and_journals(tools: Tools, clock: Ticks) -> None:
    """What is past its time goes for good, in every project and at every level, and the journal
    says so; what is pinned, or has time left, stays."""
    for name, more in (
        ("short", {"ttl_days": 1}), ("secret", {"ttl_days": 1, "sensitivity": "secret"}),
        ("apollo", {"ttl_days": 1, "project": "apollo"}), ("long", {"ttl_days": 9}),
    ):  # fmt: skip
        tools.store_memory(content=f"The {name} heron is seen", **more)
    pinned = tools.store_memory(content="A pinned heron is seen", ttl_days=1)["memory"]["id"]
    tools.memory.pin(pinned)
    assert tools.purge_expired()["erased"] == 0
    clock.pass_days(2)
    before = tools.memory.stats(allow_secret=True)
    gone = tools.purge_expired()
    assert gone["erased"] == len(gone["ids"]) == 3
    after = tools.memory.stats(allow_secret=True)
    assert (before.total - after.total, after.total) == (2, 2)
    left = tools.memory.list(include=["expired"], allow_secret=True)
    assert {row.content for row in left} == {"The long heron is seen", "A pinned heron is seen"}
    seen = tools.memory.list(include=["expired"], project="apollo", allow_secret=True)
    assert {row.content for row in seen} == {row.content for row in left}
    with closing(open_store(tools.memory.path)) as store:
        lines = store.journal(tools.memory.tenant, limit=100)
    purged = {line.target_id for line in lines if line.reason.startswith("purge")}
    assert purged == set(gone["ids"])
    assert tools.purge_expired()["erased"] == 0


@pytest.mark.spec("A-01")
@pytest.mark.spec("A-06")
@pytest.mark.parametrize("level", ["private", "secret"])
def test_the_tools_show_no_more_than_leave_is_given_for(tools: Tools, level: str) -> None:
    """A private or secret memory is seen by no tool that reads, unless the call allows it."""
    told = {"concepts": ["gotcha"], "files_read": ["src/a.py"], "sensitivity": level}
    key = tools.store_memory(content="The heron is hidden", **told)["memory"]["id"]
    readers = {
        "search_memories": {"query": "heron"}, "list_memories": {}, "get_timeline": {},
        "search_by_file": {"file_path": "src/a.py"}, "search_by_concept": {"concept": "gotcha"},
    }  # fmt: skip
    for name, values in readers.items():
        assert getattr(tools, name)(**values) == [], name
        assert len(getattr(tools, name)(**values, **{f"allow_{level}": True})) == 1, name
    with pytest.raises(NotFoundError):
        tools.get_memory(id=key)


TYPES = "bugfix, feature, refactor, change, discovery, decision"
CONCEPTS = "how-it-works, why-it-exists, what-changed"


@pytest.mark.spec("A-01")
@pytest.mark.spec("A-02")
@pytest.mark.parametrize(
    ("tool", "values", "told"),
    [
        ("store_memory", {}, "content is nothing; allowed: what to remember"),
        ("store_memory", {"content": " "}, "empty"),
        ("store_memory", {"content": "x", "type": "summary"},
         f"type is 'summary'; allowed: {TYPES}"),
        ("store_memory", {"content": "x", "concepts": ["gotcha", "fun"]},
         f"concepts is 'fun'; allowed: {CONCEPTS}"),
        ("store_memory", {"content": "x", "sensitivity": "top"},
         "sensitivity is 'top'; allowed: public, private, secret"),
        ("store_memory", {"content": "x", "importance": 2}, "importance is 2"),
        ("store_memory", {"content": "x", "importance": "high"}, "importance is str 'high'"),
        ("store_memory", {"content": "x", "ttl_days": 0}, "ttl_days is 0"),
        ("store_memory", {"content": "x", "tags": "one"}, "tags is str"),
        ("store_memory", {"content": "x", "session_id": ""}, "session_id is ''; allowed: a name"),
        ("store_memory", {"content": "x", "kind": "fact"}, "'kind'; allowed: content, category"),
        ("search_memories", {"query": "x", "min_score": 2}, "min_score is 2; allowed: a number"),
        ("search_memories", {"query": "x", "limit": 0}, "limit is 0; allowed: a whole number"),
        ("search_by_concept", {"concept": "fun"}, f"concept is 'fun'; allowed: {CONCEPTS}"),
        ("search_by_file", {}, "file_path is nothing"),
        ("get_timeline", {"type": "fact"}, f"type is 'fact'; allowed: {TYPES}"),
        ("store_fact", {"subject": "Ada", "predicate": "city"}, "object is nothing"),
        ("store_fact", {"subject": "A", "predicate": "b", "object": "c", "confidence": 3},
         "confidence is 3; allowed: a number from 0 to 1"),
        ("summarize_old", {"max_age_days": -1}, "max_age_days is -1; allowed: a number from 0"),
        ("summarize_old", {"limit": 0}, "limit is 0; allowed: a whole number from 1"),
        ("recall", {"query": "x"}, "tool is 'recall'; allowed: store_memory"),
    ],
)  # fmt: skip
def test_bad_arguments_are_named_and_write_nothing(
    tools: Tools, tool: str, values: dict[str, Any], told: str
) -> None:
    """The error names the tool's own argument and what is allowed; nothing is written."""
    with pytest.raises((InvalidInputError, UnknownFieldError)) as caught:
        getattr(tools, tool)(**values)
    assert told in str(caught.value)
    assert tools.memory.stats().journal_entries == 0
    assert tools.query_facts() == []


@pytest.mark.spec("A-01")
def test_an_update_of_nothing_names_what_the_tool_takes(tools: Tools) -> None:
    """And nothing that only other tools take."""
    held = tools.store_memory(content="The heron is seen")["memory"]
    with pytest.raises(InvalidInputError) as caught:
        tools.update_memory(id=held["id"])
    assert str(caught.value).endswith(
        "allowed: content, category, importance, sensitivity, tags, title, subtitle, type, "
        "concepts, files_read, files_modified, trust."
    )
    assert tools.get_memory(id=held["id"])["version"] == 1

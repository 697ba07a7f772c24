"""The nine tools of the official memory server: its answers, and a store like any other."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client
from tests.examples import few
from tests.mcp.making import called, options, refused, talk

from engraphy import Memory
from engraphy.errors import EngraphyError
from engraphy.operations.toolset import toolset

ADA = {"name": "Ada", "entityType": "person", "observations": ["likes tea", "lives in London"]}
ACME = {"name": "Acme", "entityType": "company", "observations": []}
WORKS = {"from": "Ada", "to": "Acme", "relationType": "works at"}
NAMES = st.sampled_from(["Ada", "ada", "Bob", "a b", ""])
TEXTS = st.lists(st.sampled_from(["likes tea", "likes Tea", "", "two\nlines"]), max_size=3)
ENTITY = st.fixed_dictionaries(
    {"name": NAMES, "entityType": st.sampled_from(["person", ""]), "observations": TEXTS}
)
RELATION = st.fixed_dictionaries(
    {"from": NAMES, "to": NAMES, "relationType": st.sampled_from(["knows", ""])}
)
CALL = st.one_of(
    st.tuples(
        st.just("create_entities"),
        st.fixed_dictionaries({"entities": st.lists(ENTITY, max_size=3)}),
    ),
    st.tuples(
        st.sampled_from(["create_relations", "delete_relations"]),
        st.fixed_dictionaries({"relations": st.lists(RELATION, max_size=3)}),
    ),
    st.tuples(
        st.just("add_observations"),
        st.fixed_dictionaries(
            {
                "observations": st.lists(
                    st.fixed_dictionaries({"entityName": NAMES, "contents": TEXTS}), max_size=2
                )
            }
        ),
    ),
    st.tuples(
        st.just("delete_observations"),
        st.fixed_dictionaries(
            {
                "deletions": st.lists(
                    st.fixed_dictionaries({"entityName": NAMES, "observations": TEXTS}), max_size=2
                )
            }
        ),
    ),
    st.tuples(
        st.just("delete_entities"),
        st.fixed_dictionaries({"entityNames": st.lists(NAMES, max_size=1)}),
    ),
    st.tuples(st.just("search_nodes"), st.fixed_dictionaries({"query": NAMES})),
    st.tuples(st.just("open_nodes"), st.fixed_dictionaries({"names": st.lists(NAMES, max_size=2)})),
)


class Graph:
    """The rules of the official server, in the order of its own code."""

    def __init__(self) -> None:
        self.entities: list[dict[str, Any]] = []
        self.relations: list[dict[str, Any]] = []

    def first(self, name: str) -> dict[str, Any] | None:
        """The entity that a name means: the one that was there first."""
        return next((one for one in self.entities if one["name"] == name), None)

    def unknown(self, values: dict[str, Any]) -> list[str]:
        """The names to which something is to be added, and that no entity has."""
        added = [one["entityName"] for one in values.get("observations", ())]
        return [name for name in added if self.first(name) is None]

    def create_entities(self, entities: list[dict[str, Any]]) -> Any:
        new = [one for one in entities if self.first(one["name"]) is None]
        self.entities += [{**one, "observations": list(one["observations"])} for one in new]
        return {"entities": new}

    def create_relations(self, relations: list[dict[str, Any]]) -> Any:
        new = [one for one in relations if one not in self.relations]
        self.relations += new
        return {"relations": new}

    def add_observations(self, observations: list[dict[str, Any]]) -> Any:
        results = []
        for one in observations:
            held = (self.first(one["entityName"]) or {})["observations"]
            new = [text for text in one["contents"] if text not in held]
            held.extend(new)
            results.append({"entityName": one["entityName"], "addedObservations": new})
        return {"results": results}

    def delete_entities(self, entityNames: list[str]) -> Any:  # noqa: N803 - the server's name
        self.entities = [one for one in self.entities if one["name"] not in entityNames]
        ends = (one for one in self.relations if one["from"] not in entityNames)
        self.relations = [one for one in ends if one["to"] not in entityNames]
        return {"success": True, "message": "Entities deleted successfully"}

    def delete_observations(self, deletions: list[dict[str, Any]]) -> Any:
        for one in deletions:
            if (entity := self.first(one["entityName"])) is not None:
                held = entity["observations"]
                entity["observations"] = [t for t in held if t not in one["observations"]]
        return {"success": True, "message": "Observations deleted successfully"}

    def delete_relations(self, relations: list[dict[str, Any]]) -> Any:
        self.relations = [one for one in self.relations if one not in relations]
        return {"success": True, "message": "Relations deleted successfully"}

    def around(self, entities: list[dict[str, Any]]) -> Any:
        names = {one["name"] for one in entities}
        ends = [one for one in self.relations if {one["from"], one["to"]} & names]
        return {"entities": entities, "relations": ends}

    def search_nodes(self, query: str) -> Any:
        wanted = query.lower()
        return self.around(
            [
                one
                for one in self.entities
                for texts in [(one["name"], one["entityType"], *one["observations"])]
                if any(wanted in text.lower() for text in texts)
            ]
        )

    def open_nodes(self, names: list[str]) -> Any:
        return self.around([one for one in self.entities if one["name"] in names])


@settings(max_examples=few(6))
@given(calls=st.lists(CALL, max_size=12))
def test_any_calls_give_what_the_official_server_gives(
    tmp_path_factory: pytest.TempPathFactory, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    """Whatever is created, added and deleted in whatever order, the answers are the same; a call
    that fails changes nothing."""
    graph, tools = Graph(), toolset("reference")
    path = tmp_path_factory.mktemp("graph") / "store.db"
    with Memory(path, embedder="none") as memory:
        for name, values in calls:
            if unknown := graph.unknown(values):
                with pytest.raises(EngraphyError) as told:
                    tools.run(memory, name, values)
                assert str(told.value) == f"Entity with name {unknown[0]} not found"
                continue
            expected: Any = getattr(graph, name)(**values)
            assert tools.run(memory, name, values) == expected
        whole = {"entities": graph.entities, "relations": graph.relations}
        assert tools.run(memory, "read_graph", {}) == whole


def test_text_and_errors_are_the_official_servers(tmp_path: Path) -> None:
    """The text shows what the official server shows, indented; an unknown entity is told in its
    words; a wrong argument is named to its part."""

    async def run(client: Client) -> None:
        made = await client.call_tool("create_entities", {"entities": [ADA, ACME]})
        text = made.content[0].text  # type: ignore[union-attr]
        assert text.startswith('[\n  {\n    "name": "Ada",')
        assert made.structured_content == {"entities": [ADA, ACME]}
        await client.call_tool("create_relations", {"relations": [WORKS]})
        graph = await called(client, "read_graph")
        assert graph == {"entities": [ADA, ACME], "relations": [WORKS]}
        assert await called(client, "open_nodes", names=["Acme"]) == {
            "entities": [ACME],
            "relations": [WORKS],
        }
        gone = await client.call_tool("delete_entities", {"entityNames": ["Acme"]})
        assert gone.content[0].text == "Entities deleted successfully"  # type: ignore[union-attr]
        assert (await called(client, "read_graph"))["relations"] == []
        added = [{"entityName": "Zoe", "contents": ["x"]}]
        said = await refused(client, "add_observations", observations=added)
        assert said == "Entity with name Zoe not found"
        said = await refused(client, "create_entities", entities=[{"name": "Bob"}])
        assert said.startswith("entities[0].entityType is nothing; allowed: The type of the entity")

    talk(options(tmp_path, "reference"), run)


def test_recall_finds_what_the_graph_holds(tmp_path: Path) -> None:
    """Entities and relations are memories of the same project, for every other toolset."""

    async def build(client: Client) -> None:
        await client.call_tool("create_entities", {"entities": [ADA, ACME]})
        await client.call_tool("create_relations", {"relations": [WORKS]})

    async def find(client: Client) -> None:
        for query, text in (("who likes tea?", "likes tea"), ("where does Ada work?", "works at")):
            found = await called(client, "recall", query=query)
            assert any(text in one["content"] for one in found["hits"])

    talk(options(tmp_path, "reference"), build)
    talk(options(tmp_path), find)

    async def elsewhere(client: Client) -> None:
        assert (await called(client, "recall", query="who likes tea?"))["hits"] == []

    talk(options(tmp_path, project="bakery"), elsewhere)


def test_secrets_are_not_kept_in_the_graph(tmp_path: Path) -> None:
    """What is redacted everywhere is redacted here, and the same text again is known to be held."""
    told = {**ADA, "observations": ["her key is AKIAIOSFODNN7EXAMPLE"]}

    async def run(client: Client) -> None:
        made = await called_structured(client, [told])
        assert "AKIA" not in str(made)
        again = [{"entityName": "Ada", "contents": told["observations"]}]
        done = await client.call_tool("add_observations", {"observations": again})
        assert (done.structured_content or {})["results"][0]["addedObservations"] == []

    talk(options(tmp_path, "reference"), run)


async def called_structured(client: Client, entities: list[dict[str, Any]]) -> Any:
    """What creating entities gives, as JSON."""
    return (await client.call_tool("create_entities", {"entities": entities})).structured_content


def test_the_official_servers_file_comes_in_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where its variable names it, as in the settings that this server takes the place in; what is
    deleted here does not come back, and a file that is none is told."""
    file = tmp_path / "memory.jsonl"
    lines = [{"type": "entity", **ADA}, {"type": "entity", **ACME}, {"type": "relation", **WORKS}]
    file.write_text("\n".join(json.dumps(one) for one in lines))
    monkeypatch.setenv("MEMORY_FILE_PATH", str(file))

    async def run(client: Client) -> None:
        graph = await called(client, "read_graph")
        assert graph == {"entities": [ADA, ACME], "relations": [WORKS]}
        await client.call_tool("delete_entities", {"entityNames": ["Ada"]})

    async def later(client: Client) -> None:
        graph = await called(client, "read_graph")
        assert graph == {"entities": [ACME], "relations": []}

    talk(options(tmp_path, "reference"), run)
    talk(options(tmp_path, "reference"), later)
    file.write_text('{"type": "entity", "name": "Zoe"}\n')

    async def wrong(client: Client) -> None:
        assert "Line 1 of" in await refused(client, "read_graph")

    talk(options(tmp_path, "reference"), wrong)

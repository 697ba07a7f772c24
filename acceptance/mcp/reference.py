"""The reference toolset beside the reference memory server: the same calls, the same answers."""

import asyncio
import random
from pathlib import Path
from typing import Any

from common import environment, program, server
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

_NAMES = ("Ada", "Bob", "ada", "İzmir", "a b", "Ada Lovelace", "x", "")
_TYPES = ("person", "place", "", "Person")
_SAID = ("likes tea", "likes Tea", "lives in İzmir", "", "two\nlines", "likes  tea ", "port 8080")
_VERBS = ("knows", "works at", "")
_QUERIES = ("", "tea", "ADA", "izmir", "person", "8080", "none of it")


def compared(home: Path, *, sequences: int, calls: int) -> list[str]:
    """What differs, over random sequences of calls, each on an empty graph."""
    return asyncio.run(_compared(home, sequences, calls))


async def _compared(home: Path, sequences: int, calls: int) -> list[str]:
    wrong: list[str] = []
    for number in range(sequences):
        folder = home / str(number)
        folder.mkdir()
        env = environment(folder)
        file = {"MEMORY_FILE_PATH": str(folder / "memory.jsonl")}
        [node, script] = program("mcp-server-memory")
        theirs = StdioServerParameters(command=node, args=[script], env={**env, **file})
        [ours_first, *ours_rest] = server("reference")
        ours = StdioServerParameters(command=ours_first, args=ours_rest, env=env)
        async with (
            Client(stdio_client(theirs), mode="legacy") as one,
            Client(stdio_client(ours)) as two,
        ):
            wrong += await _sequence(one, two, random.Random(number), calls)
    print(f"    {sequences} sequences of {calls} calls: {len(wrong)} answers differ")
    return wrong


async def _sequence(one: Client, two: Client, chance: random.Random, calls: int) -> list[str]:
    for _ in range(calls):
        name, values = _call(chance)
        answers = [await _answer(client, name, values) for client in (one, two)]
        if answers[0] != answers[1]:
            return [f"{name} {values}\n  theirs: {answers[0]}\n  ours:   {answers[1]}"]
    return []


async def _answer(client: Client, name: str, values: dict[str, Any]) -> Any:
    told = await client.call_tool(name, values)
    text = told.content[0].text  # type: ignore[union-attr]
    if told.is_error and "not found" not in text:
        # Which argument is wrong is told in words of its own.
        return "refused"
    return told.is_error, text, told.structured_content


def _call(chance: random.Random) -> tuple[str, dict[str, Any]]:
    def some(values: tuple[str, ...], most: int = 3) -> list[str]:
        return [chance.choice(values) for _ in range(chance.randint(0, most))]

    def entity() -> dict[str, Any]:
        kind = chance.choice(_TYPES)
        return {"name": chance.choice(_NAMES), "entityType": kind, "observations": some(_SAID)}

    def relation() -> dict[str, Any]:
        ends = {"from": chance.choice(_NAMES), "to": chance.choice(_NAMES)}
        return {**ends, "relationType": chance.choice(_VERBS)}

    def about(key: str) -> dict[str, Any]:
        return {"entityName": chance.choice(_NAMES), key: some(_SAID)}

    def many(made: Any) -> list[Any]:
        return [made() for _ in range(chance.randint(0, 3))]

    known: dict[str, Any] = {
        "create_entities": lambda: {"entities": many(entity)},
        "create_relations": lambda: {"relations": many(relation)},
        "add_observations": lambda: {"observations": many(lambda: about("contents"))},
        "delete_entities": lambda: {"entityNames": some(_NAMES, 1)},
        "delete_observations": lambda: {"deletions": many(lambda: about("observations"))},
        "delete_relations": lambda: {"relations": many(relation)},
        "read_graph": dict,
        "search_nodes": lambda: {"query": chance.choice(_QUERIES)},
        "open_nodes": lambda: {"names": some(_NAMES)},
    }
    if chance.random() < 0.05:
        return chance.choice(["create_entities", "open_nodes"]), {"names": 7}
    name = chance.choice([*known, "create_entities", "add_observations", "create_relations"])
    return name, known[name]()

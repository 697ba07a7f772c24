"""Threads, processes and coroutines on one file; what a closed memory says."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, kept, texts
from tests.processes import at_once

from engraphy import AsyncMemory, Memory
from engraphy.errors import ForbiddenError, NotFoundError, StoreClosedError

WRITER = """
import sys
from engraphy import Memory
path, name, count = sys.argv[1:]
with Memory(path, embedder="none") as memory:
    for number in range(int(count)):
        memory.remember(f"note {number} written by process {name}")
        memory.remember("The same words from everybody")
        memory.recall("note", limit=3)
"""


@pytest.mark.long
@pytest.mark.parametrize("count", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_threads_share_a_memory(memory: Memory, count: int) -> None:
    """Many threads write and read at once: nothing is lost, nothing is doubled."""

    def work(thread: int) -> None:
        for number in range(count):
            memory.remember(f"note {number} of thread {thread} about item {number * 31 + thread}")
            memory.remember("The same words from everybody")
            assert memory.recall(f"note of thread {thread}", limit=3)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    assert memory.stats().total == 6 * count + 1
    (same,) = [row for row in memory.list(limit=100) if row.content.startswith("The same")]
    assert same.reinforcement_count == 6 * count - 1
    assert all(check.ok for check in memory.doctor(deep=True))


@pytest.mark.long
@pytest.mark.parametrize("count", [5, pytest.param(15, marks=pytest.mark.slow)])
def test_processes_share_a_file(tmp_path: Path, count: int) -> None:
    """Several processes on one file: every write is there, equal texts are one memory."""
    path = tmp_path / "shared.db"
    at_once(WRITER, *((path, name, count) for name in range(3)))
    with Memory(path, embedder="none") as memory:
        assert memory.stats().total == 3 * count + 1
        (same,) = [row for row in memory.list(limit=100) if row.content.startswith("The same")]
        assert same.reinforcement_count == 3 * count - 1
        assert all(check.ok for check in memory.doctor(deep=True))


def test_threads_contradict_each_other_in_order(memory: Memory) -> None:
    """However statements of one attribute race, one is current and the facts agree with it."""
    cities = ["Berlin", "Porto", "Lyon", "Oslo", "Rome", "Madrid"]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda city: memory.remember(f"I live in {city}"), cities))
    (current,) = memory.list()
    (fact,) = memory.facts(predicate="city")
    assert fact.object in current.content.lower()
    assert len(memory.timeline()) == len(cities)


def test_coroutines_say_the_same(tmp_path: Path) -> None:
    """AsyncMemory gives what Memory gives, verb by verb."""

    async def run() -> list[object]:
        async with AsyncMemory(tmp_path / "a.db", embedder="none", clock=Ticks()) as memory:
            await memory.observe("My sister Nora moved to Lisbon in May.", user="ada")
            row = kept(await memory.remember("I live in Berlin", user="ada"))
            moved = await memory.remember("I moved to Porto", user="ada")
            await memory.update(row.id, tags=["x"], user="ada")
            await memory.pin(row.id, user="ada")
            await memory.fact("a", "b", "c", user="ada")
            hits = await memory.recall("who lives in Porto?", user="ada")
            block = await memory.context("who lives in Porto?", user="ada")
            return [
                moved.action,
                texts(hits),
                block.text,
                len(await memory.facts(user="ada")),
                (await memory.stats(user="ada")).total,
                texts(await memory.timeline(user="ada")),
                (await memory.get(row.id, user="ada")).tags,
                (await memory.forget(row.id, user="ada")).erased,
            ]

    def plainly() -> list[object]:
        with Memory(tmp_path / "b.db", embedder="none", clock=Ticks()) as memory:
            memory.observe("My sister Nora moved to Lisbon in May.", user="ada")
            row = kept(memory.remember("I live in Berlin", user="ada"))
            moved = memory.remember("I moved to Porto", user="ada")
            memory.update(row.id, tags=["x"], user="ada")
            memory.pin(row.id, user="ada")
            memory.fact("a", "b", "c", user="ada")
            hits = memory.recall("who lives in Porto?", user="ada")
            block = memory.context("who lives in Porto?", user="ada")
            return [
                moved.action,
                texts(hits),
                block.text,
                len(memory.facts(user="ada")),
                memory.stats(user="ada").total,
                texts(memory.timeline(user="ada")),
                memory.get(row.id, user="ada").tags,
                memory.forget(row.id, user="ada").erased,
            ]

    assert asyncio.run(run()) == plainly()


def test_coroutines_run_side_by_side(tmp_path: Path) -> None:
    """Many awaited at once: all are written, errors reach who awaited them."""

    async def run() -> None:
        async with AsyncMemory(tmp_path / "a.db", embedder="none") as memory:
            notes = (memory.remember(f"note number {n} on thing {n * 7}") for n in range(20))
            await asyncio.gather(*notes)
            assert (await memory.stats()).total == 20
            with pytest.raises(NotFoundError):
                await memory.get("0" * 26)

    asyncio.run(run())


CLOSED: dict[str, Callable[[Memory], object]] = {
    "remember": lambda m: m.remember("x"),
    "observe": lambda m: m.observe("My sister Nora moved to Lisbon in May."),
    "recall": lambda m: m.recall("x"),
    "context": lambda m: m.context("where does the heron nest?"),
    "explain": lambda m: m.explain("x"),
    "get": lambda m: m.get("x"),
    "list": lambda m: m.list(),
    "timeline": lambda m: m.timeline(),
    "update": lambda m: m.update("x", "y"),
    "forget": lambda m: m.forget("x"),
    "fact": lambda m: m.fact("x", "y", "z"),
    "facts": lambda m: m.facts(),
    "stats": lambda m: m.stats(),
    "doctor": lambda m: m.doctor(),
    "dream": lambda m: m.dream(),
    "backup": lambda m: m.backup("nowhere"),
    "export": lambda m: m.export("nowhere"),
}


@pytest.mark.parametrize("verb", CLOSED)
def test_a_closed_memory_says_so(
    opening: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    """After close every verb raises the same typed error; closing twice is fine."""
    monkeypatch.chdir(tmp_path)
    memory = opening()
    memory.close()
    memory.close()
    with pytest.raises(StoreClosedError):
        CLOSED[verb](memory)
    assert not (tmp_path / "nowhere").exists()


def test_what_was_written_is_there_after_reopening(opening: Opening) -> None:
    """Closing and opening again loses nothing."""
    memory = opening()
    row = kept(memory.remember("kept over night"))
    memory.close()
    again = opening()
    assert again.get(row.id, touch=False) == row
    assert texts(again.recall("kept over night")) == ["kept over night"]


def test_who_acts_is_awaited_too(tmp_path: Path) -> None:
    """Another memory over the same store, for a token or a tenant, has awaited verbs as well, and
    closing it leaves the store open."""

    async def work() -> tuple[list[str], list[str]]:
        async with AsyncMemory(tmp_path / "store.db", embedder="none") as memory:
            await memory.remember("Bob likes rum", user="bob")
            made = await memory.grant("web", user="ada")
            async with await memory.acting(await memory.identify(made.token)) as acting:
                await acting.remember("Ada likes tea")
                with pytest.raises(ForbiddenError):
                    await acting.list(user="bob")
                own = texts(await acting.list())
            other = await memory.of_tenant("acme")
            assert other.tenant == "acme"
            await other.close()
            return own, texts(await memory.list(user="bob"))

    assert asyncio.run(work()) == (["Ada likes tea"], ["Bob likes rum"])

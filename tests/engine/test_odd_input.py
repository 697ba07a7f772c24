"""Whatever a caller hands over, the answer is a result or an error of ours that says why."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.engine.making import opened

from engraphy import EngraphyError, Memory
from engraphy.errors import InvalidInputError, UnreadableFileError

ODD: tuple[Any, ...] = (
    None,
    5,
    True,
    float("nan"),
    b"x",
    [],
    {},
    [1],
    {1: 2},
    object(),
    "",
    "x" * 10,
    -1,
    10**30,
)
Call = Callable[[Memory, str, Any], object]
CALLS: Mapping[str, Call] = {
    "remember": lambda m, _, odd: m.remember(odd),
    "remember user": lambda m, _, odd: m.remember("abc", user=odd),
    "remember kind": lambda m, _, odd: m.remember("abc", kind=odd),
    "remember at": lambda m, _, odd: m.remember("abc", at=odd),
    "remember tags": lambda m, _, odd: m.remember("abc", tags=odd),
    "remember metadata": lambda m, _, odd: m.remember("abc", metadata=odd),
    "remember importance": lambda m, _, odd: m.remember("abc", importance=odd),
    "remember ttl": lambda m, _, odd: m.remember("abc", ttl_days=odd),
    "remember until": lambda m, _, odd: m.remember("abc", valid_until=odd),
    "observe": lambda m, _, odd: m.observe(odd),
    "observe at": lambda m, _, odd: m.observe("abc def", at=odd),
    "observe role": lambda m, _, odd: m.observe([{"role": odd, "content": "x"}]),
    "observe content": lambda m, _, odd: m.observe([{"role": "user", "content": odd}]),
    "observe name": lambda m, _, odd: m.observe([{"content": "abc def", "name": odd}]),
    "observe metadata": lambda m, _, odd: m.observe([{"content": "abc def", "metadata": odd}]),
    "recall": lambda m, _, odd: m.recall(odd),
    "recall limit": lambda m, _, odd: m.recall("x", limit=odd),
    "recall as_of": lambda m, _, odd: m.recall("x", as_of=odd),
    "recall include": lambda m, _, odd: m.recall("x", include=odd),
    "recall user": lambda m, _, odd: m.recall("x", user=odd),
    "recall leave": lambda m, _, odd: m.recall("x", allow_private=odd),
    "context": lambda m, _, odd: m.context(odd),
    "context budget": lambda m, _, odd: m.context("x", budget=odd),
    "context recent": lambda m, _, odd: m.context("the thing", recent=odd),
    "get": lambda m, _, odd: m.get(odd),
    "update": lambda m, _, odd: m.update(odd, "x"),
    "update content": lambda m, held, odd: m.update(held, odd),
    "update title": lambda m, held, odd: m.update(held, title=odd),
    "pin": lambda m, _, odd: m.pin(odd),
    "pin value": lambda m, held, odd: m.pin(held, pinned=odd),
    "protect": lambda m, _, odd: m.protect(odd),
    "forget": lambda m, _, odd: m.forget(odd),
    "forget confirm": lambda m, _, odd: m.forget("qqq", confirm=odd),
    "link": lambda m, held, odd: m.link(odd, held),
    "link type": lambda m, held, odd: m.link(held, "other", odd),
    "link confidence": lambda m, held, odd: m.link(held, held, confidence=odd),
    "links": lambda m, _, odd: m.links(odd),
    "links hops": lambda m, held, odd: m.links(held, hops=odd),
    "links types": lambda m, held, odd: m.links(held, types=odd),
    "entity": lambda m, _, odd: m.entity(odd),
    "entity limit": lambda m, _, odd: m.entity("x", limit=odd),
    "list limit": lambda m, _, odd: m.list(limit=odd),
    "list kind": lambda m, _, odd: m.list(kind=odd),
    "list since": lambda m, _, odd: m.list(since=odd),
    "list order": lambda m, _, odd: m.list(order=odd),
    "list after": lambda m, _, odd: m.list(after=odd),
    "list tag": lambda m, _, odd: m.list(tag=odd),
    "timeline limit": lambda m, _, odd: m.timeline(limit=odd),
    "fact": lambda m, _, odd: m.fact(odd, "x", "y"),
    "fact confidence": lambda m, _, odd: m.fact("a", "x", "y", confidence=odd),
    "fact source": lambda m, _, odd: m.fact("a", "x", "y", source_id=odd),
    "facts": lambda m, _, odd: m.facts(odd),
    "facts limit": lambda m, _, odd: m.facts(limit=odd),
    "delete_fact": lambda m, _, odd: m.delete_fact(odd),
    "explain": lambda m, _, odd: m.explain(odd),
    "explain missing": lambda m, _, odd: m.explain("x", missing=odd),
    "history": lambda m, _, odd: m.history(odd),
    "export": lambda m, _, odd: m.export(odd),
    "import": lambda m, _, odd: m.import_(odd),
    "backup": lambda m, _, odd: m.backup(odd),
    "restore": lambda m, _, odd: m.restore(odd),
    "profile": lambda m, _, odd: Memory("p.db", profile=odd).close(),
    "tenant": lambda m, _, odd: Memory("t.db", tenant=odd).close(),
    "overrides": lambda m, _, odd: Memory("o.db", overrides=odd).close(),
}


@pytest.mark.parametrize("name", CALLS)
def test_odd_values_are_answered_or_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No verb lets a foreign error through, and the store still answers afterwards."""
    monkeypatch.chdir(tmp_path)
    with opened("odd.db") as memory:
        held = memory.remember("the first thing").memory
        assert held is not None
        for odd in ODD:
            with suppress(EngraphyError):
                CALLS[name](memory, held.id, odd)
        assert memory.stats(allow_private=True, allow_secret=True).total >= 0
        memory.remember("a last thing")
        assert memory.recall("last")


def test_a_store_in_memory_is_gone_once_it_is_closed() -> None:
    """ ":memory:" is a store of its own that holds what it is told while it is open; none of its
    files is left, nor one of that name made."""
    name = ":memory:"
    with (
        Memory(name, embedder="none") as memory,
        Memory(name, embedder="none") as other,
    ):
        memory.remember("The heron nests by the lake")
        folder = Path(memory.path).parent
        assert [hit.memory.content for hit in memory.recall("heron")] == [
            "The heron nests by the lake"
        ]
        assert other.recall("heron") == []
        assert folder.is_dir()
    memory.close()
    assert not folder.exists()
    assert not Path(name).exists()


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [
        ({"kind": "x"}, "preference, decision, fact"),
        ({"sensitivity": "x"}, "public, private, secret"),
        ({"importance": 5}, "a number from 0 to 1"),
        ({"tags": "x"}, "a list of at most 256 texts"),
        ({"metadata": 5}, "a mapping of texts"),
        ({"pinned": "yes"}, "True or False"),
        ({"title": 5}, "text of at most 2,000 characters"),
        ({"ttl_days": 0}, "a number of days above 0"),
    ],
)
def test_a_value_that_is_not_allowed_is_told_what_is(
    memory: Memory, fields: Mapping[str, Any], allowed: str
) -> None:
    """In words, not in those of the library that found it."""
    with pytest.raises(InvalidInputError, match=f"allowed: {allowed}"):
        memory.remember("abc", **fields)


def test_a_knob_that_is_none_is_told_which_there_are(tmp_path: Path) -> None:
    """At the top, and in its section."""
    for overrides, there in (({"foo": 1}, "judge, weigh"), ({"judge": {"foo": 1}}, "gap_from")):
        with pytest.raises(EngraphyError, match=f"there is no foo .*allowed: .*{there}"):
            Memory(tmp_path / "x.db", overrides=overrides)


@pytest.mark.parametrize(
    ("call", "ours"),
    [
        (lambda m: m.remember("I like tea", user_id="ada"), "user"),
        (lambda m: m.recall("tea", top_k=3), "limit"),
        (lambda m: m.list(user_id="ada"), "user"),
        (lambda m: m.get("x", run_id="s"), "session"),
        (lambda m: m.recall("tea", frobnicate=3), None),
    ],
)
def test_a_name_of_another_memory_is_told_by_ours(
    memory: Memory, call: Callable[[Memory], object], ours: str | None
) -> None:
    """Who calls a thing as others do is told what it is called here."""
    with pytest.raises(InvalidInputError, match="Unknown") as caught:
        call(memory)
    assert (f"(is {ours} meant?)" in str(caught.value)) is (ours is not None)
    assert ("meant" in str(caught.value)) is (ours is not None)


def test_an_export_to_a_folder_is_told_of(memory: Memory, tmp_path: Path) -> None:
    """And leaves nothing there."""
    before = set(tmp_path.iterdir())
    with pytest.raises(UnreadableFileError, match="it is a folder"):
        memory.export(tmp_path)
    assert set(tmp_path.iterdir()) == before

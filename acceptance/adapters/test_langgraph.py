"""LangGraph: what its own tests do not ask."""

import asyncio
import time

import pytest
from langgraph.store.base import InvalidNamespaceError

from engraphy.adapters.langgraph import EngraphyStore


def test_fifty_namespaces_with_a_canary_each_keep_it(memory):
    """No search, recall or context of one namespace shows what another holds."""
    store = EngraphyStore(memory)
    for number in range(50):
        text = f"The canary of this user is called zebra{number:02d}."
        store.put(("users", f"u{number:02d}"), "bird", {"text": text})
    for number in range(0, 50, 7):
        own, space = f"zebra{number:02d}", ("users", f"u{number:02d}")
        found = store.search(space, query="what is the canary of this user called?", limit=10)
        assert [own in str(item.value) for item in found] == [True]
        project = f"langgraph:users.u{number:02d}"
        block = memory.context("what is the canary called?", project=project).text
        assert own in block
        assert block.count("zebra") == 1
    assert memory.recall("what is the canary called?") == []
    assert len(store.search(("users",), query="canary of this user", limit=100)) == 50


def test_a_user_is_forgotten_with_their_namespaces(memory):
    """`user_of` makes a namespace a user's: forgetting them takes their items."""
    store = EngraphyStore(memory, user_of=lambda namespace: namespace[1])
    for user in ("ann", "bob"):
        store.put(("memories", user), "k", {"text": f"{user} likes tea"})
    memory.forget_user("ann", confirm=True)
    assert store.get(("memories", "ann"), "k") is None
    assert store.list_namespaces() == [("memories", "bob")]


def test_names_that_cannot_be_walls_are_refused(memory):
    """A label with a credential, or a namespace that is too long, is an invalid namespace."""
    store = EngraphyStore(memory)
    for namespace in (("users", "ghp_" + "a1B2" * 9), ("x" * 600,)):
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "k", {"v": 1})


def test_secrets_and_injected_blocks_stay_out_of_items(memory):
    """What is read back is what may be kept."""
    store = EngraphyStore(memory)
    memory.remember("Ann only drinks green tea.", user="ann")
    block = memory.context("what does Ann drink?", user="ann").text
    store.put(("a",), "k", {"note": f"hello {block}", "token": "ghp_" + "a1B2" * 9})
    held = str(store.get(("a",), "k").value)
    assert "green tea" not in held
    assert "a1B2a1B2" not in held


@pytest.mark.asyncio
async def test_the_event_loop_goes_on(memory):
    """While a slow call runs, the loop answers others: no step of it waits for 100 ms."""
    store, gaps = EngraphyStore(memory), []

    async def beat():
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.005)
            gaps.append(time.monotonic() - before)

    heart = asyncio.create_task(beat())
    batch = [store.aput(("a", str(n % 5)), str(n), {"text": f"note {n} " * 40}) for n in range(60)]
    await asyncio.gather(*batch)
    heart.cancel()
    assert len(gaps) > 5
    assert sorted(gaps)[len(gaps) // 2] < 0.1


def test_reading_renews_an_item_and_changes_nothing_else(memory):
    """An item that is not searched stays so when its time to live begins anew."""
    store = EngraphyStore(memory)
    store.put(("a",), "hidden", {"text": "the zebra is hidden"}, index=False, ttl=10)
    store.put(("a",), "shown", {"text": "the zebra is shown"}, ttl=10)
    for key in ("hidden", "shown"):
        before = store.get(("a",), key, refresh_ttl=False)
        read = memory.documents("langgraph", [key], project="langgraph:a")[0].memory
        assert store.get(("a",), key, refresh_ttl=True).value == before.value
        again = memory.documents("langgraph", [key], project="langgraph:a")[0].memory
        assert again.expires_at > read.expires_at
    assert [item.key for item in store.search(("a",), query="where is the zebra?")] == ["shown"]

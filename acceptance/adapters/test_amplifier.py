"""Amplifier: the eight modules in one coordinator, with the kernel's own registry of hooks."""

import pytest
from amplifier_core import ToolResult
from amplifier_core.testing import MockCoordinator

from engraphy.adapters import amplifier
from engraphy.profile.registry import STORE

ALL = (
    "store",
    "inject",
    "boundaries",
    "capture",
    "consolidation",
    "compression",
    "memorability",
    "temporal",
)
FIX = {
    "session_id": "s1",
    "tool_name": "Edit",
    "tool_input": {
        "file_path": "src/pay.py",
        "old_string": "total = round(amount, 2)",
        "new_string": "# fix the rounding bug in invoice totals\ntotal = half_even(amount)",
    },
    "tool_response": {"output": "The file src/pay.py has been updated."},
}


async def _mounted(tmp_path, names=ALL, **config):
    coordinator = MockCoordinator()
    given = {"path": str(tmp_path / "m.db"), "project": "shop", **config}
    for name in reversed(names):
        await getattr(amplifier, f"mount_{name}")(coordinator, given)
    return coordinator


async def _session(coordinator):
    """A session with one edit, from its start to its end."""
    hooks = coordinator.hooks
    await hooks.emit("session:start", {"session_id": "s1"})
    await hooks.emit("tool:post", dict(FIX))
    await hooks.emit("session:end", {"session_id": "s1"})


@pytest.mark.asyncio
async def test_what_a_tool_brought_is_injected_in_the_next_session(tmp_path):
    """tool:post is captured, session:end sums up, prompt:submit brings it back, as document 000
    has it."""
    coordinator = await _mounted(tmp_path)
    await _session(coordinator)
    told = {"session_id": "s2", "prompt": "What about the rounding bug in invoice totals?"}
    result = await coordinator.hooks.emit("prompt:submit", told)
    assert result.action == "inject_context"
    assert result.ephemeral
    assert "<memory-context" in result.context_injection
    assert "rounding bug" in result.context_injection


@pytest.mark.asyncio
async def test_priorities_are_the_documents(tmp_path):
    """Events and priorities exactly as document 000 lists them."""
    registered = []
    coordinator = await _mounted(tmp_path, ())

    class Spy:
        def register(self, event, handler, priority=0, name=None):
            registered.append((event, priority, name))
            return lambda: None

    class Seen:
        hooks = Spy()
        register_capability = coordinator.register_capability
        get_capability = coordinator.get_capability
        mount = coordinator.mount

    for name in ALL:
        await getattr(amplifier, f"mount_{name}")(Seen(), {"path": str(tmp_path / "m.db")})
    assert sorted(registered) == [
        ("prompt:submit", 50, "hooks-memory-inject"),
        ("session:end", 100, "hooks-memory-capture"),
        ("session:end", 200, "hooks-memory-consolidation"),
        ("session:end", 300, "hooks-memory-compression"),
        ("session:start", 50, "hooks-memory-capture"),
        ("tool:post", 100, "hooks-memory-boundaries"),
        ("tool:post", 150, "hooks-memory-capture"),
    ]
    offered = [name for name in (STORE, *amplifier.OPTIONAL) if coordinator.get_capability(name)]
    assert len(offered) == 6


@pytest.mark.asyncio
@pytest.mark.parametrize("gone", ALL[2:])
async def test_any_module_but_the_store_may_be_missing(tmp_path, gone):
    """Without one module the rest works, and the memory's profile has not what it stood for."""
    coordinator = await _mounted(tmp_path, tuple(x for x in ALL if x != gone))
    await _session(coordinator)
    store = coordinator.get_capability(STORE)
    held = store.list(project="shop")
    assert bool(held) is (gone != "capture")
    named = f"memory.{gone}"
    assert store.capabilities().get(named, False) is False
    assert all(there for name, there in store.capabilities().items() if name != named)


@pytest.mark.asyncio
async def test_the_tools_of_document_001(tmp_path):
    """Each operation is a tool; errors are results that failed, and walls are the config's."""
    coordinator = await _mounted(tmp_path, ("store",), user="ann")
    tools = coordinator.mount_points["tools"]
    kept = await tools["store_memory"].execute(
        {"content": "We decided to use PostgreSQL for orders.", "category": "decision"}
    )
    assert isinstance(kept, ToolResult)
    assert kept.success
    found = await tools["search_memories"].execute({"query": "which database for orders?"})
    assert "PostgreSQL" in str(found.output)
    wrong = await tools["get_memory"].execute({})
    assert not wrong.success
    assert wrong.error["message"]
    assert len(tools) >= 13
    assert coordinator.get_capability(STORE).list(user="bob", project="shop") == []


@pytest.mark.asyncio
async def test_a_broken_store_never_reaches_the_host(tmp_path):
    """A store that cannot be opened stops no event."""
    (tmp_path / "m.db").write_text("no database " * 100)
    coordinator = await _mounted(tmp_path)
    result = await coordinator.hooks.emit("prompt:submit", {"session_id": "s", "prompt": "hello?"})
    assert result.action == "continue"

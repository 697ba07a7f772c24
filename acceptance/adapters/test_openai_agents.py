"""OpenAI's Agents SDK: a real runner over a model that answers from a list."""

import pytest
from agents import Agent, RunConfig, Runner
from agents.memory.session import Session
from page import openai

from engraphy.adapters.openai_agents import EngraphySession
from engraphy.errors import InvalidInputError


@pytest.mark.asyncio
async def test_a_second_session_knows_and_keeps_no_block(told):
    """What these walls know goes with the second session's first request, and only what was said
    stands in its items."""
    model = openai()
    agent = Agent(name="barista", model=model)
    for chat, said in (
        ("monday", "My sister Zoe plays the cello."),
        ("tuesday", "What plays Zoe?"),
    ):
        session = EngraphySession(chat, told, user="ann", project="shop")
        assert isinstance(session, Session)
        config = RunConfig(session_input_callback=session.remembering)
        await Runner.run(agent, said, session=session, run_config=config)
        assert told.flush()
    asked = str(model.calls[-1].input)
    assert "cello" in asked
    assert "zebrafish" not in asked
    items = await session.get_items()
    assert [one["role"] for one in items] == ["user", "assistant"]
    assert items[0]["content"] == "What plays Zoe?"
    held = told.list(user="ann", project="shop")
    assert not any("memory-context" in one.content for one in held)
    assert await EngraphySession("tuesday", told, user="bob", project="shop").get_items() == []


@pytest.mark.asyncio
async def test_closing_a_session_leaves_a_shared_memory_open(memory):
    """Another session of the same memory goes on."""
    one, two = EngraphySession("one", memory), EngraphySession("two", memory)
    one.close()
    with pytest.raises(RuntimeError):
        await one.add_items([{"role": "user", "content": "hello"}])
    await two.add_items([{"role": "user", "content": "hello"}])
    assert len(await two.get_items()) == 1


@pytest.mark.asyncio
async def test_a_block_leaves_nothing_behind(told):
    """What was said beside it comes back as it was, in text and in parts; a session has a name."""
    told.remember("My sister Zoe plays the cello.", user="ann", project="shop")
    for content in ("What plays Zoe?\n\n", [{"type": "input_text", "text": "What plays Zoe?"}]):
        said = {"role": "user", "content": content}
        session = EngraphySession(type(content).__name__, told, user="ann", project="shop")
        (asked,) = await session.remembering([], [said])
        assert asked != said
        await session.add_items([asked])
        assert await session.pop_item() == said
    with pytest.raises(InvalidInputError, match="session_id is None"):
        EngraphySession(None, told)

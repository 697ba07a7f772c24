"""Google's ADK: sessions go in, what answers comes out."""

import pytest
from google.adk.events import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions import InMemorySessionService
from google.genai import types

from engraphy.adapters.google_adk import EngraphyMemoryService
from engraphy.errors import NotFoundError


def _content(text):
    return types.Content(role="user", parts=[types.Part(text=text)])


async def _session(*texts):
    service = InMemorySessionService()
    session = await service.create_session(app_name="shop", user_id="ann")
    for text in texts:
        event = Event(author="user", invocation_id="i", content=_content(text))
        await service.append_event(session, event)
    return await service.get_session(app_name="shop", user_id="ann", session_id=session.id)


async def _texts(service, query, user="ann", app="shop"):
    found = await service.search_memory(app_name=app, user_id=user, query=query)
    return [one.content.parts[0].text for one in found.memories]


@pytest.mark.asyncio
async def test_a_session_is_learnt_once(memory):
    """Adding a session again counts nothing twice, and what answers comes back with its id."""
    service = EngraphyMemoryService(memory)
    session = await _session("I only drink green tea.", "My cat is called Mia.")
    await service.add_session_to_memory(session)
    before = {one.id: one.reinforcement_count for one in memory.list(user="ann", project="shop")}
    await service.add_session_to_memory(session)
    after = {one.id: one.reinforcement_count for one in memory.list(user="ann", project="shop")}
    assert before == after
    assert any("green tea" in one for one in await _texts(service, "what do I drink?"))


@pytest.mark.asyncio
async def test_nothing_crosses_users_and_apps(told):
    """Another user, and another app, find nothing."""
    service = EngraphyMemoryService(told)
    assert await _texts(service, "zebrafish canary", user="bob")
    assert not any("zebrafish" in one for one in await _texts(service, "zebrafish canary"))
    assert await _texts(service, "zebrafish canary", user="bob", app="other") == []


@pytest.mark.asyncio
async def test_single_memories_are_kept_and_deleted(memory):
    """What is given is kept as it is; only its owner may delete it."""
    service = EngraphyMemoryService(memory)
    given = [MemoryEntry(content=_content("The staging port is 8443."))]
    await service.add_memory(app_name="shop", user_id="ann", memories=given)
    [found] = (await service.search_memory(app_name="shop", user_id="ann", query="port?")).memories
    assert found.author == "agent"
    with pytest.raises(NotFoundError):
        await service.delete_memory(app_name="shop", user_id="bob", memory_id=found.id)
    await service.delete_memory(app_name="shop", user_id="ann", memory_id=found.id)
    assert await _texts(service, "staging port") == []

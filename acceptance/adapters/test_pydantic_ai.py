"""Pydantic AI: a real agent over a function model."""

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.function import FunctionModel

from engraphy.adapters.pydantic_ai import EngraphyMemory


@pytest.mark.asyncio
async def test_what_is_remembered_goes_with_the_request_and_what_is_said_is_learnt(told):
    """The model reads the block of these walls, the history does not keep it, and what was said
    is known afterwards."""
    asked: list[str] = []

    def answer(messages, info):
        asked.append("\n".join(str(part.content) for one in messages for part in one.parts))
        return ModelResponse(parts=[TextPart("All right.")])

    capability = EngraphyMemory(told, user="ann", project="shop")
    agent = Agent(FunctionModel(answer), capabilities=[capability])
    first = await agent.run("What does Ann drink, zebrafish?")
    assert "green tea" in asked[0]
    assert "canary word" not in asked[0]
    assert "green tea" not in str(first.all_messages())
    await agent.run("My sister Zoe plays the cello.", message_history=first.all_messages())
    assert told.flush()
    held = told.list(user="ann", project="shop")
    assert any("cello" in one.content for one in held)
    assert not any("memory-context" in one.content for one in held)

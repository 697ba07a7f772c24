"""LlamaIndex: a block in its `Memory`."""

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory as Chat

from engraphy.adapters.llama_index import EngraphyMemoryBlock


@pytest.mark.asyncio
async def test_what_is_remembered_comes_into_the_prompt(told):
    """The block answers the user's last message, within its walls."""
    block = EngraphyMemoryBlock(memory=told, user="ann", project="shop")
    chat = Chat.from_defaults(session_id="s", memory_blocks=[block])
    await chat.aput(ChatMessage(role="user", content="What does Ann drink, zebrafish?"))
    seen = "\n".join(str(one.content) for one in await chat.aget())
    assert "green tea" in seen
    assert "canary word" not in seen


@pytest.mark.asyncio
async def test_what_leaves_the_short_term_memory_is_learnt(memory):
    """Messages that are flushed are observed, and the block itself never is."""
    block = EngraphyMemoryBlock(memory=memory, user="ann")
    chat = Chat.from_defaults(
        session_id="s",
        token_limit=60,
        chat_history_token_ratio=0.3,
        token_flush_size=10,
        memory_blocks=[block],
    )
    await chat.aput(ChatMessage(role="user", content="I only drink green tea in the morning."))
    for number in range(8):
        await chat.aput(ChatMessage(role="user", content=f"Tell me a long story, part {number}."))
        await chat.aput(ChatMessage(role="assistant", content="Once upon a time there was one."))
    assert memory.flush()
    held = memory.list(user="ann")
    assert any("green tea" in one.content for one in held)
    assert not any("memory-context" in one.content for one in held)


def test_a_misspelled_wall_is_an_error(told):
    """It would read and learn what is shared instead."""
    with pytest.raises(ValueError, match="usr"):
        EngraphyMemoryBlock(memory=told, usr="ann")

"""Blocks put again where they stood, for a client that does not keep what was injected."""

from typing import Any

import pytest
from tests.engine.conftest import Filling, Opening
from tests.engine.making import Ticks

from engraphy import Memory

PROMPT = "Which herons nest near the lake of the village?"
ANSWERED = [{"role": "assistant", "content": "Grey ones."}]
TOOL = [
    {"role": "assistant", "content": "Let me look."},
    {"role": "tool", "content": "lake.txt"},
]


def asked(text: str) -> dict[str, Any]:
    """A prompt."""
    return {"role": "user", "content": text}


def _herons(memory: Memory) -> None:
    for number in range(4):
        memory.remember(f"Herons nest near the lake of the village, place {number}")


@pytest.fixture
def lake(filling: Filling) -> Memory:
    """A memory with what stands about herons at a lake."""
    return filling(_herons, overrides={"judge": {"supersede": False}})


def test_a_tool_loop_carries_the_identical_text_at_the_identical_place(lake: Memory) -> None:
    """While tools are used, the prompt stands in each request with the very block it had."""
    first = lake.inject([asked(PROMPT)], replay=True)
    assert first.blocks
    again = lake.inject([asked(PROMPT), *TOOL], replay=True)
    assert again.blocks == first.blocks
    assert again.messages[0] == first.messages[0]
    assert again.messages[1:] == tuple(TOOL)
    assert not again.context.text


def test_earlier_turns_keep_their_blocks_and_nothing_is_given_twice(lake: Memory) -> None:
    """The beginning of a chat stays as the provider knows it; what it shows is not shown again."""
    first = lake.inject([asked(PROMPT)], replay=True)
    chat = [asked(PROMPT), *ANSWERED, asked("And which herons nest near the lake in spring?")]
    second = lake.inject(chat, replay=True)
    assert second.messages[:2] == (first.messages[0], *ANSWERED)
    shown = {hit.memory.id for hit in first.context.hits}
    assert shown.isdisjoint(hit.memory.id for hit in second.context.hits)


def test_the_same_request_once_more_is_given_the_same(lake: Memory) -> None:
    """A client that tries again is not punished: the block of the failed request counts."""
    first = lake.inject([asked(PROMPT)], replay=True)
    assert lake.inject([asked(PROMPT)], replay=True).blocks == first.blocks


def test_a_chat_that_begins_alike_is_a_new_one_later(opening: Opening, clock: Ticks) -> None:
    """After some minutes the same first prompt is a new question, with what is known by then."""
    memory = opening()
    memory.remember("Herons nest near the lake of the village")
    first = memory.inject([asked(PROMPT)], replay=True)
    memory.remember("Since May no herons nest near the lake of the village, only storks")
    clock.now += 3_600_000_000
    assert memory.inject([asked(PROMPT)], replay=True).blocks != first.blocks


def test_conversations_that_begin_alike_are_not_mixed(lake: Memory) -> None:
    """Where a client names its conversations, each has blocks of its own."""
    first = lake.inject([asked(PROMPT)], replay=True, conversation="monday")
    lake.remember("Herons nest near the lake of the village, place 9, since this morning")
    other = lake.inject([asked(PROMPT)], replay=True, conversation="tuesday")
    assert other.blocks != first.blocks
    again = lake.inject([asked(PROMPT), *TOOL], replay=True, conversation="monday")
    assert again.blocks == first.blocks


def test_after_the_profiles_turns_a_memory_may_be_given_again(opening: Opening) -> None:
    """What a block of long ago shows is near no prompt any more."""
    memory = opening(overrides={"inject": {"given_turns": 2, "lookback": 0}})
    memory.remember("Grey herons nest in the reeds by the lake")
    chat: list[dict[str, Any]] = []
    given = []
    for number in range(4):
        chat.append(asked(f"Which herons nest in the reeds by the lake{'?' * (number + 1)}"))
        given.append(bool(memory.inject(chat, replay=True).context.hits))
        chat += ANSWERED
    assert given == [True, False, False, True]


def test_a_prompt_that_was_answered_gets_no_block_late(lake: Memory) -> None:
    """What was not there when the prompt was answered would only ruin the cache."""
    assert lake.inject([asked(PROMPT), *TOOL], replay=True).blocks == ()


def test_blocks_survive_a_restart(opening: Opening) -> None:
    """They stand in the store, not in a process."""
    memory = opening("r.db")
    memory.remember("Herons nest near the lake of the village")
    first = memory.inject([asked(PROMPT)], replay=True)
    assert first.blocks
    memory.close()
    assert opening("r.db").inject([asked(PROMPT), *TOOL], replay=True).blocks == first.blocks


def test_a_forgotten_memory_is_in_no_replayed_block(lake: Memory) -> None:
    """Forgetting takes the kept blocks along."""
    first = lake.inject([asked(PROMPT)], replay=True)
    lake.delete(first.context.hits[0].memory.id)
    assert lake.inject([asked(PROMPT), *TOOL], replay=True).blocks == ()


def test_who_may_not_see_a_memory_is_replayed_no_block_with_it(opening: Opening) -> None:
    """A block that was made for somebody with more leave is put again for nobody with less."""
    memory = opening()
    memory.remember("Herons nest near the lake of the village", sensitivity="private")
    assert memory.inject([asked(PROMPT)], replay=True, allow_private=True).blocks
    assert memory.inject([asked(PROMPT)], replay=True).blocks == ()
    assert memory.inject([asked(PROMPT), *TOOL], replay=True).blocks == ()
    assert memory.inject([asked(PROMPT)], replay=True, user="ann").blocks == ()


def test_the_systems_place_holds_the_newest_block_only(opening: Opening) -> None:
    """Where the block goes into the system prompt, each turn has its own, and keeps it in a tool
    loop."""
    memory = opening(profile="titans")
    memory.remember("Grey herons and purple herons nest in the reeds by the lake since 1990")
    chat = [{"role": "system", "content": "Be kind."}, asked(PROMPT)]
    first = memory.inject(chat, replay=True)
    assert first.blocks[0].placement == "system"
    assert str(first.messages[0]["content"]).startswith("Be kind.\n\n<memory-context>")
    assert memory.inject([*chat, *TOOL], replay=True).blocks == first.blocks
    later = memory.inject(
        [*chat, *ANSWERED, asked("Which herons nest near the lake?")], replay=True
    )
    assert [one.message for one in later.blocks] == [3]

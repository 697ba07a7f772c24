"""What adapters share, and what they say where their framework is not installed."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from engraphy import AsyncMemory, Memory
from engraphy.adapters.turns import Companion, Transcript, last_asked, message, words
from engraphy.adapters.values import lines, passes
from engraphy.adapters.walls import Walls, opened
from engraphy.errors import InvalidInputError, MissingExtraError

NEEDS = {
    "agent_framework": ("agent-framework", "agent_framework"),
    "crewai": ("crewai", "crewai"),
    "amplifier": ("amplifier", "amplifier_core"),
    "anthropic": ("anthropic", "anthropic"),
    "google_adk": ("google-adk", "google.adk"),
    "langchain": ("langchain", "langchain_core"),
    "langgraph": ("langgraph", "langgraph"),
    "llama_index": ("llama-index", "llama_index"),
    "openai_agents": ("openai-agents", "agents"),
    "pydantic_ai": ("pydantic-ai", "pydantic_ai"),
}


@pytest.fixture
def memory(tmp_path: Path):
    """An empty memory without an embedder."""
    with Memory(tmp_path / "m.db", embedder="none") as made:
        yield made


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_without_its_framework_an_adapter_names_the_extra(name: str) -> None:
    """Importing an adapter whose framework is missing says what to install."""
    extra, package = NEEDS[name]
    if find_spec(package.partition(".")[0]) is not None:
        pytest.skip(f"{package} is installed")
    with pytest.raises(MissingExtraError, match=rf"engraphy\[{extra}\]"):
        import_module(f"engraphy.adapters.{name}")


def test_a_transcript_keeps_its_turns_in_order(memory: Memory) -> None:
    """Turns come back as they were; the last one can be taken out, and all of them."""
    turns = Transcript(memory, Walls(user="ann", project="chat:1"), "chat")
    turns.add([({"role": "user", "n": number}, f"turn {number}") for number in range(12)])
    assert turns.pop() == {"role": "user", "n": 11}
    turns.add([({"n": 99}, "")])
    assert [one["n"] for one in turns.read()] == [*range(11), 99]
    assert Transcript(memory, Walls(user="bob", project="chat:1"), "chat").read() == []
    turns.clear()
    assert turns.read() == []
    assert turns.pop() is None


@pytest.mark.long
def test_what_was_injected_is_never_learnt(memory: Memory) -> None:
    """A block that comes back among the turns is neither kept with them nor observed."""
    memory.remember("Ann only drinks green tea.", user="ann")
    companion = Companion(memory, Walls(user="ann"))
    block = companion.block("what does Ann drink?", "s1")
    assert "green tea" in block
    before = [(one.id, one.reinforcement_count) for one in memory.list(user="ann")]
    companion.learn([message("user", f"What does Ann drink?\n\n{block}"), None], "s1")
    assert memory.flush()
    turns = Transcript(memory, Walls(user="ann", project="chat:1"), "chat")
    turns.add([({"role": "user", "content": f"Hello {block}"}, f"Hello {block}")])
    assert "green tea" not in str(turns.read())
    assert [(one.id, one.reinforcement_count) for one in memory.list(user="ann")] == before


def test_words_of_any_shape_of_message() -> None:
    """Text, blocks with text, and nothing; only what people and models said is a message."""
    blocks = [{"type": "input_text", "text": "What"}, {"type": "image"}, "now?"]
    assert words(blocks) == "What\nnow?"
    assert message("human", "Hi") == {"role": "user", "content": "Hi"}
    assert message("tool", "Hi") is None
    assert message("user", " ") is None
    assert last_asked([message("user", "a"), None, message("ai", "b")]) == "a"


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        (None, True),
        ({"a": 1}, True),
        ({"a": 2}, False),
        ({"b.c": "x"}, True),
        ({"b": {"c": "x"}}, True),
        ({"a": {"$gt": 0, "$lte": 1}}, True),
        ({"a": {"$lt": 1}}, False),
        ({"a": {"$gt": "text"}}, False),
        ({"none": {"$ne": 3}}, True),
        ({"none": {"$gte": 3}}, False),
    ],
)
def test_filters_hold_values(wanted, holds: bool) -> None:
    """Plain values, paths with dots, and the six operators; what cannot be compared holds not."""
    assert passes({"a": 1, "b": {"c": "x"}}, wanted) is holds


@pytest.mark.parametrize("wanted", [{"a": {"$in": [1]}}, {"a') OR 1": 1}])
def test_other_filters_are_refused(wanted) -> None:
    """Another operator, or a key that is none, is an error."""
    with pytest.raises(ValueError, match=r"Unsupported operator|Invalid filter key"):
        passes({"a": 1}, wanted)


def test_a_value_is_told_in_lines() -> None:
    """Each plain value under its name, for search and for people."""
    assert list(lines({"food": "pizza", "sizes": [1, 2], "none": None})) == [
        "food: pizza",
        "sizes: 1",
        "sizes: 2",
    ]


def test_an_opened_memory_keeps_its_embedder(memory: Memory) -> None:
    """A second embedder for a memory that is open already is an error."""
    assert opened(memory) is memory
    with pytest.raises(InvalidInputError):
        opened(memory, "none")


@pytest.mark.long
def test_fifty_sessions_that_repeat_what_was_injected_teach_nothing(memory: Memory) -> None:
    """An answer that repeats the block, in the same or nearly the same words, is no news."""
    memory.remember("Ann only drinks green tea.", user="ann")
    memory.remember("We decided to deploy the shop on Fridays only.", user="ann")
    before = {one.id: one.reinforcement_count for one in memory.list(user="ann")}
    companion = Companion(memory, Walls(user="ann"))
    says = (
        "As I recall, Ann only drinks green tea.",
        "Ann drinks only green tea. I will keep that.",
    )
    for number in range(50):
        block = companion.block("what does Ann drink, and when do we deploy?", f"s{number}")
        answer = (
            says[number % 2] if number % 3 else f"{block}\nWe decided to deploy on Fridays only."
        )
        companion.learn([message("assistant", answer)], f"s{number}")
    assert memory.flush(60.0)
    assert {one.id: one.reinforcement_count for one in memory.list(user="ann")} == before


def test_an_awaited_memory_is_refused_in_words(tmp_path: Path) -> None:
    """Who hands over an AsyncMemory is told what to hand over."""
    with pytest.raises(InvalidInputError, match="an AsyncMemory; allowed: a Memory, or a path"):
        opened(AsyncMemory(tmp_path / "m.db"))

"""LangChain: its own retriever suite, and what a history gives back."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_tests.integration_tests import RetrieversIntegrationTests

from engraphy import Memory
from engraphy.adapters.langchain import EngraphyChatMessageHistory, EngraphyRetriever


class TestRetriever(RetrieversIntegrationTests):
    """The standard suite."""

    @pytest.fixture(autouse=True)
    def _told(self, tmp_path):
        with Memory(tmp_path / "suite.db") as memory:
            for drink in ("tea", "coffee", "cocoa", "juice", "water"):
                memory.remember(f"Ann drinks {drink} with her breakfast on some days.")
            self.held = memory
            yield

    @property
    def retriever_constructor(self):
        """Ours."""
        return EngraphyRetriever

    @property
    def retriever_constructor_params(self):
        """Over what was told."""
        return {"memory": self.held}

    @property
    def retriever_query_example(self):
        """A question."""
        return "what does Ann drink with breakfast?"


def test_a_retriever_keeps_to_its_walls(told):
    """Nothing of another user comes back."""
    found = EngraphyRetriever(memory=told, user="ann", project="shop").invoke(
        "zebrafish tea canary"
    )
    assert found
    assert not any("zebrafish" in one.page_content for one in found)
    assert found[0].metadata["kind"]


def test_a_misspelled_wall_is_an_error(told):
    """It would read what is shared instead."""
    with pytest.raises(ValueError, match="usr"):
        EngraphyRetriever(memory=told, usr="ann")


def test_a_history_gives_its_messages_back_and_is_learnt_from(memory):
    """Messages of every kind come back as they were, per session, and what was said is known."""
    said = [
        HumanMessage("I only drink green tea."),
        AIMessage("Noted.", tool_calls=[{"name": "note", "args": {"a": 1}, "id": "1"}]),
        ToolMessage("done", tool_call_id="1"),
    ]
    history = EngraphyChatMessageHistory("s1", memory, user="ann")
    history.add_messages(said)
    assert history.messages == said
    assert EngraphyChatMessageHistory("s2", memory, user="ann").messages == []
    assert memory.flush()
    assert any(
        "green tea" in hit.memory.content for hit in memory.recall("what to drink", user="ann")
    )
    history.clear()
    assert history.messages == []

"""Anthropic: the SDK's own tool runner, against a service that answers from a list."""

import json

import httpx2
import pytest
from anthropic import Anthropic, AsyncAnthropic

from engraphy.adapters.anthropic import EngraphyAsyncMemoryTool, EngraphyMemoryTool

CALLS = (
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": "/memories/drink.md", "file_text": "Ann drinks green tea.\n"},
    {"command": "create", "path": "/memories/drink.md", "file_text": "again"},
)


class Service:
    """Asks for each command in turn, then says that it is done; keeps what it was sent."""

    def __init__(self):
        self.sent = []

    def __call__(self, request):
        self.sent.append(json.loads(request.content))
        number = len(self.sent) - 1
        content = [{"type": "text", "text": "Done."}]
        if number < len(CALLS):
            call = {"id": f"call_{number}", "name": "memory", "input": CALLS[number]}
            content = [{"type": "tool_use", **call}]
        message = {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": content,
            "stop_reason": "tool_use" if number < len(CALLS) else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        return httpx2.Response(200, json=message)

    def results(self):
        """What came back for each command: its text, and whether it is an error."""
        blocks = [one for body in self.sent for one in _blocks(body["messages"][-1])]
        return [(_text(one["content"]), bool(one.get("is_error"))) for one in blocks]


def _blocks(message):
    content = message["content"]
    return [one for one in content if isinstance(one, dict) and one["type"] == "tool_result"]


def _text(content):
    return content if isinstance(content, str) else content[0]["text"]


EMPTY = (
    "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:"
)
EXPECTED = [
    (f"{EMPTY}\n0B\t/memories", False),
    ("File created successfully at: /memories/drink.md", False),
    ("File /memories/drink.md already exists", True),
]


def test_the_runner_carries_out_what_the_model_asks_for(memory):
    """Answers and errors reach the model as tool results, and the file is found by recall."""
    service = Service()
    http = httpx2.Client(transport=httpx2.MockTransport(service))
    tool = EngraphyMemoryTool(memory, user="ann")
    said = Anthropic(api_key="none", http_client=http).beta.messages.tool_runner(
        model="m", max_tokens=10, tools=[tool], messages=[{"role": "user", "content": "Hi"}]
    )
    assert said.until_done().content[0].text == "Done."
    assert service.sent[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    assert service.results() == EXPECTED
    assert "green tea" in memory.recall("what does Ann drink?", user="ann")[0].memory.content
    assert memory.recall("what does Ann drink?", user="bob") == []


@pytest.mark.asyncio
async def test_the_same_awaited(memory):
    """The asynchronous tool answers the same."""
    service = Service()
    http = httpx2.AsyncClient(transport=httpx2.MockTransport(service))
    tool = EngraphyAsyncMemoryTool(memory, user="ann")
    said = AsyncAnthropic(api_key="none", http_client=http).beta.messages.tool_runner(
        model="m", max_tokens=10, tools=[tool], messages=[{"role": "user", "content": "Hi"}]
    )
    await said.until_done()
    assert service.results() == EXPECTED

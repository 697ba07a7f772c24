"""A model server for real clients: it follows a script, and keeps every request.

Speaks Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and Gemini, streaming, on
loopback. A script is a list of steps; a request that offers tools takes the next one, every other
request (titles, token counts, routing) gets a word.
"""

import gzip
import json
import re
import threading
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any, Self

Row = dict[str, Any]
_CALLS = count(1)
"""A second call under the id of the first one is no call to a client."""


@dataclass
class Step:
    """What the model does next: says a text, or calls the first tool whose name matches."""

    text: str = ""
    tool: str = ""
    arguments: Row = field(default_factory=dict)


@dataclass
class FakeModel:
    """The server. `seen`: requests with a body, in order, as (path, body)."""

    steps: list[Step] = field(default_factory=list)
    seen: list[tuple[str, Row]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> Self:
        model = self

        class Handler(_Handler):
            fake = model

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def play(self, *steps: Step) -> None:
        """A new script, and nothing seen."""
        with self._lock:
            self.steps, self.seen = list(steps), []

    def next(self, path: str, body: Row) -> Step:
        """The step for a request; keeps the request."""
        tools = _tools(body)
        with self._lock:
            self.seen.append((path, body))
            if not tools or not self.steps:
                return Step(text="ok")
            step = self.steps.pop(0)
        if not step.tool:
            return step
        name = next((one for one in tools if re.search(step.tool, one)), None)
        if name is None:
            return Step(text=f"no tool like {step.tool} among {', '.join(sorted(tools))}")
        return Step(tool=name, arguments=step.arguments)

    def mains(self) -> list[Row]:
        """The requests that offered tools, in order."""
        with self._lock:
            return [body for _, body in self.seen if _tools(body)]


def texts(value: Any) -> Iterator[str]:
    """Every text in a request, wherever it stands."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name not in {"tools", "functionDeclarations"}:
                yield from texts(one)


def _tools(body: Row) -> list[str]:
    found = []
    for tool in body.get("tools") or ():
        if tool.get("type") == "namespace":
            found += [f"{tool['name']}::{one['name']}" for one in tool.get("tools", ())]
        elif "functionDeclarations" in tool:
            found += [one["name"] for one in tool["functionDeclarations"]]
        elif "function" in tool:
            found.append(tool["function"]["name"])
        elif "name" in tool:
            found.append(tool["name"])
    return found


class _Handler(BaseHTTPRequestHandler):
    fake: FakeModel
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""

    def do_GET(self) -> None:
        """Lists of models and the like."""
        self._json({"data": [], "models": [], "object": "list"})

    def do_POST(self) -> None:
        """A question to the model."""
        body = self._body()
        path = self.path.partition("?")[0]
        if path.endswith(("/count_tokens", ":countTokens")):
            self._json({"input_tokens": 100, "totalTokens": 100})
            return
        step = self.fake.next(path, body)
        if path.endswith("/messages"):
            self._stream(_anthropic(step)) if body.get("stream") else self._json(_message(step))
        elif path.endswith("/responses"):
            self._stream(_responses(step)) if body.get("stream") else self._json(_response(step))
        elif path.endswith("/chat/completions"):
            self._stream(_chat(step)) if body.get("stream") else self._json(_completion(step))
        elif ":streamGenerateContent" in path:
            self._stream(iter([(None, _gemini(step))]))
        elif ":generateContent" in path:
            self._json(_gemini(step))
        else:
            self._json({})

    def _body(self) -> Row:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        coding = self.headers.get("Content-Encoding", "")
        if coding == "gzip":
            raw = gzip.decompress(raw)
        elif coding == "deflate":
            raw = zlib.decompress(raw)
        try:
            found = json.loads(raw or b"{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def _json(self, value: Row) -> None:
        made = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(made)))
        self.end_headers()
        self.wfile.write(made)

    def _stream(self, events: Iterator[tuple[str | None, Any]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for name, value in events:
            head = f"event: {name}\n" if name else ""
            said = value if isinstance(value, str) else json.dumps(value)
            self.wfile.write(f"{head}data: {said}\n\n".encode())
        self.wfile.flush()


def _blocks(step: Step) -> list[Row]:
    if step.tool:
        call = f"toolu_{next(_CALLS)}"
        return [{"type": "tool_use", "id": call, "name": step.tool, "input": step.arguments}]
    return [{"type": "text", "text": step.text}]


def _message(step: Step) -> Row:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "fake",
        "content": _blocks(step),
        "stop_reason": "tool_use" if step.tool else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }


def _anthropic(step: Step) -> Iterator[tuple[str, Row]]:
    whole = _message(step)
    yield "message_start", {"type": "message_start", "message": whole | {"content": []}}
    [block] = whole["content"]
    empty = block | ({"input": {}} if step.tool else {"text": ""})
    yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": empty}
    delta = (
        {"type": "input_json_delta", "partial_json": json.dumps(step.arguments)}
        if step.tool
        else {"type": "text_delta", "text": step.text}
    )
    yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": 0}
    ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    usage = {"output_tokens": 5}
    yield "message_delta", {"type": "message_delta", "delta": ended, "usage": usage}
    yield "message_stop", {"type": "message_stop"}


def _response(step: Step) -> Row:
    *_, (_, last) = _responses(step)
    found: Row = last["response"]
    return found | {"created_at": 1, "model": "fake", "tools": [], "parallel_tool_calls": True}


def _responses(step: Step) -> Iterator[tuple[str, Row]]:
    space, _, name = step.tool.rpartition("::")
    item: Row = {"id": "item_1", "status": "completed"}
    if step.tool:
        item |= {"type": "function_call", "call_id": "call_1", "name": name}
        item |= {"arguments": json.dumps(step.arguments)}
        item |= {"namespace": space} if space else {}
    else:
        content = [{"type": "output_text", "text": step.text, "annotations": []}]
        item |= {"type": "message", "role": "assistant", "content": content}
    whole: Row = {"id": "resp_1", "object": "response", "status": "in_progress", "output": []}
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    usage |= {"input_tokens_details": {"cached_tokens": 0}}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}}
    done = whole | {"status": "completed", "output": [item], "usage": usage}
    events: list[tuple[str, Row]] = [
        ("response.created", {"response": whole}),
        ("response.output_item.added", {"output_index": 0, "item": item}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": done}),
    ]
    for number, (kind, value) in enumerate(events):
        yield kind, {"type": kind, "sequence_number": number, **value}


def _called(step: Step) -> list[Row]:
    function = {"name": step.tool, "arguments": json.dumps(step.arguments)}
    return [{"index": 0, "id": "call_1", "type": "function", "function": function}]


def _chat(step: Step) -> Iterator[tuple[None, Row | str]]:
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "fake"}
    said: Row = {"tool_calls": _called(step)} if step.tool else {"content": step.text}
    first = {"index": 0, "delta": {"role": "assistant", **said}, "finish_reason": None}
    yield None, head | {"choices": [first]}
    reason = "tool_calls" if step.tool else "stop"
    yield None, head | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    yield None, head | {"choices": [], "usage": usage}
    yield None, "[DONE]"


def _completion(step: Step) -> Row:
    message = {"role": "assistant", "content": step.text or None}
    if step.tool:
        message["tool_calls"] = _called(step)  # type: ignore[assignment]
    reason = "tool_calls" if step.tool else "stop"
    choice = {"index": 0, "message": message, "finish_reason": reason}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return {
        "id": "c1",
        "object": "chat.completion",
        "model": "fake",
        "choices": [choice],
        "usage": usage,
    }


def _gemini(step: Step) -> Row:
    part: Row = {"text": step.text}
    if step.tool:
        part = {"functionCall": {"name": step.tool, "args": step.arguments}}
    content = {"role": "model", "parts": [part]}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": usage,
    }

"""A real peer on loopback that speaks the three interfaces of language models, well and badly."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

KEY = "sk-canary-5f1e9c7b3a2d4e6f8a9b"
"""A key that must be nowhere but in the header of a request."""

Mode = Literal[
    "good",
    "malformed",
    "wrong_shape",
    "empty",
    "slow",
    "dripping",
    "trickling",
    "cut_off",
    "length",
    "refusing",
    "busy",
    "broken",
    "forbidden",
    "redirect",
    "huge",
    "hang_up",
    "no_schemas",
]
Reply = Callable[[dict[str, Any]], object]
"""From the body of a request to the JSON value that the model answers."""


class ModelServer(ThreadingHTTPServer):
    """Answers each request by the next of `modes`, the last of them for ever.

    `reply` makes the answer of a good request out of what was asked. `seen` are (path, headers,
    body) of every request; `slowness` is how many seconds a slow answer takes.
    """

    daemon_threads = True

    def __init__(self, *modes: Mode, reply: Reply | None = None, slowness: float = 30.0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.modes: list[Mode] = list(modes) or ["good"]
        self.reply: Reply = reply or (lambda body: {"statements": []})
        self.slowness = slowness
        self.seen: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.stopping = threading.Event()

    @property
    def url(self) -> str:
        """The address without a path."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next_mode(self) -> Mode:
        """How this request is to be answered."""
        return self.modes.pop(0) if len(self.modes) > 1 else self.modes[0]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left is no error of the server."""


@contextmanager
def serving(server: ModelServer) -> Iterator[ModelServer]:
    """The server at work; what it still holds back is let go at the end."""
    with server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.stopping.set()
            server.shutdown()
            thread.join()


def data_of(body: dict[str, Any]) -> dict[str, Any]:
    """The fenced data of a request, in whatever interface it came."""
    prompt = body["messages"][-1]["content"]
    line: dict[str, Any] = json.loads(prompt.split("\n")[1])
    return line


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((self.path, dict(self.headers), body))
        getattr(self, f"_{self.server.next_mode()}")(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def _good(self, body: dict[str, Any]) -> None:
        self._send(200, self._envelope(body, json.dumps(self.server.reply(body))))

    def _no_schemas(self, body: dict[str, Any]) -> None:
        """An older server, which refuses what it does not know."""
        if "response_format" in body:
            self._send(400, b'{"error": "response_format is not supported"}')
        else:
            self._good(body)

    def _malformed(self, body: dict[str, Any]) -> None:
        self._send(200, self._envelope(body, '{"statements": [ {"text": '))

    def _wrong_shape(self, body: dict[str, Any]) -> None:
        self._send(200, self._envelope(body, '{"notes": ["all fine"]}'))

    def _empty(self, body: dict[str, Any]) -> None:
        self._send(200, b"{}")

    def _slow(self, body: dict[str, Any]) -> None:
        self.server.stopping.wait(self.server.slowness)

    def _dripping(self, body: dict[str, Any]) -> None:
        """Headers at once, then a byte now and then, so that no single read is too slow."""
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        while not self.server.stopping.is_set():
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.05)

    def _trickling(self, body: dict[str, Any]) -> None:
        """A good answer in the end, whose headers come a byte at a time: 5 s and more."""
        self.wfile.write(b"HTTP/1.0 200 OK\r\nX-Slow: ")
        for _ in range(100):
            self.wfile.write(b"x")
            self.wfile.flush()
            self.server.stopping.wait(0.05)
        answer = self._envelope(body, json.dumps(self.server.reply(body)))
        self.wfile.write(b"\r\nContent-Length: %d\r\n\r\n" % len(answer) + answer)

    def _cut_off(self, body: dict[str, Any]) -> None:
        answer = self._envelope(body, json.dumps(self.server.reply(body)))
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer[: len(answer) // 2])

    def _length(self, body: dict[str, Any]) -> None:
        self._send(200, self._envelope(body, '{"statements": [{"te', stopped="length"))

    def _refusing(self, body: dict[str, Any]) -> None:
        self._send(200, self._envelope(body, "I cannot help with that.", stopped="refusal"))

    def _busy(self, body: dict[str, Any]) -> None:
        self._send(429, b'{"error": "slow down"}', {"Retry-After": "0"})

    def _broken(self, body: dict[str, Any]) -> None:
        self._send(500, f"failed for {self.headers.get('Authorization', '')}".encode())

    def _forbidden(self, body: dict[str, Any]) -> None:
        keys = (self.headers.get(name, "") for name in ("Authorization", "x-api-key"))
        self._send(401, f"{'x' * 280} no such key: {' '.join(keys)}".encode())

    def _redirect(self, body: dict[str, Any]) -> None:
        self._send(307, b"", {"Location": f"{self.server.url}/elsewhere"})

    def _huge(self, body: dict[str, Any]) -> None:
        self._send(200, b'{"choices": "' + b"x" * 2_000_000 + b'"}')

    def _hang_up(self, body: dict[str, Any]) -> None:
        self.close_connection = True

    def _send(self, status: int, answer: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def _envelope(self, body: dict[str, Any], text: str, stopped: str = "stop") -> bytes:
        made = {
            "/v1/chat/completions": _openai,
            "/v1/messages": _anthropic,
            "/api/chat": _ollama,
        }[self.path]
        return json.dumps(made(text, stopped)).encode()


def _openai(text: str, stopped: str) -> dict[str, Any]:
    refused = stopped == "refusal"
    message = {"role": "assistant", "content": None if refused else text}
    message["refusal"] = text if refused else None
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [
            {"index": 0, "message": message, "finish_reason": "stop" if refused else stopped}
        ],
        "usage": {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150},
    }


def _anthropic(text: str, stopped: str) -> dict[str, Any]:
    reasons = {"stop": "tool_use", "length": "max_tokens", "refusal": "refusal"}
    content: list[dict[str, Any]] = [{"type": "text", "text": text}]
    if stopped == "stop":
        try:
            used = json.loads(text)
        except ValueError:
            used = text
        content = [{"type": "tool_use", "id": "toolu_1", "name": "answer", "input": used}]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": content,
        "stop_reason": reasons[stopped],
        "usage": {"input_tokens": 120, "output_tokens": 30},
    }


def _ollama(text: str, stopped: str) -> dict[str, Any]:
    return {
        "model": "m",
        "message": {"role": "assistant", "content": text},
        "done": True,
        "done_reason": stopped if stopped != "refusal" else "stop",
        "prompt_eval_count": 120,
        "eval_count": 30,
    }

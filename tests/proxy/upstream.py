"""A provider on loopback that says what it is told to say, byte by byte, and keeps what it saw."""

import gzip
import json
import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(kw_only=True)
class Seen:
    """A request as it came."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        """A header's value, None where it did not come."""
        return next((v for k, v in self.headers if k.lower() == name), None)


@dataclass(kw_only=True)
class Said:
    """An answer: `pieces` are written one after the other, `pause` seconds apart. `cut`: the line
    breaks before the end. `length`: with a Content-Length; else chunked."""

    pieces: Sequence[bytes] = (b"{}",)
    status: int = 200
    kind: str = "application/json"
    headers: Sequence[tuple[str, str]] = ()
    pause: float = 0.0
    first: float = 0.0
    cut: bool = False
    length: bool = False


@dataclass
class Upstream:
    """The provider. `play` tells what it says next; the last answer is repeated."""

    answers: list[Said] = field(default_factory=lambda: [Said()])
    seen: list[Seen] = field(default_factory=list)
    gone: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        upstream = self

        class Handler(_Handler):
            told = upstream

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def play(self, *answers: Said) -> None:
        """What is said to the next requests; nothing is seen so far."""
        self.answers, self.seen = list(answers), []
        self.gone.clear()

    def next(self) -> Said:
        """The answer to the next request."""
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class _Handler(BaseHTTPRequestHandler):
    told: Upstream
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):
            return self._answer
        raise AttributeError(name)

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            body = self._chunks()
        self.told.seen.append(
            Seen(
                method=self.command,
                target=self.path,
                headers=list(self.headers.items()),
                body=body,
            )
        )
        said = self.told.next()
        try:
            self._say(said)
        except OSError:
            self.told.gone.set()
            self.close_connection = True

    def _chunks(self) -> bytes:
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _say(self, said: Said) -> None:
        time.sleep(said.first)
        self.send_response(said.status)
        for name, value in (("Content-Type", said.kind), *said.headers):
            self.send_header(name, value)
        if said.length:
            self.send_header("Content-Length", str(sum(map(len, said.pieces))))
        elif said.status not in (204, 304):
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in said.pieces:
            time.sleep(said.pause)
            self.wfile.write(piece if said.length else b"%x\r\n%b\r\n" % (len(piece), piece))
            self.wfile.flush()
        if said.cut:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
        elif not said.length and said.status not in (204, 304):
            self.wfile.write(b"0\r\n\r\n")


def message(text: str) -> bytes:
    """A message of Anthropic's in one piece."""
    whole = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m"}
    content = [{"type": "text", "text": text}]
    usage = {"input_tokens": 1, "output_tokens": 1}
    more = {"content": content, "stop_reason": "end_turn", "stop_sequence": None, "usage": usage}
    return json.dumps({**whole, **more}).encode()


def messages(*texts: str) -> bytes:
    """The same as events, a delta per text."""
    begun = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []}
    ended = {"stop_reason": "end_turn", "stop_sequence": None}
    usage = {"input_tokens": 1, "output_tokens": 1}
    block = {"index": 0, "content_block": {"type": "text", "text": ""}}
    deltas = [{"index": 0, "delta": {"type": "text_delta", "text": text}} for text in texts]
    told: list[tuple[str, Any]] = [
        ("message_start", {"message": {**begun, "stop_reason": None, "usage": usage}}),
        ("content_block_start", block),
        ("ping", {}),
        *(("content_block_delta", one) for one in deltas),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": ended, "usage": {"output_tokens": 5}}),
        ("message_stop", {}),
    ]
    return b"".join(
        f"event: {name}\ndata: {json.dumps({'type': name, **one})}\n\n".encode()
        for name, one in told
    )


def zipped(data: bytes) -> bytes:
    """gzip, the same every time."""
    return gzip.compress(data, mtime=0)

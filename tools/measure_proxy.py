"""Measure what the proxy adds to the first byte: `python tools/measure_proxy.py [--memories N]`.

`--db FILE`: over a copy of that store, which holds the same draws.

A real `engraphy serve` in front of a provider on loopback that answers at once. Each request is a
prompt that nobody asked before, so that each is given a block of its own; in three sizes: a chat,
what a coding agent sends, a long conversation. Told are milliseconds of the server's CPU that the
client waits for (until the provider has the request, and from its answer to the client's first
byte), and of wall time beyond the same request to the provider itself. `--think MS`: how long the
provider takes to answer, as each does; what the server does meanwhile nobody waits for.
"""

import argparse
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

from engraphy import Memory
from engraphy.benchmarks.perf_data import Zipf, memories, write_parts

ENGRAPHY = str(Path(sys.executable).with_name("engraphy"))
STREAM = b'event: message_stop\ndata: {"type":"message_stop"}\n\n'
USER = "u0"
_QUIET = 0.06


class _Provider(BaseHTTPRequestHandler):
    """Answers after `think` seconds; `marks`: the CPU of the server `process` by then, as it had a
    request and as it answered."""

    protocol_version = "HTTP/1.1"
    think = 0.0
    process = 0
    marks: ClassVar[list[float]] = []

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""

    def do_POST(self) -> None:
        """The same answer, after a while."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.marks.append(cpu(self.process))
        time.sleep(self.think)
        self.marks.append(cpu(self.process))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(STREAM)))
        self.end_headers()
        self.wfile.write(STREAM)


@contextmanager
def provider() -> Iterator[int]:
    """The provider's port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Provider)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def served(store: Path, upstream: int) -> Iterator[tuple[int, int]]:
    """A server's port and process id."""
    words = [ENGRAPHY, "serve", "--port", "0", "--db", str(store), "--no-dreams", "--no-dashboard"]
    words += ["--upstream", f"anthropic=http://127.0.0.1:{upstream}"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        assert process.stderr is not None
        address = process.stderr.readline().split()[-1]
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield int(address.rpartition(":")[2]), process.pid
    finally:
        process.terminate()
        process.wait(30)


def body(prompt: str, turns: Sequence[str], extra: int) -> bytes:
    """A request of Anthropic's with a conversation behind it and tools of so many bytes."""
    roles = ("user", "assistant")
    chat: list[Any] = [{"role": roles[n % 2], "content": text} for n, text in enumerate(turns)]
    chat.append({"role": "user", "content": [{"type": "text", "text": prompt}]})
    tools = [{"name": f"t{n}", "description": "x" * 1_000} for n in range(extra // 1_000)]
    whole = {"model": "m", "max_tokens": 1_000, "stream": True, "messages": chat}
    return json.dumps({**whole, "tools": tools} if tools else whole).encode()


def cpu(process: int) -> float:
    """Seconds of CPU of all threads of a process so far, also of those that have ended."""
    # Linux: the clock of a process, as clock_getcpuclockid(3) names it.
    return time.clock_gettime(~process << 3 | 2)


def first_byte(port: int, path: str, headers: dict[str, str], data: bytes) -> float:
    """Seconds until the first byte of an answer's body."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.connect()
    begun = time.perf_counter()
    line.request("POST", path, data, headers)
    answer = line.getresponse()
    answer.read(1)
    took = time.perf_counter() - begun
    answer.read()
    line.close()
    return took


def quiet(process: int) -> float:
    """Wait until a process does nothing; its CPU by then."""
    before = -1.0
    while (now := cpu(process)) != before:
        before = now
        time.sleep(_QUIET)
    return now


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def measured(
    name: str, bodies: Sequence[bytes], server: tuple[int, int], upstream: int, token: str
) -> str:
    """One line of figures. `server`: its port and process id."""
    (port, process), path = server, "/proxy/anthropic/v1/messages"
    plain = {"content-type": "application/json"}
    # What is remembered afterwards would fall into the figures of a busy machine.
    own = {"x-engraphy-token": token, "x-engraphy-user": USER, "x-engraphy-memory": "read"}
    headers = {**plain, **own}
    spent, wall = [], []
    for data in bodies:
        direct = first_byte(upstream, "/v1/messages", plain, data)
        before = quiet(process)
        _Provider.marks.clear()
        took = first_byte(port, path, headers, data)
        asked, answered = _Provider.marks
        spent.append((cpu(process) - answered + asked - before) * 1e3)
        wall.append((took - direct) * 1e3)
    cut = len(bodies) // 10
    figures = [
        f"{percentile(one[cut:], share):7.1f}" for one in (spent, wall) for share in (0.5, 0.95)
    ]
    return f"{name:28} {len(bodies[-1]) // 1000:6} kB" + "".join(figures)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--requests", type=int, default=60)
    parser.add_argument("--think", type=float, default=0.0, help="milliseconds")
    parser.add_argument("--db", type=Path, help="a store of these memories, which is copied")
    given = parser.parse_args()
    _Provider.think = given.think / 1_000
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "m.db"
        rows = list(memories(given.memories, "tail"))
        if given.db is not None:
            shutil.copy(given.db, store)
        with Memory(store) as memory:
            if given.db is None:
                for part in write_parts(Path(folder), iter(rows))[0]:
                    memory.import_(part)
            token = memory.grant("measure", role="write").token
        source = Zipf(11)
        asked = [source.question(one.content) for one in rows if one.scope.user == USER]
        asked = asked[: given.requests]
        long = [source.text(400) for _ in range(120)]
        sizes = {"chat": ([], 0), "coding agent": (long[:8], 40_000), "long": (long, 300_000)}
        print(
            f"{given.memories} memories, {os.cpu_count()} cores: CPU p50, p95; wall p50, p95 (ms)"
        )
        with provider() as upstream, served(store, upstream) as server:
            _Provider.process = server[1]
            for name, (turns, extra) in sizes.items():
                bodies = [body(f"{name}: {one}", turns, extra) for one in asked]
                print(measured(name, bodies, server, upstream, token), flush=True)


if __name__ == "__main__":
    main()

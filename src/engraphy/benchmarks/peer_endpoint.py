"""Our embedder behind an OpenAI-compatible address on this machine, for peers that take only an
address, and the environment they read their settings from."""

import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from engraphy.ports import Embed


@contextmanager
def served(embedder: Embed) -> Iterator[str]:
    """The address (up to `/v1`) under which `embedder` answers while the block runs."""

    class Answer(BaseHTTPRequestHandler):
        """Answers `/v1/embeddings`."""

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            """One vector per text."""
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
            rows = [
                {"object": "embedding", "index": place, "embedding": list(map(float, vector))}
                for place, vector in enumerate(embedder.embed_documents(texts))
            ]
            usage = {"prompt_tokens": 0, "total_tokens": 0}
            told = {"object": "list", "model": asked["model"], "data": rows, "usage": usage}
            body = json.dumps(told).encode("utf-8")
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    """These variables are set while the block runs."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

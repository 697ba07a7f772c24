"""Endpoints that rerank, spoken to over a real socket."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from engraphy import Memory
from engraphy.errors import RerankerError, SettingsError
from engraphy.providers.rerank_endpoint import EndpointReranker, RerankEndpoint, from_spec

KEY = "sk-canary-0a1b2c3d4e5f"


def _scores(body: dict[str, Any]) -> bytes:
    rows = [
        {"index": place, "relevance_score": len(text) / 100}
        for place, text in enumerate(body["documents"])
    ]
    return json.dumps({"results": rows[::-1]}).encode()


class Server(ThreadingHTTPServer):
    """Answers with what the test has queued, otherwise longer texts score higher."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.queued: list[tuple[int, bytes]] = []
        self.seen: list[tuple[str, dict[str, str], dict[str, Any]]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((self.path, dict(self.headers), body))
        queued = self.server.queued
        status, answer = queued.pop(0) if queued else (200, _scores(body))
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def _reranker(server: Server, **fields: Any) -> EndpointReranker:
    endpoint = RerankEndpoint(model="m", base_url=server.url, **fields)
    return EndpointReranker(endpoint, pause=lambda _: None)


def test_scores_come_back_in_the_order_of_the_texts(server: Server) -> None:
    """Whatever order the endpoint answers in."""
    assert _reranker(server).rerank("q", ["aaa", "a", "aa"]) == [0.03, 0.01, 0.02]


def test_the_request_is_what_endpoints_expect(server: Server) -> None:
    """One POST to /rerank with model, query and documents; the key in a header only."""
    _reranker(server, api_key=KEY).rerank("who?", ["one", ""])
    path, headers, body = server.seen[0]
    assert path == "/v1/rerank"
    assert body == {"model": "m", "query": "who?", "documents": ["one", " "]}
    assert headers["Authorization"] == f"Bearer {KEY}"


def test_rows_may_stand_under_data_with_a_score(server: Server) -> None:
    """The form that other endpoints answer in."""
    rows = {"data": [{"index": 1, "score": 2.5}, {"index": 0, "score": -1}]}
    server.queued.append((200, json.dumps(rows).encode()))
    assert _reranker(server).rerank("q", ["a", "b"]) == [-1.0, 2.5]


def test_nothing_is_asked_about_nothing(server: Server) -> None:
    """No texts, no request."""
    assert _reranker(server).rerank("q", []) == []
    assert server.seen == []


@pytest.mark.parametrize(
    "answer",
    [
        b"not json",
        b"[]",
        b"{}",
        b'{"results": 5}',
        b'{"results": [{"index": 0, "relevance_score": 1}]}',
        b'{"results": [{"index": 0}, {"index": 1}]}',
        b'{"results": [{"index": 0, "score": "x"}, {"index": 1, "score": 1}]}',
        b'{"results": [{"index": 0, "score": NaN}, {"index": 1, "score": 1}]}',
    ],
)
def test_nonsense_answers_are_refused(server: Server, answer: bytes) -> None:
    """Not JSON, no rows, too few, no score, no number: one typed error."""
    server.queued.append((200, answer))
    with pytest.raises(RerankerError, match="endpoint/m"):
        _reranker(server).rerank("q", ["a", "b"])


def test_a_busy_server_is_asked_again_as_often_as_said(server: Server) -> None:
    """Once with one retry; by default not at all, as the order without it is at hand."""
    server.queued += [(503, b"busy"), (503, b"busy")]
    assert _reranker(server, retries=2).rerank("q", ["a"]) == [0.01]
    server.queued.append((503, b"busy"))
    with pytest.raises(RerankerError):
        _reranker(server).rerank("q", ["a"])


def test_a_refusal_does_not_tell_the_key(server: Server) -> None:
    """Even where the server says it."""
    server.queued.append((401, f"bad key {KEY}".encode()))
    with pytest.raises(RerankerError) as caught:
        _reranker(server, api_key=KEY).rerank("q", ["a"])
    assert KEY not in str(caught.value)
    assert KEY not in repr(RerankEndpoint(model="m", base_url=server.url, api_key=KEY))


@pytest.mark.parametrize(
    ("spec", "base_url"), [("m", "http://x"), ("/m", "http://x"), ("p/", "http://x"), ("p/m", None)]
)
def test_a_wrong_spec_is_refused(spec: str, base_url: str | None) -> None:
    """Provider, model and address are all needed."""
    with pytest.raises(SettingsError):
        from_spec(spec, base_url=base_url)


@pytest.mark.parametrize("fields", [{"timeout": 0}, {"retries": -1}, {"base_url": "ftp://x"}])
def test_senseless_limits_are_refused(fields: dict[str, Any]) -> None:
    """Before anything is asked."""
    with pytest.raises(SettingsError):
        RerankEndpoint(**{"model": "m", "base_url": "http://127.0.0.1:1", **fields})


def test_a_memory_reranks_by_an_endpoint(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named by "provider/model" with the address from the environment, it decides the order."""
    monkeypatch.setenv("ENGRAPHY_RERANKER_BASE_URL", server.url)
    monkeypatch.setenv("ENGRAPHY_RERANKER_API_KEY", KEY)
    with Memory(
        tmp_path / "a.db",
        embedder="none",
        reranker="house/model",
        overrides={"rerank": {"weight": 1.0}},
    ) as memory:
        memory.remember("The kite is red")
        memory.remember("The kite is stored in the attic beside the skis and the old tent")
        first = memory.recall("the kite", touch=False)[0]
    assert "attic" in first.memory.content
    assert server.seen[0][2]["model"] == "model"
    assert server.seen[0][1]["Authorization"] == f"Bearer {KEY}"


def test_an_endpoint_that_is_gone_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The memory answers without it."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("ENGRAPHY_RERANKER_BASE_URL", "http://127.0.0.1:9")
    with Memory(tmp_path / "a.db", embedder="none", reranker="house/model") as memory:
        memory.remember("The kite is red")
        memory.remember("The kite is in the attic")
        assert len(memory.recall("the kite", touch=False)) == 2

"""Embedding endpoints, spoken to over a real socket."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from engraphy.errors import EmbedderError, SettingsError
from engraphy.providers.openai_compatible import (
    Endpoint,
    OpenAICompatibleEmbedder,
    from_spec,
)


def _embeddings(body: dict[str, Any]) -> bytes:
    rows = [
        {"index": place, "embedding": [float(len(text)), 1.0]}
        for place, text in enumerate(body["input"])
    ]
    return json.dumps({"data": rows[::-1]}).encode()


class Server(ThreadingHTTPServer):
    """Answers with what the test has queued, otherwise with real embeddings."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.queued: list[tuple[int, dict[str, str], bytes]] = []
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
        status, headers, answer = queued.pop(0) if queued else (200, {}, _embeddings(body))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
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


def _embedder(server: Server, pauses: list[float] | None = None, **fields: Any) -> Any:
    endpoint = Endpoint(model="m", base_url=server.url, **fields)
    kept = [] if pauses is None else pauses
    return OpenAICompatibleEmbedder(endpoint, pause=kept.append)


def test_vectors_come_back_in_order(server: Server) -> None:
    """Each text gets its own vector, however the endpoint orders its answer."""
    vectors = _embedder(server).embed_documents(["a", "bbb", "cc"])
    assert [vector[0] for vector in vectors] == [1.0, 3.0, 2.0]


def test_the_request_is_what_endpoints_expect(server: Server) -> None:
    """Path, key, model, dimensions and input are sent as the interface says."""
    embedder = _embedder(server, api_key="sk-secret", dimensions=2)
    embedder.embed_query("hello")
    path, headers, body = server.seen[0]
    assert path == "/v1/embeddings"
    assert headers["Authorization"] == "Bearer sk-secret"
    assert body == {"model": "m", "input": ["hello"], "encoding_format": "float", "dimensions": 2}
    assert embedder.model_id == "openai-compatible/m@2"


def test_the_size_is_found_out_once(server: Server) -> None:
    """Without configured dimensions one request tells them."""
    embedder = _embedder(server)
    assert embedder.dim == embedder.dim == 2
    assert len(server.seen) == 1


def test_long_lists_go_in_batches(server: Server) -> None:
    """No request carries more texts than the batch size, and no order is lost."""
    vectors = _embedder(server, batch=2, dimensions=2).embed_documents(["a", "bb", "ccc"])
    assert [len(body["input"]) for _, _, body in server.seen] == [2, 1]
    assert [vector[0] for vector in vectors] == [1.0, 2.0, 3.0]


def test_prefixes_tell_questions_from_documents(server: Server) -> None:
    """Models with instruction prefixes get them."""
    embedder = _embedder(server, dimensions=2, query_prefix="query: ", document_prefix="passage: ")
    embedder.embed_query("x")
    embedder.embed_documents(["y"])
    assert [body["input"] for _, _, body in server.seen] == [["query: x"], ["passage: y"]]


def test_any_text_can_be_sent(server: Server) -> None:
    """The empty text and lone surrogates do not break a request."""
    vectors = _embedder(server, dimensions=2).embed_documents(["", "\ud800"])
    assert len(vectors) == 2


def test_a_busy_server_is_asked_again(server: Server) -> None:
    """After 429 and 5xx the request is repeated, at the pace the server asks for."""
    server.queued = [(429, {"Retry-After": "3"}, b"slow"), (503, {}, b"")]
    pauses: list[float] = []
    vector = _embedder(server, pauses, dimensions=2).embed_query("abc")
    assert vector[0] == 3.0
    assert pauses == [3.0, 1.0]


def test_retries_end(server: Server) -> None:
    """A server that stays busy leads to a typed error after the set number of attempts."""
    server.queued = [(503, {}, b"down")] * 5
    with pytest.raises(EmbedderError, match="503: down"):
        _embedder(server, dimensions=2, retries=1).embed_query("x")
    assert len(server.seen) == 2


def test_a_refusal_is_final_and_keeps_the_key(server: Server) -> None:
    """A 4xx is not repeated, and the error never shows the key."""
    server.queued = [(401, {}, b"bad key sk-secret")]
    with pytest.raises(EmbedderError, match=r"401: bad key \*\*\*") as caught:
        _embedder(server, api_key="sk-secret", dimensions=2).embed_query("x")
    assert "sk-secret" not in repr(caught.value)
    assert len(server.seen) == 1


def test_redirects_are_not_followed(server: Server) -> None:
    """The key never follows a redirect to another place."""
    server.queued = [(302, {"Location": f"{server.url}/elsewhere"}, b"")]
    with pytest.raises(EmbedderError, match="302"):
        _embedder(server, api_key="k", dimensions=2).embed_query("x")
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (b"<html>", "not an embeddings list"),
        (b'{"error": "x"}', "not an embeddings list"),
        (b"[" * 100_000, "not an embeddings list"),
        (b'{"data": []}', "asked for 1"),
        (b'{"data": [{"index": 0, "embedding": [1]}]}', "expected 2"),
        (b'{"data": [{"index": 0, "embedding": [1, NaN]}]}', "not finite"),
        (b'{"data": [{"index": 0, "embedding": "AAAA"}]}', "not numbers"),
    ],
)
def test_nonsense_answers_are_refused(server: Server, answer: bytes, problem: str) -> None:
    """An answer that is not vectors of the right kind raises a typed error."""
    server.queued = [(200, {}, answer)]
    with pytest.raises(EmbedderError, match=problem):
        _embedder(server, dimensions=2).embed_query("x")


def test_nobody_there_is_a_typed_error() -> None:
    """An endpoint that cannot be reached raises after the retries."""
    endpoint = Endpoint(model="m", base_url="http://127.0.0.1:9/v1", dimensions=2, timeout=2)
    pauses: list[float] = []
    with pytest.raises(EmbedderError, match="no answer from"):
        OpenAICompatibleEmbedder(endpoint, pause=pauses.append).embed_query("x")
    assert len(pauses) == 2


def test_a_spec_names_provider_and_model(server: Server) -> None:
    """`provider/model` opens a known provider, or any other one with its address."""
    assert from_spec("ollama/nomic-embed-text").model_id == "ollama/nomic-embed-text"
    embedder = from_spec("mine/org/model", base_url=server.url, dimensions=2)
    assert embedder.model_id == "mine/org/model@2"
    embedder.embed_query("x")
    assert server.seen[0][2]["model"] == "org/model"


@pytest.mark.parametrize(
    ("spec", "base_url"),
    [("nomodel", None), ("mine/model", None), ("openai/m", "file:///etc"), ("openai/m", "x")],
)
def test_a_wrong_spec_is_refused(spec: str, base_url: str | None) -> None:
    """A spec without a model, without an address or with a strange one raises a typed error."""
    with pytest.raises(SettingsError):
        from_spec(spec, base_url=base_url)


@pytest.mark.parametrize("fields", [{"timeout": 0.0}, {"batch": 0}, {"retries": -1}])
def test_senseless_limits_are_refused(fields: dict[str, Any]) -> None:
    """Limits out of range raise a typed error."""
    with pytest.raises(SettingsError, match="allowed"):
        Endpoint(model="m", base_url="http://localhost/v1", **fields)


def test_the_key_is_not_shown() -> None:
    """Printing an endpoint does not print its key."""
    endpoint = Endpoint(model="m", base_url="http://localhost/v1", api_key="sk-secret")
    assert "sk-secret" not in repr(endpoint)

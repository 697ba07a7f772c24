"""What passes through the proxy: the client's bytes up, the upstream's bytes down (C-15, P-22)."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.proxy.conftest import Proxied
from tests.proxy.test_hearing import PACKED
from tests.proxy.upstream import Said, Upstream, message, messages, zipped
from tests.serving.server import CLEAR, Served

from engraphy.errors import SettingsError
from engraphy.proxy import routing
from engraphy.proxy.upstreams import place
from engraphy.serving.options import Upstream as Configured

TOLD = "We decided to use PostgreSQL for the billing service because we need row locks."
ASKED = "Which database did we decide to use for the billing service?"
KNOWN = "PostgreSQL for the billing"
EVENTS = "text/event-stream"


def kept(proxied: Proxied) -> str:
    """Every shared text that is remembered, once all is extracted: another user's request, made
    last, is remembered by then."""
    upstream, memory = proxied.upstream, proxied.served.memory
    held = (upstream.answers, upstream.seen)
    upstream.play(Said(pieces=[message("Fine.")]))
    proxied.ask("I prefer the last word.", headers={"x-engraphy-user": f"u{time.time_ns()}"})
    upstream.answers, upstream.seen = held
    until = time.monotonic() + 20
    while not any(one.user for one in memory.walls()) and time.monotonic() < until:
        time.sleep(0.02)
    assert memory.flush()
    return "\n".join(row.content for row in memory.list())


@contextmanager
def elsewhere(proxied: Proxied, *statements: str) -> Iterator[None]:
    """Another process that has done this to the store, and does not end before it is let."""
    code = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "for one in sys.argv[2:]: c.execute(one)\n"
        "print(flush=True); sys.stdin.read()"
    )
    words = [sys.executable, "-c", code, str(proxied.served.path), *statements]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        yield
        other.communicate()


@pytest.mark.spec("C-15")
@pytest.mark.spec("C-01")
def test_a_second_conversation_carries_what_the_first_told(proxied: Proxied) -> None:
    """What a user says in one conversation stands in the request of another one, at its tail, and
    the answer is the upstream's to the byte."""
    stream = messages("Good ", "choice.")
    proxied.upstream.play(Said(pieces=[stream[:50], stream[50:]], kind=EVENTS))
    first = proxied.ask(TOLD, stream=True)
    assert first.content == stream
    assert first.headers["content-type"] == EVENTS
    assert json.loads(proxied.upstream.seen[0].body)["messages"][0]["content"] == TOLD
    assert KNOWN in kept(proxied)
    proxied.upstream.play(Said(pieces=[message("PostgreSQL.")], length=True))
    second = proxied.ask(ASKED)
    assert second.content == message("PostgreSQL.")
    content = proxied.sent()["messages"][-1]["content"]
    assert content[0] == {"type": "text", "text": ASKED}
    assert KNOWN in content[1]["text"]
    assert content[1]["text"].startswith("<memory-context>")


@pytest.mark.parametrize(
    ("opening", "carried"),
    [({"embedder": "none"}, True), ({"embedder": "none", "profile": "titans"}, False)],
)
def test_a_conversation_that_has_a_name_is_told_of_the_others(
    proxied: Proxied, *, carried: bool
) -> None:
    """X-Engraphy-Session names the conversation, and hides what others told only where sessions
    are walls."""
    proxied.served.memory.remember(TOLD, session="monday")
    proxied.ask(ASKED, headers={"x-engraphy-session": "tuesday"})
    assert (KNOWN in proxied.upstream.seen[-1].body.decode()) is carried


def test_only_texts_are_texts(proxied: Proxied) -> None:
    """A number where a text belongs is nobody's word: the provider gets it as it is, and nothing
    of it is remembered, nor does a block go with it alone."""
    part = {"type": "text", "text": 771_204}
    proxied.ask([part])
    assert proxied.sent()["messages"][-1]["content"] == [part]
    proxied.ask([part, {"type": "text", "text": TOLD}])
    assert KNOWN in kept(proxied)
    assert "771204" not in kept(proxied)


@pytest.mark.spec("C-15")
def test_openai_dialects_carry_it_too(proxied: Proxied) -> None:
    """Chat Completions and Responses: in front of any upstream, with its own answer."""
    proxied.served.memory.remember(TOLD)
    for path, body in (
        ("chat/completions", {"messages": [{"role": "user", "content": ASKED}]}),
        ("responses", {"input": ASKED}),
    ):
        proxied.upstream.play(Said(pieces=[b'{"odd": 1.0}']))
        answer = proxied.post(f"/proxy/openai/v1/{path}", {"model": "m", **body})
        assert answer.content == b'{"odd": 1.0}'
        seen = proxied.upstream.seen[-1]
        assert seen.target == f"/v1/{path}"
        assert KNOWN in seen.body.decode()


@pytest.mark.parametrize("opening", [{"embedder": "none", "profile": "titans"}])
@pytest.mark.spec("C-06")
def test_the_documents_place_is_the_system_prompt(proxied: Proxied) -> None:
    """Under the proxy's own profile a block is appended to the system prompt."""
    proxied.served.memory.remember("I prefer Python for data processing", kind="preference")
    proxied.ask("What do I prefer for data processing?", system="Be kind.")
    system = proxied.sent()["system"]
    assert system.startswith("Be kind.\n\n<memory-context>")
    assert "- [User preference] I prefer Python for data processing" in system
    assert proxied.sent()["messages"][0]["content"] == "What do I prefer for data processing?"


@pytest.mark.spec("C-11")
def test_what_the_chat_shows_is_not_injected_again(proxied: Proxied) -> None:
    """A memory that one of the last messages says is left out of the request."""
    proxied.served.memory.remember(TOLD)
    proxied.ask(TOLD, "Good choice.", ASKED)
    assert "memory-context" not in proxied.upstream.seen[-1].body.decode()


def test_a_tool_loop_replays_the_block(proxied: Proxied) -> None:
    """Each request of a loop carries the identical text at the identical place, with no mark of
    ours, so that the provider's cache knows its beginning."""
    proxied.served.memory.remember(TOLD)
    prompt = {"type": "text", "text": ASKED, "cache_control": {"type": "ephemeral"}}
    chat: list[Any] = [{"role": "user", "content": [prompt]}]
    begin = {"model": "m", "max_tokens": 1000, "tools": [{"name": "t"}]}
    proxied.post("/proxy/anthropic/v1/messages", {**begin, "messages": chat})
    first = proxied.sent()["messages"][0]
    assert len(first["content"]) == 2
    for number in range(3):
        call = {"type": "tool_use", "id": f"t{number}", "name": "t", "input": {}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "x"}
        chat += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
        proxied.post("/proxy/anthropic/v1/messages", {**begin, "messages": chat})
        sent = proxied.sent()["messages"]
        assert sent[0] == first
        assert sent[1:] == chat[1:]
        assert proxied.upstream.seen[-1].body.count(b"cache_control") == 1


def test_a_tool_loop_that_the_provider_keeps_has_its_block(proxied: Proxied) -> None:
    """Where only the tool's answer is sent, with the name of the answer before, the instructions
    tell the same again; nobody else's request is given it."""
    proxied.served.memory.remember(TOLD)
    whole = {"id": "resp_1", "status": "completed", "output": []}
    proxied.upstream.play(Said(pieces=[json.dumps(whole).encode()]))
    path = "/proxy/openai/v1/responses"
    proxied.post(path, {"model": "m", "input": ASKED, "instructions": "Be kind."})
    block = proxied.sent()["input"][0]["content"][1]["text"]
    result = {"type": "function_call_output", "call_id": "c", "output": "42"}
    more = {"model": "m", "input": [result], "previous_response_id": "resp_1"}
    proxied.post(path, {**more, "instructions": "Be kind."})
    assert proxied.sent()["instructions"] == f"Be kind.\n\n{block}"
    assert proxied.sent()["input"] == [result]
    other = {"x-engraphy-token": proxied.served.token(role="write")}
    proxied.post(path, more, headers=other)
    assert proxied.sent() == more


def test_calls_beside_a_conversation_get_and_leave_nothing(proxied: Proxied) -> None:
    """Probes, titles, token counts, an agent's own agents: the client's bytes, nothing kept."""
    proxied.served.memory.remember(TOLD)
    proxied.upstream.play(Said(pieces=[message("x")]))
    user = {"role": "user", "content": f"{ASKED} I prefer herons."}
    base = {"model": "m", "max_tokens": 500, "messages": [user]}
    title = "Generate a short title for this conversation"
    calls: list[tuple[str, Any, dict[str, str]]] = [
        ("messages", {**base, "max_tokens": 1}, {}),
        ("messages", {**base, "system": title}, {}),
        ("messages/count_tokens", base, {}),
        ("messages", {**base, "tools": [{}]}, {"x-claude-code-agent-id": "a"}),
        ("messages", base, {"user-agent": "claude-cli/2.1.332 (external, cli)"}),
    ]
    for path, body, headers in calls:
        proxied.post(f"/proxy/anthropic/v1/{path}", body, headers=headers)
        assert proxied.upstream.seen[-1].body == json.dumps(body).encode()
    assert "herons" not in kept(proxied)


def test_what_nobody_here_knows_passes_as_it_is(proxied: Proxied) -> None:
    """Other paths, other methods, bodies that are no JSON, answers of any kind."""
    proxied.upstream.play(Said(pieces=[b"\x00\xff"], status=418, kind="image/x"))
    for method, path, body in (
        ("GET", "/v1/models?limit=2&x=%20y", b""),
        ("DELETE", "/v1/files/f-1", b""),
        ("POST", "/v1/files", b"--x\r\n\x00\xff"),
        ("POST", "/v1/messages", b"not json"),
        ("POST", "/v1/messages", b""),
    ):
        answer = httpx2.request(
            method,
            f"{proxied.served.url}/proxy/anthropic{path}",
            content=body,
            headers={"x-engraphy-token": proxied.token},
            verify=CLEAR,
        )
        assert (answer.status_code, answer.content) == (418, b"\x00\xff")
        seen = proxied.upstream.seen[-1]
        assert (seen.method, seen.target, seen.body) == (method, path, body)


@pytest.mark.long
@pytest.mark.spec("C-15")
def test_packed_answers_pass_packed_and_are_read(proxied: Proxied) -> None:
    """The client has the upstream's bytes; the copy is undone, and what was said is kept."""
    for encoding in ("gzip", "deflate", "zstd", "br"):
        _packed(proxied, encoding)


def _packed(proxied: Proxied, encoding: str) -> None:
    fact = f"I prefer to read the {encoding} manual in the evening."
    data = PACKED[encoding](messages("Fine."))
    headers = [("Content-Encoding", encoding)]
    proxied.upstream.play(Said(pieces=[data[:20], data[20:]], kind=EVENTS, headers=headers))
    asked = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": fact}]}
    with httpx2.stream(
        "POST",
        f"{proxied.served.url}/proxy/anthropic/v1/messages",
        json=asked,
        headers={"x-engraphy-token": proxied.token, "accept-encoding": f"{encoding}, x-odd"},
        verify=CLEAR,
    ) as answer:
        assert b"".join(answer.iter_raw()) == data
        assert answer.headers["content-encoding"] == encoding
    assert proxied.upstream.seen[-1].header("accept-encoding") == encoding
    assert fact in kept(proxied)


def test_packed_requests_are_understood(proxied: Proxied) -> None:
    """One that is edited goes plain; one that is not goes as the client packed it."""
    encoding = "zstd"
    chat = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": ASKED}]}
    data = PACKED[encoding](json.dumps(chat).encode())
    headers = {"content-encoding": encoding}
    proxied.post("/proxy/anthropic/v1/messages", data, headers=headers)
    seen = proxied.upstream.seen[-1]
    assert (seen.body, seen.header("content-encoding")) == (data, encoding)
    proxied.served.memory.remember(TOLD)
    proxied.post("/proxy/anthropic/v1/messages", data, headers=headers)
    seen = proxied.upstream.seen[-1]
    assert KNOWN in seen.body.decode()
    assert seen.header("content-encoding") is None


def test_headers_and_errors_of_the_upstream_reach_the_client(proxied: Proxied) -> None:
    """Status, retry-after, request ids, rate limits; and nothing of an error is remembered."""
    told = [("Retry-After", "7"), ("request-id", "r-1"), ("x-ratelimit-remaining", "0")]
    proxied.upstream.play(Said(pieces=[b'{"error":1}'], status=429, headers=told))
    answer = proxied.ask(TOLD)
    assert (answer.status_code, answer.content) == (429, b'{"error":1}')
    assert [answer.headers[name] for name, _ in told] == ["7", "r-1", "0"]
    assert not kept(proxied)


def test_a_refused_block_is_taken_back(proxied: Proxied) -> None:
    """Where an upstream refuses the request with a block, it is asked as the client asked, and
    the model is spoken to in another form from then on."""
    proxied.served.memory.remember(TOLD)
    system = {"role": "system", "content": "Be kind."}
    chat = {"model": "m", "messages": [system, {"role": "user", "content": ASKED}]}
    refused, fine = Said(pieces=[b"{}"], status=400), Said(pieces=[b'{"fine":1}'])
    proxied.upstream.play(refused, fine)
    assert proxied.post("/proxy/openai/v1/chat/completions", chat).content == b'{"fine":1}'
    assert [KNOWN in one.body.decode() for one in proxied.upstream.seen] == [True, False]
    assert proxied.upstream.seen[1].body == json.dumps(chat).encode()
    proxied.post("/proxy/openai/v1/chat/completions", chat)
    assert proxied.sent()["messages"][-1]["content"][0]["text"] == ASKED


@pytest.mark.long
@pytest.mark.parametrize("patience", [routing.PATIENCE])
@pytest.mark.spec("C-01")
def test_a_locked_store_fails_nobody(proxied: Proxied) -> None:
    """While somebody else holds the store, requests pass and are answered; what was said is
    remembered once it is free."""
    proxied.ask("Hi")
    with elsewhere(proxied, "BEGIN IMMEDIATE"):
        proxied.upstream.play(Said(pieces=[message("Fine.")]))
        answer = proxied.ask(TOLD)
        assert (answer.status_code, answer.content) == (200, message("Fine."))
        assert proxied.sent()["messages"][0]["content"] == TOLD
    assert kept(proxied) == TOLD


@pytest.mark.spec("C-01")
def test_a_damaged_store_fails_nobody(proxied: Proxied) -> None:
    """Where the memory cannot be asked at all, each request is the client's own, to the byte."""
    proxied.ask("Hi")
    with elsewhere(proxied, "DROP TABLE session_state", "DROP TABLE memories_fts"):
        pass
    body = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": ASKED}]}
    for more in ({}, {"metadata": {"user_id": '{"session_id":"\\ud800"}'}}):
        answer = proxied.post("/proxy/anthropic/v1/messages", {**body, **more})
        assert answer.status_code == 200
        assert proxied.upstream.seen[-1].body == json.dumps({**body, **more}).encode()


# what never leaves, and where nothing goes


@pytest.mark.spec("P-22")
def test_no_token_goes_up_and_no_clients_key_goes_elsewhere(proxied: Proxied) -> None:
    """Our token stays here wherever it stood; the client's key passes; a configured one takes the
    place of whatever the client shows; no cookie, no name of ours goes along."""
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}
    tried: list[tuple[str, dict[str, str], str | None]] = [
        (
            "/proxy/openai/",
            {"x-engraphy-token": proxied.token, "authorization": "Bearer sk-x"},
            "Bearer sk-x",
        ),
        (f"/t/{proxied.token}/proxy/openai/", {"authorization": "Bearer sk-x"}, "Bearer sk-x"),
        ("/proxy/openai/", {"authorization": f"Bearer {proxied.token}"}, None),
        (
            "/proxy/keyed/",
            {"authorization": f"Bearer {proxied.token}"},
            "Bearer sk-configured-0001",
        ),
        (
            f"/t/{proxied.token}/proxy/keyed/",
            {"authorization": "Bearer sk-x"},
            "Bearer sk-configured-0001",
        ),
    ]
    for prefix, headers, shown in tried:
        more = {"cookie": "engraphy=1", "x-engraphy-project": "p", "forwarded": "for=1.2.3.4"}
        answer = httpx2.post(
            f"{proxied.served.url}{prefix}v1/chat/completions",
            json=body,
            headers={**headers, **more},
            verify=CLEAR,
        )
        assert answer.status_code == 200
        seen = proxied.upstream.seen[-1]
        assert seen.header("authorization") == shown
        told = json.dumps(seen.headers) + seen.target
        assert "egr_" not in told
        assert not {"cookie", "forwarded", "x-engraphy-token", "x-engraphy-project"} & {
            name.lower() for name, _ in seen.headers
        }
        assert seen.header("host") == proxied.upstream.url.removeprefix("http://")
    key = {"x-api-key": proxied.token}
    httpx2.post(
        f"{proxied.served.url}/proxy/keyed/v1/messages", json=body, headers=key, verify=CLEAR
    )
    assert proxied.upstream.seen[-1].header("x-api-key") == "sk-configured-0001"
    assert proxied.upstream.seen[-1].target == "/base/v1/messages"


ELSEWHERE = (
    "/proxy/anthropic/../openai/v1/models",
    "/proxy/anthropic/v1/%2e%2e/x",
    "/proxy/anthropic/v1/..%2fx",
    "/proxy/anthropic//evil.example/x",
    "/proxy/anthropic/v1//x",
    "/proxy/anthropic/@evil.example/%2f",
    "/proxy/anthropic/v1/%5cx",
    "/proxy/anthropic/v1/%00",
    "/proxy/anthropic/v1/%252e%252e/x",
    "/proxy/http://evil.example/x",
    "/proxy/evil.example/x",
    "/proxy/ANTHROPIC/v1/models",
    "/proxy/%61nthropic/v1/models",
    "http://evil.example/proxy/anthropic/v1/models",
    "//evil.example/proxy/anthropic/v1/models",
)


@pytest.mark.spec("P-22")
def test_no_request_chooses_where_it_goes(proxied: Proxied) -> None:
    """Paths that could be read in two ways, names that are not configured, absolute targets: they
    are refused, and the upstream hears nothing."""
    host, port = proxied.served.url.removeprefix("http://").split(":")
    for target in ELSEWHERE:
        with socket.create_connection((host, int(port)), timeout=10) as line:
            told = f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
            line.sendall(f"{told}X-Engraphy-Token: {proxied.token}\r\n\r\n".encode())
            status = line.makefile("rb").readline().split()[1]
        assert (target, status) in {(target, known) for known in (b"400", b"404", b"421")}
    assert proxied.upstream.seen == []


@pytest.mark.spec("P-22")
def test_a_name_of_the_world_never_leads_inside(
    provider: Upstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upstream that is configured by a public name is not asked where that name leads to this
    machine or its network, by a mistake or on purpose; what is configured as inside is."""
    port = provider.url.rpartition(":")[2]
    known = {"api.provider.example": "127.0.0.1", "meta.provider.example": "169.254.169.254"}
    usual = socket.getaddrinfo

    def resolved(host: Any, *more: Any, **told: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        return usual(known.get(name, host), *more, **told)

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    told = {
        "world": Configured(base=f"http://api.provider.example:{port}"),
        "meta": Configured(base="http://meta.provider.example"),
        "inside": Configured(base=f"http://localhost:{port}"),
    }
    with (
        Served(path=tmp_path / "m.db", more={"upstreams": told}) as served,
        served.client(role="write") as client,
    ):
        assert client.get("/proxy/world/v1/models").status_code == 502
        assert client.get("/proxy/meta/v1/models").status_code == 502
        assert provider.seen == []
        assert client.get("/proxy/inside/v1/models").status_code == 200


@pytest.mark.parametrize(
    "base", ["ftp://x", "http://", "http://a:b@x", "http://x?y", "x", "http://x:y"]
)
def test_an_address_that_is_none_is_refused_at_the_start(base: str) -> None:
    """An upstream's address is checked before anything is served."""
    with pytest.raises(SettingsError):
        place("x", Configured(base=base))


@pytest.mark.spec("P-22")
def test_redirects_are_not_followed(proxied: Proxied) -> None:
    """Where an upstream points elsewhere, the client is told; nobody here goes there."""
    elsewhere = [("Location", "http://169.254.169.254/latest/meta-data")]
    proxied.upstream.play(Said(pieces=[b""], status=307, headers=elsewhere))
    answer = proxied.ask("Hi there, how are you?")
    assert (answer.status_code, answer.headers["location"]) == (307, elsewhere[0][1])
    assert len(proxied.upstream.seen) == 1


@pytest.mark.spec("P-22")
def test_an_answer_that_breaks_off_leaves_no_half_memory(proxied: Proxied) -> None:
    """The client has the upstream's bytes up to the break and sees it; of the answer nothing is
    remembered, and the user's own words, which are whole, once."""
    stream = messages("I decided that herons are blue. ", "And that storks are red.")
    half = stream[: stream.index(b"storks")]
    proxied.upstream.play(Said(pieces=[half], kind=EVENTS, cut=True))
    for _ in range(2):
        got = bytearray()
        with pytest.raises(httpx2.TransportError):
            _streamed(proxied, TOLD, got)
        assert got == half
    assert "herons" not in kept(proxied)
    assert kept(proxied) == TOLD


def _streamed(proxied: Proxied, text: str, got: bytearray) -> None:
    """The bytes of an answer as they come."""
    with httpx2.stream(
        "POST",
        f"{proxied.served.url}/proxy/anthropic/v1/messages",
        json={"model": "m", "messages": [{"role": "user", "content": text}]},
        headers={"x-engraphy-token": proxied.token},
        verify=CLEAR,
    ) as answer:
        for data in answer.iter_raw():
            got += data


@pytest.mark.spec("P-22")
def test_a_client_that_goes_away_takes_its_request_along(proxied: Proxied) -> None:
    """Nothing goes on at the upstream for a client that is gone."""
    piece = messages("x" * 100)[:300]
    proxied.upstream.play(Said(pieces=[piece] * 400, kind=EVENTS, pause=0.02))
    with httpx2.stream(
        "POST",
        f"{proxied.served.url}/proxy/anthropic/v1/messages",
        json={"model": "m", "messages": [{"role": "user", "content": "Hi"}]},
        headers={"x-engraphy-token": proxied.token},
        verify=CLEAR,
    ) as answer:
        next(answer.iter_raw())
    assert proxied.upstream.gone.wait(5)


@pytest.mark.long
@pytest.mark.spec("C-15")
def test_the_first_event_does_not_wait_for_the_second(proxied: Proxied) -> None:
    """Each piece passes when it comes."""
    proxied.upstream.play(Said(pieces=[b"data: 1\n\n", b"data: 2\n\n"], kind=EVENTS, pause=0.3))
    with httpx2.stream(
        "POST",
        f"{proxied.served.url}/proxy/anthropic/v1/messages",
        json={"model": "m", "messages": [{"role": "user", "content": "Hi"}]},
        headers={"x-engraphy-token": proxied.token},
        verify=CLEAR,
    ) as answer:
        pieces = list(answer.iter_raw())
    assert pieces == [b"data: 1\n\n", b"data: 2\n\n"]


def test_a_large_answer_passes_whole(proxied: Proxied) -> None:
    """Ten megabytes, in pieces, to the byte."""
    pieces = [messages("x" * 50_000)] * 200
    proxied.upstream.play(Said(pieces=pieces, kind=EVENTS))
    assert proxied.ask("Hi", stream=True).content == b"".join(pieces)


def test_an_upstream_that_is_not_there_is_told(proxied: Proxied) -> None:
    """In the shape that clients of both providers read."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        proxied.upstream._server.server_close()  # noqa: SLF001 - the provider goes away
    answer = proxied.ask("Hi")
    assert answer.status_code == 502
    told = answer.json()
    assert (told["type"], told["error"]["type"]) == ("error", "api_error")


# whose memory it is


def test_walls_are_the_tokens(proxied: Proxied) -> None:
    """A token that is bound to a user reads and writes that user's memory; one that is not names
    it in a header; and nobody names another's."""
    ann = proxied.served.token(role="write", user="ann")
    body = {"model": "m", "messages": [{"role": "user", "content": TOLD}]}
    path = "/proxy/anthropic/v1/messages"
    proxied.upstream.play(Said(pieces=[message("Fine.")]))
    assert proxied.post(path, body, headers={"x-engraphy-token": ann}).status_code == 200
    time.sleep(0.2)
    assert proxied.served.memory.flush()
    assert proxied.served.memory.list() == []
    assert [row.content for row in proxied.served.memory.list(user="ann")] == [TOLD]
    proxied.ask(ASKED)
    assert KNOWN not in proxied.upstream.seen[-1].body.decode()
    proxied.ask(ASKED, headers={"x-engraphy-user": "ann"})
    assert KNOWN in proxied.upstream.seen[-1].body.decode()
    other = {"x-engraphy-token": ann, "x-engraphy-user": "bob"}
    assert proxied.post(path, body, headers=other).status_code == 403


def test_a_request_may_go_without_memory(proxied: Proxied) -> None:
    """`read`: it carries memories and leaves none; `off`: neither."""
    proxied.served.memory.remember(TOLD)
    proxied.upstream.play(Said(pieces=[message("Fine.")]))
    for word, carries in (("read", True), ("off", False)):
        proxied.ask("I prefer tea with lemon.", headers={"x-engraphy-memory": word})
        proxied.ask(ASKED, headers={"x-engraphy-memory": word})
        assert (KNOWN in proxied.upstream.seen[-1].body.decode()) is carries
    assert "lemon" not in kept(proxied)


def test_without_a_token_nothing_passes(proxied: Proxied) -> None:
    """A provider's key opens nothing here, and who may only read spends nobody's money."""
    url = f"{proxied.served.url}/proxy/keyed/v1/models"
    for headers in ({}, {"x-api-key": "sk-x"}, {"authorization": "Bearer egr_no_token"}):
        assert httpx2.get(url, headers=headers, verify=CLEAR).status_code == 401
    reader = {"x-engraphy-token": proxied.served.token(role="read")}
    assert httpx2.get(url, headers=reader, verify=CLEAR).status_code == 403
    assert proxied.upstream.seen == []


def test_what_was_injected_is_not_remembered_again(proxied: Proxied) -> None:
    """An answer that only repeats the block is no evidence for it (R-10)."""
    proxied.served.memory.remember(TOLD)
    proxied.upstream.play(Said(pieces=[message(f"As you said: {TOLD}")]))
    proxied.ask(ASKED)
    assert kept(proxied) == TOLD
    [row] = proxied.served.memory.list()
    assert row.version == 1


def test_packed_twice_is_left_alone(proxied: Proxied) -> None:
    """An encoding that is not known passes, and nothing is made of it."""
    data = zipped(zipped(b"{}"))
    headers = {"content-encoding": "gzip, gzip"}
    proxied.post("/proxy/anthropic/v1/messages", data, headers=headers)
    seen = proxied.upstream.seen[-1]
    assert (seen.body, seen.header("content-encoding")) == (data, "gzip, gzip")

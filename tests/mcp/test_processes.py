"""Real processes: over stdin and stdout, and over HTTP; how they answer, and how they end."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from click.testing import CliRunner
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests.mcp.making import called
from tests.serving.server import CLEAR

from engraphy.cli import main

ENGRAPHY = (sys.executable, "-c", "from engraphy.cli import main; main()", "mcp")
TOKEN = "a token of this test".replace(" ", "-")
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
PATIENCE = 60


@contextmanager
def started(folder: Path, *words: str, **more: Any) -> Iterator[subprocess.Popen[str]]:
    """A server in a process of its own, over a store in this folder; ended if it still runs."""
    store = ("--db", str(folder / "store.db"), "--embedder", "none", "--project", "shop")
    env = {**os.environ, "ENGRAPHY_MCP_TOKEN": "", **more}
    env = {name: value for name, value in env.items() if value}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*ENGRAPHY, *store, *words], stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=env
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def said(process: subprocess.Popen[str], number: int, method: str, **params: Any) -> Any:
    """The result of a request over stdin and stdout."""
    assert process.stdin is not None
    assert process.stdout is not None
    told = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    process.stdin.write(json.dumps(told) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    assert answer["id"] == number
    return answer["result"]


def remember(process: subprocess.Popen[str]) -> None:
    """A handshake of the older era, and a memory."""
    assert process.stdin is not None
    assert said(process, 1, "initialize", **INITIALIZE)["serverInfo"]["name"] == "engraphy"
    process.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    assert said(process, 2, "tools/list")["tools"][0]["name"] == "remember"
    values = {"content": "Ada prefers tabs in Makefiles"}
    kept = said(process, 3, "tools/call", name="remember", arguments=values)
    assert kept["structuredContent"]["action"] == "created"


@pytest.mark.long
def test_nothing_but_protocol_is_on_stdout_until_sigterm(tmp_path: Path) -> None:
    """Each line is a message; on SIGTERM the process ends by itself, though stdin is open, and
    what was written is whole."""
    with started(tmp_path) as process:
        remember(process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read() == ""
        assert process.stderr.read() == ""
    with started(tmp_path) as process:
        _, errors = process.communicate("", timeout=PATIENCE)
        assert (process.returncode, errors) == (0, "")


@pytest.mark.long
def test_half_a_character_is_answered(tmp_path: Path) -> None:
    """A text that was cut in the middle of a character is kept with U+FFFD in the half's place,
    whole characters and backslashes as they are; the call is not left without an answer."""
    given = '{"content": "Ada likes \\ud83d, \\uD83D\\uDE00, \\\\ud83d, \\udE00\\ud83d and tea"}'
    with started(tmp_path) as process:
        remember(process)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(
            '{"jsonrpc": "2.0", "id": 4, "method": "tools/call",'
            f' "params": {{"name": "remember", "arguments": {given}}}}}\n'
        )
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        kept = answer["result"]["structuredContent"]["memory"]["content"]
        assert kept == "Ada likes \ufffd, \U0001f600, \\ud83d, \ufffd\ufffd and tea"


UNREADABLE = (
    ('{"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"na', 4, -32_700),
    ('{"jsonrpc": "2.0", "id": 5, "method": "ping"', 5, -32_700),
    ("not a message", None, -32_700),
    ('{"jsonrpc": "2.0", "id": 6, "method": "ping", "params": ' + "[" * 9_000, 6, -32_700),
    ('{"id": 7, "method": "ping"}', 7, -32_600),
    ('{"jsonrpc": "2.0", "id": 8, "method": 3}', 8, -32_600),
    ('{"jsonrpc": "2.0", "id": 9, "method": "ping", "params": [1]}', 9, -32_600),
    ('{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', None, -32_600),
    ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', None, -32_600),
    ('[{"jsonrpc": "2.0", "id": "a", "method": "ping"}]', "a", -32_600),
    ("[]", None, -32_600),
    ("null", None, -32_600),
    ('{"jsonrpc": "2.0", "id": 10, "method": "no/such"}', 10, -32_601),
    ('{"jsonrpc": "2.0", "id": 11, "method": "tools/call"}', 11, -32_602),
)


@pytest.mark.long
def test_what_is_no_message_is_answered(tmp_path: Path) -> None:
    """A client that waits for an answer gets one, an error, whatever it wrote; to what asks for
    nothing, there is none; and the server lives on."""
    with started(tmp_path) as process:
        said(process, 1, "initialize", **INITIALIZE)
        assert process.stdin is not None
        assert process.stdout is not None
        for line, own, code in UNREADABLE:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert (answer["id"], answer["error"]["code"]) == (own, code), line[:80]
        for line in ("", "  ", '{"jsonrpc": "2.0", "id": 99, "result": 3}'):
            process.stdin.write(line + "\n")
        process.stdin.write('{"jsonrpc": "2.0", "method": "notifications/none"}\n')
        assert said(process, 12, "ping") == {}
        _, errors = process.communicate("", timeout=PATIENCE)
        assert (process.returncode, errors) == (0, "")


@pytest.mark.slow
def test_a_server_ends_with_its_client(tmp_path: Path) -> None:
    """Where stdin closes in the middle of a call, and where the client is killed, no process
    stays."""
    with started(tmp_path) as process:
        remember(process)
        call = {"name": "recall", "arguments": {"query": "tabs"}}
        line = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": call}
        process.communicate(json.dumps(line) + "\n", timeout=PATIENCE)
        assert process.returncode == 0


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over HTTP that asks for a token."""
    folder = tmp_path_factory.mktemp("http")
    words = ("--transport", "http", "--port", "0")
    with started(folder, *words, ENGRAPHY_MCP_TOKEN=TOKEN) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/mcp", line)
        assert found, line
        yield found[0]
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        assert "Traceback" not in process.stderr.read()


@pytest.mark.long
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_whoever_knows_the_token_is_served(address: str, mode: Any) -> None:
    """Both eras at one address; the same tools and answers as over stdin."""

    async def run() -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE, verify=CLEAR) as http:
            transport = streamable_http_client(address, http_client=http)
            async with Client(transport, mode=mode) as client:
                assert len((await client.list_tools()).tools) == 11
                await called(client, "remember", content=f"Ada speaks {mode} on Mondays")
                found = await called(client, "recall", query=f"who speaks {mode}?")
                assert found["hits"]

    anyio.run(run)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": f"Bearer {TOKEN}", "Origin": "https://evil.example"}, 403),
        ({"Authorization": f"Bearer {TOKEN}", "Host": "evil.example"}, 421),
        ({"Authorization": f"Bearer {TOKEN}", "Origin": "http://localhost:3000"}, 200),
        ({"Authorization": f"Bearer {TOKEN}"}, 200),
    ],
)
def test_others_are_turned_away(address: str, headers: dict[str, str], status: int) -> None:
    """Without the token, from a page of elsewhere, or by a name that is not ours."""
    told = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}
    accept = {"Accept": "application/json, text/event-stream"}
    answer = httpx2.post(
        address, json=told, headers={**accept, **headers}, timeout=PATIENCE, verify=CLEAR
    )
    assert answer.status_code == status
    if status == 401:
        assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "path",
    [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/mcp/.well-known/oauth-authorization-server",
        "/",
    ],
)
def test_there_is_no_login(address: str, path: str) -> None:
    """Clients that look for one are told at once that there is none."""
    where = address.removesuffix("/mcp") + path
    assert httpx2.get(where, timeout=PATIENCE, verify=CLEAR).status_code == 404


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--transport", "http", "--host", "0.0.0.0"], "a server there needs a token"),
        (["--transport", "http", "--token-file", "none.txt"], "none.txt: it cannot be read"),
        (["--transport", "http", "--token-file", "short.txt"], "16 or more visible ASCII"),
        (["--transport", "http", "--host", "203.0.113.7", "--token-file", "long.txt"], "is free"),
        (["--toolset", "mem"], "'mem' is not one of"),
    ],
)
def test_what_cannot_be_served_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], told: str
) -> None:
    """One line on stderr, nothing on stdout, and no process that stays."""
    monkeypatch.chdir(tmp_path)
    Path("short.txt").write_text("secret\n")
    Path("long.txt").write_text("a-token-that-is-long-enough\n")
    done = CliRunner().invoke(main, ["mcp", *words])
    assert done.exit_code != 0
    assert told in done.stderr
    assert done.stdout == ""


def test_without_the_sdk_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The core does without it."""
    for name in ("engraphy.mcp.running", "engraphy.mcp.server"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    done = CliRunner().invoke(main, ["mcp"])
    assert done.exit_code == 1
    assert 'pip install "engraphy[mcp]"' in done.stderr

"""`engraphy serve` as a process of its own: how it begins, ends, and is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
from click.testing import CliRunner
from tests.serving.server import CLEAR

from engraphy import Memory
from engraphy.cli import main

_START = [sys.executable, "-c", "from engraphy.cli import main; main()", "serve", "--port", "0"]
_PATIENCE = 60


@dataclass
class Process:
    url: str
    running: subprocess.Popen[str]
    said: str

    def client(self, token: str) -> httpx2.Client:
        return httpx2.Client(
            base_url=self.url, headers={"X-API-Key": token}, timeout=_PATIENCE, verify=CLEAR
        )


@contextmanager
def started(file: Path, *more: str) -> Iterator[Process]:
    """A server over `file`, once it answers."""
    command = [*_START, "--db", str(file), "--embedder", "none", *more]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    assert running.stderr is not None
    try:
        first = running.stderr.readline()
        url = first.split()[-1]
        assert url.startswith("http://127.0.0.1:"), first
        _until_ready(url)
        yield Process(url, running, "")
    finally:
        if running.poll() is None:
            running.send_signal(signal.SIGTERM)
        running.communicate(timeout=_PATIENCE)


def _until_ready(url: str) -> None:
    for _ in range(600):
        try:
            if httpx2.get(f"{url}/readyz", verify=CLEAR).status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.05)
    raise AssertionError("it never was ready")


def token(file: Path) -> str:
    """A token of its own for the test."""
    with Memory(file, embedder="none") as memory:
        return memory.grant("a test's", role="write").token


@pytest.mark.long
def test_the_first_start_shows_a_token_once(tmp_path: Path) -> None:
    """The first start makes an admin's token and shows it once; the next one shows none."""
    file = tmp_path / "memory.db"
    for first in (True, False):
        with started(file) as server:
            server.running.send_signal(signal.SIGTERM)
            said, log = server.running.communicate(timeout=_PATIENCE)
            assert ("egr_" in said) is first
            assert "egr_" not in log
            assert server.running.returncode == 0
        if first:
            shown = next(word for word in said.split() if word.startswith("egr_"))
            with Memory(file, embedder="none") as memory:
                assert memory.identify(shown).role.value == "admin"


@pytest.mark.long
@pytest.mark.parametrize(
    "ending", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_what_is_acknowledged_stands_whatever_happens(tmp_path: Path, ending: int) -> None:
    """What was acknowledged is there after the server was killed, and what was handed over to be
    extracted later is extracted by the next one."""
    file, said = tmp_path / "memory.db", [{"role": "user", "content": "I live in Graz."}]
    knobs = tmp_path / "soon.toml"
    knobs.write_text('inherits = "default"\n[write]\nbackground_lease_seconds = 0.2\n')
    with started(file) as server, server.client(token(file)) as client:
        kept = client.post("/v1/memories", json={"content": "The deploy is on Friday"})
        assert kept.status_code == 200
        later = client.post("/v1/conversations/later", json={"messages": said})
        assert later.status_code == 202
        server.running.send_signal(ending)
        server.running.wait(_PATIENCE)
    with started(file, "--profile", str(knobs)) as server, server.client(token(file)) as client:
        for _ in range(200):
            found = client.get("/v1/memories").json()["memories"]
            if len(found) == 2:
                break
            time.sleep(0.05)
        assert {one["content"] for one in found} == {"The deploy is on Friday", "I live in Graz."}


@pytest.mark.long
def test_the_log_tells_what_was_asked_and_not_with_what(tmp_path: Path) -> None:
    """Each request is a line of JSON with its route and the code of what went wrong, never with
    a text or a token of it."""
    file = tmp_path / "memory.db"
    secret = token(file)
    with started(file) as server:
        with server.client(secret) as client:
            client.post("/v1/recall", json={"query": "canary-question"})
            client.get(f"/t/{secret}/v1/stats")
            client.get("/v1/memories/canary-id")
            client.get("/memories/canary-id")
        server.running.send_signal(signal.SIGTERM)
        _, log = server.running.communicate(timeout=_PATIENCE)
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert {"/v1/recall", "/v1/stats"} <= {line.get("route") for line in lines}
    codes = {line["route"]: line.get("code") for line in lines if "route" in line}
    assert codes["/v1/recall"] is None
    assert codes["/v1/memories/{id}"] == codes["/memories/{id}"] == "not_found"
    assert "canary-id" not in log
    assert "canary-question" not in log
    assert secret not in log


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--port", "70000"], "70000"),
        (["--host", "203.0.113.7"], "host and port"),
        (["--upstream", "example"], "--upstream"),
        (["--upstream", "openai", "--upstream-key", "openai=NOT_SET_ANYWHERE"], "NOT_SET_ANYWHERE"),
        (["--upstream-key", "openai=PATH"], "names given by --upstream"),
    ],
)
def test_what_cannot_be_served_is_told(tmp_path: Path, more: list[str], told: str) -> None:
    """A server that cannot begin says why in a line, and ends with an error."""
    words = ["serve", "--port", "0", "--db", str(tmp_path / "m.db"), "--embedder", "none", *more]
    ended = CliRunner().invoke(main, words)
    assert ended.exit_code != 0
    assert told in ended.stderr
    assert isinstance(ended.exception, SystemExit)

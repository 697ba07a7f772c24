"""What was injected is kept while the provider thinks: no request waits for it, no answer passes
without it."""

import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx2
import pytest
from tests.proxy.conftest import Proxied
from tests.proxy.test_passing import ASKED, EVENTS, KNOWN, TOLD, elsewhere
from tests.proxy.upstream import Said, Upstream, message
from tests.serving.server import CLEAR

from engraphy import Memory

ENGRAPHY = (sys.executable, "-c", "from engraphy.cli import main; main()")


@pytest.mark.long
@pytest.mark.spec("C-01")
def test_a_request_does_not_wait_for_the_store(proxied: Proxied) -> None:
    """The provider has the request, with its block, while nobody can write; the answer passes once
    the receipt stands."""
    proxied.served.memory.remember(TOLD)
    proxied.ask("Hi")
    proxied.upstream.play(Said(pieces=[message("PostgreSQL.")], length=True))
    before = len(proxied.served.memory.receipts(limit=100))
    answers: list[httpx2.Response] = []
    with elsewhere(proxied, "BEGIN IMMEDIATE"):
        asking = threading.Thread(target=lambda: answers.append(proxied.ask(ASKED)))
        asking.start()
        until = time.monotonic() + 60
        while not proxied.upstream.seen and time.monotonic() < until:
            time.sleep(0.02)
        assert KNOWN in proxied.upstream.seen[0].body.decode()
        assert len(proxied.served.memory.receipts(limit=100)) == before
        assert not answers
    asking.join(60)
    assert answers[0].content == message("PostgreSQL.")
    assert len(proxied.served.memory.receipts(limit=100)) == before + 1


@pytest.mark.long
def test_what_was_injected_survives_a_kill_at_the_first_byte(tmp_path: Path) -> None:
    """A server that is killed as its client sees the first byte has kept the receipt, the block and
    what the conversation was given; the same request, asked again, gets the very same block."""
    store = tmp_path / "m.db"
    with Memory(store, embedder=None) as memory:
        memory.remember(TOLD)
        token = memory.grant("proof", role="write").token
    body = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": ASKED}]}
    blocks = []
    with Upstream() as upstream:
        for _ in range(2):
            upstream.play(Said(pieces=[b"data: 1\n\n", b"data: 2\n\n"], kind=EVENTS, pause=0.5))
            words = ["serve", "--db", str(store), "--embedder", "none", "--port", "0"]
            words += ["--upstream", f"anthropic={upstream.url}", "--no-dreams", "--no-dashboard"]
            with subprocess.Popen([*ENGRAPHY, *words], stderr=subprocess.PIPE, text=True) as server:
                assert server.stderr is not None
                address = server.stderr.readline().split()[-1]
                with httpx2.stream(
                    "POST",
                    f"{address}/proxy/anthropic/v1/messages",
                    json=body,
                    headers={"x-engraphy-token": token},
                    timeout=60,
                    verify=CLEAR,
                ) as answer:
                    next(answer.iter_raw())
                    server.send_signal(signal.SIGKILL)
                server.stderr.close()
            blocks.append(json.loads(upstream.seen[-1].body)["messages"][0]["content"])
            with Memory(store, embedder=None) as memory:
                [receipt] = memory.receipts()
            assert [line.content for line in receipt.lines] == [TOLD]
    assert KNOWN in blocks[0][1]["text"]
    assert blocks[1] == blocks[0]

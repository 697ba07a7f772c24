"""What a server does before anybody asks."""

import re
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest
from tests.serving.server import CLEAR

from engraphy import Memory

_WAIT = 60
_AT = re.compile(r"http://127\.0\.0\.1:\d+")
_NOTING = """
import sys
opened = open({to!r}, "a", buffering=1)
def note(event, given):
    if event == "open" and str(given[0]).endswith((".toml", ".txt", ".npy", ".sql")):
        opened.write(f"{{given[0]}}\\n")
sys.addaudithook(note)
from engraphy.cli import main
main()
"""
"""`engraphy`, which tells which files of data it opens."""


@pytest.mark.long
def test_what_a_question_needs_is_read_before_the_first(tmp_path: Path) -> None:
    """The first question reads no word list and no table any more; that they were read beforehand
    counted nothing and kept no receipt."""
    file, told, opened = (tmp_path / name for name in ("memory.db", "told", "opened"))
    with Memory(file) as memory:
        kept = memory.remember("We decided last week to deploy on Fridays").memory
        assert kept is not None
        token = memory.grant("a test's", role="write").token
    noting = _NOTING.format(to=str(opened))
    with told.open("w") as told_to:
        running = subprocess.Popen(
            [sys.executable, "-c", noting, "serve", "--port", "0", "--db", str(file)],
            stdout=subprocess.DEVNULL,
            stderr=told_to,
        )
    try:
        address, before = _settled(told, opened)
        with Memory(file) as memory:
            assert memory.get(kept.id, touch=False).access_count == kept.access_count
            assert memory.receipts() == []
        answer = httpx2.post(
            f"{address}/v1/recall",
            json={"query": "why did we decide to deploy on Fridays last week?"},
            headers={"X-API-Key": token},
            timeout=_WAIT,
            verify=CLEAR,
        )
        assert answer.status_code == 200
        assert [one["id"] for one in answer.json()["hits"]] == [kept.id]
        assert set(opened.read_text().split("\n")) == before
    finally:
        running.terminate()
        running.wait(_WAIT)


def _settled(told: Path, opened: Path) -> tuple[str, set[str]]:
    """The address of a server that has begun and reads no more, and what it read."""
    ends, size = time.monotonic() + _WAIT, -1
    while time.monotonic() < ends:
        found, read = _AT.findall(told.read_text()), opened.read_text() if opened.exists() else ""
        if found and len(read) == size:
            return found[0], set(read.split("\n"))
        size = len(read) if found else -1
        time.sleep(1)
    raise AssertionError("it never was ready")

"""What goes wrong around a server: it says so, and goes on."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import anyio
import pytest
from mcp import Client
from tests.mcp.making import called, options, refused, remembered, talk

from engraphy.mcp.server import server

POSTGRES = "We chose PostgreSQL for the billing service because of row locks"


def test_a_damaged_store_is_told_and_a_repaired_one_opened(tmp_path: Path) -> None:
    """Every call says what is wrong; once the file is put right the same server works on."""
    told, file = options(tmp_path), tmp_path / "store.db"
    remembered(told, POSTGRES)
    whole = file.read_bytes()
    file.write_bytes(b"no database at all" * 4_000)

    async def run(client: Client) -> None:
        for _ in range(2):
            said = await refused(client, "recall", query="billing")
            assert str(file) in said
        assert file.read_bytes().startswith(b"no database")
        file.write_bytes(whole)
        assert len((await called(client, "recall", query="billing database"))["hits"]) == 1

    talk(told, run)


def test_a_store_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """Where its folder is none, the answer names the path."""
    (tmp_path / "file").write_text("x")
    told = options(tmp_path, opening={"path": str(tmp_path / "file" / "store.db")})

    async def run(client: Client) -> None:
        assert str(tmp_path / "file") in await refused(client, "stats")
        assert (await client.list_tools()).tools

    talk(told, run)


def test_a_store_that_is_replaced_is_opened_anew(tmp_path: Path) -> None:
    """Nothing is written into a file that was removed: what stands at the path counts."""
    told, file = options(tmp_path), tmp_path / "store.db"
    remembered(told, POSTGRES)

    async def run(client: Client) -> None:
        assert (await called(client, "stats"))["total"] == 1
        for one in tmp_path.glob("store.db*"):
            one.unlink()
        assert (await called(client, "stats"))["total"] == 0
        await called(client, "remember", content="Ada prefers tabs in Makefiles")
        assert file.exists()

    talk(told, run)
    assert talk(told, _total) == 1


async def _total(client: Client) -> int:
    return int((await called(client, "stats"))["total"])


def test_a_newer_store_is_left_alone(tmp_path: Path) -> None:
    """A file of a later version is told, and not touched."""
    told, file = options(tmp_path), tmp_path / "store.db"
    remembered(told, POSTGRES)
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA user_version = 9999")
    before = file.read_bytes()

    async def run(client: Client) -> None:
        assert "9999" in await refused(client, "remember", content="x")

    talk(told, run)
    assert file.read_bytes() == before


def test_two_servers_share_a_store(tmp_path: Path) -> None:
    """What one is told the other finds, and both write at the same time."""

    async def run(one: Client) -> None:
        async with Client(server(options(tmp_path))) as two, anyio.create_task_group() as group:
            for number in range(10):
                text = f"Sensor {number} stands in room {number * 7}"
                group.start_soon(partial(called, (one, two)[number % 2], "remember", content=text))
        assert await _total(one) == 10

    talk(options(tmp_path), run)


_HOLDING = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held(file: Path) -> Iterator[None]:
    """The store, locked by another process."""
    words = [sys.executable, "-c", _HOLDING, str(file)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield
        process.communicate()


@pytest.mark.slow
def test_a_locked_store_is_waited_for_with_progress_then_told(tmp_path: Path) -> None:
    """Reads go on; a write says each second that it waits, and at last that nothing was written;
    once the lock is gone it is written."""
    told = options(tmp_path)
    remembered(told, POSTGRES)
    beats: list[float] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        beats.append(progress)

    async def run(client: Client) -> None:
        await called(client, "stats")
        with held(tmp_path / "store.db"):
            done = await client.call_tool(
                "remember", {"content": "Ada prefers tabs"}, progress_callback=heard
            )
            assert done.is_error
            assert "stayed locked" in done.content[0].text  # type: ignore[union-attr]
        assert beats == sorted(beats)
        assert len(beats) >= 2
        await called(client, "remember", content="Ada prefers tabs")
        assert await _total(client) == 2

    talk(told, run)


@pytest.mark.slow
def test_a_call_that_is_given_up_holds_nothing_up(tmp_path: Path) -> None:
    """A client that cancels gets no answer; the next call is worked on at once."""
    told = options(tmp_path)
    remembered(told, POSTGRES)

    async def run(client: Client) -> None:
        await called(client, "stats")
        with held(tmp_path / "store.db"):
            with anyio.move_on_after(1) as given_up:
                await client.call_tool("remember", {"content": "Ada prefers tabs"})
            assert given_up.cancelled_caught
            assert (await called(client, "recall", query="billing database"))["hits"]

    for mode in ("legacy", "2026-07-28"):
        talk(told, run, mode)

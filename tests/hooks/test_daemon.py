"""The daemon: the same answers from a memory that is open, and nothing lost."""

import json
import os
import socket
import stat
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from tests.hooks import payloads

from engraphy import Memory, __version__, here
from engraphy.cli import main
from engraphy.hooks import activity, cold, line, serving, spool
from engraphy.hooks.event import told_event
from engraphy.hooks.locking import Lock
from engraphy.project import project_of

TOLD = "We decided to run billing on PostgreSQL 16."


@contextmanager
def running(home: Path, *, unix: bool = True, idle: float = 10.0) -> Iterator[serving.Daemon]:
    """A daemon in a thread of this process."""
    made = serving.Daemon(str(home), idle_minutes=idle, unix=unix)
    ready = threading.Event()
    thread = threading.Thread(target=made.run, args=[ready.set])
    thread.start()
    try:
        assert ready.wait(60)
        yield made
    finally:
        made.stop()
        thread.join(60)
        assert not thread.is_alive()


def ask(
    home: Path, *words: str, data: bytes = b"", version: str = __version__
) -> tuple[list[str], bytes]:
    """What the daemon says."""
    asked, token = line.call(str(home / "hooks"), 30.0)
    with asked:
        line.say(asked, [version, here.mark(), token or "-", *words], data)
        return line.hear(asked)


def hook(home: Path, agent: str, name: str, payload: payloads.Payload) -> bytes:
    """What a hook is answered."""
    words = ["hook", agent, name, here.fresh(), str(here.now()), "2f"]
    told, said = ask(home, *words, data=json.dumps(payload).encode())
    assert told == ["ok"]
    return said


@pytest.mark.long
@pytest.mark.parametrize("unix", [True, False])
def test_a_daemon_answers_and_keeps(unix: bool, own_home: Path, tmp_path: Path) -> None:
    """What one session tells the next one is given; over a Unix socket, and over the loopback."""
    with running(own_home, unix=unix):
        for name, payload in payloads.told("codex", tmp_path, "s1", TOLD, "Done."):
            hook(own_home, "codex", name, payload)
    serving.work_off(str(own_home))
    with running(own_home, unix=unix):
        payload = payloads.codex(
            "UserPromptSubmit", tmp_path, "s2", prompt="Where does billing run?"
        )
        assert b"PostgreSQL 16" in hook(own_home, "codex", "UserPromptSubmit", payload)
    ways = {(one["phase"], one["way"]) for one in activity.read(str(own_home))}
    assert ways == {("fired", "daemon"), ("worked", "")}


@pytest.mark.long
def test_only_its_owner_may_ask(own_home: Path) -> None:
    """The socket has mode 0600 in a folder of mode 0700; over the loopback nobody is answered who
    does not know the token."""
    with running(own_home):
        assert stat.S_IMODE((own_home / "hooks" / line.NAME).stat().st_mode) == 0o600
        assert stat.S_IMODE((own_home / "hooks").stat().st_mode) == 0o700
    assert not (own_home / "hooks" / line.NAME).exists()
    with running(own_home, unix=False):
        place = own_home / "hooks" / line.PORT
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
        port = int(place.read_text().split()[0])
        with socket.create_connection(("127.0.0.1", port), 10) as asked:
            line.say(asked, [__version__, here.mark(), "0" * 32, "status"])
            assert asked.recv(100) == b""


@pytest.mark.long
def test_there_is_one_daemon_per_home(own_home: Path) -> None:
    """A second one sees the first and ends."""
    with running(own_home):
        assert serving.Daemon(str(own_home)).run() is False


@pytest.mark.long
def test_another_version_replaces_it(own_home: Path) -> None:
    """A hook of another version is not answered, and the old daemon makes room."""
    with running(own_home) as made:
        told, _ = ask(own_home, "hook", "codex", "Stop", "1-1", "0", "2f", version="99.0")
        assert told == ["other"]
        assert made._stopping.wait(10)  # noqa: SLF001 - whether it is about to end shows nowhere else


@pytest.mark.long
def test_other_variables_are_another_memory(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook whose variables open another memory goes its own way; the daemon goes on."""
    with running(own_home):
        words = [__version__, "00000000", "-", "hook", "codex", "Stop", "1-1", "0", "2f"]
        asked, _ = line.call(str(own_home / "hooks"), 30.0)
        with asked:
            line.say(asked, words, b"{}")
            assert line.hear(asked) == (["other"], b"")
        assert json.loads(ask(own_home, "status")[1])["served"] == 0
    before = here.mark()
    monkeypatch.setenv("ENGRAPHY_PROFILE", "letsgo")
    assert here.mark() != before
    monkeypatch.setenv("ENGRAPHY_DAEMON", "auto")
    assert here.mark() != before


@pytest.mark.long
def test_what_breaks_off_breaks_nothing(own_home: Path, tmp_path: Path) -> None:
    """Noise, half a line, no JSON, and whoever hangs up: the next one is answered."""
    noise = [b"", b"\n", b"x" * 5_000, b"GET / HTTP/1.1\r\n\r\n", b"1 2 3 hook 99999999999\n"]
    with running(own_home):
        for data in noise:
            asked, _ = line.call(str(own_home / "hooks"), 30.0)
            with asked:
                asked.sendall(data)
        words = ["hook", "codex", "UserPromptSubmit", here.fresh(), str(here.now()), "2f"]
        for data in (b"[]", b"{", b"\xff\xfe"):
            with pytest.raises(OSError, match="broke off"):
                ask(own_home, *words, data=data)
        for data in (b"", b'{"prompt": {"a": [1]}, "cwd": 7}'):
            assert ask(own_home, *words, data=data) == (["ok"], b"")
        payload = payloads.codex("SessionStart", tmp_path, source="startup")
        assert hook(own_home, "codex", "SessionStart", payload) == b""


def test_it_ends_when_nobody_asks(own_home: Path) -> None:
    """After its idle time it is gone, and so is what it listened at."""
    made = serving.Daemon(str(own_home), idle_minutes=0.0)
    assert made.run() is True
    assert not (own_home / "hooks" / line.NAME).exists()


@pytest.mark.long
def test_a_long_path_is_no_hindrance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket whose path is longer than the system takes is reached all the same."""
    home = tmp_path / ("long" * 20) / ("folder" * 10)
    monkeypatch.setenv("ENGRAPHY_HOME", str(home))
    monkeypatch.chdir(tmp_path)
    with running(home):
        assert json.loads(ask(home, "status")[1])["pid"] == os.getpid()


@pytest.mark.long
def test_a_store_that_was_replaced_is_opened_anew(own_home: Path, tmp_path: Path) -> None:
    """Where another file stands in its place, the daemon reads that one."""
    with running(own_home):
        payload = payloads.codex(
            "UserPromptSubmit", tmp_path, "s2", prompt="Where does billing run?"
        )
        assert hook(own_home, "codex", "UserPromptSubmit", payload) == b""
        other = tmp_path / "other.db"
        with Memory(other) as memory:
            memory.remember(TOLD, project=project_of(tmp_path))
        for name in ("memory.db-wal", "memory.db-shm"):
            (own_home / name).unlink(missing_ok=True)
        other.replace(own_home / "memory.db")
        assert b"PostgreSQL 16" in hook(own_home, "codex", "UserPromptSubmit", payload)


def test_what_waits_is_worked_off_by_one(own_home: Path, tmp_path: Path) -> None:
    """A process that works off what waits leaves nothing, and makes room for another at it."""
    home = str(own_home)
    words = ["codex", "UserPromptSubmit", here.fresh(), str(here.now()), "2f"]
    payload = payloads.codex("UserPromptSubmit", tmp_path, prompt=TOLD)
    spool.put(home, told_event(words, json.dumps(payload).encode()))
    with Lock(str(own_home / "hooks" / "work.lock")) as lock:
        assert lock.taken
        assert serving.work_off(home) == 0
    assert serving.work_off(home) == 1
    assert spool.waiting(home) == []


def test_the_command_tells_how_it_stands(own_home: Path, tmp_path: Path) -> None:
    """engraphy daemon status and stop, while it runs and while it does not."""
    run = CliRunner()
    told = json.loads(run.invoke(main, ["daemon", "status", "--json"]).output)
    assert told == {"waiting": 0, "enabled": False}
    assert "not running" in run.invoke(main, ["daemon", "stop"]).output
    with running(own_home):
        assert "running, process" in run.invoke(main, ["daemon", "status"]).output
        assert "runs already" in run.invoke(main, ["daemon", "run"]).stderr
        assert "ended, process" in run.invoke(main, ["daemon", "stop"]).output


@pytest.mark.long
@pytest.mark.spec("D-52")
def test_it_dreams_when_a_cycle_is_due_and_nobody_asks(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scheduler of whoever serves: a cycle that is due is run while nobody asks."""
    monkeypatch.setattr(serving, "_ASLEEP", 0.0)
    monkeypatch.setattr(serving, "_BETWEEN_DREAMS", 0.0)
    with Memory() as memory:
        memory.remember("Lunch is at noon.", ttl_days=1e-11)
    ran = threading.Event()
    dream = Memory.dream

    def noted(self: Memory, **told: bool) -> object:
        try:
            return dream(self, **told)
        finally:
            ran.set()

    monkeypatch.setattr(Memory, "dream", noted)
    with running(own_home):
        assert ran.wait(60)
    with Memory() as memory:
        assert memory.dream(due=True).due is False
        assert memory.list() == []


def test_what_waits_for_another_memory_is_worked_off_beside_the_daemon(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With ENGRAPHY_DAEMON=auto and variables that name another memory than the daemon's, the end
    of a turn starts a process that works off what waits; while nobody serves, it starts the daemon,
    once however many hooks ask."""
    monkeypatch.setenv("ENGRAPHY_DAEMON", "auto")
    begun: list[list[str]] = []

    def started(command: list[str], **_: Any) -> SimpleNamespace:
        begun.append(command[command.index("daemon") :])
        return SimpleNamespace(pid=0)

    monkeypatch.setattr(subprocess, "Popen", started)
    payload = payloads.codex("Stop", tmp_path, last_assistant_message=TOLD)
    data = json.dumps(payload).encode()

    def stopped() -> None:
        cold.run(["codex", "Stop", here.fresh(), str(here.now()), "2f"], data, lambda _: None)

    folder = Path(spool.folder(str(own_home)))
    with Lock(str(folder / "daemon.lock")):
        stopped()
        stopped()
    assert begun == [["daemon", "run", "--once"]] * 2
    begun.clear()
    with Lock(str(folder / "started.lock")):
        stopped()
    assert begun == []
    stopped()
    stopped()
    assert begun == [["daemon", "run"]]


def test_hooks_start_the_daemon_where_it_is_enabled(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`engraphy daemon enable` has the first hook of any agent start it, `disable` none; what
    ENGRAPHY_DAEMON says comes first, and both say how it stands."""
    begun: list[list[str]] = []

    def started(command: list[str], **_: Any) -> SimpleNamespace:
        begun.append(command[command.index("daemon") :])
        return SimpleNamespace(pid=0)

    def told() -> list[list[str]]:
        begun.clear()
        (own_home / "hooks" / "started").unlink(missing_ok=True)
        payload = payloads.codex("UserPromptSubmit", tmp_path, "s1", prompt="Where is billing?")
        words = ["codex", "UserPromptSubmit", here.fresh(), str(here.now()), "2f"]
        cold.run(words, json.dumps(payload).encode(), lambda _: None)
        return begun

    def command(name: str) -> bool:
        found = CliRunner().invoke(main, ["daemon", name, "--json"])
        assert found.exit_code == 0, found.output
        enabled: bool = json.loads(found.output)["enabled"]
        return enabled

    assert command("status") is False
    monkeypatch.setattr(subprocess, "Popen", started)
    assert told() == []
    assert command("enable") is True
    assert told() == [["daemon", "run"]]
    monkeypatch.setenv("ENGRAPHY_DAEMON", "off")
    assert told() == []
    monkeypatch.delenv("ENGRAPHY_DAEMON")
    assert command("status") is True
    assert command("disable") is False
    assert told() == []

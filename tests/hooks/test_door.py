"""`engraphy hook` as agents call it: a process that never fails them."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import platformdirs
import pytest
from tests.hooks import payloads

from engraphy import Memory, here
from engraphy.benchmarks import perf_hooks
from engraphy.hooks import serving, spool
from engraphy.hooks.opened import Opened
from engraphy.project import project_of
from engraphy.settings import settings

CODE = "from engraphy.cli import main; main()"
TOLD = "The billing database of the shop runs in Zurich."
ASKED = "Where does the billing database of the shop run?"


def hook(
    agent: str, event: str, data: bytes, more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """A hook of its own; it has time, however busy the machine is."""
    return called([agent, event], data, more)


def called(
    words: Sequence[str], data: bytes = b"", more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """`engraphy hook` with these words behind it."""
    own = {"ENGRAPHY_HOOK_SECONDS": "60", "ENGRAPHY_DAEMON": "off", **(more or {})}
    return subprocess.run(
        [sys.executable, "-c", CODE, "hook", *words],
        input=data,
        env={**os.environ, **own},
        capture_output=True,
        check=False,
        timeout=120,
    )


def told(folder: Path, **more: object) -> bytes:
    return json.dumps(payloads.codex("", folder, **more)).encode()


@pytest.mark.long
def test_a_process_answers_and_keeps(own_home: Path, tmp_path: Path) -> None:
    """Without the daemon a prompt is answered by a process of its own, by opening the memory or by
    a glance, and what it said waits to be worked off."""
    with Memory() as memory:
        memory.remember(TOLD, project=project_of(tmp_path))
    data = told(tmp_path, prompt=ASKED)
    first = hook("codex", "UserPromptSubmit", data)
    second = hook("codex", "UserPromptSubmit", data.replace(b'"s1"', b'"s2"'))
    for done in (first, second):
        assert (done.returncode, done.stderr) == (0, b"")
        assert TOLD.encode() in done.stdout
    lines = (own_home / "hooks" / "activity.jsonl").read_text().splitlines()
    assert [json.loads(one)["way"] for one in lines] == ["opened", "glance"]
    assert len(spool.waiting(str(own_home))) == 3
    assert serving.work_off(str(own_home)) == 3


@pytest.mark.long
def test_a_session_starts_with_what_was_decided_whatever_it_names(
    own_home: Path, tmp_path: Path
) -> None:
    """A decision that names ports and hosts is one, and comes at session start; a plain fact waits
    until somebody asks."""
    decided = (
        "We decided to use Redis 7 on port 6390 for the cache.",
        "Decision: the wiki runs on port 8099.",
    )
    with Memory() as memory:
        for one in (*decided, TOLD):
            memory.observe(one, project=project_of(tmp_path))
    done = hook("claude-code", "SessionStart", told(tmp_path, source="startup"))
    assert b"Redis 7 on port 6390" in done.stdout
    assert b"wiki runs on port 8099" in done.stdout
    assert b"Zurich" not in done.stdout


BAD = {
    "no json": b"{",
    "no object": b"[1]",
    "nothing": b"",
    "noise": b"\xff\xfe\x00\x01",
    "deep": b'{"prompt":' + b"[" * 50_000,
    "wrong types": b'{"prompt": 7, "cwd": [], "session_id": {}, "tool_input": "x"}',
    "surrogates": b'{"prompt": "\\ud800 x", "cwd": "/\\u0000", "session_id": "\\ud800"}',
}


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "missing"),
    [([], "AGENT and EVENT"), (["claude-code"], "EVENT"), (["--quiet"], "EVENT")],
)
def test_a_hook_that_is_called_short_blocks_no_prompt(words: Sequence[str], missing: str) -> None:
    """A word too few ends with 0 as well, for 2 blocks a prompt of Claude Code; standard error
    says what is missing, and --help helps a person."""
    done = called(words, b'{"prompt": "x"}')
    assert (done.returncode, done.stdout) == (0, b"")
    assert f"without {missing} it does nothing" in done.stderr.decode()
    assert b"AGENT EVENT" in called(["--help"]).stdout


@pytest.mark.parametrize("name", BAD)
def test_whatever_it_reads_it_ends_with_nothing(name: str, own_home: Path) -> None:
    """Exit 0, no output, no word on standard error."""
    done = hook("codex", "PostToolUse", BAD[name])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_unknown_agents_and_events_are_nothing(own_home: Path) -> None:
    """An agent nobody knows, and an event that brings nothing: exit 0, and nothing is made."""
    for agent, event in (("cobol", "Stop"), ("codex", "PreToolUse"), ("", "")):
        done = hook(agent, event, b'{"session_id": "s", "cwd": "/x"}')
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (own_home / "hooks" / "spool").exists() or not spool.waiting(str(own_home))


def test_hooks_can_be_switched_off(own_home: Path, tmp_path: Path) -> None:
    """ENGRAPHY_HOOKS=off: nothing is read, kept or made."""
    done = hook("codex", "Stop", told(tmp_path), {"ENGRAPHY_HOOKS": "off"})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not own_home.exists()


@pytest.mark.long
@pytest.mark.parametrize("content", [b"no database" * 500, b""])
def test_a_damaged_store_costs_the_agent_nothing(
    content: bytes, own_home: Path, tmp_path: Path
) -> None:
    """Exit 0 and nothing printed; the file stays as it is, and what was said waits."""
    own_home.mkdir(parents=True)
    (own_home / "memory.db").write_bytes(content)
    done = hook("codex", "UserPromptSubmit", told(tmp_path, prompt=ASKED))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    if content:
        assert (own_home / "memory.db").read_bytes() == content
    assert len(spool.waiting(str(own_home))) == 1


def test_a_hook_is_over_in_time(own_home: Path, tmp_path: Path) -> None:
    """Whatever it waits for, at its deadline it ends with 0 and has printed nothing."""
    with subprocess.Popen(
        [sys.executable, "-c", CODE, "hook", "codex", "Stop"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "ENGRAPHY_HOOK_SECONDS": "0.3"},
    ) as process:
        assert process.stdout is not None
        # Its standard input is never closed.
        assert process.stdout.read() == b""
        assert process.wait(60) == 0


@pytest.mark.long
def test_the_end_of_a_turn_has_it_worked_off(own_home: Path, tmp_path: Path) -> None:
    """After Stop a process that belongs to nobody works off what waits, and ends."""
    hook("codex", "UserPromptSubmit", told(tmp_path, prompt=TOLD))
    done = hook("codex", "Stop", told(tmp_path, last_assistant_message="Noted."))
    assert (done.returncode, done.stdout) == (0, b"")
    # Its turn at the lock comes once the process is over, or before it began: both leave nothing.
    for _ in range(200):
        serving.work_off(str(own_home))
        if not spool.waiting(str(own_home)):
            break
    opened = Opened()
    assert TOLD in [one.content for one in opened.memory.list(project=project_of(tmp_path))]
    opened.close()


def test_the_folder_of_the_memory_is_the_one_of_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a hook reads of the environment is what everything else reads of it."""
    usual = platformdirs.user_data_dir("engraphy", appauthor=False)
    monkeypatch.delenv("ENGRAPHY_HOME")
    assert here.home() == usual
    for name, value in (
        ("ENGRAPHY_HOME", "/x/y"),
        ("ENGRAPHY_HOME", "~/z"),
        ("XDG_DATA_HOME", "/d"),
    ):
        monkeypatch.setenv(name, value)
        assert here.home() == str(settings().home)
        monkeypatch.delenv(name)
        assert here.home() == str(settings().home)


@pytest.mark.slow
def test_the_bench_measures_both_ways(tmp_path: Path) -> None:
    """Each way is measured beside a bare start, and prompts are really answered."""
    told = perf_hooks.run(perf_hooks.Plan(size=100, runs=5), lambda _: None)
    assert {one["answered"] for name, one in told["ways"].items() if "prompt" in name} == {5}
    assert {one["name"] for one in told["bars"]} == set(perf_hooks.BARS)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="a Unix socket")
def test_a_daemon_that_hangs_costs_no_word(own_home: Path, tmp_path: Path) -> None:
    """Somebody listens and never answers: what was said waits all the same, and nothing half."""
    place = Path(spool.folder(str(own_home))) / "daemon.sock"
    more = {"ENGRAPHY_DAEMON": "", "ENGRAPHY_HOOK_SECONDS": "6"}
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(os.path.relpath(place))
        hanging.listen()
        done = hook("codex", "Stop", told(tmp_path, last_assistant_message=TOLD), more)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(spool.waiting(str(own_home))) == 1
    assert not list(place.parent.rglob("*.tmp"))

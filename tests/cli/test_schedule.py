"""`engraphy schedule`: what wakes a memory's maintenance, written and taken away again."""

import json
import os
import plistlib
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engraphy.cli import main

Run = Callable[..., Any]
OURS = "engraphy-dream"
NAMES = ("engraphy-dream.service", "engraphy-dream.timer")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user of the test's own, on a path that needs every kind of quoting."""
    home = tmp_path / "a home, 100% odd"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("ENGRAPHY_HOME", str(home / "data"))
    return home


@pytest.fixture
def run(home: Path) -> Run:
    """Run a command; with `code` the exit code that is expected."""

    def call(*words: str, code: int = 0) -> Any:
        result = CliRunner().invoke(main, ["schedule", *words], catch_exceptions=False)
        assert result.exit_code == code, result.output
        return json.loads(result.stdout) if "--json" in words and code == 0 else result

    return call


def units(home: Path) -> Path:
    return home / ".config" / "systemd" / "user"


SYSTEMD = ("--for", "systemd", "--no-enable")


def test_a_dry_run_shows_and_writes_nothing(run: Run, home: Path) -> None:
    """A dry run shows every file with its text, and what would be run; nothing is written."""
    shown = run("install", "--dry-run", "--for", "systemd", "--at", "04:05").output
    assert "OnCalendar=*-*-* 04:05:00" in shown
    assert "Persistent=true" in shown
    assert "RandomizedDelaySec=10min" in shown
    assert "systemctl --user enable --now engraphy-dream.timer" in shown
    assert not home.exists()


def test_installing_is_idempotent(run: Run, home: Path) -> None:
    """The same again changes nothing, other options write the files anew, and they say so."""
    assert [file["before"] for file in run("install", *SYSTEMD, "--json")["files"]] == [
        "missing",
        "missing",
    ]
    before = {name: (units(home) / name).stat().st_mtime_ns for name in NAMES}
    again = run("install", *SYSTEMD, "--json")["files"]
    assert [file["before"] for file in again] == ["current", "current"]
    assert before == {name: (units(home) / name).stat().st_mtime_ns for name in NAMES}
    other = run("install", *SYSTEMD, "--at", "5:00", "--json")["files"]
    assert [file["before"] for file in other] == ["current", "other"]
    assert "05:00:00" in (units(home) / NAMES[1]).read_text()
    assert sorted(path.name for path in units(home).iterdir()) == sorted(NAMES)


@pytest.mark.parametrize("kind", ["systemd", "launchd"])
def test_a_foreign_file_is_left_alone(run: Run, home: Path, kind: str) -> None:
    """A file of the same name that is somebody else's is neither overwritten nor taken away, and
    nothing beside it is written either."""
    folder = units(home) if kind == "systemd" else home / "Library" / "LaunchAgents"
    folder.mkdir(parents=True)
    mine = folder / (NAMES[1] if kind == "systemd" else "engraphy-dream.plist")
    mine.write_text("[Timer]\nOnCalendar=hourly\n")
    for command in (["install", "--no-enable"], ["uninstall"]):
        refused = run(*command, "--for", kind, code=1)
        assert "not a file of engraphy schedule" in refused.output
    assert mine.read_text() == "[Timer]\nOnCalendar=hourly\n"
    assert [path.name for path in folder.iterdir()] == [mine.name]


def test_uninstalling_takes_away_what_was_written(run: Run, home: Path) -> None:
    """Our files go and others stay; twice is no error."""
    run("install", *SYSTEMD)
    (units(home) / "other.timer").write_text("")
    run("uninstall", "--for", "systemd", "--dry-run")
    assert len(list(units(home).iterdir())) == 3
    fake_systemctl(home, "exit 0")
    run("uninstall", "--for", "systemd")
    assert [path.name for path in units(home).iterdir()] == ["other.timer"]
    assert run("uninstall", "--for", "systemd", "--json")["ran"] == []


def fake_systemctl(home: Path, does: str) -> Path:
    """A systemctl that writes down how it is called; the file it writes to."""
    folder, log = home / "bin", home / "called"
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "systemctl"
    script.write_text(f'#!/bin/sh\necho "$@" >> {shlex.quote(str(log))}\n{does}\n')
    script.chmod(0o755)
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return log


@pytest.mark.skipif(os.name != "posix", reason="there is no shell here")
def test_it_is_switched_on_and_off(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installing switches the timer on, status asks whether it is, uninstalling switches it off
    while its files are still there."""
    monkeypatch.setenv("PATH", os.environ["PATH"])
    log = fake_systemctl(home, "echo enabled")
    assert [one["ok"] for one in run("install", "--json")["ran"]] == [True, True]
    told = run("status", "--json")
    assert told["enabled"]
    assert [file["written"] for file in told["files"]] == [True, True]
    run("uninstall")
    assert log.read_text().splitlines() == [
        "--user daemon-reload",
        "--user enable --now engraphy-dream.timer",
        "--user is-enabled engraphy-dream.timer",
        "--user disable --now engraphy-dream.timer",
        "--user daemon-reload",
    ]


@pytest.mark.skipif(os.name != "posix", reason="there is no shell here")
def test_what_cannot_be_switched_on_is_told(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where systemd refuses, the exit code says so, and what it said is shown."""
    monkeypatch.setenv("PATH", os.environ["PATH"])
    fake_systemctl(home, "echo no bus >&2; exit 1")
    assert "no bus" in run("install", code=1).output
    assert (units(home) / NAMES[0]).exists()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_accepts_the_files(run: Run, home: Path) -> None:
    """The files are what systemd understands, paths with blanks and percent signs included."""
    run("install", *SYSTEMD)
    files = [str(units(home) / name) for name in NAMES]
    command = ["systemd-analyze", "verify", "--user", *files]
    env = {**os.environ, "XDG_RUNTIME_DIR": str(home)}

    def verified() -> tuple[int, list[str]]:
        done = subprocess.run(
            command, capture_output=True, check=False, text=True, timeout=60, env=env
        )
        return done.returncode, [line for line in done.stderr.splitlines() if OURS in line]

    assert verified() == (0, [])
    broken = units(home) / NAMES[1]
    broken.write_text(broken.read_text().replace("03:30", "noon"))
    assert verified() != (0, [])


def test_launchd_files_are_property_lists(run: Run, home: Path) -> None:
    """On macOS it is an agent of the user's own, in launchd's own format."""
    run("install", "--for", "launchd", "--no-enable", "--at", "23:59", "--tenant", "a & b")
    with (home / "Library" / "LaunchAgents" / "engraphy-dream.plist").open("rb") as file:
        told = plistlib.load(file)
    assert told["Label"] == "engraphy-dream"
    assert told["StartCalendarInterval"] == {"Hour": 23, "Minute": 59}
    assert told["ProgramArguments"][-2:] == ["--tenant", "a & b"]


def test_windows_gets_a_command(run: Run, home: Path) -> None:
    """On Windows the command for its scheduler is printed; its user runs it."""
    shown = run("install", "--for", "schtasks", "--json")
    (command,) = shown["to_run"]
    assert command[:6] == ["schtasks", "/Create", "/F", "/SC", "DAILY", "/TN"]
    assert (command[-2:], shown["files"]) == (["/ST", "03:30"], [])
    assert not home.exists()


@pytest.mark.long
@pytest.mark.spec("D-52")
@pytest.mark.skipif(os.name != "posix", reason="there is no shell here")
def test_a_line_for_cron_runs(run: Run, home: Path) -> None:
    """The line of crontab is when and what; what it runs dreams over the store that was meant, as
    it was meant, whatever the environment says later."""
    line = run("cron", "--at", "6:07", "--no-embed", "--profile", "cognitive").output.strip()
    assert "\n" not in line
    minute, hour, *days, command = line.split(maxsplit=5)
    assert (minute, hour, days) == ("7", "6", ["*", "*", "*"])
    (home / "data").mkdir(parents=True)
    shell = command.replace(r"\%", "%")
    clean = {key: value for key, value in os.environ.items() if not key.startswith("ENGRAPHY")}
    for expected in ("changed", ""):
        done = subprocess.run(
            shell, shell=True, capture_output=True, check=True, text=True, env=clean, timeout=60
        )
        assert (expected in done.stdout, done.stderr) == (True, "")
    assert done.stdout == ""
    assert (home / "data" / "memory.db").exists()


@pytest.mark.parametrize("at", ["24:00", "3", "3:60", "-1:00", "noon", ""])
def test_a_time_of_day_is_one(run: Run, at: str) -> None:
    """What is no time of day is wrong usage."""
    assert "no time of day" in run("install", *SYSTEMD, "--at", at, code=2).output


def test_what_no_file_can_hold_is_refused(run: Run, home: Path) -> None:
    """A path with a line break would end a line of the file: refused, nothing is written."""
    assert "line breaks" in run("install", *SYSTEMD, "--db", "a\nb", code=2).output
    assert "allowed" in run("install", *SYSTEMD, "--name", "../x", code=2).output
    assert "no such profile" in run("cron", "--profile", "nothing", code=1).output
    assert not home.exists()

"""The parts of the wheel's test that need no build."""

import re
from pathlib import Path

import pytest

import test_wheel


def environment(folder: Path) -> test_wheel.Environment:
    """An environment whose only program is a shell script that fails when told to."""
    (folder / "env/bin").mkdir(parents=True)
    (folder / "work").mkdir()
    program = folder / "env/bin/tool"
    program.write_text('#!/bin/sh\npwd\necho "home $ENGRAPHY_HOME python $PYTHONPATH"\nexit $1\n')
    program.chmod(0o755)
    return test_wheel.Environment(folder=folder)


def test_runs_away_from_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs run in an empty folder with a home of their own and without this PYTHONPATH (that
    they stay on this machine, tests/offline, holds for them too)."""
    monkeypatch.setenv("PYTHONPATH", "src")
    told, _, path = environment(tmp_path).run("tool", 0).partition(" python ")
    assert told == f"{tmp_path / 'work'}\nhome {tmp_path / 'home'}"
    assert "src" not in path.split()


def test_a_failing_program_is_told_with_its_output(tmp_path: Path) -> None:
    """A program that fails raises, with what it printed."""
    with pytest.raises(test_wheel.WheelError, match=r"tool 3\n.*work"):
        environment(tmp_path).run("tool", 3)


def test_constraints_are_the_pins(tmp_path: Path) -> None:
    """The constraints are name==version lines without hashes, the dependencies of the core in."""
    lines = test_wheel.constraints(tmp_path).read_text().splitlines()
    assert all(re.fullmatch(r"[a-z0-9._-]+==[\w.]+", line) for line in lines)
    assert {"numpy", "apsw-sqlite3mc", "click"} <= {line.split("==")[0] for line in lines}

"""What is written into settings is called as it was meant, and only where it was meant."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from engraphy import Memory, __version__
from engraphy.agents import Keeper, Places, Program, agent, installed
from engraphy.cli.app import main
from engraphy.errors import SettingsError

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")


def program(folder: Path, text: str) -> Path:
    """A script that can be called."""
    folder.mkdir(parents=True)
    made = folder / "engraphy"
    made.write_text(f"#!/bin/sh\n{text}\n")
    made.chmod(0o755)
    return made


@POSIX
@pytest.mark.parametrize("name", ["my tools", "it's", 'a "b"', "$(touch x)", "a;b", "a\\b"])
def test_a_shell_reads_the_path_as_it_is(name: str, tmp_path: Path) -> None:
    """Whatever signs a folder has in its name: nothing else is run."""
    path = program(tmp_path / name, 'echo "$@"')
    line = Program(path=str(path), env={}).filled("{shell} hook codex Stop")
    told = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, check=True)
    assert told.stdout == b"hook codex Stop\n"
    assert not (tmp_path / "x").exists()


def test_a_shell_of_windows_knows_no_single_quotes() -> None:
    """Paths there are quoted where they need it, and with double quotes."""
    for path, said in (
        (r"C:\Python\Scripts\engraphy.exe", r"C:\Python\Scripts\engraphy.exe hook"),
        (r"C:\My Tools\engraphy.exe", r'"C:\My Tools\engraphy.exe" hook'),
    ):
        assert Program(path=path, env={}, windows=True).filled("{shell} hook") == said


@pytest.mark.long
@POSIX
def test_a_module_of_a_repository_is_not_taken_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where Python itself is called, in the folder an agent works in, it runs our program, also
    where that folder has one of the same name."""
    python = program(tmp_path / "bin", f'exec "{sys.executable}" "$@"').rename(tmp_path / "python")
    evil = tmp_path / "repository" / "engraphy"
    evil.mkdir(parents=True)
    for name in ("__init__.py", "cli.py"):
        (evil / name).write_text("print('theirs')")
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv("PATH", "/nowhere")
    found = Program.here({})
    assert found.path == str(python)
    command = [found.path, *found.before, "--version"]
    told = subprocess.run(command, cwd=evil.parent, capture_output=True, check=True, text=True)
    assert __version__ in told.stdout
    assert "theirs" not in told.stdout


def test_what_an_agent_wrote_meanwhile_stays(tmp_path: Path) -> None:
    """Between the difference that is shown and the answer to it nothing is written over."""
    places = Places(home=tmp_path, config=tmp_path, environment={})
    keeper, gemini = Keeper(home=tmp_path / "engraphy"), agent("gemini")
    edits = installed(gemini, places, Program(path="/bin/engraphy", env={}))
    settings = tmp_path / ".gemini" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"theme": "dark"}')
    with pytest.raises(SettingsError, match="changed meanwhile"):
        keeper.install(gemini, places, edits, 0)
    assert settings.read_text() == '{"theme": "dark"}'


@POSIX
def test_a_link_of_a_repository_leads_nowhere_else(tmp_path: Path) -> None:
    """Settings of one project are written inside it, wherever a link there points."""
    shop, profile = tmp_path / "shop", tmp_path / "profile"
    profile.write_text("mine")
    (shop / ".opencode" / "plugins").mkdir(parents=True)
    (shop / ".opencode" / "plugins" / "engraphy.js").symlink_to(profile)
    places = Places(home=tmp_path, config=tmp_path, environment={}, project=shop)
    with pytest.raises(SettingsError, match="out of the project"):
        installed(agent("opencode"), places, Program(path="/bin/engraphy", env={}))
    assert profile.read_text() == "mine"


@pytest.mark.long
@POSIX
@pytest.mark.parametrize("first", ["install", "remember", "memory"])
def test_nobody_else_can_read_what_is_remembered(
    first: str, own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is its owner's alone whatever made it, and every file in it and every copy."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    before = os.umask(0o022)
    try:
        if first == "install":
            CliRunner().invoke(main, ["install", "gemini", "--yes"])
        if first == "remember":
            CliRunner().invoke(main, ["remember", "My locker is number 7."])
        with Memory() as memory:
            memory.remember("The code of the gate is 4711.")
            memory.backup(str(tmp_path / "copy.db"))
            kept = [own_home, *own_home.rglob("*"), tmp_path / "copy.db"]
            open_to = {one.name: stat.S_IMODE(one.stat().st_mode) & 0o077 for one in kept}
        assert set(open_to.values()) == {0}, open_to
    finally:
        os.umask(before)

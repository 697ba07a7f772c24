"""`engraphy status`: what each agent has of this memory, and what it brought."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from engraphy.cli.app import main


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has Codex."""
    (tmp_path / ".codex").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    monkeypatch.setenv("ENGRAPHY_HOME", str(tmp_path / "engraphy"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CODEX_HOME", raising=False)
    return tmp_path


def status(*words: str) -> str:
    """What the command prints."""
    found = CliRunner().invoke(main, ["status", *words])
    assert found.exit_code == 0, found.output
    return found.output


def test_who_is_here_and_who_is_not(home: Path) -> None:
    """An agent that is here is offered; those that are not stand in one line."""
    shown = status()
    assert "engraphy install codex" in shown
    assert "Not found here:" in shown
    assert "Cursor" in shown.partition("Not found here:")[2]


@pytest.mark.long
def test_what_fired_last_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a hook: the event, when, and how many memories it brought; no word of the prompt."""
    CliRunner().invoke(main, ["install", "codex", "--yes"])
    assert "no hook has fired yet" in status()
    assert "ENGRAPHY_HOME" in status()
    told = json.dumps({"session_id": "s", "cwd": str(home), "prompt": "the code word is heron"})
    hook = [sys.executable, "-m", "engraphy.cli", "hook", "codex", "UserPromptSubmit"]
    monkeypatch.setenv("ENGRAPHY_HOOK_SECONDS", "60")
    subprocess.run(hook, input=told, text=True, check=True, timeout=120)
    [row] = [one for one in json.loads(status("--json"))["agents"] if one["agent"] == "codex"]
    assert row["installed"]
    assert row["last"]["event"] == "prompt:submit"
    assert row["day"]["fired"] == 1
    assert "prompt:submit" in status()
    assert "heron" not in status()


def test_who_has_no_hooks_is_not_waited_for(home: Path) -> None:
    """Claude Desktop has tools only: nobody is told to wait for its hooks."""
    (home / ".config" / "Claude").mkdir(parents=True)
    CliRunner().invoke(main, ["install", "claude-desktop", "--yes"])
    assert "no hook has fired yet" not in status()
    assert "it has no hooks" in status()

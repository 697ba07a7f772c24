"""`engraphy install`: an agent's settings say what they are to say, and come back as they were."""

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engraphy.agents import agents
from engraphy.cli.app import main

AGENTS = list(agents())
MINE = {
    ".claude/settings.json": '{"model": "x", "hooks": {"Stop": [{"hooks": '
    '[{"type": "command", "command": "mine"}]}]}}',
    ".claude.json": '{"numStartups": 3,\n   "mcpServers": {"other": {"command": "o"}}}\n',
    ".codex/config.toml": '# mine\nmodel = "x"  # the best\n\n[mcp_servers.other]\ncommand = "o"\n',
    ".codex/hooks.json": '{"hooks": {}}',
    ".gemini/settings.json": '{\n  // mine\n  "theme": "dark",\n}\n',
    ".config/opencode/opencode.json": '{"$schema": "s"}',
    ".cursor/mcp.json": '{"mcpServers": {}}',
    ".config/Code/User/mcp.json": '{\r\n\t"servers": {},\r\n\t// mine\r\n\t"inputs": []\r\n}\r\n',
    ".config/Claude/claude_desktop_config.json": "",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with settings of its own."""
    folder = tmp_path / "home"
    for name, text in MINE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / ".config"))
    monkeypatch.setenv("ENGRAPHY_HOME", str(tmp_path / "engraphy"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def run(*words: str, ok: bool = True) -> Result:
    """A command, not asked."""
    found = CliRunner().invoke(main, words)
    assert (found.exit_code == 0) is ok, found.output
    return found


@pytest.mark.parametrize("name", AGENTS)
def test_install_and_uninstall_leave_no_trace(home: Path, name: str) -> None:
    """After both, every file is byte for byte what it was, and no file is new; twice installed is
    once installed."""
    before = files(home)
    run("install", name, "--yes")
    once = files(home)
    assert once != before
    assert "installed already" in run("install", name, "--yes").output
    assert files(home) == once
    run("uninstall", name, "--yes")
    assert files(home) == before
    assert "not installed" in run("uninstall", name, "--yes").output


@pytest.mark.parametrize(
    ("text", "setting"),
    [
        ("[features]\nhooks = false\n", "features.hooks = false"),
        ("features.codex_hooks = false\n", "features.codex_hooks = false"),
        ("[features]\nhooks = true\n", None),
        ("[features]\nother = false\n", None),
    ],
)
def test_hooks_that_the_user_switched_off_are_told(
    home: Path, text: str, setting: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the user's settings keep every hook from firing, installing says so each time, for a
    project as well, and leaves the choice as it is."""
    config = home / ".codex/config.toml"
    config.write_text(text)
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    for words in (["--dry-run"], ["--yes"], ["--yes"], ["--project", "--yes"]):
        told = run("install", "codex", *words).output
        assert (f"never fire: {setting} in {config}" in told) is (setting is not None)
        assert ("never fire" in told) is (setting is not None)
    assert config.read_text().startswith(text)
    run("uninstall", "codex", "--yes")
    assert config.read_text() == text


def test_a_project_may_have_hooks_that_its_user_has_not(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a project's own settings say counts there; Claude Code has a switch of its own; a file
    of the user's that nobody can read is not what a project's install fails by."""
    project = tmp_path / "project"
    (project / ".claude").mkdir(parents=True)
    monkeypatch.chdir(project)
    (home / ".claude/settings.json").write_text('{"disableAllHooks": true}')
    for words in ([], ["--project"]):
        told = run("install", "claude-code", "--dry-run", *words).output
        assert "Claude Code: the hooks will never fire: disableAllHooks = true" in told
    (project / ".claude/settings.json").write_text('{"disableAllHooks": false}')
    assert "never fire" not in run("install", "claude-code", "--project", "--dry-run").output
    (home / ".codex/config.toml").write_text("no toml")
    assert "never fire" not in run("install", "codex", "--project", "--dry-run").output


@pytest.mark.parametrize("name", ["cursor", "codex"])
def test_a_server_of_others_under_our_name_comes_back(home: Path, name: str) -> None:
    """Where the user has a server of another program called `engraphy`, ours takes its place while
    it is installed; uninstalled, the file is as it was."""
    (home / ".cursor/mcp.json").write_text('{"mcpServers": {"engraphy": {"command": "o"}}}')
    (home / ".codex/config.toml").write_text('[mcp_servers.engraphy]\ncommand = "o"\n')
    before = files(home)
    assert "not installed" in run("uninstall", name, "--yes").output
    run("install", name, "--yes")
    assert files(home) != before
    run("uninstall", name, "--yes")
    assert files(home) == before


@pytest.mark.parametrize("name", AGENTS)
def test_what_the_user_changes_meanwhile_stays(home: Path, name: str) -> None:
    """A setting of the user's own, made between install and uninstall, survives both a second
    install and the uninstall, and nothing of ours does."""
    run("install", name, "--yes")
    changed = {}
    for path in (home / key for key in files(home)):
        text = path.read_bytes().decode()
        if path.suffix == ".json" and "engraphy" in text:
            changed[path] = '"added": 1'
            path.write_bytes(text.replace("{", '{"added": 1,', 1).encode())
        if path.suffix == ".toml" and "engraphy" in text:
            changed[path] = "added = 1"
            path.write_bytes(f"added = 1\n{text}".encode())
    run("install", name, "--yes")
    run("uninstall", name, "--yes")
    assert changed
    for path, added in changed.items():
        assert added in path.read_text(), path
    for key, content in files(home).items():
        assert b"engraphy" not in content, key


def test_the_users_own_settings_stay_beside_ours(home: Path) -> None:
    """Hooks, servers and comments that were there are there still."""
    run("install", *AGENTS, "--yes")
    claude = json.loads((home / ".claude/settings.json").read_text())
    assert claude["model"] == "x"
    assert len(claude["hooks"]["Stop"]) == 2
    assert set(json.loads((home / ".claude.json").read_text())["mcpServers"]) == {
        "other",
        "engraphy",
    }
    text = (home / ".codex/config.toml").read_text()
    assert "# the best" in text
    assert set(tomllib.loads(text)["mcp_servers"]) == {"other", "engraphy"}
    assert "// mine" in (home / ".gemini/settings.json").read_text()


def test_no_copy_of_settings_is_left(home: Path, tmp_path: Path) -> None:
    """They may hold keys: what is back in its place is kept no longer."""
    run("install", "claude-code", "--yes")
    assert files(tmp_path / "engraphy" / "agents-kept") != {}
    run("uninstall", "claude-code", "--yes")
    assert files(tmp_path / "engraphy" / "agents-kept") == {}


def test_the_difference_is_shown_first_and_nothing_is_written_unasked(home: Path) -> None:
    """With --dry-run, and where nobody can be asked."""
    before = files(home)
    shown = run("install", "claude-code", "--dry-run").output
    assert "+++" in shown
    assert "UserPromptSubmit" in shown
    assert "--yes" in run("install", "claude-code", ok=False).output
    assert files(home) == before


def test_who_installs_hooks_is_told_of_the_daemon_and_may_enable_it(home: Path) -> None:
    """Without --daemon it is said once per command how prompts are answered; with it, and ever
    after, hooks start the daemon. A dry run enables nothing."""
    assert "engraphy daemon enable" in run("install", "codex", "--yes").output
    run("install", "claude-code", "--daemon", "--dry-run")
    assert json.loads(run("daemon", "status", "--json").output)["enabled"] is False
    shown = run("install", "claude-code", "--daemon", "--yes").output
    assert "The first prompt starts the daemon" in shown
    assert json.loads(run("daemon", "status", "--json").output)["enabled"] is True
    assert "engraphy daemon enable" not in run("install", "gemini", "--yes").output


def test_without_a_name_what_is_here_is_installed(home: Path) -> None:
    """Every agent that left a sign of itself, and no other."""
    for path in (home / ".cursor").iterdir():
        path.unlink()
    (home / ".cursor").rmdir()
    found = run("install", "--yes").output
    assert "Claude Code: installed" in found
    assert "Cursor" not in found


def test_one_project_alone(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --project the settings of the user stay as they are; an agent without such settings
    says so."""
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    before = files(home)
    run("install", "claude-code", "--project", "--yes")
    assert set(files(project)) == {".claude/settings.json", ".mcp.json"}
    assert files(home) == before
    run("uninstall", "claude-code", "--project", "--yes")
    assert files(project) == {}
    assert (
        "has none for one project"
        in run("install", "claude-desktop", "--project", "--yes", ok=False).output
    )


@pytest.mark.parametrize("text", ["{", "[1, 2]", '{"hooks": 3}'])
def test_a_file_that_cannot_be_read_stays(home: Path, text: str) -> None:
    """It is named, and nothing at all is written."""
    (home / ".claude/settings.json").write_text(text)
    before = files(home)
    assert "settings.json" in run("install", "claude-code", "--yes", ok=False).output
    assert files(home) == before


def test_a_link_is_followed(home: Path, tmp_path: Path) -> None:
    """Settings that live elsewhere stay a link, with the rights of the file they are."""
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o640)
    path = home / ".claude/settings.json"
    path.unlink()
    path.symlink_to(real)
    run("install", "claude-code", "--yes")
    assert path.is_symlink()
    assert "engraphy" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640


def test_another_folder_for_the_settings(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent's own variable is honoured."""
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    run("install", "codex", "--yes")
    assert set(files(tmp_path / "codex")) == {"hooks.json", "config.toml"}


def test_the_server_has_the_team_s_database_and_no_password_is_written(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent's server asks the database that was named as it was installed; an address with a
    password is written nowhere. What hooks have only from their agent's environment is told."""
    monkeypatch.setenv("ENGRAPHY_DATABASE", "postgresql://app@db.internal/memory")
    said = run("install", "claude-code", "--yes").output
    assert "ENGRAPHY_HOME, ENGRAPHY_DATABASE" in said
    server = json.loads((home / ".claude.json").read_text())["mcpServers"]["engraphy"]
    assert server["env"]["ENGRAPHY_DATABASE"] == "postgresql://app@db.internal/memory"
    for place in (
        "postgresql://app:s3cret@db.internal/memory",
        "postgresql://db.internal/memory?user=app&password=s3cret",
    ):
        monkeypatch.setenv("ENGRAPHY_DATABASE", place)
        for name in AGENTS:
            run("uninstall", name, "--yes")
            assert ".pgpass" in run("install", name, "--yes").output
        assert not [one for one in files(home).values() if b"s3cret" in one]

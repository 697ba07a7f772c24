"""The plugin folders say what the program is: one version, the same hooks, readable manifests."""

import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from engraphy import __version__
from engraphy.agents import agents
from engraphy.hooks.dialects import EVENTS

PLUGINS = Path(__file__).parents[2] / "plugins"
MANIFESTS = sorted(path.relative_to(PLUGINS).as_posix() for path in PLUGINS.rglob("*.json"))


def read(name: str) -> Any:
    """A manifest."""
    return json.loads((PLUGINS / name).read_text(encoding="utf-8"))


def events(hooks: dict[str, Any]) -> dict[str, tuple[str, int]]:
    """Of each event what is called, in words, and for how long."""
    found = {}
    for event, [entry] in hooks.items():
        hook = entry["hooks"][0] if "hooks" in entry else entry
        words = " ".join([Path(hook["command"].split()[0]).name, *hook["command"].split()[1:]])
        found[event] = (" ".join([words, *hook.get("args", ())]), hook["timeout"])
    return found


@pytest.mark.parametrize("name", MANIFESTS)
def test_every_manifest_has_the_version_of_the_program(name: str) -> None:
    """Wherever one is said."""
    text = (PLUGINS / name).read_text(encoding="utf-8")
    json.loads(text)
    for line in text.splitlines():
        if '"version"' in line:
            assert f'"{__version__}"' in line
        if "==" in line:
            assert f"=={__version__}" in line


def test_the_bundle_asks_for_this_version() -> None:
    """Of the package on the registry."""
    found = tomllib.loads((PLUGINS / "mcpb/pyproject.toml").read_text(encoding="utf-8"))
    assert found["project"]["version"] == __version__
    assert found["project"]["dependencies"] == [f"engraphy[mcp]=={__version__}"]


@pytest.mark.parametrize(
    ("agent", "file"),
    [("claude-code", "engraphy/hooks/hooks.json"), ("codex", "engraphy/hooks/codex.json")],
)
def test_a_plugin_hooks_what_install_hooks(agent: str, file: str) -> None:
    """The same events, the same commands, the same patience."""
    part = next(one for one in agents()[agent].file if one.entries)
    ours = {entry.at[-1]: [entry.value] for entry in part.entries}
    wanted = {
        event: (command.replace("{engraphy}", "engraphy").replace("{shell}", "engraphy"), seconds)
        for event, (command, seconds) in events(ours).items()
    }
    assert events(read(file)["hooks"]) == wanted


def test_claude_code_calls_at_every_event_that_is_understood() -> None:
    """No event of Claude Code that a hook can make something of is left out of its settings."""
    part = next(one for one in agents()["claude-code"].file if one.entries)
    assert {entry.at[-1].lower() for entry in part.entries} == set(EVENTS["claude-code"])


def test_the_package_for_opencode_is_what_install_writes() -> None:
    """But for the program, which it finds on the PATH."""
    ours = files("engraphy.agents").joinpath("assets/opencode.js").read_text(encoding="utf-8")
    theirs = (PLUGINS / "opencode/engraphy.js").read_text(encoding="utf-8")
    assert theirs == ours.replace('"{engraphy}"', '["engraphy"]')

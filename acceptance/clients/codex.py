"""Codex CLI, installed from npm, with memory: run by `make acceptance`."""

from pathlib import Path

from common import Client, Step, check

SETTINGS = """model = "fake"
model_provider = "fake"

[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
"""


def prepare(home: Path, url: str) -> None:
    """Codex finds its model in its settings."""
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(SETTINGS.format(url=url))


CLIENT = Client(
    agent="codex",
    package="@openai/codex@0.171.0",
    program="codex",
    environment=lambda url, home: {"FAKE_KEY": "x"},
    words=lambda prompt: (
        "exec",
        "--json",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "--dangerously-bypass-hook-trust",
        prompt,
    ),
    write=lambda project: Step(
        tool=r"^(exec_command|shell_command|shell)$",
        arguments={"cmd": "echo hello >> notes.txt", "command": "echo hello >> notes.txt"},
    ),
    recall=Step(tool=r"engraphy.*recall$", arguments={"query": "database for the billing service"}),
    waits=[Step(tool=r"^exec_command$", arguments={"cmd": "sleep 8"})],
    prepare=prepare,
)

if __name__ == "__main__":
    raise SystemExit(check(CLIENT))

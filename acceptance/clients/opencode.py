"""OpenCode, installed from npm, with memory: run by `make acceptance`."""

import json
from pathlib import Path

from common import Client, Step, check


def prepare(home: Path, url: str) -> None:
    """OpenCode finds its model in its settings."""
    folder = home / ".config" / "opencode"
    folder.mkdir(parents=True)
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "fake",
        "options": {"baseURL": f"{url}/v1", "apiKey": "x"},
        "models": {"fake": {"name": "fake", "tool_call": True}},
    }
    said = {
        "$schema": "https://opencode.ai/config.json",
        "model": "fake/fake",
        "small_model": "fake/fake",
        "provider": {"fake": provider},
        "permission": {"edit": "allow", "bash": "allow"},
    }
    (folder / "opencode.json").write_text(json.dumps(said, indent=2))


CLIENT = Client(
    agent="opencode",
    package="opencode-ai@1.18.33",
    program="opencode",
    environment=lambda url, home: {"OPENCODE_DISABLE_AUTOUPDATE": "1"},
    words=lambda prompt: ("run", "--model", "fake/fake", prompt),
    write=lambda project: Step(
        tool=r"^write$",
        arguments={"filePath": str(project / "notes.txt"), "content": "notes\nhello\n"},
    ),
    recall=Step(tool=r"engraphy.*recall$", arguments={"query": "database for the billing service"}),
    prepare=prepare,
    seconds=300.0,
)

if __name__ == "__main__":
    raise SystemExit(check(CLIENT))

"""Gemini CLI, installed from npm, with memory: run by `make acceptance`."""

import json
from pathlib import Path

from common import Client, Step, check


def prepare(home: Path, url: str) -> None:
    """Gemini CLI is told which kind of key it has."""
    (home / ".gemini").mkdir()
    said = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    (home / ".gemini" / "settings.json").write_text(json.dumps(said, indent=2))


CLIENT = Client(
    agent="gemini",
    package="@google/gemini-cli@0.61.0",
    program="gemini",
    environment=lambda url, home: {
        "GEMINI_API_KEY": "x",
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    },
    words=lambda prompt: (
        "-p",
        prompt,
        "-o",
        "json",
        "--approval-mode",
        "yolo",
        "-m",
        "gemini-2.5-flash",
    ),
    write=lambda project: Step(
        tool=r"^write_file$",
        arguments={"file_path": str(project / "notes.txt"), "content": "notes\nhello\n"},
    ),
    recall=Step(tool=r"recall$", arguments={"query": "database for the billing service"}),
    prepare=prepare,
    seconds=240.0,
)

if __name__ == "__main__":
    raise SystemExit(check(CLIENT))

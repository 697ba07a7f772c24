"""What docs/scale.md shows is what the command prints from the figures that stand beside it."""

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from engraphy.cli import main

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/scale.md"
SHOWN = "```console\n$ engraphy "


def _shown() -> list[tuple[str, str]]:
    """(command, what stands below it) of each block that shows one."""
    blocks = PAGE.read_text(encoding="utf-8").split(SHOWN)[1:]
    found = []
    for block in blocks:
        command, _, rest = block.replace("\\\n", " ").partition("\n")
        found.append((command, rest.partition("\n```")[0]))
    return found


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.long
@pytest.mark.parametrize(("command", "shown"), _shown(), ids=lambda told: told[:60])
def test_the_page_shows_what_the_command_prints(
    command: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command of the page, run in the project's folder, prints the block below it."""
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(main, shlex.split(command), catch_exceptions=False)
    assert result.exit_code == 0
    assert _lines(result.stdout) == _lines(shown)

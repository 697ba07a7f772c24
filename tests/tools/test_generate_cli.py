"""The page of commands."""

from pathlib import Path

import click
import pytest

import generate_cli
from engraphy.cli import main
from engraphy.operations import OPERATIONS


@pytest.fixture
def group() -> click.Group:
    """A command line with one command in a nested group."""

    @click.group()
    def tool() -> None:
        """A tool."""

    @tool.group()
    def inner() -> None:
        """More."""

    @inner.command()
    @click.argument("place")
    @click.option("--often", type=click.IntRange(1, 3), default=2, help="how often | at all")
    def turn(place: str, often: int) -> None:
        """Turn around.

        \b
          PLACE: where to
        """

    return tool


def test_page_of_a_group(group: click.Group) -> None:
    """Nested commands are found; usage, arguments and options stand under their full name."""
    page = generate_cli.page(group)
    assert "| [`engraphy inner turn`](#engraphy-inner-turn) | Turn around. |" in page
    assert "```text\nengraphy inner turn [OPTIONS] PLACE\n```" in page
    assert "- `PLACE`: where to" in page
    assert "| `--often INTEGER RANGE` | how often \\| at all [1<=x<=3] |" in page


def test_every_command_and_operation() -> None:
    """Every operation, and every command that is none, has a section; there are no colours."""
    page = generate_cli.page()
    names = {one.name.replace("_", "-") for one in OPERATIONS} | set(
        main.list_commands(click.Context(main))
    )
    for name in names - {"profile", "bench", "cluster", "schedule", "daemon", "token"}:
        assert f"\n## engraphy {name}\n" in page, name
    assert "\n## engraphy profile diff\n" in page
    assert "\n## engraphy cluster plan\n" in page
    assert "\x1b" not in page


def test_width_of_the_terminal_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is the same in any terminal."""
    wide = generate_cli.page()
    monkeypatch.setenv("COLUMNS", "50")
    assert generate_cli.page() == wide


def test_undocumented(group: click.Group) -> None:
    """A command and an option without words are errors that name them."""
    group.add_command(click.Command("mute", params=[click.Option(["--odd"])], help="Say no more."))
    with pytest.raises(generate_cli.UndocumentedError, match="engraphy mute --odd"):
        generate_cli.page(group)
    group.add_command(click.Command("mute"))
    with pytest.raises(generate_cli.UndocumentedError, match="engraphy mute has no help"):
        generate_cli.page(group)


def test_variables_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that is described and never read is an error, as one that is read only is."""
    monkeypatch.setitem(generate_cli.VARIABLES, "ENGRAPHY_NOTHING", "nothing")
    with pytest.raises(generate_cli.UndocumentedError, match="ENGRAPHY_NOTHING"):
        generate_cli.variables()


@pytest.mark.long
def test_check(tmp_path: Path) -> None:
    """`--check` passes on a fresh page, fails on a stale or missing one, and writes nothing."""
    (tmp_path / "docs").mkdir()
    root = ["--root", str(tmp_path)]
    assert generate_cli.main(["--check", *root]) == 1
    assert generate_cli.main(root) == 0
    assert generate_cli.main(["--check", *root]) == 0
    target = tmp_path / "docs/cli.md"
    target.write_text("old")
    assert generate_cli.main(["--check", *root]) == 1
    assert target.read_text() == "old"

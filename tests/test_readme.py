"""The examples of the README and of the task pages run, in order, as they are printed."""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from engraphy.cli import main

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
TASKS = sorted((ROOT / "docs/tasks").glob("*.md"))
PAGES = [*TASKS, ROOT / "docs/profiles.md"]
AGENTS = sorted((ROOT / "docs/agents").glob("*.md"))
NEEDED = {"codex": "tomlkit", "cluster": "sqlglot"}
"""What the commands of a page need beside the core."""


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a page in one language."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def commands(page: Path) -> Iterator[tuple[dict[str, str], list[str]]]:
    """(variables set in front, arguments) of each `engraphy` command of a page."""
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            count = next((n for n, word in enumerate(words) if "=" not in word), len(words))
            if words[count : count + 1] == ["engraphy"]:
                set_before = dict(word.split("=", 1) for word in words[:count])
                yield set_before, words[count + 1 :]


def run(page: Path) -> int:
    """Run the Python blocks of a page in one namespace; returns how many there are."""
    module = ModuleType("page")
    found = blocks(page, "python")
    for block in found:
        exec(compile(block, str(page), "exec"), vars(module))
    return len(found)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, which is where stores go, and none of the caller's settings."""
    for name in [one for one in os.environ if one.startswith("ENGRAPHY_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ENGRAPHY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user" / ".config"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_ten_examples_run() -> None:
    """At least ten public-API examples stand in the README and run from top to bottom."""
    assert run(README) >= 10


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_of_a_page_runs(page: Path) -> None:
    """The Python blocks of a page run from top to bottom."""
    if page.stem == "personal-data":
        pytest.importorskip("phonenumbers", reason="its page begins with the extra that it needs")
    assert run(page) >= 1


@pytest.mark.parametrize(
    "page",
    [page for page in (README, *TASKS, *AGENTS) if list(commands(page))],
    ids=lambda page: page.stem,
)
def test_shell_of_a_page_runs(page: Path) -> None:
    """The `engraphy` commands of a page run from top to bottom and succeed. That the program itself
    starts is for tests/cli to prove."""
    if needed := NEEDED.get(page.stem):
        pytest.importorskip(needed, reason="its page begins with the extra that it needs")
    for variables, arguments in commands(page):
        done = CliRunner(env=variables).invoke(main, arguments)
        assert done.exit_code == 0, (arguments, done.output, done.exception)


def test_every_task_page_is_linked() -> None:
    """The index of the documentation names every page under docs."""
    index = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    for page in (*TASKS, *AGENTS, *(ROOT / "docs").glob("*.md")):
        place = page.relative_to(ROOT / "docs").as_posix()
        assert place == "index.md" or f"]({place})" in index, place


@pytest.mark.parametrize(
    "page", [README, *PAGES, *AGENTS, ROOT / "docs/index.md"], ids=lambda page: page.stem
)
def test_links_lead_somewhere(page: Path) -> None:
    """A link to a file of the repository names one that exists."""
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target

"""`engraphy import PATH --from SOURCE`, and the page that tells of it."""

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.importers.samples import FIXTURES, SAMPLES, made

from engraphy.cli import main

PAGE = Path(__file__).parents[2] / "docs/importing.md"
PLACES = {
    "claude-code": ".claude/projects",
    "auto-memory": ".claude/projects",
    "codex": ".codex/sessions",
    "gemini": ".gemini/tmp",
    "cursor": ".cursor/projects",
    "basic-memory": "basic-memory",
    "obsidian": "vault",
    "rules": "shop",
}
FILES = {
    "claude-mem": (".claude-mem/claude-mem.db", "claude-mem.db"),
    "mem0": ("shop/mem0.json", "platform.json"),
    "server-memory": ("shop/memory.jsonl", "memory.jsonl"),
    "letta": ("shop/agent.af", "agent.af"),
    "chatgpt": ("shop/chatgpt.zip", "export.zip"),
    "claude-ai": ("shop/claude.zip", "export.zip"),
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder in which everybody has left something, and a project to be in."""
    for sample in SAMPLES:
        path = made(sample, tmp_path / "made")
        if sample.source in PLACES:
            target = tmp_path / PLACES[sample.source]
            for file in [one for one in path.rglob("*") if one.is_file()]:
                (target / file.relative_to(path)).parent.mkdir(parents=True, exist_ok=True)
                file.replace(target / file.relative_to(path))
        else:
            name, own = FILES[sample.source]
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (path if path.is_file() else path / own).replace(tmp_path / name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path / "shop")
    return tmp_path


def run(line: str, *more: str) -> str:
    """The output of a command that succeeds."""
    words = [str(Path(one).expanduser()) if "~" in one else one for one in shlex.split(line)]
    done = CliRunner().invoke(main, [*words[1:], "--no-embed", *more] if more else words[1:])
    assert done.exit_code == 0, (line, done.output, done.exception)
    return done.output


@pytest.mark.long
def test_the_commands_of_the_page_run(home: Path) -> None:
    """Every command of the page's table brings something in, one per source; the first ones show,
    do and undo it."""
    page = PAGE.read_text("utf-8")
    listed = re.findall(r"`(engraphy import [^`]+--from [^`]+)`", page)
    assert len(listed) == len(SAMPLES)
    for line in listed:
        done = json.loads(run(line, "--json"))
        assert done["memories"] + done["stands"] > 0, line
        again = json.loads(run(line, "--json"))
        assert (again["memories"], again["run"]) == (0, ""), line


def test_it_shows_does_and_undoes(home: Path) -> None:
    """A dry run and an import say the same for people; undo takes it out; what cannot be read is
    one line and an exit code of its own."""
    first = run(
        "engraphy import ~/.claude/projects --from claude-code --dry-run", "--profile=default"
    )
    assert "6 memories would come in, of 7 read in 2 files of claude-code" in first
    assert "6 seen only with --user, --agent or --project (engraphy owners)" in first
    second = run("engraphy import ~/.claude/projects --from auto", "--profile=default")
    assert "6 memories came in" in second
    assert "broken 0b1f5c1e-0000-4000-8000-000000000002.jsonl:2" in second
    assert "engraphy undo --run" in second
    gone = run("engraphy undo --last import", "--profile=default")
    assert "removed 7 " in gone
    wrong = CliRunner().invoke(main, ["import", str(home / "shop"), "--from", "codex"])
    assert wrong.exit_code == 2
    assert "rollout" in wrong.output
    own = CliRunner().invoke(main, ["import", str(home / "shop"), "--no-embed"])
    assert (own.exit_code, "--from" in own.output) == (1, True)


@pytest.mark.parametrize("named", [True, False])
def test_a_dry_run_makes_no_store(
    home: Path, monkeypatch: pytest.MonkeyPatch, *, named: bool
) -> None:
    """Where no store is yet, named or not, trying out an import leaves none behind."""
    monkeypatch.setenv("ENGRAPHY_HOME", str(home / "kept"))
    line = "engraphy import ~/.claude/projects --from claude-code --dry-run"
    place = ("--db", str(home / "new" / "store.db")) if named else ("--profile=default",)
    (home / "new").mkdir()
    shown = run(line, *place)
    assert "6 memories would come in" in shown
    assert "new store" not in shown
    assert list((home / "new").iterdir()) == []
    assert not (home / "kept").exists()


def test_the_python_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples run as they are printed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agent.af").write_bytes((FIXTURES / "letta/agent.af").read_bytes())
    names: dict[str, object] = {}
    found = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    for block in found:
        exec(compile(block, str(PAGE), "exec"), names)
    assert len(found) == 2

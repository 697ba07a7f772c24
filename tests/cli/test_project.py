"""`engraphy project`: what a folder's project is called, here and by all who share a store."""

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engraphy import Memory
from engraphy.cli import main


def run(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, [*words], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def name() -> str:
    """What the folder's project is called."""
    return str(json.loads(run("project", "--json").stdout)["project"])


def test_a_clone_that_is_called_as_others_are_shares_what_they_keep(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was kept under the name before comes along by the commands that are printed."""
    shop = tmp_path / "ada" / "shop"
    shop.mkdir(parents=True)
    monkeypatch.chdir(shop)
    before = name()
    with Memory(embedder="none") as memory:
        memory.remember("The shop deploys with kamal", project=before)
        memory.remember("The team's shop listens on port 8080", project="shop")
    said = run("project", "--name", "shop").output
    assert said.splitlines()[0] == name() == "shop"
    assert before in said
    for line in said.splitlines():
        if line.startswith("engraphy "):
            run(*shlex.split(line)[1:], "--no-embed")
    with Memory(embedder="none") as memory:
        assert len(memory.list(project=name())) == 2
    assert before not in run("project").output
    run("project", "--name", "", code=2)
    monkeypatch.chdir(Path.home())
    assert "no project" in run("project").output
    assert "folder" in run("project", "--name", "shop", code=2).output


@pytest.mark.spec("A-11")
def test_a_file_of_this_project_is_found_however_it_is_written(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its whole path and by its path in the project, where the command runs in the project that
    it names; elsewhere a whole path stays one."""
    shop, other = tmp_path / "shop", tmp_path / "other"
    shop.mkdir()
    other.mkdir()
    monkeypatch.chdir(shop)
    here = name()
    ways = [f"{shop}/src/ebb.py", "src/ebb.py", "./src/ebb.py", "src\\ebb.py"]
    for number, way in enumerate(ways):
        run("remember", f"Note {number}", "--project", here, "--files-read", way, "--no-embed")

    def found(way: str) -> int:
        return len(json.loads(run("list", "--file", way, "-p", here, "--json").stdout)["memories"])

    assert [found(way) for way in ways] == [4, 4, 4, 4]
    assert found(f"{other}/src/ebb.py") == 0
    monkeypatch.chdir(other)
    assert [found(way) for way in ways] == [0, 4, 4, 4]


@pytest.mark.usefixtures("own_home")
def test_files_that_a_change_does_not_name_stay() -> None:
    """A change of the title leaves the files and the places that a memory is for."""
    named = ("--files-read", "src/ebb.py", "--scope-globs", "src/*")
    told = json.loads(run("remember", "The parser reads TOML", *named, "--json").stdout)["memory"]
    run("update", told["id"], "--title", "Parser")
    kept = json.loads(run("get", told["id"], "--json").stdout)
    assert (kept["files_read"], kept["scope_globs"]) == (["src/ebb.py"], ["src/*"])

"""No folder of a machine and no registry in what is tracked."""

import subprocess
from pathlib import Path

import pytest

import check_hosts


@pytest.mark.parametrize(
    "line",
    [
        "see /wo" + "rk/main/src",
        "HOME=/ro" + "ot/x",
        "https://example.org/sim" + "ple/",
        "https://example.org/pack" + "ages/ab/cd",
        "--index-" + "url=x",
        "  --extra-index-" + "url x",
        "https://files.python" + "hosted.org/x",
    ],
)
def test_finds(line: str) -> None:
    """Each kind of line is found, with its number."""
    found = list(check_hosts.problems_in("a.txt", f"fine\n{line}\n"))
    assert [problem.split(": ")[0] for problem in found] == ["a.txt:2"]


@pytest.mark.parametrize(
    "line", ["the workbench", "src/wo" + "rk/x.py", "https://example.org/simplest", "pip"]
)
def test_leaves_alone(line: str) -> None:
    """Ordinary words, relative paths and other addresses are no problem."""
    assert list(check_hosts.problems_in("a.txt", line)) == []


def test_only_what_is_tracked(tmp_path: Path) -> None:
    """Tracked files are read, untracked ones are not; a lock file is a problem by its name."""
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    bad = "/wo" + "rk/x"
    (tmp_path / "untracked.txt").write_text(bad)
    (tmp_path / "poetry.lock").write_text("fine")
    assert check_hosts.main(["--root", str(tmp_path)]) == 0
    subprocess.run(["git", "-C", str(tmp_path), "add", "poetry.lock"], check=True)
    assert list(check_hosts.problems_of(tmp_path, "poetry.lock"))
    assert check_hosts.main(["--root", str(tmp_path)]) == 1

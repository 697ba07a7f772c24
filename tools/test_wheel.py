"""Build the wheel and use it as a newcomer does: in an empty environment, away from the sources.

Prints how many distributions it brings (at most 12), what `import engraphy` costs (at most 0.15 s
of CPU, the median of five) and what the wheel weighs; then remembers and recalls through Python
and the shell, and runs the examples of the README against the installed package.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DISTRIBUTIONS = 12
IMPORT_SECONDS = 0.15
RUNS = 5
_LISTING = ("python", "-m", "pip", "--disable-pip-version-check", "list", "--format=json")

TIMER = """
import json, time
wall, cpu = time.perf_counter(), time.process_time()
import engraphy
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, engraphy.__file__]))
"""

SMOKE = """
import engraphy
with engraphy.Memory("smoke.db") as memory:
    outcome = memory.remember("I prefer pytest over unittest", user="u1")
    assert outcome.action == "created", outcome
    hits = memory.recall("which test runner do I prefer?", user="u1")
    assert [hit.memory.id for hit in hits] == [outcome.memory.id], hits
    assert 0 < hits[0].score <= 1, hits
    assert memory.recall("which test runner do I prefer?", user="u2") == []
"""


class WheelError(Exception):
    """The wheel is not what a user should get."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A virtual environment, and a folder beside it to work in."""

    folder: Path

    @property
    def work(self) -> Path:
        """Where commands run: an empty folder outside the repository."""
        return self.folder / "work"

    def command(self, name: str) -> Path:
        """A program of the environment."""
        return self.folder / "env" / "bin" / name

    def run(self, *command: object, quiet: bool = True) -> str:
        """Run a program of the environment; its output. Raises WheelError where it fails."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        done = subprocess.run(
            [str(self.command(str(command[0]))), *map(str, command[1:])],
            cwd=self.work,
            env=kept | {"ENGRAPHY_HOME": str(self.folder / "home"), "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            raise WheelError(f"{' '.join(map(str, command))[:200]}\n{done.stdout}")
        if not quiet:
            print(done.stdout, end="")
        return done.stdout


def build(target: Path) -> Path:
    """The wheel of this tree, built without touching it."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target)]
    subprocess.run([*command, str(ROOT)], check=True, stdout=subprocess.DEVNULL)
    return next(target.glob("*.whl"))


def constraints(folder: Path) -> Path:
    """The pinned versions as a constraints file, so that a run is repeatable."""
    pins = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")
    file = folder / "constraints.txt"
    file.write_text("\n".join(re.findall(r"^\S+==[^ \\]+", pins, flags=re.MULTILINE)) + "\n")
    return file


def install(wheel: Path, folder: Path) -> Environment:
    """A fresh environment with the wheel and what it asks for. Raises WheelError at too much."""
    environment = Environment(folder=folder)
    environment.work.mkdir()
    venv.create(folder / "env", with_pip=True)
    pip(environment, folder, wheel)
    listing = json.loads(environment.run(*_LISTING))
    names = sorted({one["name"] for one in listing} - {"pip", "setuptools"})
    print(f"wheel: {wheel.stat().st_size / 1e6:.1f} MB, brings {len(names)}: {', '.join(names)}")
    if len(names) > DISTRIBUTIONS:
        raise WheelError(f"{len(names)} distributions, at most {DISTRIBUTIONS}")
    return environment


def pip(environment: Environment, folder: Path, *wanted: object) -> None:
    """Install into the environment at the pinned versions."""
    options = ("--quiet", "--disable-pip-version-check", "--constraint", constraints(folder))
    environment.run("python", "-m", "pip", "install", *options, *wanted)


def time_import(environment: Environment) -> None:
    """Print the cost of the import. Raises WheelError above the bound or from the wrong place."""
    rows = [json.loads(environment.run("python", "-c", TIMER)) for _ in range(RUNS)]
    wall, cpu = (statistics.median(row[column] for row in rows) for column in (0, 1))
    print(f"import engraphy: {wall:.3f} s wall, {cpu:.3f} s CPU (median of {RUNS})")
    if Path(rows[0][2]).is_relative_to(ROOT):
        raise WheelError(f"imported from the sources: {rows[0][2]}")
    if cpu > IMPORT_SECONDS:
        raise WheelError(f"the import takes {cpu:.3f} s of CPU, at most {IMPORT_SECONDS}")


def smoke(environment: Environment) -> None:
    """Remember and recall through Python and the shell."""
    environment.run("python", "-c", SMOKE)
    environment.run("engraphy", "remember", "The deploy port is 3000")
    answer = json.loads(environment.run("engraphy", "recall", "deploy port", "--json"))
    contents = [hit["content"] for hit in answer["hits"]]
    if contents != ["The deploy port is 3000"]:
        raise WheelError(f"recall printed {answer}")
    print("smoke: remembered and recalled through Python and the shell")


def readme(environment: Environment) -> None:
    """Run the examples of the README and the pages it leads to against the installed package."""
    tests = sorted((ROOT / "tests").rglob("test_readme*.py"))
    if not tests:
        raise WheelError("tests/ has no test_readme*.py")
    for page in [*ROOT.glob("*.md"), ROOT / "LICENSE", ROOT / "NOTICE"]:
        shutil.copy(page, environment.work)
    for folder in ("docs", "deploy"):
        shutil.copytree(ROOT / folder, environment.work / folder)
    (environment.work / "pytest.ini").write_text(
        "[pytest]\nmarkers =\n    spec\n    long\n    slow\n"
    )
    (environment.work / "tests").mkdir()
    for file in [ROOT / "tests" / "conftest.py", *tests]:
        shutil.copy(file, environment.work / "tests")
    # Of the tests over PostgreSQL the plugin alone, which loads no driver until it is asked.
    ignored = shutil.ignore_patterns("__pycache__", "test_*", "conftest.py", "server.py")
    for beside in ("offline", "postgres"):
        shutil.copytree(
            ROOT / "tests" / beside, environment.work / "tests" / beside, ignore=ignored
        )
    pip(environment, environment.folder, "pytest", "hypothesis")
    environment.run("python", "-W", "error", "-m", "pytest", "-q", "tests", quiet=False)


def main(arguments: list[str] | None = None) -> int:
    """Build, install, measure, use; returns 1 with the reason where something is amiss."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-readme", action="store_true", help="leave out the README's examples")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            environment = install(build(folder), folder)
            time_import(environment)
            smoke(environment)
            if not options.no_readme:
                readme(environment)
        except WheelError as error:
            print(error)
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

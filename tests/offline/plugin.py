"""The suite with sockets to elsewhere forbidden (P-28): in this process and its children."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.offline import sitecustomize

FOLDER = str(Path(sitecustomize.__file__).parent)
_start = subprocess.Popen.__init__


def attempts() -> list[str]:
    """What was tried since this was asked last, and forget it."""
    report = Path(os.environ[sitecustomize.REPORT])
    tried = report.read_text(encoding="utf-8").splitlines()
    if tried:
        report.write_text("", encoding="utf-8")
    return tried


def _with_path(environment: dict[str, str]) -> dict[str, str]:
    path = environment.get("PYTHONPATH")
    ours = FOLDER if path is None else f"{FOLDER}{os.pathsep}{path}"
    report = {sitecustomize.REPORT: os.environ[sitecustomize.REPORT]}
    return environment | report | {"PYTHONPATH": ours}


def _started(self: Any, *given: Any, env: Any = None, **named: Any) -> None:
    """A child gets the rule too, whatever environment it is started with."""
    inherited = dict(os.environ) if env is None else dict(env)
    _start(self, *given, env=_with_path(inherited), **named)


def pytest_configure(config: pytest.Config) -> None:
    """Before any test is collected."""
    handle, report = tempfile.mkstemp(prefix="engraphy-tests-", suffix=".txt")
    os.close(handle)
    os.environ[sitecustomize.REPORT] = report
    sitecustomize.forbid()
    subprocess.Popen.__init__ = _started


def pytest_unconfigure(config: pytest.Config) -> None:
    """What a background process tried after the last test is said, and the report goes."""
    late = attempts()
    Path(os.environ[sitecustomize.REPORT]).unlink()
    if late:
        raise pytest.UsageError(f"left this machine after the last test: {late}")


@pytest.fixture(autouse=True)
def stays_here() -> Iterator[None]:
    """Fails a test by which anybody tried to leave the machine."""
    yield
    tried = attempts()
    if tried:
        pytest.fail("left this machine: " + "; ".join(tried))

"""Every proof holds in short form, and catches the build that is broken for it."""

import os
import re
import subprocess
import sys

import pytest
from tests.prove.conftest import SOURCE

SHORT = {"kill": 6, "power": 30, "faults": 40, "processes": 12, "forget": 20, "text": 150}


def _prove(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-m", "engraphy_prove", *arguments]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


def test_list_names_every_proof() -> None:
    """`list` prints a line for each proof, with its promise."""
    told = _prove("list")
    assert told.returncode == 0
    assert [line.split()[0] for line in told.stdout.splitlines()] == list(SHORT)
    assert all(re.search(r"[PR]-\d\d", line) for line in told.stdout.splitlines())


def test_unknown_proof_is_refused() -> None:
    """A name that is no proof ends with the exit code of a usage error."""
    told = _prove("luck")
    assert told.returncode == 2
    assert "kill" in told.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_proof_holds_and_catches(name: str) -> None:
    """The sound build has no breach, each broken one is caught, and the last line says so."""
    told = _prove(name, "--rounds", str(SHORT[name]))
    assert told.returncode == 0, told.stdout + told.stderr
    assert re.fullmatch(r"\d+ passed, 0 failed", told.stdout.splitlines()[-1])
    assert "breaches: 0" in told.stdout
    assert "NOT CAUGHT" not in told.stdout
    assert "self-check" in told.stdout

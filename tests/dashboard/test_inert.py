"""The dashboard is inert, seen through a real browser (P-19)."""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from os import environ
from pathlib import Path

import pytest

RUN = Path(__file__).parents[2] / "acceptance" / "browser" / "run.py"
PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome", "chrome")
READY = bool(environ.get("CHROMIUM")) or any(map(shutil.which, PROGRAMS))


@pytest.mark.slow
@pytest.mark.spec("P-19")
@pytest.mark.skipif(not READY, reason="no Chromium: see acceptance/browser/ready.sh")
@pytest.mark.skipif(find_spec("playwright") is None, reason="no Playwright: make browser")
def test_no_stored_text_runs() -> None:
    """300 hostile texts in every field of a memory, on pages of every sort, in addresses and forms:
    none runs, none has to be stopped by the policy, none becomes part of a page. Of a build that
    escapes nothing the same look sees that texts run without the policy, that it stops them all,
    and that they become markup."""
    done = subprocess.run(
        [sys.executable, str(RUN), "inert-short"],
        capture_output=True,
        text=True,
        check=False,
        timeout=3_000,
    )
    print(done.stdout)  # noqa: T201 - the figure, for who runs it with -s
    assert done.returncode == 0, done.stdout + done.stderr
    assert "300 texts on " in done.stdout
    assert " 0 ran, 0 were stopped by the policy," in done.stdout
    assert " 0 became markup; 0 answers of 500 and more," in done.stdout
    assert "1 passed, 0 failed" in done.stdout

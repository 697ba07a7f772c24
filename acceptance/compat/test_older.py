"""Older generations of mem0's client, each in an environment of its own (acceptance/compat.sh)."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from conftest import Server

HERE = Path(__file__).parent


@pytest.mark.parametrize("version", ["1.0.3", "0.1.118"])
def test_an_older_client(server: Server, tmp_path: Path, version: str) -> None:
    """The paths of v1 and v2, as the clients that speak them call them."""
    words = [
        f"{os.environ['OLDER']}/{version}/bin/python",
        "-W",
        "ignore",
        str(HERE / "older.py"),
        server.url,
        server.admin,
        f"u{version}",
    ]
    quiet = {**os.environ, "MEM0_TELEMETRY": "False", "MEM0_DIR": str(tmp_path)}
    ran = subprocess.run(words, capture_output=True, text=True, check=False, env=quiet)
    assert ran.returncode == 0, ran.stderr[-2_000:]
    found = json.loads(ran.stdout)
    assert found.pop("added")
    assert found == {
        "searched": ["My dog is called Pluto."],
        "filtered": ["My dog is called Pluto."],
        "all": 2,
        "paged": 2,
        "got": "My dog is called Goofy.",
        "history": ["ADD", "UPDATE"],
        "batch": "My cat is called Tom.",
        "users": True,
        "left": 1,
        "gone": [],
    }

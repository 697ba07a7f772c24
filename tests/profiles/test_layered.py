"""Profile `layered` (document 002): it needs nothing but the file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ALONE = """
import socket, sys

def refused(*arguments, **names):
    raise OSError("no network here")

socket.socket.connect = socket.create_connection = socket.getaddrinfo = refused
if sys.argv[2] == "none":
    sys.modules["numpy"] = None
from engraphy import Memory

with Memory(sys.argv[1], profile="layered", embedder=sys.argv[2]) as memory:
    memory.remember("Never commit secrets", kind="policy")
    memory.remember("Auth is a separate service", kind="architecture")
    memory.observe("I prefer the standard library over dependencies, always use stdlib")
    memory.procedure("Deploy", ["run the tests", "build", "push"])
    memory.episode("The deploy failed on Friday", outcome="failure")
    print(memory.recall("deploy")[0].memory.content.splitlines()[0])
    print("Never commit secrets" in memory.context("how do I deploy?").text)
    memory.dream()
    print(memory.stats().total)
"""


@pytest.mark.long
@pytest.mark.spec("B-12")
@pytest.mark.parametrize("embedder", ["none", "static"])
def test_no_key_no_network_no_model(tmp_path: Path, embedder: str) -> None:
    """Without a key in the environment, with every connection refused, and without numpy where
    there is no embedder, the whole profile works: full text alone finds and injects."""
    keep = ("PATH", "HOME", "PYTHONPATH", "LANG", "SYSTEMROOT")
    environment = {name: os.environ[name] for name in keep if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-c", ALONE, str(tmp_path / "store.db"), embedder],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
    )
    found, injected, total = done.stdout.splitlines()
    assert found in {"Deploy", "The deploy failed on Friday"}
    assert injected == "True"
    assert int(total) == 5

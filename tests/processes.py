"""Programs that run at the same time, each in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_ROOT = str(Path(__file__).parents[1])
_PATIENCE = 120
_FORKING = """
import json, os, sys, tempfile
from engraphy import Memory

with tempfile.TemporaryDirectory() as folder, Memory(folder + "/m.db", embedder="none") as memory:
    memory.remember("I like green tea")
    memory.recall("tea")
children = []
for arguments in json.loads(sys.argv[2]):
    child = os.fork()
    if not child:
        code, sys.argv = sys.argv[1], ["-c", *arguments]
        exec(code, {"__name__": "__main__"})
        sys.exit()
    children.append(child)
sys.exit(any([os.waitpid(child, 0)[1] for child in children]))
"""


def started(code: str, *each: Sequence[object]) -> "subprocess.Popen[bytes]":
    """Begin to run `code` once for each of these arguments (its `sys.argv[1:]`), all at the same
    time; what is given back ends, with 0 where all of them do, after the last.

    They are forked off a process that has loaded what a memory needs: to load it costs more than
    most of these programs do.
    """
    told = json.dumps([[str(one) for one in arguments] for arguments in each])
    path = os.pathsep.join(filter(None, (_ROOT, os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(
        [sys.executable, "-c", _FORKING, code, told],
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )


def at_once(code: str, *each: Sequence[object]) -> None:
    """The same, to the end: all end well, and say nothing."""
    running = started(code, *each)
    _, errors = running.communicate(timeout=_PATIENCE)
    assert (running.returncode, errors) == (0, b""), errors.decode()

"""Programs in processes of their own, forked off one that has loaded what a memory needs: to load
it costs more than most of these programs do."""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from select import select

_ROOT = str(Path(__file__).parents[1])
_PATIENCE = 120
_LOADED = """
import json, os, sys, tempfile
from engraphy import Memory

with tempfile.TemporaryDirectory() as folder, Memory(folder + "/m.db", embedder="none") as memory:
    memory.remember("I like green tea")
    memory.recall("tea")
"""
_EACH = """
import json, os, sys
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
_ALL = _LOADED + _EACH
_ONE_BY_ONE = f"""{_LOADED}
for line in iter(sys.stdin.readline, ""):
    told = json.loads(line)
    child = os.fork()
    if not child:
        for number, place in enumerate((os.devnull, told["out"], told["err"])):
            os.dup2(os.open(place, os.O_RDWR), number)
        os.environ.clear()
        os.environ.update(told["env"])
        os.chdir(told["cwd"])
        sys.argv = ["-c", *told["arguments"]]
        exec(told["code"], {{"__name__": "__main__"}})
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def _program(*words: str, **pipes: int) -> "subprocess.Popen[bytes]":
    path = os.pathsep.join(filter(None, (_ROOT, os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.Popen([sys.executable, "-c", *words], env=environment, **pipes)


def started(code: str, *each: Sequence[object]) -> "subprocess.Popen[bytes]":
    """Begin to run `code` once for each of these arguments (its `sys.argv[1:]`), all at the same
    time; what is given back ends, with 0 where all of them do, after the last."""
    return _program(_ALL, code, _told(each), stderr=subprocess.PIPE)


def _told(each: Sequence[Sequence[object]]) -> str:
    return json.dumps([[str(one) for one in arguments] for arguments in each])


def at_once(code: str, *each: Sequence[object]) -> None:
    """The same, to the end: all end well, and say nothing."""
    done = forked(_EACH, code, _told(each))
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def forked(code: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    """Run `code` with these arguments to its end, in this folder and environment."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = (Path(folder) / name for name in ("out", "err"))
        out.touch()
        err.touch()
        told = {
            "code": code,
            "arguments": [str(one) for one in arguments],
            "out": str(out),
            "err": str(err),
            "env": dict(os.environ),
            "cwd": str(Path.cwd()),
        }
        server = _server()
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(told).encode() + b"\n")
        server.stdin.flush()
        if not select([server.stdout], [], [], _PATIENCE)[0]:
            server.kill()
            _server.cache_clear()
            raise TimeoutError(f"it does not end in {_PATIENCE} s")
        ended = int(server.stdout.readline())
        return subprocess.CompletedProcess(code, ended, out.read_text(), err.read_text())


@cache
def _server() -> "subprocess.Popen[bytes]":
    """What forks for the tests of this process, until that ends."""
    server = _program(_ONE_BY_ONE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    atexit.register(server.communicate)
    return server

"""Measure how long the dashboard's pages take: `python tools/measure_pages.py [--memories N]`.

A real `engraphy serve` over so many memories of many users, by default 100,000 (`--db FILE`: over
that store, which is copied). Told are, for each page, milliseconds until the whole of it has come,
the very first time and after that (p50, p95), and of the server's CPU.
"""

import argparse
import http.client
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engraphy import Memory
from engraphy.benchmarks.perf_data import memories, write_parts
from measure_proxy import ENGRAPHY, cpu, percentile, quiet

PAGES = ("/", "/memories", "/search?q=harbour", "/timeline", "/graph", "/sessions", "/journal")
_WARMING = 3.0
"""Seconds that a server is left alone first: it reads what the first page wants."""
_BAR = 300
"""Milliseconds that the first page may take."""


@contextmanager
def served(store: Path) -> Iterator[tuple[int, int]]:
    """A server's port and process id, once it has done what it does when it begins."""
    words = [ENGRAPHY, "serve", "--port", "0", "--db", str(store), "--no-dreams"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        assert process.stderr is not None
        address = process.stderr.readline().split()[-1]
        threading.Thread(target=process.stderr.read, daemon=True).start()
        time.sleep(_WARMING)
        quiet(process.pid)
        yield int(address.rpartition(":")[2]), process.pid
    finally:
        process.terminate()
        process.wait(30)


def asked(port: int, path: str, token: str) -> float:
    """Milliseconds until a page has come. Raises RuntimeError where it is none."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    begun = time.perf_counter()
    line.request("GET", path, headers={"x-engraphy-token": token})
    answer = line.getresponse()
    answer.read()
    took = (time.perf_counter() - begun) * 1e3
    line.close()
    if answer.status != 200:
        raise RuntimeError(f"{path}: {answer.status}")
    return took


def measured(path: str, server: tuple[int, int], token: str, count: int) -> str:
    """One line of figures. `server`: its port and process id."""
    port, process = server
    wall, spent = [], []
    for _ in range(count):
        before = quiet(process)
        wall.append(asked(port, path, token))
        spent.append((cpu(process) - before) * 1e3)
    figures = [
        f"{one:8.0f}"
        for values in (wall, spent)
        for one in (values[0], percentile(values[1:], 0.5), percentile(values[1:], 0.95))
    ]
    return f"{path:20}" + "".join(figures)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--requests", type=int, default=21)
    parser.add_argument("--db", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "m.db"
        if given.db is not None:
            shutil.copy(given.db, store)
        with Memory(store) as memory:
            if given.db is None:
                for part in write_parts(Path(folder), memories(given.memories, "tail"))[0]:
                    memory.import_(part)
            token = memory.grant("measure", role="admin").token
        over = given.db or f"{given.memories} memories"
        print(f"{over}: wall first, p50, p95; CPU first, p50, p95 (ms); bar {_BAR}")
        with served(store) as server:
            for path in PAGES:
                print(measured(path, server, token, given.requests), flush=True)


if __name__ == "__main__":
    main()

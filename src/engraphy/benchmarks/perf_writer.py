"""A process that keeps adding memories to one store until a file appears, and tells on standard
output what each add took: `python -m engraphy.benchmarks.perf_writer STORE USER SEED EMBEDDER`."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engraphy.benchmarks.perf_data import Zipf
from engraphy.benchmarks.perf_meter import Times
from engraphy.errors import EngraphyError
from engraphy.memory import Memory

_LEAST = 20


def stop_file(store: Path) -> Path:
    """The file whose appearance ends the writers of a store."""
    return store.with_suffix(".stop")


@contextmanager
def writers(store: Path, count: int, embedder: str) -> Iterator[Times]:
    """So many processes write meanwhile; their times are there once the block has ended.

    Raises EngraphyError where one of them failed.
    """
    times, stop = Times(), stop_file(store)
    command = [sys.executable, "-m", "engraphy.benchmarks.perf_writer", str(store)]
    running = [
        subprocess.Popen(
            [*command, f"u{number}", str(1_000 + number), embedder],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(count)
    ]
    try:
        yield times
    finally:
        stop.touch()
        told = [(process.communicate(), process.returncode) for process in running]
        stop.unlink()
    for (out, error), code in told:
        if code:
            raise EngraphyError(
                f"a writing process failed: {error.decode(errors='replace')[-500:]}"
            )
        found = json.loads(out)
        times.cpu.extend(found["cpu"])
        times.wall.extend(found["wall"])


def main(store: str, user: str, seed: str, embedder: str) -> None:
    """Add memories of one user until the stop file is there, 20 at least."""
    source, times, stop = Zipf(int(seed)), Times(), stop_file(Path(store))
    with Memory(store, embedder=embedder) as memory:
        memory.remember(source.statement(), user=user)
        while len(times.cpu) < _LEAST or not stop.exists():
            text = source.statement()
            times.call(memory.remember, text, user=user)
    sys.stdout.write(json.dumps({"cpu": times.cpu, "wall": times.wall}))


if __name__ == "__main__":
    main(*sys.argv[1:])

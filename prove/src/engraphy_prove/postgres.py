"""P-26: an acknowledged write survives kill -9 of the database server, and the store goes on.

One store, opened once, is written to by several threads while every process of its server is
killed; the server is started again, and the same store has to find it.
"""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from threading import Event, Thread

from engraphy.errors import EngraphyError
from engraphy.model.memory import Memory
from engraphy.model.records import JournalEntry
from engraphy.ports import Store
from engraphy.testing.instance import Server, running
from engraphy_prove.kill import EDITS, FULL_JOURNAL, wrong
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.workload import TENANT, disagreements, edited, fresh, held, put, whole

WRITERS = 4
DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
SHORTEST, LONGEST = 0.05, 1.5
"""Seconds of writing until the kill."""
PATIENCE = 60.0
"""Seconds within which the store has to write again."""


@dataclass(slots=True)
class _Load:
    """What the writers of one round were told."""

    acknowledged: dict[str, int] = field(default_factory=dict)
    first: Event = field(default_factory=Event)
    ending: Event = field(default_factory=Event)
    problems: list[str] = field(default_factory=list)
    refused: int = 0


def postgres(trial: Trial) -> Findings:
    """Kill the server under load, `rounds` times, and look at what it left."""
    chance, findings = random.Random(trial.seed), Findings()
    acknowledged, gaps = dict[str, int](), list[float]()
    last: JournalEntry | None = None
    refused = 0
    with running(**DURABLE) as server:
        store = trial.build.open(server.fresh())
        for number in range(trial.rounds):
            load = _killed(store, server, number, chance)
            gaps.append(_back(store, number, findings))
            acknowledged |= load.acknowledged
            refused += load.refused
            entries = store.journal(TENANT, after=last.seq if last else 0, limit=FULL_JOURNAL)
            for what in (*load.problems, *wrong(store, last, entries, load.acknowledged)):
                findings.breach(f"round {number}: {what}")
            last = entries[-1] if entries else last
            findings.tried += 1
            if findings.breaches and trial.until_caught:
                break
        _at_end(store, acknowledged, findings)
        store.close()
    findings.figure = (
        f"{findings.tried} kills of the server, {len(acknowledged)} acknowledged writes, {refused} "
        f"refused with a typed error, written again after {max(gaps):.1f} s at most"
    )
    return findings


def _killed(store: Store, server: Server, number: int, chance: random.Random) -> _Load:
    load = _Load()
    seeds = [chance.getrandbits(64) for _ in range(WRITERS)]
    writers = [
        Thread(target=_write, args=(store, load, f"r{number:06d}-{place}", seed))
        for place, seed in enumerate(seeds)
    ]
    for one in writers:
        one.start()
    load.first.wait(PATIENCE)
    time.sleep(chance.uniform(SHORTEST, LONGEST))
    server.kill()
    load.ending.set()
    server.start()
    for one in writers:
        one.join()
    return load


def _write(store: Store, load: _Load, prefix: str, seed: int) -> None:
    """Write until the server has gone: what fails has to fail with an error of ours."""
    try:
        for row in _rows(store, prefix, random.Random(seed)):
            load.acknowledged[row.id] = row.version
            load.first.set()
            if load.ending.is_set():
                return
    except EngraphyError:
        load.refused += 1
    except Exception as error:  # noqa: BLE001 - which is what is looked for
        load.problems.append(f"a writer was told {type(error).__name__}: {error}")


def _rows(store: Store, prefix: str, chance: random.Random) -> Iterator[Memory]:
    rows = dict[str, Memory]()
    for serial in count():
        former = chance.choice(list(rows)) if rows else None
        if former is not None and chance.random() < EDITS:
            change = edited(chance, rows, rows[former], 0)
            put(store, [change])
            yield change.memory
            continue
        row = fresh(chance, f"{prefix}-{serial:05d}")
        put(store, whole(chance, row, former))
        rows[row.id] = row
        yield row


def _back(store: Store, number: int, findings: Findings) -> float:
    """Seconds until the store, opened before the kill, writes again."""
    chance, started = random.Random(number), time.perf_counter()
    while True:
        try:
            put(store, whole(chance, fresh(chance, f"r{number:06d}-9-00000"), None))
        except EngraphyError as error:
            if time.perf_counter() - started > PATIENCE:
                findings.breach(f"round {number}: it does not go on: {error}")
                return PATIENCE
            time.sleep(0.1)
        else:
            return time.perf_counter() - started


def _at_end(store: Store, acknowledged: dict[str, int], findings: Findings) -> None:
    found = held(store)
    for name, version in acknowledged.items():
        if name not in found or found[name][1] < version:
            findings.breach(f"acknowledged {name} is lost at the end")
    for what in disagreements(store):
        findings.breach(what)

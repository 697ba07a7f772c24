"""P-01: an acknowledged write survives kill -9.

This process has everything loaded and forks a writer per round; the writer opens the store anew,
writes and acknowledges on a pipe until it is killed.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, pairwise
from pathlib import Path

import engraphy
from engraphy.model.memory import Memory
from engraphy.model.query import FactFilter
from engraphy.model.records import JournalEntry
from engraphy.ports import Store
from engraphy.testing import ToyEmbedder
from engraphy_prove.builds import SOUND, opening
from engraphy_prove.proof import Build, Findings, Trial
from engraphy_prove.workload import (
    DIM,
    EVERYTHING,
    MODEL,
    TENANT,
    disagreements,
    edited,
    fresh,
    half,
    held,
    put,
    whole,
)

ROUNDS_PER_FILE = 100
LONGEST = 0.1
"""Seconds until the kill, at most, after the first acknowledgement."""
EDITS = 0.25
REMEMBERS = 4
"""Every so many rounds the writer goes through the public `Memory`."""
FULL_JOURNAL = 1_000_000


@dataclass(slots=True)
class _File:
    """A store under test: where it is, what was acknowledged, how far its journal was read."""

    path: Path
    acknowledged: dict[str, int] = field(default_factory=dict)
    last: JournalEntry | None = None


def kill(trial: Trial) -> Findings:
    """Kill a writer at a random moment, `rounds` times, and look at what it left."""
    chance = random.Random(trial.seed)
    findings, acknowledged, started = Findings(), 0, time.perf_counter()
    file = _File(trial.folder / "0.db")
    for number in range(trial.rounds):
        if number and number % ROUNDS_PER_FILE == 0:
            _close_file(file, findings)
            file = _File(trial.folder / f"{number}.db")
            trial.tell(f"  {number} rounds, {acknowledged} acknowledged writes")
        acked = _round(trial, file, number, chance, findings)
        acknowledged += len(acked)
        file.acknowledged.update(acked)
        _examine(file, dict(acked), number, findings)
    _close_file(file, findings)
    findings.tried = trial.rounds
    findings.figure = (
        f"{trial.rounds} kills, {acknowledged} acknowledged writes, "
        f"{time.perf_counter() - started:.0f} s"
    )
    return findings


def _round(
    trial: Trial, file: _File, number: int, chance: random.Random, findings: Findings
) -> list[tuple[str, int]]:
    seed = chance.getrandbits(64)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _write_until_killed(trial.build, file.path, number, seed, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as told:
        heard = b"" if chance.random() < 0.2 else told.readline()
        time.sleep(chance.uniform(0.0, LONGEST))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        lines = (heard + told.read()).decode().splitlines()
    if os.WIFEXITED(status):
        findings.breach(f"the writer of round {number} failed before it was killed")
    return [(line.split()[0], int(line.split()[1])) for line in lines]


def _write_until_killed(build: Build, path: Path, number: int, seed: int, told: int) -> None:
    try:
        remembers = number % REMEMBERS == REMEMBERS - 1
        rows = _remembered(build, path, seed) if remembers else _written(build, path, seed, number)
        for row in rows:
            os.write(told, f"{row.id} {row.version}\n".encode())
    except BaseException as error:  # noqa: BLE001 - a child must end here, not in our caller
        print(f"writer of round {number}: {error!r}", file=sys.stderr)
        os._exit(1)


def _written(build: Build, path: Path, seed: int, number: int) -> Iterator[Memory]:
    """Rows written through the store, with everything beside them, and edited now and then."""
    chance, rows = random.Random(seed), dict[str, Memory]()
    store = build.open(str(path))
    for serial in count():
        former = chance.choice(list(rows)) if rows else None
        if former is not None and chance.random() < EDITS:
            change = edited(chance, rows, rows[former], 0)
            put(store, [change])
            yield change.memory
            continue
        row = fresh(chance, f"r{number:06d}-{serial:05d}")
        put(store, whole(chance, row, former))
        rows[row.id] = row
        yield row


def _remembered(build: Build, path: Path, seed: int) -> Iterator[Memory]:
    """Rows written through the public `Memory`."""
    chance = random.Random(seed)
    embedder = ToyEmbedder(dim=DIM, model_id=MODEL)
    with opening(build):
        memory = engraphy.Memory(path, tenant=TENANT, embedder=embedder)
    while True:
        outcome = memory.remember(fresh(chance, "").content)
        assert outcome.memory is not None
        yield outcome.memory


def _examine(file: _File, acked: dict[str, int], number: int, findings: Findings) -> None:
    store = SOUND.open(str(file.path))
    try:
        after = file.last.seq if file.last else 0
        entries = store.journal(TENANT, after=after, limit=FULL_JOURNAL)
        for what in wrong(store, file.last, entries, acked):
            findings.breach(f"round {number}: {what}")
        file.last = entries[-1] if entries else file.last
    finally:
        store.close()


def wrong(
    store: Store, last: JournalEntry | None, entries: list[JournalEntry], acked: dict[str, int]
) -> list[str]:
    """What is lost of what was acknowledged, what is there by half, and where the journal does not
    tell it; `last` and `entries`: what was read of the journal before, and what came since."""
    wrong = []
    chain = [last, *entries] if last else entries
    wrong += [f"journal entry {b.seq} does not follow {a.seq}" for a, b in pairwise(chain)
              if b.previous_hash != a.hash]  # fmt: skip
    inserted = [entry.target_id for entry in entries if entry.op == "insert"]
    rows = {row.id: row for row in store.get(EVERYTHING, inserted)}
    wrong += [f"{name} is in the journal only" for name in inserted if name not in rows]
    for name, version in acked.items():
        if name not in rows:
            wrong.append(f"acknowledged {name} is lost")
        elif rows[name].version < version:
            wrong.append(f"acknowledged version {version} of {name} is lost")
    for row in rows.values():
        wrong += [f"{row.id}: {what}" for what in half(store, row)]
        edits = sum(e.op == "update" and e.target_id == row.id for e in entries)
        if edits != row.version - 1 or len(store.versions(EVERYTHING, row.id)) != edits:
            wrong.append(f"{row.id}: version {row.version} after {edits} journaled edits")
    whole_rows = [name for name in rows if name.startswith("r")]
    for name in whole_rows:
        if len(store.facts(EVERYTHING, FactFilter(source_id=name))) != 1:
            wrong.append(f"{name}: its fact is missing")
    linked = {r.source_id for r in store.relations(EVERYTHING, whole_rows)}
    linked |= {name for name in whole_rows if name.endswith("-00000")}
    return wrong + [f"{name}: its relation is missing" for name in {*whole_rows} - linked]


def _close_file(file: _File, findings: Findings) -> None:
    store = SOUND.open(str(file.path))
    try:
        found = held(store)
        for name, version in file.acknowledged.items():
            if name not in found or found[name][1] < version:
                findings.breach(f"{file.path.name}: acknowledged {name} is lost at the end")
        for what in disagreements(store):
            findings.breach(f"{file.path.name}: {what}")
    finally:
        store.close()
    for left in file.path.parent.glob(f"{file.path.name}*"):
        left.unlink()

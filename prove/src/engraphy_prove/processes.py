"""P-04: many processes write one file: nothing is refused, nothing is lost, readers never wait."""

import json
import os
import random
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engraphy.errors import EngraphyError
from engraphy.model.query import Listing, Term
from engraphy.ports import Store
from engraphy_prove.builds import SOUND
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.workload import (
    EVERYTHING,
    disagreements,
    fresh,
    held,
    put,
    whole,
)

WRITERS = 8
WORST_WAIT = 1.0
"""Seconds (P-04)."""


@dataclass(frozen=True, slots=True)
class _Child:
    pid: int
    told: int


def processes(trial: Trial) -> Findings:
    """Eight writers of `rounds` writes each and one reader, all at once on one file."""
    path, started = trial.folder / "memories.db", time.perf_counter()
    gate, opened = os.pipe()
    children = [_start(trial, path, number, gate, opened) for number in range(WRITERS + 1)]
    os.close(gate)
    os.close(opened)
    *writers, reader = [_heard(child) for child in children]
    findings = Findings(tried=WRITERS * trial.rounds)
    _judge(findings, writers, reader, trial.rounds)
    _compare(findings, path, writers)
    waits = sorted(wait for report in writers for wait in report["waits"])
    findings.figure = (
        f"{WRITERS} processes x {trial.rounds} writes, {len(waits)} acknowledged, "
        f"{len(waits) / (time.perf_counter() - started):.0f} per second, waits: median "
        f"{_at(waits, 0.5) * 1000:.1f} ms, p99 {_at(waits, 0.99) * 1000:.0f} ms, "
        f"worst {_at(waits, 1.0) * 1000:.0f} ms; {len(reader['waits'])} reads meanwhile, "
        f"worst {_at(sorted(reader['waits']), 1.0) * 1000:.0f} ms"
    )
    return findings


def _start(trial: Trial, path: Path, number: int, gate: int, opened: int) -> _Child:
    told, telling = os.pipe()
    pid = os.fork()
    if pid:
        os.close(telling)
        return _Child(pid, told)
    os.close(opened)
    work = _read if number == WRITERS else _write
    try:
        store = trial.build.open(str(path))
        os.read(gate, 1)
        report = work(store, trial.seed, number, trial.rounds)
        store.close()
        with os.fdopen(telling, "w") as out:
            json.dump(report, out)
        os._exit(0)
    except BaseException:  # noqa: BLE001 - a child must end here, not in our caller
        traceback.print_exc()
        os._exit(1)


def _heard(child: _Child) -> dict[str, Any]:
    with os.fdopen(child.told) as told:
        text = told.read()
    os.waitpid(child.pid, 0)
    nothing: dict[str, Any] = {"waits": [], "ids": [], "errors": ["the process died"]}
    return json.loads(text) if text else nothing


def _write(store: Store, seed: int, number: int, rounds: int) -> dict[str, Any]:
    chance = random.Random(seed * 1000 + number)
    waits, ids, errors = [], list[str](), list[str]()
    for serial in range(rounds):
        row = fresh(chance, f"p{number}-{serial:05d}")
        started = time.perf_counter()
        try:
            put(store, whole(chance, row, ids[-1] if ids else None))
        except EngraphyError as error:
            errors.append(f"{type(error).__name__}: {error}")
        else:
            waits.append(time.perf_counter() - started)
            ids.append(row.id)
    return {"waits": waits, "ids": ids, "errors": errors}


def _read(store: Store, seed: int, number: int, rounds: int) -> dict[str, Any]:
    chance = random.Random(seed * 1000 + number)
    waits, errors = list[float](), list[str]()
    while sum(waits) < rounds / 1000 or len(waits) < rounds // 4:
        started = time.perf_counter()
        try:
            store.page(EVERYTHING, Listing(limit=10))
            store.search_text(
                EVERYTHING, [Term(term=fresh(chance, "x").content[:14], surface="")], 5
            )
        except EngraphyError as error:
            errors.append(f"{type(error).__name__}: {error}")
        waits.append(time.perf_counter() - started)
        time.sleep(0.01)
    return {"waits": waits, "ids": [], "errors": errors}


def _judge(
    findings: Findings, writers: list[dict[str, Any]], reader: dict[str, Any], rounds: int
) -> None:
    for number, report in enumerate(writers):
        for error in report["errors"]:
            findings.breach(f"writer {number}: {error}")
        if len(report["ids"]) + len(report["errors"]) < rounds:
            findings.breach(f"writer {number} stopped early")
        if report["waits"] and max(report["waits"]) > WORST_WAIT:
            findings.breach(f"writer {number} waited {max(report['waits']):.2f} s")
    for error in reader["errors"]:
        findings.breach(f"reader: {error}")
    if reader["waits"] and max(reader["waits"]) > WORST_WAIT:
        findings.breach(f"the reader waited {max(reader['waits']):.2f} s")


def _compare(findings: Findings, path: Path, writers: list[dict[str, Any]]) -> None:
    store = SOUND.open(str(path))
    try:
        found = held(store)
        acknowledged = {name for report in writers for name in report["ids"]}
        for name in sorted(acknowledged - set(found)):
            findings.breach(f"acknowledged {name} is lost")
        for what in disagreements(store):
            findings.breach(what)
    finally:
        store.close()


def _at(waits: list[float], share: float) -> float:
    return waits[min(len(waits) - 1, int(share * len(waits)))] if waits else 0.0

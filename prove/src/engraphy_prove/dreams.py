"""D-42: a cycle of maintenance that is killed anywhere goes on, and ends where it would have ended.

The same store is dreamt over once without a break; then copies of it by a forked process that is
killed at a random moment, once or twice, before it is let finish. What they hold must be equal, and
a second cycle at the same moment must change nothing.
"""

import os
import random
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import engraphy
from engraphy.model import DreamReport
from engraphy.model.change import CoActivate, Insert, PutRelation, VectorRow
from engraphy.model.kinds import Kind, RelationType, State, WriteSource
from engraphy.model.memory import MICROSECONDS_PER_DAY, Memory
from engraphy.model.records import Relation
from engraphy.ports import Store
from engraphy.testing import ToyEmbedder
from engraphy_prove.builds import SOUND, opening
from engraphy_prove.proof import Build, Findings, Trial
from engraphy_prove.workload import DIM, EVERYTHING, MODEL, SCOPE, T0, TENANT, put

ROWS = 240
NOW = T0 + 200 * MICROSECONDS_PER_DAY
KNOBS = {"dream": {"batch": 20, "forget": {"limit": 120, "target": 100}}}
TWICE = 0.3
"""How often the second attempt is killed as well."""
_SUBJECTS = ("the harbour crane", "the night bakery", "the river ferry", "the old observatory")
_SAYS = (
    "{} needs {} litres of oil a week",
    "{} was repaired on day {} by the city",
    "Nobody may enter {} after {} o'clock",
    "{} has {} lamps and one spare",
)


def dreams(trial: Trial) -> Findings:
    """Kill a cycle at a random moment, `rounds` times, and compare where it ends."""
    chance, findings = random.Random(trial.seed), Findings()
    source = trial.folder / "source.db"
    _prepare(source, random.Random(7))
    straight = trial.folder / "straight.db"
    shutil.copy(source, straight)
    started = time.perf_counter()
    whole = _dreamt(SOUND, straight)
    longest = time.perf_counter() - started
    wanted = _state(straight)
    if not whole.changed:
        findings.breach("the cycle changes nothing: there is nothing to prove")
    kills = 0
    for number in range(trial.rounds):
        file = trial.folder / f"{number}.db"
        shutil.copy(source, file)
        kills += _killed(trial.build, file, chance, longest, findings)
        for what in _finish(trial.build, file, whole, wanted):
            findings.breach(f"round {number}: {what}")
        for left in file.parent.glob(f"{file.name}*"):
            left.unlink()
        if number and number % 50 == 0:
            trial.tell(f"  {number} rounds, {kills} kills inside a cycle")
    findings.tried = trial.rounds
    findings.figure = (
        f"{trial.rounds} cycles of {whole.changed} changes over {ROWS} memories, {kills} kills "
        f"before their end, {time.perf_counter() - started:.0f} s"
    )
    return findings


def _killed(
    build: Build, file: Path, chance: random.Random, longest: float, findings: Findings
) -> int:
    """How many kills came before the end of the cycle."""
    kills = 0
    for attempt in range(2):
        if attempt and chance.random() > TWICE:
            break
        child = os.fork()
        if child == 0:
            _child(build, file)
        time.sleep(chance.uniform(0.0, longest))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            kills += 1
        elif os.WEXITSTATUS(status):
            findings.breach(f"{file.name}: the cycle failed before it was killed")
    return kills


def _child(build: Build, file: Path) -> None:
    try:
        _dreamt(build, file)
    except BaseException as error:  # noqa: BLE001 - a child must end here, not in our caller
        print(f"{file.name}: {error!r}", file=sys.stderr)
        os._exit(1)
    os._exit(0)


def _finish(build: Build, file: Path, whole: DreamReport, wanted: Counter[Any]) -> Iterator[str]:
    """What is wrong once the cycle was let finish, and once another was begun at once."""
    _dreamt(build, file)
    found = _state(file)
    yield from (f"missing {row}" for row in [*(wanted - found)][:2])
    yield from (f"too much {row}" for row in [*(found - wanted)][:2])
    again = _dreamt(build, file)
    if again.changed:
        why = [step.why for step in again.steps if step.changed]
        yield f"a second cycle at once changes {again.changed}: {why}"
    if _state(file) != found:
        yield "a second cycle at once moves rows"
    store = SOUND.open(str(file))
    try:
        yield from (f"{one.name}: {one.detail}" for one in store.check(deep=True) if not one.ok)
        counted = _counted(store)
    finally:
        store.close()
    told = Counter({step.name: step.changed for step in whole.steps if step.changed})
    if counted != told:
        yield f"the report tells {counted}, not {told}"


def _counted(store: Store) -> Counter[str]:
    """What the cycle that did something says it changed, step by step."""
    runs = store.dream_runs(TENANT, 9)
    steps = max((run.steps for run in runs), key=lambda told: sum(step.changed for step in told))
    return Counter({step.name: step.changed for step in steps if step.changed})


def _dreamt(build: Build, file: Path) -> DreamReport:
    embedder = ToyEmbedder(dim=DIM, model_id=MODEL)
    with opening(build):
        memory = engraphy.Memory(
            file,
            tenant=TENANT,
            profile="cognitive",
            overrides=KNOBS,
            embedder=embedder,
            clock=lambda: NOW,
        )
    with memory:
        return memory.dream()


def _state(file: Path) -> Counter[Any]:
    """Every row with its relations; what a cycle wrote goes by its text, as its id is by chance."""
    store = SOUND.open(str(file))
    try:
        rows = list(store.dump(EVERYTHING))
        named = {row.id: _name(row) for row in rows}
        links = store.relations(EVERYTHING, list(named))
    finally:
        store.close()
    found: Counter[Any] = Counter(_shown(row, named) for row in rows)
    for one in links:
        found[named[one.source_id], named[one.target_id], one.type.value] += 1
    return found


def _name(row: Memory) -> str:
    return f"dreamt: {row.content}" if row.write_source is WriteSource.DREAM else row.id


def _shown(row: Memory, named: dict[str, str]) -> str:
    by = None if row.superseded_by is None else named.get(row.superseded_by, row.superseded_by)
    sources = tuple(sorted(named.get(one, one) for one in row.source_ids))
    shown = replace(row, id=named[row.id], superseded_by=by, source_ids=sources)
    return repr(shown)


def _prepare(file: Path, chance: random.Random) -> None:
    """A store with something to do for every step: old and new, alike and contradicting, weak and
    loud, protected and delivered together."""
    store = SOUND.open(str(file))
    try:
        rows = [_row(chance, number) for number in range(ROWS)]
        for row in rows:
            put(store, [Insert(memory=row, vector=_vector(row), reason="prove")])
        for change in _beside(rows):
            put(store, [change])
        store.tidy(lambda: True)
    finally:
        store.close()


def _beside(rows: list[Memory]) -> Iterator[CoActivate | PutRelation]:
    for first, second in zip(rows[::9], rows[1::9], strict=False):
        for _ in range(4):
            yield CoActivate(ids=tuple(sorted((first.id, second.id))))
        yield PutRelation(
            relation=Relation(
                source_id=second.id,
                target_id=first.id,
                type=RelationType.CONTRADICTS,
                created_at=T0,
            )
        )


def _vector(row: Memory) -> VectorRow:
    embedder = ToyEmbedder(dim=DIM, model_id=MODEL)
    [made] = embedder.embed_documents([row.content])
    return VectorRow(model_id=MODEL, parts=(tuple(made),))


def _row(chance: random.Random, number: int) -> Memory:
    subject = chance.choice(_SUBJECTS)
    at = T0 + chance.randrange(180) * MICROSECONDS_PER_DAY
    used = chance.choice((0, 0, 1, 4, 12))
    said = chance.choice(_SAYS).format(subject, chance.randrange(9))
    return Memory(
        id=f"m{number:04d}",
        scope=SCOPE if number % 3 else replace(SCOPE, user="u"),
        content=f"{said}, as note {number} says",
        kind=chance.choice((Kind.FACT, Kind.DECISION, Kind.PREFERENCE, Kind.PLAN, Kind.EPISODE)),
        entities=(f"entity://thing/{subject.replace(' ', '-')}",) if number % 2 else (),
        importance=round(chance.random(), 3),
        utility=round(chance.random(), 3),
        stability=round(0.5 + 40 * chance.random(), 3),
        access_count=used,
        last_accessed_at=at + MICROSECONDS_PER_DAY if used else None,
        flashbulb=number % 29 == 0,
        pinned=number % 31 == 0,
        immutable=number % 37 == 0,
        state=State.DORMANT if number % 41 == 0 else State.ACTIVE,
        expires_at=T0 + 90 * MICROSECONDS_PER_DAY if number % 23 == 0 else None,
        valid_from=at,
        recorded_at=at,
        updated_at=at,
    )

"""P-26, C-01: three servers on one database, one killed again and again, lose and double none."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from threading import Event, Lock, Thread
from typing import Any

import engraphy
from engraphy.model.dreaming import DreamRun
from engraphy.model.scope import Scope, Tenant
from engraphy.ports import Store
from engraphy.testing.instance import Server, running
from engraphy_prove.databases import ON_SERVER, UNHEEDING, UNLEASED
from engraphy_prove.postgres import DURABLE
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.served import Serving, asked
from engraphy_prove.workload import EVERYTHING, word

SERVERS, CLIENTS = 3, 4
FEWEST = 2
"""Servers of a self-check: enough to get in each other's way."""
EVERY = 5.0
"""Seconds between two kills."""
LEASE = 5.0
"""Seconds after which a job of a server that has gone is anybody's."""
STALLED = 90.0
"""Seconds without a job that ends, after which those that wait count as lost."""
_TENANT = Tenant("default")
_EVERYTHING = replace(EVERYTHING, scope=Scope(tenant=_TENANT))
_PROGRAMS = {
    ON_SERVER.name: "engraphy.cli",
    UNHEEDING.name: "engraphy_prove.careless",
    UNLEASED.name: "engraphy_prove.greedy",
}
_LINES = 1_000_000
_PROFILE = f"""
inherits = "default"
[write]
background_lease_seconds = {LEASE}
background_attempts = 20
"""
# A job whose process was killed three times is set aside: here that is chance, and not the job.


@dataclass(slots=True)
class _Load:
    """What the clients were told."""

    memories: dict[str, str] = field(default_factory=dict)
    jobs: dict[str, str] = field(default_factory=dict)
    dreams: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    lasted: float = 0.0
    ending: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)


def servers(trial: Trial) -> Findings:
    """Load on three servers in turn; every five seconds one is killed and started again, `rounds`
    times. Then every acknowledged write has to be there, and every job to be done once."""
    findings, load = Findings(), _Load()
    (trial.folder / "quick.toml").write_text(_PROFILE, "utf-8")
    with running(**DURABLE) as database, _store(database) as (store, url, token):
        program = _PROGRAMS[trial.build.name]
        count = FEWEST if trial.until_caught else SERVERS
        cluster = [Serving(trial.folder, f"s{n}", url, program) for n in range(count)]
        with ThreadPoolExecutor(SERVERS) as starting:
            try:
                wait([starting.submit(one.start) for one in cluster])
                _loaded(trial, cluster, load, (store, token), starting)
                if not _is_caught(trial, store, load):
                    _drained(store, findings)
            finally:
                for one in cluster:
                    one.end()
        if failed := [one.failed for one in cluster if one.failed]:
            raise RuntimeError("; ".join(failed))
        findings.breaches.extend(_doubled(store, load))
        if not (findings.breaches and trial.until_caught):
            findings.breaches.extend(_lost(store, load))
    findings.tried = trial.rounds
    findings.figure = _figure(trial, cluster, load)
    return findings


def _figure(trial: Trial, cluster: list[Serving], load: _Load) -> str:
    waits = sorted(load.seconds)
    p95 = waits[int(0.95 * len(waits))] if waits else 0.0
    slowest = max((most for one in cluster for most in one.took), default=0.0)
    return (
        f"{trial.rounds} kills of one of {SERVERS} servers in {load.lasted:.0f} s, "
        f"{len(load.memories)} memories and {len(load.jobs)} jobs acknowledged, "
        f"{load.dreams.total()} dreams, {sum(load.refused.values())} requests failed, "
        f"p95 of the others {p95 * 1000:.0f} ms, a start took {slowest:.1f} s at most"
    )


@contextmanager
def _store(database: Server) -> Iterator[tuple[Store, str, str]]:
    url = database.fresh_url()
    with closing(engraphy.Memory(url, embedder="none")) as memory:
        token = memory.grant("load", role="admin", clearance="secret").token
    with closing(ON_SERVER.open(url)) as store:
        yield store, url, token


def _loaded(
    trial: Trial,
    cluster: list[Serving],
    load: _Load,
    asking: tuple[Store, str],
    starting: ThreadPoolExecutor,
) -> None:
    """The clients, and the kills at their moments: a server that was killed is started at once, the
    last one when its jobs are anybody's, so that it takes them up."""
    store, token = asking
    chance = random.Random(trial.seed)
    threads = [
        Thread(target=_client, args=(cluster, load, token, chance.getrandbits(64), place))
        for place in range(CLIENTS)
    ]
    threads.append(Thread(target=_dreamer, args=(cluster, load, token)))
    begun = time.monotonic()
    for one in threads:
        one.start()
    try:
        back = [
            starting.submit(_again, gone, LEASE if number == trial.rounds else 0.0)
            for number in range(1, trial.rounds + 1)
            if (gone := _killed(trial, cluster, number, (begun + number * EVERY, store, load)))
        ]
        if not _is_caught(trial, store, load):
            wait(back)
    finally:
        load.lasted = time.monotonic() - begun
        load.ending.set()
        for one in threads:
            one.join()


def _again(gone: Serving, pause: float) -> None:
    time.sleep(pause)
    gone.start()


def _killed(
    trial: Trial, cluster: list[Serving], number: int, told: tuple[float, Store, _Load]
) -> Serving | None:
    """The server whose turn it is, killed at its moment, or when another one listens too; None
    where one does not start any more, or a breach was seen by then and one is enough."""
    moment, store, load = told
    while True:
        if any(one.failed for one in cluster) or _is_caught(trial, store, load):
            return None
        first = number % len(cluster)
        up = [one for one in cluster[first:] + cluster[:first] if one.port]
        if time.monotonic() >= moment and len(up) > 1:
            up[0].kill()
            return up[0]
        time.sleep(0.5 if trial.until_caught else 0.05)


def _is_caught(trial: Trial, store: Store, load: _Load) -> bool:
    """Whether a breach is seen by now, where one is enough."""
    return trial.until_caught and any(_doubled(store, load))


def _client(cluster: list[Serving], load: _Load, token: str, seed: int, place: int) -> None:
    """One server that listens after the other, as a balancer would have it."""
    chance, turn = random.Random(seed), place
    while not load.ending.is_set():
        turn += 1
        ports = [one.port for one in cluster if one.port]
        if not ports:
            time.sleep(0.05)
            continue
        text, path, body = _request(chance, turn)
        begun = time.perf_counter()
        status, answer = asked(ports[turn % len(ports)], path, body, token)
        with load.lock:
            if not 200 <= status < 300:
                load.refused[str(status)] += 1
                continue
            load.seconds.append(time.perf_counter() - begun)
            if "job" in answer:
                load.jobs[answer["job"]] = text
            else:
                load.memories[answer["memory"]["id"]] = text


def _request(chance: random.Random, turn: int) -> tuple[str, str, dict[str, Any]]:
    """A text that is said once, where it goes, and as what: every third one to the background."""
    if turn % 3:
        text = f"{word(chance)} {word(chance)} prefers {word(chance)}"
        return text, "/v1/memories", {"content": text}
    text = f"I bought a {word(chance)} and a {word(chance)} in {word(chance).title()}."
    return text, "/v1/conversations/later", {"messages": [{"role": "user", "content": text}]}


def _dreamer(cluster: list[Serving], load: _Load, token: str) -> None:
    """All servers are told to dream at once, again and again."""

    def dream(port: int) -> None:
        status, answer = asked(port, "/v1/dream", {}, token)
        if status == 200 and answer.get("finished_at") is not None:
            with load.lock:
                load.dreams[answer["run"]] += 1

    while not load.ending.is_set():
        threads = [Thread(target=dream, args=(one.port,)) for one in cluster if one.port]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        load.ending.wait(1.0)


def _drained(store: Store, findings: Findings) -> None:
    """Wait for the servers to do what waits, as long as they get on with it."""
    least, since = _LINES, time.monotonic()
    while least:
        now = time.time_ns() // 1_000
        waiting = len(store.session_states(_TENANT, "pending:", now=now, limit=_LINES))
        if waiting < least:
            least, since = waiting, time.monotonic()
        elif time.monotonic() > since + STALLED:
            findings.breach(f"{waiting} jobs were taken up by nobody")
            return
        time.sleep(0.2)


def _lost(store: Store, load: _Load) -> Iterator[str]:
    """What was acknowledged and is not there."""
    rows = {one.id: one.content for one in store.dump(_EVERYTHING)}
    states = store.session_states(_TENANT, "done:", now=0, limit=_LINES)
    done = {row.name.removeprefix("done:") for row in states}
    broken = store.broken_line()
    if broken is not None:
        yield f"the journal does not fit at line {broken}"
    if not (load.memories and load.jobs and load.dreams):
        yield "nothing was acknowledged"
    yield from (f"{own} is lost" for own, text in load.memories.items() if rows.get(own) != text)
    yield from (f"acknowledged job {one} did not end" for one in load.jobs if one not in done)
    kept = set(rows.values())
    yield from (f"nothing came of job {own}" for own, text in load.jobs.items() if text not in kept)


def _doubled(store: Store, load: _Load) -> Iterator[str]:
    """What was done twice, as far as it shows by now: every text was said once, by one client."""
    texts = Counter(one.content for one in store.dump(_EVERYTHING))
    yield from (f"{n} memories say {text!r}" for text, n in texts.items() if n > 1)
    lines = store.journal(_TENANT, limit=_LINES)
    inserted = Counter(one.target_id for one in lines if one.op == "insert")
    yield from (f"{own} was inserted {n} times" for own, n in inserted.items() if n > 1)
    again = (one for one in lines if one.op == "dedup_refresh")
    yield from (f"{one.target_id} counts as said again at line {one.seq}" for one in again)
    with load.lock:
        dreams = load.dreams.copy()
    yield from (f"cycle {own} was ended by {n} servers" for own, n in dreams.items() if n > 1)
    yield from _overlapping(store.dream_runs(_TENANT, 10_000))


def _overlapping(found: list[DreamRun]) -> Iterator[str]:
    """No cycle begins before the one before it has ended."""
    runs = sorted(found, key=lambda one: one.started_at)
    for before, after in pairwise(runs):
        if before.finished_at is None or before.finished_at > after.started_at:
            yield f"cycle {after.id} began before {before.id} had ended"

"""P-26, C-01: three servers on one database, one killed again and again, lose and double none."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection, HTTPException
from itertools import pairwise
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

import engraphy
from engraphy.model.dreaming import DreamRun
from engraphy.model.scope import Scope, Tenant
from engraphy.testing.instance import Server, running
from engraphy_prove.databases import ON_SERVER, UNHEEDING
from engraphy_prove.postgres import DURABLE
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.workload import EVERYTHING, word

SERVERS, CLIENTS = 3, 4
EVERY = 5.0
"""Seconds between two kills."""
LEASE = 10.0
"""Seconds after which a job of a server that has gone is anybody's."""
_TENANT = Tenant("default")
_EVERYTHING = replace(EVERYTHING, scope=Scope(tenant=_TENANT))
_PROGRAMS = {ON_SERVER.name: "engraphy.cli", UNHEEDING.name: "engraphy_prove.careless"}
DRAINING = 240.0
_PATIENCE = 30.0
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")
_PROFILE = f"""
inherits = "default"
[write]
background_lease_seconds = {LEASE}
"""


@dataclass(slots=True)
class _Serving:
    """One `engraphy serve` on the database, started again when it was killed."""

    folder: Path
    name: str
    url: str
    program: str
    process: subprocess.Popen[bytes] | None = None
    port: int = 0
    token: str = ""

    def start(self) -> None:
        """Start it, and wait until it listens."""
        home = self.folder / self.name
        home.mkdir(exist_ok=True)
        log = home / f"log-{time.monotonic_ns()}"
        told = {
            "ENGRAPHY_DATABASE": self.url,
            "ENGRAPHY_HOME": str(home),
            "ENGRAPHY_EMBEDDER": "none",
            "ENGRAPHY_PROFILE": str(self.folder / "quick.toml"),
        }
        command = [sys.executable, "-m", self.program, "serve", "--port", "0", "--no-dashboard"]
        with log.open("wb") as out:
            self.process = subprocess.Popen(command, env=os.environ | told, stdout=out, stderr=out)
        ends = time.monotonic() + _PATIENCE * 4
        while time.monotonic() < ends and self.process.poll() is None:
            found = _ADDRESS.search(log.read_text("utf-8", errors="replace"))
            if found and _answers(int(found[1])):
                self.port = int(found[1])
                return
            time.sleep(0.05)
        raise RuntimeError(log.read_text("utf-8", errors="replace")[-2_000:])

    def kill(self) -> None:
        """What a crash does."""
        self.port = 0
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()


@dataclass(slots=True)
class _Load:
    """What the clients were told."""

    memories: dict[str, str] = field(default_factory=dict)
    jobs: set[str] = field(default_factory=set)
    said: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    ending: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)


def servers(trial: Trial) -> Findings:
    """Load on three servers in turn; every five seconds one is killed and started again, `rounds`
    times. Then every acknowledged write has to be there, and every job to be done once."""
    findings, load = Findings(), _Load()
    (trial.folder / "quick.toml").write_text(_PROFILE, "utf-8")
    with running(**DURABLE) as database, _memory(database) as (memory, url):
        token = memory.grant("load", role="admin", clearance="secret").token
        cluster = [
            _Serving(trial.folder, f"s{n}", url, _PROGRAMS[trial.build.name])
            for n in range(SERVERS)
        ]
        try:
            _started(cluster)
            _loaded(trial, cluster, load, token, findings)
            left = _drained(memory)
        finally:
            for one in cluster:
                one.kill()
        _judge(url, load, left, findings)
    waits = sorted(load.seconds)
    p95 = waits[int(0.95 * len(waits))] if waits else 0.0
    findings.figure = (
        f"{trial.rounds} kills of one of {SERVERS} servers, {len(load.memories)} memories and "
        f"{len(load.jobs)} jobs acknowledged, {sum(load.refused.values())} requests failed, "
        f"p95 of the others {p95 * 1000:.0f} ms"
    )
    return findings


@contextmanager
def _memory(database: Server) -> Iterator[tuple[Any, str]]:
    url = database.fresh_url()
    memory = engraphy.Memory(url, embedder="none")
    try:
        yield memory, url
    finally:
        memory.close()


def _started(cluster: list[_Serving]) -> None:
    threads = [Thread(target=one.start) for one in cluster]
    for one in threads:
        one.start()
    for one in threads:
        one.join()


def _loaded(
    trial: Trial, cluster: list[_Serving], load: _Load, token: str, findings: Findings
) -> None:
    chance = random.Random(trial.seed)
    seeds = [chance.getrandbits(64) for _ in range(CLIENTS)]
    clients = [
        Thread(target=_client, args=(cluster, load, token, seed, place))
        for place, seed in enumerate(seeds)
    ]
    dreamer = Thread(target=_dreamer, args=(cluster, load, token))
    for one in (*clients, dreamer):
        one.start()
    for number in range(trial.rounds):
        time.sleep(EVERY)
        gone = cluster[number % SERVERS]
        gone.kill()
        gone.start()
        findings.tried += 1
    load.ending.set()
    for one in (*clients, dreamer):
        one.join()


def _client(cluster: list[_Serving], load: _Load, token: str, seed: int, place: int) -> None:
    """One server after the other; one that does not answer is passed over."""
    chance, turn = random.Random(seed), place
    while not load.ending.is_set():
        turn += 1
        text = f"{word(chance)} {word(chance)} prefers {word(chance)}"
        if turn % 3:
            path = "/v1/memories"
            body: dict[str, Any] = {"content": text}
        else:
            said = f"My name is {word(chance).title()} and I live in {word(chance).title()}."
            path = "/v1/conversations/later"
            body = {"messages": [{"role": "user", "content": said}]}
        begun = time.perf_counter()
        status, answer = _asked(cluster[turn % SERVERS].port, path, body, token)
        with load.lock:
            if status >= 300 or not status:
                load.refused[str(status)] += 1
                continue
            load.seconds.append(time.perf_counter() - begun)
            if "job" in answer:
                load.jobs.add(answer["job"])
                load.said.append(said)
            else:
                load.memories[answer["memory"]["id"]] = text


def _dreamer(cluster: list[_Serving], load: _Load, token: str) -> None:
    """All servers are told to dream at once, again and again."""
    while not load.ending.is_set():
        asked = [Thread(target=_asked, args=(one.port, "/v1/dream", {}, token)) for one in cluster]
        for one in asked:
            one.start()
        for one in asked:
            one.join()
        load.ending.wait(1.0)


def _asked(port: int, path: str, body: dict[str, Any], token: str) -> tuple[int, dict[str, Any]]:
    """Status and answer; 0 where there was none."""
    line = HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)
    head = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    try:
        line.request("POST", path, json.dumps(body), head)
        answer = line.getresponse()
        told = json.loads(answer.read())
    except (OSError, HTTPException, ValueError):
        return 0, {}
    finally:
        line.close()
    return answer.status, told if isinstance(told, dict) else {}


def _answers(port: int) -> bool:
    line = HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)
    try:
        line.request("GET", "/healthz")
        return line.getresponse().status == 200
    except OSError:
        return False
    finally:
        line.close()


def _drained(memory: Any) -> list[str]:
    """The jobs that are still waiting after a while, in which the servers go on."""
    ends = time.monotonic() + DRAINING
    while time.monotonic() < ends:
        left = [one.id for one in memory.queue() if not (one.done or one.failed)]
        if not left:
            return []
        time.sleep(0.5)
    return left


def _judge(place: str, load: _Load, left: list[str], findings: Findings) -> None:
    with closing(ON_SERVER.open(place)) as store:
        rows = {one.id: one.content for one in store.dump(_EVERYTHING)}
        lines = store.journal(_TENANT, limit=1_000_000)
        runs = store.dream_runs(_TENANT, 1_000)
        states = store.session_states(_TENANT, "done:", now=0, limit=100_000)
        broken = store.broken_line()
    done = {row.name.removeprefix("done:") for row in states}
    texts = Counter(rows.values())
    inserted = Counter(one.target_id for one in lines if one.op == "insert")
    wrong = [f"the journal does not fit at line {broken}"] if broken is not None else []
    wrong += [f"{n} is lost" for n, text in load.memories.items() if rows.get(n) != text]
    wrong += [] if load.memories and load.jobs else ["nothing was acknowledged"]
    wrong += [f"job {one} was taken up by nobody" for one in left]
    wrong += [f"acknowledged job {one} did not end" for one in sorted(load.jobs - done)]
    said = (*load.memories.values(), *load.said)
    wrong += [f"{texts[text]} memories say {text!r}" for text in said if texts[text] != 1]
    wrong += [f"{name} was inserted {n} times" for name, n in inserted.items() if n > 1]
    for what in wrong:
        findings.breach(what)
    _dreams(runs, findings)


def _dreams(found: list[DreamRun], findings: Findings) -> None:
    """No cycle begins before the one before it has ended."""
    runs = sorted(found, key=lambda one: one.started_at)
    for before, after in pairwise(runs):
        if before.finished_at is None or before.finished_at > after.started_at:
            findings.breach(f"cycle {after.id} began before {before.id} had ended")

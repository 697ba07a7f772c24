"""Reads from replicas: whoever asks sees all of what was acknowledged before, to whomever."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from threading import Event, Thread
from urllib.parse import quote

import psycopg
import pytest
from tests.postgres.making import ONE, T0, view, write
from tests.postgres.server import QUICK, Server
from tests.postgres.test_replicas import DURABLE, cluster

from engraphy import Memory
from engraphy.errors import EngraphyError, NotFoundError
from engraphy.model import Check
from engraphy.model.change import Forget
from engraphy.model.granting import TokenRole
from engraphy.model.query import Listing
from engraphy.operations import OPERATIONS
from engraphy.operations.rights import role_of
from engraphy.stores.postgres import PostgresStore
from engraphy.verbs.base import ASKING

PATIENCE = 120.0
PAUSE, RESUME = "SELECT pg_wal_replay_pause()", "SELECT pg_wal_replay_resume()"
ANSWERED = """
    SELECT count(*) FROM pg_stat_activity
    WHERE application_name = %s AND query_start > %s AND query = 'COMMIT'
"""
"""Sessions of a program that looked at rows: where a server stands is asked without one, and a
replica that is not far enough is taken back."""
STOPPED = """
    SELECT sum(confl_lock + confl_snapshot) FROM pg_stat_database_conflicts
"""


def _url(every: list[Server], **more: str) -> str:
    hosts = ",".join(quote(str(one.folder), safe="") for one in every)
    told = "".join(f"&{name}={value}" for name, value in more.items())
    return (
        f"postgresql://{every[0].user}@/postgres?host={hosts}"
        f"&target_session_attrs=prefer-standby{told}"
    )


@pytest.fixture(scope="module")
def servers() -> Iterator[list[Server]]:
    """A primary with an empty store, and two replicas of it."""
    with cluster(**QUICK) as every:
        PostgresStore(every[0].place(), partitions=0).close()
        yield every


@pytest.fixture
def behind(servers: list[Server]) -> Iterator[list[Server]]:
    """The same, with replicas that have what they have, and get no more."""
    for one in servers[1:]:
        one.execute(PAUSE)
    yield servers
    for one in servers[1:]:
        one.execute(RESUME)


def _now(server: Server) -> object:
    with psycopg.connect(server.place()) as raw:
        return (raw.execute("SELECT clock_timestamp()").fetchone() or (None,))[0]


def _answered(server: Server, name: str, since: object) -> int:
    with psycopg.connect(server.place()) as raw:
        (found,) = raw.execute(ANSWERED, (name, since)).fetchone() or (0,)
    return int(found)


def _wait(until: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < ends, "it does not come about"
        time.sleep(0.05)


def _wrote(memory: Memory, text: str) -> str:
    row = memory.remember(text).memory
    assert row is not None
    return row.id


def _replicas(memory: Memory) -> Check:
    return next(one for one in memory.doctor() if one.name == "replicas")


@pytest.mark.long
def test_both_replicas_answer_and_the_primary_only_says_where_it_stands(
    servers: list[Server],
) -> None:
    """Reads go to each replica in turn; the primary is asked for nothing but its position, and the
    answers are its own."""
    place = _url(servers, application_name="both")
    with Memory(place, embedder="static") as memory, Memory(servers[0].url("postgres")) as other:
        memory.remember("The heron nests in the old mill.")
        expected = [hit.memory.content for hit in other.recall("Where is the heron?", touch=False)]
        met = set[str]()

        def is_met() -> bool:
            since = _now(servers[0])
            hits = memory.recall("Where is the heron?", touch=False)
            assert [hit.memory.content for hit in hits] == expected != []
            found = {one.folder.name for one in servers if _answered(one, "both", since)}
            assert len(found) == 1
            met.update(found)
            return {"a", "b"} <= met

        _wait(is_met)
        told = _replicas(memory)
        assert told.ok
        assert told.detail.count("follows") == 2
        assert "takes writes" in told.detail


@pytest.mark.long
def test_what_was_written_is_seen_at_once_by_everybody(behind: list[Server]) -> None:
    """While replicas get nothing, a write is seen by its writer and by another server, an edit has
    no earlier text, and what was forgotten comes back from nowhere."""
    place = _url(behind)
    with Memory(place, embedder="static") as memory, Memory(place, embedder="static") as other:
        wrote = _wrote(memory, "The keeper of the lighthouse is Osvald.")
        for one in (memory, other):
            hits = one.recall("Who keeps the lighthouse?", touch=False)
            assert [hit.memory.id for hit in hits][:1] == [wrote]
            assert "Osvald" in one.context("Who keeps the lighthouse?").text
        memory.update(wrote, "The keeper of the lighthouse is Ingrid.")
        assert "Ingrid" in other.get(wrote).content
        memory.forget(wrote)
        for one in (memory, other):
            assert wrote not in [hit.memory.id for hit in one.recall("lighthouse", touch=False)]
            with pytest.raises(NotFoundError):
                one.get(wrote)


def test_a_revoked_token_is_refused_at_once(behind: list[Server]) -> None:
    """Tokens are asked of the primary: one that was revoked is nobody's, on every server."""
    place = _url(behind)
    with Memory(place, embedder="none") as memory, Memory(place, embedder="none") as other:
        given = memory.grant("editor", role="read")
        assert other.identify(given.token).id == given.grant.id
        memory.revoke(given.grant.id)
        for one in (memory, other):
            with pytest.raises(EngraphyError):
                one.identify(given.token)


def test_a_read_that_a_replica_stops_is_asked_of_the_primary(servers: list[Server]) -> None:
    """What the primary did meanwhile conflicts with a snapshot of the replica, which ends it: the
    caller is told nothing of it, and gets the answer of the primary."""
    for one in servers[1:]:
        one.execute("ALTER SYSTEM SET max_standby_streaming_delay = 0", "SELECT pg_reload_conf()")
    servers[0].execute("CREATE TABLE rows (one int)", "INSERT INTO rows VALUES (1)")
    store = PostgresStore(_url(servers))
    write(store, ONE, "stopped-1")
    tries = list[int]()

    def run() -> int:
        tries.append(1)
        for _ in store.replayed(ONE, [1, 2]):
            if len(tries) == 1:
                # The replica is told to take away rows that the snapshot may still look at.
                servers[0].execute("DELETE FROM rows", "VACUUM rows", "INSERT INTO rows VALUES (1)")
                time.sleep(0.1)
        return store.count(view(ONE), Listing())

    def is_stopped() -> bool:
        tries.clear()
        assert store.on_replica(run) == 1
        return len(tries) == 2

    _wait(is_stopped)
    assert sum(map(_stopped, servers[1:])) > 0
    store.close()


def _stopped(server: Server) -> int:
    with psycopg.connect(server.place()) as raw:
        (found,) = raw.execute(STOPPED).fetchone() or (0,)
    return int(found)


@pytest.mark.slow
def test_no_read_sees_less_than_was_acknowledged_before_it(
    servers: list[Server], record_property: Callable[[str, object], None]
) -> None:
    """One server writes and forgets, another reads, replicas stand still now and then: what was
    acknowledged before a read began is in it, what was forgotten before is not."""
    place, done = _url(servers, application_name="strict"), Done()
    ending, readings = Event(), list[str]()
    threads = [
        Thread(target=_write_on, args=(place, done, ending)),
        Thread(target=_read_on, args=(place, done, ending, readings)),
    ]
    for one in threads:
        one.start()
    chance = Random(7)
    for _ in range(10):
        still = chance.choice(servers[1:])
        still.execute(PAUSE)
        time.sleep(chance.uniform(0.1, 0.8))
        still.execute(RESUME)
        time.sleep(chance.uniform(0.1, 1.0))
    ending.set()
    for one in threads:
        one.join()
    assert len(done.forgotten) > 3
    assert [one for one in readings if one] == []
    assert len(readings) > 20
    record_property("reads", len(readings))


class Done:
    """What was acknowledged, in its order: what was written to stay, and what was forgotten."""

    def __init__(self) -> None:
        self.written = list[str]()
        self.forgotten = list[str]()


def _write_on(place: str, done: Done, ending: Event) -> None:
    store = PostgresStore(place)
    while not ending.is_set():
        number = len(done.written)
        write(store, ONE, f"s{number}")
        done.written.append(f"s{number}")
        if number % 4 == 3:
            write(store, ONE, f"f{number}")
            store.apply(ONE, [Forget(id=f"f{number}")], now=T0, actor="test")
            done.forgotten.append(f"f{number}")
    store.close()


def _read_on(place: str, done: Done, ending: Event, readings: list[str]) -> None:
    """What is wrong with each reading; '' where nothing is."""
    store = PostgresStore(place)
    while not ending.is_set():
        known, gone = done.written[-8:], done.forgotten[-8:]
        found = {one.id for one in store.on_replica(partial(store.get, view(ONE), known + gone))}
        missing, back = {*known} - found, {*gone} & found
        readings.append(f"missing {missing}, back {back}" if missing or back else "")
    store.close()


def test_only_verbs_that_ask_go_to_replicas() -> None:
    """Each of them is there, and needs no more than the role that reads; what tells who may do what
    is not among them."""
    assert all(callable(getattr(Memory, name)) for name in ASKING)
    known = {one.name for one in OPERATIONS}
    assert {role_of(name) for name in ASKING & known} == {TokenRole.READ}
    assert not ASKING & {"grants", "identify", "audit", "stats", "doctor", "jobs", "export_lines"}


def test_one_server_alone_answers_everything(server: Server) -> None:
    """Where there is no replica, a place that prefers one is as good as any."""
    place = f"{server.fresh_url()}&target_session_attrs=prefer-standby"
    with Memory(place, embedder="none") as memory:
        memory.remember("The ferry leaves at noon.")
        assert memory.recall("When does the ferry leave?")
        assert _replicas(memory).ok


@pytest.mark.slow
def test_reads_and_writes_follow_a_promotion() -> None:
    """The primary is killed and a replica promoted: the same opened memory writes and reads on, and
    has all that was acknowledged. The replica that nobody pointed at the new primary answers
    nothing, and doctor says so; once it follows, it answers again."""
    with cluster(**DURABLE) as every:
        PostgresStore(every[0].place(), partitions=0).close()
        place = _url(every, application_name="moved")
        primary, promoted, left = every
        with Memory(place, embedder="none") as memory:
            acknowledged = [_said(memory, number) for number in range(5)]
            primary.kill()
            # What only one replica may have told of is on both, as nothing was under way.
            promoted.promote()
            promoted.execute(
                "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()"
            )
            after = list[str]()
            _wait(lambda: _goes_on(memory, after))
            assert {row.id for row in memory.list()} >= {*acknowledged, *after}
            since = _now(left)
            assert memory.recall("which turbine", touch=False)
            assert not _answered(left, "moved", since)
            told = _replicas(memory)
            assert not told.ok
            assert "from before a promotion" in told.detail
            to = promoted.place(application_name="b")
            left.execute(f"ALTER SYSTEM SET primary_conninfo = '{to}'", "SELECT pg_reload_conf()")
            _wait(lambda: _answers(memory, left))
            assert {row.id for row in memory.list()} >= {*acknowledged, *after}


def _said(memory: Memory, number: int) -> str:
    return _wrote(memory, f"Turbine {number} was serviced on day {number}.")


def _goes_on(memory: Memory, after: list[str]) -> bool:
    try:
        after.append(_said(memory, 100 + len(after)))
    except EngraphyError:
        return False
    return len(after) == 3


def _answers(memory: Memory, server: Server) -> bool:
    """Whether a replica answers; at each restart point it tells its timeline anew."""
    server.execute("CHECKPOINT")
    since = _now(server)
    memory.recall("which turbine", touch=False)
    return _answered(server, "moved", since) > 0

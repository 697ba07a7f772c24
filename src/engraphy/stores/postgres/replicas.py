"""Reads from replicas that have all of what was acknowledged before they were asked.

Where the primary stands is asked once for each run of reads. A replica answers such a run if it has
replayed its log to there, on the same timeline of the same cluster; it is waited for a moment, and
else the primary answers. So no run sees less than the primary would have shown it when it began:
not of its own process, and not of any other.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import NamedTuple

import psycopg
from msgspec import Struct
from psycopg import Cursor, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow
from psycopg_pool import PoolClosed, PoolTimeout

from engraphy.model.query import Check
from engraphy.stores.postgres.connection import Raw
from engraphy.stores.postgres.pool import ended, held, opened, roll_back
from engraphy.stores.relational.damage import DamagedValueError
from engraphy.stores.relational.store import Result

WANTED = "prefer-standby"
"""What a connection string says of `target_session_attrs` for reads to go to replicas."""
_WRITES = "read-write"
_PAUSES = (0.001, 0.002, 0.004, 0.008, 0.016, 0.019)
"""Seconds between looks at how far a replica is: 50 ms in all."""
_PATIENCE = 0.05
"""Seconds that a connection to a replica is waited for."""
_LONGEST_REST = 32.0
_EXAMINED_SECONDS = 3
_SILENT_MILLISECONDS = 5_000
_ADVICE = "reads go to the primary meanwhile; have the host follow the primary that takes writes"
_MOST_BEHIND = 64 * 2**20
"""Bytes of log from which on a replica is told to be behind: a moment's writing is less."""
# What is acknowledged is on the disk, but for whoever has switched that off.
POSITION = sql.SQL("""
    SELECT
        (SELECT system_identifier FROM pg_control_system()),
        ('x' || left(pg_walfile_name(place), 8))::bit(32)::bigint,
        place::text,
        extract(epoch FROM clock_timestamp())::float8
    FROM (
        SELECT CASE current_setting('synchronous_commit')
            WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn()
        END
    ) AS told (place)
""")
# How far it is must be known before a snapshot is taken, so it is asked in another transaction.
_STANDING = sql.SQL("""
    SELECT
        pg_is_in_recovery() AND s.system_identifier = {system}
            AND greatest(c.timeline_id, r.min_recovery_end_timeline) = {timeline},
        coalesce(pg_wal_lsn_diff({place}, pg_last_wal_replay_lsn()), 1e15)::bigint
    FROM pg_control_system() AS s, pg_control_checkpoint() AS c, pg_control_recovery() AS r
""")
_BEGINNING = sql.SQL("BEGIN READ ONLY; {standing}; COMMIT; {beginning}")


class ReplicaError(Exception):
    """A replica failed while it answered. Never seen outside: the primary is asked then."""


class Position(NamedTuple):
    """Where a primary stands: cluster, timeline, log, seconds of its clock, where it was met."""

    system: int
    timeline: int
    place: str
    at: float
    host: str
    port: int


def divided(place: str, *, read_only: bool) -> tuple[str, tuple[str, ...]]:
    """A connection string as that of the primary among its hosts, and that of each host as a
    replica; none where it does not ask for reads from replicas. Of several hosts who writes means
    the one that takes writes, where nothing else is said."""
    told = conninfo_to_dict(place)
    lists = {key: str(told[key]).split(",") for key in ("host", "hostaddr", "port") if key in told}
    hosts = max((len(one) for one in lists.values()), default=1)
    said = told.get("target_session_attrs") or (_WRITES if hosts > 1 and not read_only else None)
    if said != WANTED:
        return make_conninfo(place, target_session_attrs=said), ()
    # One port may stand for all hosts.
    alone = (
        {key: one[number if len(one) > 1 else 0] for key, one in lists.items()}
        for number in range(hosts)
    )
    # A peer that fell silent is not waited for as long as the system would.
    usual = {} if "tcp_user_timeout" in told else {"tcp_user_timeout": _SILENT_MILLISECONDS}
    replicas = tuple(make_conninfo(place, **usual, **one) for one in alone)
    return make_conninfo(place, target_session_attrs=_WRITES), replicas


class Replica:
    """One host. Where it did not answer it is left alone for a while, each time for longer."""

    def __init__(self, conninfo: str, connections: int, seconds: float) -> None:
        told = conninfo_to_dict(conninfo)
        self._host, self._port = told.get("host") or told.get("hostaddr"), told.get("port")
        self.name = ":".join(str(one) for one in (self._host, self._port) if one) or "the host"
        self._conninfo = conninfo
        standby = make_conninfo(conninfo, target_session_attrs="standby")
        self._pool = opened(standby, connections, seconds, reconnect_timeout=0.0)
        self._used = set[int]()
        self._since, self._rest = 0.0, 0.0

    def is_at(self, position: Position) -> bool:
        """Whether it is the host that the primary was met at."""
        same = self._port is None or int(self._port) == position.port
        return self._host == position.host and same

    def rests(self, at: float) -> bool:
        """Whether it is left alone at this moment (seconds of the primary's clock)."""
        return abs(at - self._since) < self._rest

    @contextmanager
    def reading(self, position: Position, beginning: sql.Composed) -> Iterator[Raw | None]:
        """A connection in a transaction begun so, which sees all that stood at this position; None
        where there is none now. Raises ReplicaError where it fails inside."""
        with ExitStack() as stack:
            raw = self._begun(stack, position, beginning)
            if raw is None:
                yield None
                return
            self._used.add(id(raw))
            try:
                with ended(raw, b"COMMIT"):
                    yield raw
            except (psycopg.Error, DamagedValueError, UnicodeError) as problem:
                if raw.closed:
                    self._note(position.at, well=False)
                raise ReplicaError from problem
            finally:
                self._used.discard(id(raw))

    def _begun(self, stack: ExitStack, position: Position, beginning: sql.Composed) -> Raw | None:
        words = _BEGINNING.format(standing=_standing(position), beginning=beginning)
        well = False
        try:
            begun = held(self._pool, lambda raw: raw.execute(words), _PATIENCE)
            raw, told = stack.enter_context(begun)
            well = _fresh(raw, told, words)
        except PoolTimeout:
            # It may have no connection left just because it answers so many.
            well = bool(self._used)
            return None
        except (psycopg.Error, PoolClosed):
            return None
        finally:
            self._note(position.at, well=well)
        return raw if well else None

    def _note(self, at: float, *, well: bool) -> None:
        if well:
            self._rest = 0.0
        elif not self.rests(at):
            self._since, self._rest = at, min(_LONGEST_REST, max(1.0, 2 * self._rest))

    def examined(self, position: Position) -> tuple[bool, str]:
        """Whether it can answer, and what it is."""
        try:
            with psycopg.connect(self._conninfo, connect_timeout=_EXAMINED_SECONDS) as raw:
                is_primary = raw.execute("SELECT NOT pg_is_in_recovery()").fetchone()
                found = raw.execute(_standing(position)).fetchone()
        except psycopg.Error as problem:
            return False, f"does not answer: {str(problem).strip().partition(chr(10))[0]}"
        assert is_primary is not None
        assert found is not None
        if is_primary[0]:
            return True, "takes writes"
        if not found[0]:
            return False, "follows another primary, or its timeline from before a promotion"
        behind = max(0, found[1])
        return behind < _MOST_BEHIND, f"follows, {behind:,} bytes behind"

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()


def _standing(position: Position) -> sql.Composed:
    return _STANDING.format(
        system=sql.Literal(position.system),
        timeline=sql.Literal(position.timeline),
        place=sql.Literal(position.place) + sql.SQL("::pg_lsn"),
    )


def _fresh(raw: Raw, told: Cursor[TupleRow], words: sql.Composed) -> bool:
    """Whether the connection stands in a transaction that sees enough, at once or in a moment."""
    for pause in (*_PAUSES, 0.0):
        told.nextset()
        fits, behind = told.fetchone() or (False, 0)
        if fits and behind <= 0:
            return True
        roll_back(raw)
        if not fits or not pause:
            return False
        time.sleep(pause)
        told = raw.execute(words)
    return False


class _Run(Struct):
    """Reads that belong together: what they have to see, and who answers them."""

    position: Position | None = None
    replica: Replica | None = None
    is_over: bool = False


class Replicas:
    """All hosts of a store, as replicas; `position` asks the primary where it stands."""

    def __init__(
        self,
        places: Sequence[str],
        connections: int,
        seconds: float,
        position: Callable[[], Position],
    ) -> None:
        self._every = [Replica(place, connections, seconds) for place in places]
        self._position = position
        self._turns = count()
        self._here = threading.local()

    def answering(self, run: Callable[[], Result]) -> Result:
        """Run what only asks, with its reads at a replica, and once more at the primary where the
        replica failed. What is written inside, and what is read after it, is the primary's."""
        if self._run is not None or not self._every:
            return run()
        self._here.run = _Run()
        try:
            return run()
        except ReplicaError:
            self.leave()
            return run()
        finally:
            self._here.run = None

    def leave(self) -> None:
        """From here on the run under way is the primary's."""
        if self._run is not None:
            self._run.is_over = True

    @contextmanager
    def reading(self, beginning: Callable[[], sql.Composed]) -> Iterator[Raw | None]:
        """A replica's connection in a transaction begun so; None where the primary is to answer.
        Raises ReplicaError where it fails inside, and what asking the primary raises."""
        run = self._run
        if run is None or run.is_over:
            yield None
            return
        if run.position is None:
            run.position = self._position()
            run.replica = self._next(run.position)
        if run.replica is None:
            run.is_over = True
            yield None
            return
        with run.replica.reading(run.position, beginning()) as raw:
            # One that could not answer now is not asked again in the same run.
            run.is_over = raw is None
            yield raw

    @property
    def _run(self) -> _Run | None:
        run: _Run | None = getattr(self._here, "run", None)
        return run

    def _next(self, position: Position) -> Replica | None:
        # Behind one name for all hosts any of them may be met.
        is_one = len(self._every) == 1
        others = (one for one in self._every if is_one or not one.is_at(position))
        able = [one for one in others if not one.rests(position.at)]
        return able[next(self._turns) % len(able)] if able else None

    def checks(self) -> list[Check]:
        """Each host, and what it is; nothing where no reads go to replicas."""
        if not self._every:
            return []
        position = self._position()
        found = [(one.name, *one.examined(position)) for one in self._every]
        detail = "; ".join(f"{name} {said}" for name, _, said in found)
        well = all(one for _, one, _ in found)
        return [Check(name="replicas", ok=well, detail=detail, advice="" if well else _ADVICE)]

    def close(self) -> None:
        """Close every connection."""
        for one in self._every:
            one.close()

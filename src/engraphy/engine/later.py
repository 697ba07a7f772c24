"""Extraction in the background (C-01): whoever hands messages over waits for nothing.

One thread per tenant of an opened store, while there is work. What it was given stands in the store
as a row of session state until it is extracted, so that a crash loses nothing: the next memory that
is opened on the file and hands something over, or flushes, takes it up.
"""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from threading import Condition, Event, Lock, Thread, current_thread

from msgspec import Struct, field
from msgspec.structs import replace

from engraphy.engine import pending
from engraphy.engine.granting import acting
from engraphy.engine.parts import Earlier, Engine
from engraphy.engine.pending import PREFIX, Pending
from engraphy.engine.remember import observe
from engraphy.engine.scoping import KEYS
from engraphy.engine.watching import operated
from engraphy.errors import EngraphyError, StoreClosedError
from engraphy.model import Change, Message, Outcome, Scope, View
from engraphy.model.granting import Grant
from engraphy.write.intake import own_words

_IDLE_SECONDS = 1.0
_RENEWALS_PER_LEASE = 3
_TAKEN = 4
"""Jobs that are taken up at once: few enough to be done before they are anybody's again."""
_log = logging.getLogger("engraphy")


class Later(Struct):
    """A queue and the thread that empties it; safe to use from several threads."""

    engine: Engine
    _fresh: list[Pending] = field(default_factory=list)
    """Handed over, and not in the store yet."""
    _waiting: deque[Pending] = field(default_factory=deque)
    _unnoted: set[str] = field(default_factory=set)
    """Names of jobs that the store would not take; no other process can have them."""
    _changed: Condition = field(default_factory=Condition)
    _thread: Thread | None = None
    _stopping: bool = False
    _takes_up: bool = True
    _busy: bool = False
    _begun: Pending | None = None
    """The job under way as it stands in the store; guarded by `_holding`."""
    _holding: Lock = field(default_factory=Lock)
    _arrived: Event = field(default_factory=Event)
    _noting: Lock = field(default_factory=Lock)
    _owner: str = ""
    """Whose the jobs of this queue are; no two queues have the same."""

    def hand_over(
        self,
        messages: Sequence[Message],
        scope: Scope,
        at: int | None,
        held: Grant | None = None,
    ) -> None:
        """Queue messages on behalf of a grant, without what is injected or secret in them, and
        return at once. Raises StoreClosedError after `stop`."""
        job = replace(self._job(messages, scope, at), held=held)
        with self._changed:
            self._check_open()
            self._fresh.append(job)
            self._start()
            self._changed.notify_all()
        self._arrived.set()

    def enqueue(
        self,
        messages: Sequence[Message],
        scope: Scope,
        at: int | None,
        held: Grant | None = None,
    ) -> Pending:
        """Queue messages as `hand_over` does, and return once they stand in the store; what came of
        them is noted there too. Raises StoreError, StoreClosedError."""
        job = replace(self._job(messages, scope, at), told=True, held=held)
        with self._changed:
            self._check_open()
        pending.put(self.engine, [job])
        with self._changed:
            self._waiting.append(job)
            self._start()
            self._changed.notify_all()
        return job

    def _job(self, messages: Sequence[Message], scope: Scope, at: int | None) -> Pending:
        now = self.engine.clock()
        kept = tuple(replace(one, content=own_words(one.content).text) for one in messages)
        return Pending(
            name=f"{PREFIX}{self.engine.new_id(now)}",
            scope=scope,
            messages=kept,
            at=now if at is None else at,
            handed=now,
        )

    def _check_open(self) -> None:
        if self._stopping:
            raise StoreClosedError(path=self.engine.store.path)

    def try_again(self, id: str, view: View) -> Pending:
        """Queue a job anew that was set aside. Raises NotFoundError, StoreClosedError."""
        with self._changed:
            self._check_open()
            job = pending.retaken(self.engine, id, view, self._own())
            self._waiting.append(job)
            self._start()
            self._changed.notify_all()
            return job

    def flush(self, seconds: float) -> bool:
        """Wait until nothing waits, what a crash left included; False where time ran out."""
        with self._changed:
            # Others end while this one lives: what they leave is looked for every time.
            self._takes_up = not self._stopping
            self._start()
            self._changed.notify_all()
            return self._changed.wait_for(self._is_done, seconds)

    def stop(self, seconds: float) -> None:
        """End the thread: within this time it extracts what waits, the rest stays in the store."""
        with self._changed:
            if self._fresh or self._waiting:
                self._changed.wait_for(self._is_done, seconds)
            self._stopping = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _is_done(self) -> bool:
        idle = not (self._fresh or self._waiting or self._busy or self._takes_up)
        return idle or self._thread is None

    def _start(self) -> None:
        if self._thread is None and not self._stopping:
            # Not a daemon: the interpreter waits at its end for what was handed over.
            self._thread = Thread(target=self._work, name="engraphy-later", daemon=False)
            self._thread.start()

    def _own(self) -> str:
        self._owner = self._owner or self.engine.new_id(self.engine.clock())
        return self._owner

    def _work(self) -> None:
        done = Event()
        for target in (self._renew, self._keep):
            Thread(target=target, args=(done,), name="engraphy-lease", daemon=True).start()
        try:
            while (job := self._next()) is not None:
                self._extract(job)
        finally:
            done.set()
            self._arrived.set()
            with self._holding:
                self._begun = None
            with self._changed:
                self._busy = False
                if self._thread is current_thread():
                    self._thread = None
                self._changed.notify_all()

    def _next(self) -> Pending | None:
        """The next job once everything handed over stands in the store; None ends the thread."""
        with self._changed:
            self._busy = False
            self._changed.notify_all()
            if not (self._fresh or self._waiting or self._stopping or self._takes_up):
                self._changed.wait(_IDLE_SECONDS)
        while True:
            self._put_fresh()
            if self._takes_up and not self._waiting:
                self._take_up()
            with self._changed:
                if (self._fresh or (self._takes_up and not self._waiting)) and not self._stopping:
                    continue
                self._busy = bool(self._waiting)
                if not self._busy:
                    self._thread = None
                    return None
                return None if self._stopping else self._waiting.popleft()

    def _put_fresh(self) -> None:
        """Whatever was handed over stands in the store before it waits; in its order."""
        with self._noting:
            with self._changed:
                fresh = list(self._fresh)
            if fresh:
                self._note(fresh)
            with self._changed:
                del self._fresh[: len(fresh)]
                self._waiting.extend(fresh)
                self._changed.notify_all()

    def _keep(self, done: Event) -> None:
        """While a job is under way, what is handed over is written at once: a crash loses none."""
        while not done.is_set():
            self._arrived.wait()
            self._arrived.clear()
            if not done.is_set():
                self._put_fresh()

    def _note(self, fresh: list[Pending]) -> None:
        try:
            pending.put(self.engine, fresh)
        except EngraphyError as error:
            self._unnoted.update(job.name for job in fresh)
            _log.warning("messages may be lost in a crash: %s", type(error).__name__)

    def _take_up(self) -> None:
        """Some of what another process left behind: what waits here is anybody's before long."""
        found = list[Pending]()
        try:
            found += islice(pending.left_behind(self.engine, self._own()), _TAKEN)
        except EngraphyError as error:
            _log.warning("pending messages were not taken up: %s", type(error).__name__)
        with self._changed:
            self._waiting.extend(found)
            self._takes_up = len(found) == _TAKEN

    def _extract(self, job: Pending) -> None:
        why, outcomes = "", list[Outcome]()
        try:
            if not self._begin(job):
                return
            outcomes = self._observe(job)
        except EngraphyError as error:
            why = type(error).__name__
            _log.warning("messages were not extracted: %s", why)
        try:
            self._end(why, outcomes)
        except EngraphyError as error:
            _log.warning("messages may be extracted again: %s", type(error).__name__)

    def _observe(self, job: Pending) -> list[Outcome]:
        """What was handed over, extracted: an operation like any other."""
        told = Earlier(job.handed, waited=True, again=job.tries > 0, beside=self._mine())
        engine = replace(self.engine, earlier=told)
        engine = engine if job.held is None else acting(engine, job.held)
        given = {"messages": job.messages, **{key: getattr(job.scope, key) for key in KEYS}}
        run = partial(observe, engine, job.messages, job.scope, job.at)
        return list(operated(engine, "extract", given, lambda: list(run())))

    def _mine(self) -> Callable[[int], tuple[Change, ...]]:
        """What stands beside all that the job brings in: nothing where another process has it."""
        with self._holding:
            begun = self._begun

        def beside(now: int) -> tuple[Change, ...]:
            with self._holding:
                last = self._begun or begun
            return () if last is None else (pending.kept(last, now),)

        return beside

    def _begin(self, job: Pending) -> bool:
        """Count the attempt before it is made; False where another process has the job by now."""
        known = job.name not in self._unnoted
        self._unnoted.discard(job.name)
        try:
            mine = pending.begun(self.engine, job, self._own(), known=known)
        except EngraphyError:
            if known:
                raise
            return True
        with self._holding:
            self._begun = mine
        return mine is not None

    def _renew(self, done: Event) -> None:
        """While a job is under way, say so: however long it takes, it is taken up by nobody."""
        interval = self.engine.profile.write.background_lease_seconds / _RENEWALS_PER_LEASE
        while not done.wait(interval):
            with self._holding:
                if self._begun is None:
                    continue
                try:
                    self._begun = pending.renewed(self.engine, self._begun)
                except EngraphyError as error:
                    _log.warning("messages may be extracted twice: %s", type(error).__name__)

    def _end(self, why: str, outcomes: Sequence[Outcome]) -> None:
        """Take the job under way off the list; one that failed waits, or is set aside."""
        with self._holding:
            job, self._begun = self._begun, None
        if job is None:
            return
        if not why:
            pending.ended(self.engine, job, outcomes)
        elif job.tries >= self.engine.profile.write.background_attempts:
            pending.set_aside(self.engine, job, why)

"""Extraction in the background (C-01): whoever hands messages over waits for nothing.

One thread per opened memory, while there is work. What it was given stands in the store as a row
of session state until it is extracted, so that a crash loses nothing: the next memory that is
opened on the file and hands something over, or flushes, takes it up.
"""

import json
import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import Condition, Thread, current_thread

from engraphy.engine.parts import Engine
from engraphy.engine.remember import observe
from engraphy.errors import ConflictError, EngraphyError, StoreClosedError
from engraphy.model import Message, PutSessionState, Role, Scope, SessionState
from engraphy.write.intake import own_words

PREFIX = "pending:"
_IDLE_SECONDS = 1.0
_ORPHANED_AFTER = 60_000_000
_MOST_TAKEN_UP = 1_000
_MOST_TRIES = 5
_log = logging.getLogger("engraphy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """Messages that wait: whose they are, when they were handed over, how often it was tried."""

    name: str
    scope: Scope
    messages: tuple[Message, ...]
    at: int
    tries: int = 0

    def state(self, now: int) -> SessionState:
        """The row under which they wait."""
        return SessionState(scope=self.scope, name=self.name, value=_packed(self), updated_at=now)


@dataclass(slots=True)
class Later:
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

    def hand_over(self, messages: Sequence[Message], scope: Scope, at: int | None) -> None:
        """Queue messages, without what is injected or secret in them, and return at once. Raises
        StoreClosedError after `stop`."""
        now = self.engine.clock()
        kept = tuple(replace(one, content=own_words(one.content).text) for one in messages)
        job = Pending(
            name=f"{PREFIX}{self.engine.new_id(now)}",
            scope=scope,
            messages=kept,
            at=now if at is None else at,
        )
        with self._changed:
            if self._stopping:
                raise StoreClosedError(path=self.engine.store.path)
            self._fresh.append(job)
            self._start()
            self._changed.notify_all()

    def flush(self, seconds: float) -> bool:
        """Wait until nothing waits, what a crash left included; False where time ran out."""
        with self._changed:
            if self._takes_up or self._fresh or self._waiting:
                self._start()
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

    def _work(self) -> None:
        try:
            if self._takes_up:
                self._take_up()
            while (job := self._next()) is not None:
                self._extract(job)
        finally:
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
            if not (self._fresh or self._waiting or self._stopping):
                self._changed.wait(_IDLE_SECONDS)
            fresh, self._fresh = self._fresh, []
            self._waiting.extend(fresh)
            self._busy = bool(self._waiting)
            if not self._busy:
                self._thread = None
                return None
        if fresh:
            self._note(fresh)
        return None if self._stopping else self._waiting.popleft()

    def _note(self, fresh: Sequence[Pending]) -> None:
        now = self.engine.clock()
        rows = [PutSessionState(state=job.state(now)) for job in fresh]
        tenant = self.engine.tenant
        try:
            self.engine.store.apply(tenant, rows, now=now, actor=self.engine.actor)
        except EngraphyError as error:
            self._unnoted.update(job.name for job in fresh)
            _log.warning("messages may be lost in a crash: %s", type(error).__name__)

    def _take_up(self) -> None:
        """What another process left behind; claimed by moving its time, so that only one has it."""
        engine = self.engine
        now = engine.clock()
        try:
            for row in engine.store.session_states(
                engine.tenant, PREFIX, now=now, limit=_MOST_TAKEN_UP
            ):
                if now - row.updated_at > _ORPHANED_AFTER:
                    self._claim(row, now)
        except EngraphyError as error:
            _log.warning("pending messages were not taken up: %s", type(error).__name__)
        with self._changed:
            self._takes_up = False

    def _claim(self, row: SessionState, now: int) -> None:
        try:
            held = _unpacked(row)
        except (ValueError, TypeError, KeyError) as error:
            _log.warning("pending messages cannot be read: %s", type(error).__name__)
            return
        job = replace(held, tries=held.tries + 1)
        claim = PutSessionState(state=job.state(now), guarded=True, expected=row.value)
        try:
            self._apply(claim, now)
        except ConflictError:
            return
        with self._changed:
            self._waiting.append(job)

    def _extract(self, job: Pending) -> None:
        try:
            if not self._is_mine(job):
                return
            for _ in observe(self.engine, job.messages, job.scope, job.at):
                pass
        except EngraphyError as error:
            _log.warning("messages were not extracted: %s", type(error).__name__)
            if job.tries < _MOST_TRIES:
                return
        try:
            self._done(job)
        except EngraphyError as error:
            _log.warning("messages may be extracted again: %s", type(error).__name__)

    def _is_mine(self, job: Pending) -> bool:
        """Whether no other process has taken a job over that waited long; its time starts anew."""
        if job.name in self._unnoted:
            self._unnoted.discard(job.name)
            return True
        now = self.engine.clock()
        hold = PutSessionState(state=job.state(now), guarded=True, expected=_packed(job))
        try:
            self._apply(hold, now)
        except ConflictError:
            return False
        return True

    def _done(self, job: Pending) -> None:
        now = self.engine.clock()
        self._apply(PutSessionState(state=replace(job.state(now), expires_at=now)), now)

    def _apply(self, change: PutSessionState, now: int) -> None:
        tenant = change.state.scope.tenant
        self.engine.store.apply(tenant, [change], now=now, actor=self.engine.actor)


def _packed(job: Pending) -> str:
    messages = [
        {"role": m.role, "content": m.content, "at": m.at, "name": m.name, "meta": m.metadata}
        for m in job.messages
    ]
    return json.dumps({"at": job.at, "tries": job.tries, "messages": messages}, ensure_ascii=False)


def _unpacked(row: SessionState) -> Pending:
    told = json.loads(row.value)
    messages = tuple(
        Message(
            role=Role(one["role"]),
            content=one["content"],
            at=one["at"],
            name=one["name"],
            metadata=tuple((key, value) for key, value in one["meta"]),
        )
        for one in told["messages"]
    )
    return Pending(
        name=row.name, scope=row.scope, messages=messages, at=told["at"], tries=told["tries"]
    )

"""One snapshot for several reads of a thread, so that a call that asks five times begins once."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

from engraphy.model.scope import Tenant
from engraphy.stores.postgres.connection import Connection

_Begin = Callable[[Tenant], AbstractContextManager[Connection]]


class _Moment:
    """A transaction that is begun by the first who reads, and what ends it."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._begun: tuple[Tenant, Connection] | None = None

    def of(self, tenant: Tenant, begin: _Begin) -> Connection:
        """The transaction of a tenant: the one that is under way, where it is that tenant's."""
        if self._begun is None or self._begun[0] != tenant:
            self.end()
            self._begun = tenant, self._stack.enter_context(begin(tenant))
        return self._begun[1]

    def end(self, problem: BaseException | None = None) -> None:
        """End it; with a problem it is taken back, and that problem leaves as what it is for who
        reads by himself."""
        stack, self._stack, self._begun = self._stack, ExitStack(), None
        if problem is None:
            stack.close()
        else:
            stack.__exit__(type(problem), problem, problem.__traceback__)


class Moments:
    """The moment that each thread reads of, where it has said so."""

    def __init__(self) -> None:
        self._here = threading.local()

    @property
    def _moment(self) -> _Moment | None:
        found: _Moment | None = getattr(self._here, "moment", None)
        return found

    @contextmanager
    def lasting(self) -> Iterator[None]:
        """Reads of this thread inside share a snapshot, until `leave` is called."""
        if self._moment is not None:
            yield
            return
        moment = self._here.moment = _Moment()
        try:
            yield
        finally:
            self._here.moment = None
            moment.end()

    @contextmanager
    def reading(self, tenant: Tenant, begin: _Begin) -> Iterator[Connection]:
        """A snapshot of a tenant, begun so where none is under way."""
        moment = self._moment
        if moment is None:
            with begin(tenant) as connection:
                yield connection
            return
        connection = moment.of(tenant, begin)
        try:
            yield connection
        except BaseException as problem:
            moment.end(problem)
            raise

    def leave(self) -> None:
        """Hold nothing any more: what is read next is read of a later moment."""
        if self._moment is not None:
            self._moment.end()

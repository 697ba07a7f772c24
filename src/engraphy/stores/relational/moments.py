"""One snapshot for several reads of a thread, so that a call that asks five times begins once."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")
C = TypeVar("C")


class _Moment(Generic[T, C]):
    """A transaction that is begun by the first who reads, and what ends it. As a context it is one
    more read of it."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._begun: tuple[T, C] | None = None

    def of(self, whose: T, begin: Callable[[T], AbstractContextManager[C]]) -> "_Moment[T, C]":
        """The same with the transaction of `whose`: the one that is under way, where it is that
        one's."""
        if self._begun is None or self._begun[0] != whose:
            self.end()
            self._begun = whose, self._stack.enter_context(begin(whose))
        return self

    def __enter__(self) -> C:
        assert self._begun is not None
        return self._begun[1]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if problem is not None:
            self.end(problem)

    def end(self, problem: BaseException | None = None) -> None:
        """End it; with a problem it is taken back, and that problem leaves as what it is for who
        reads by himself."""
        stack, self._stack, self._begun = self._stack, ExitStack(), None
        if problem is None:
            stack.close()
        else:
            stack.__exit__(type(problem), problem, problem.__traceback__)


class Moments(Generic[T, C]):
    """The moment that each thread reads of, where it has said so."""

    def __init__(self) -> None:
        self._here = threading.local()

    @property
    def _moment(self) -> _Moment[T, C] | None:
        found: _Moment[T, C] | None = getattr(self._here, "moment", None)
        return found

    @contextmanager
    def lasting(self) -> Iterator[None]:
        """Reads of this thread inside share a snapshot, until `leave` is called."""
        if self._moment is not None:
            yield
            return
        moment = self._here.moment = _Moment[T, C]()
        try:
            yield
        finally:
            self._here.moment = None
            moment.end()

    def reading(
        self, whose: T, begin: Callable[[T], AbstractContextManager[C]]
    ) -> AbstractContextManager[C]:
        """A snapshot, begun so where none of `whose` is under way."""
        moment = self._moment
        return begin(whose) if moment is None else moment.of(whose, begin)

    def leave(self) -> None:
        """Hold nothing any more: what is read next is read of a later moment."""
        if self._moment is not None:
            self._moment.end()

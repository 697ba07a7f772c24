"""Dreaming in the foreground, whenever a cycle is due, until somebody says stop.

It is one object for the command `engraphy dream --watch` and for a server, and knows of a memory
only how to dream. Several of them, in any number of processes, do not get in each other's way:
what is due is a row of the store, and two never dream at once.
"""

from collections.abc import Callable
from threading import Event

from msgspec import Struct, field

from engraphy.errors import AlreadyDreamingError, StoreBusyError, StoreFullError
from engraphy.model import DreamReport
from engraphy.ports import Clock

_SECOND = 1_000_000
_LONGEST_SECONDS = 900.0
"""So often it looks at least: clocks jump, machines sleep, and other processes dream too."""
_SHORTEST_SECONDS = 1.0
_REST_SECONDS = 60.0
"""After a cycle whose time was up, after somebody else's, and after an error that may pass."""


class Nightly(Struct, kw_only=True):
    """`dream` runs a cycle where one is due, and says when the next one is, by `clock`; `told`
    hears of every cycle, `failed` of errors that may pass by themselves."""

    dream: Callable[[], DreamReport]
    clock: Clock
    told: Callable[[DreamReport], None]
    failed: Callable[[StoreBusyError | StoreFullError], None]
    dreaming: bool = False
    """Whether a cycle is under way: one that is broken off is gone on with by the next."""
    _stopping: Event = field(default_factory=Event)

    def run(self) -> None:
        """Dream and wait, until `stop`. Raises what no waiting helps against."""
        while not self._stopping.is_set():
            self._stopping.wait(self._once())

    def stop(self) -> None:
        """End the waiting at once; from any thread or signal handler, also before `run`."""
        self._stopping.set()

    def _once(self) -> float:
        """One look, and how many seconds until the next."""
        self.dreaming = True
        try:
            report = self.dream()
        except AlreadyDreamingError:
            return _REST_SECONDS
        except (StoreBusyError, StoreFullError) as error:
            self.failed(error)
            return _REST_SECONDS
        finally:
            self.dreaming = False
        if report.due:
            self.told(report)
        return self._pause(report)

    def _pause(self, report: DreamReport) -> float:
        if report.due and report.finished_at is None:
            return _REST_SECONDS
        if report.next_due_at is None:
            return _LONGEST_SECONDS
        left = (report.next_due_at - self.clock()) / _SECOND
        return min(max(left, _SHORTEST_SECONDS), _LONGEST_SECONDS)

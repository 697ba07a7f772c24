"""The background queues of one opened store, whoever hands something over."""

from threading import Lock

from msgspec.structs import replace

from engraphy.engine.later import Later
from engraphy.engine.parts import Engine
from engraphy.model import Tenant


class Queues:
    """The queues of one opened store: one for each tenant, made when it is first used, and shared
    by everybody on whose behalf something is handed over."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._lock = engine, Lock()
        self._held: dict[Tenant, Later] = {}
        self._stopped = False

    def of(self, tenant: Tenant) -> Later:
        """The queue of a tenant."""
        with self._lock:
            if tenant not in self._held:
                made = Later(replace(self._engine, tenant=tenant))
                if self._stopped:
                    made.stop(0.0)
                self._held[tenant] = made
            return self._held[tenant]

    def stop(self, seconds: float) -> None:
        """End every queue: so long it extracts what waits, the rest stays in the store."""
        with self._lock:
            self._stopped = True
            held = tuple(self._held.values())
        ends = self._engine.stopwatch() + seconds
        for one in held:
            one.stop(max(0.0, ends - self._engine.stopwatch()))

"""`engraphy` with servers that take the jobs of others: for the proof that has to catch it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engraphy.cli.app import main
from engraphy.engine import pending
from engraphy.http import scheduling
from engraphy.model import PutSessionState


def _every(engine: Any, by: str) -> Iterator[pending.Pending]:
    """Whatever waits, whosever it is and however long it has been so."""
    for row in engine.store.session_states(engine.tenant, pending.PREFIX, now=0, limit=1_000):
        job = pending._read(row)  # noqa: SLF001 - broken on purpose
        if job is not None:
            yield replace(job, by=by)


def _begun(engine: Any, job: Any, by: str, *, known: bool = True) -> Any:  # noqa: ARG001 - as above
    """Nobody is told who has the job."""
    return job


def _kept(job: Any, now: int) -> PutSessionState:
    return PutSessionState(state=job.state(now))


pending.left_behind = _every
pending.begun = _begun
pending.kept = _kept
scheduling._TAKING_UP_SECONDS = 0.5  # noqa: SLF001 - as above

if __name__ == "__main__":
    main()

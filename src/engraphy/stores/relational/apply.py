"""Which function writes which change."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from engraphy.errors import InvalidInputError, NotFoundError
from engraphy.model.change import (
    Change,
    CoActivate,
    DeleteFact,
    DeleteRelation,
    Forget,
    Insert,
    PutDream,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutRelation,
    PutSessionState,
    PutVersion,
    Reinforce,
    Restore,
    Settle,
    Spread,
    Strengthen,
    Tally,
    Touch,
    Update,
)
from engraphy.model.federating import (
    Adopt,
    EndCopy,
    EndPublication,
    EndSubscription,
    PutPublication,
    PutSubscription,
)
from engraphy.model.granting import PutGrant, RevokeGrant
from engraphy.model.leaving import ForgetUser
from engraphy.model.outlasting import Mark, Remove
from engraphy.stores.relational import (
    attach,
    federating,
    forget,
    granting,
    moving,
    removing,
    resting,
    users,
    write,
)
from engraphy.stores.relational.batch import Batch

_WRITERS: dict[type, Callable[[Batch, Any], int | None]] = {
    Insert: write.insert,
    Update: write.update,
    PutVersion: write.put_version,
    Reinforce: write.reinforce,
    Tally: write.tally,
    Touch: write.touch,
    Strengthen: write.strengthen,
    Spread: attach.spread,
    Forget: forget.forget,
    ForgetUser: users.forget_user,
    Remove: removing.remove,
    Restore: removing.restore,
    Mark: removing.mark,
    PutRelation: attach.put_relation,
    DeleteRelation: attach.delete_relation,
    CoActivate: attach.coactivate,
    PutFact: attach.put_fact,
    DeleteFact: attach.delete_fact,
    PutEpisode: attach.put_episode,
    PutProcedure: attach.put_procedure,
    PutSessionState: attach.put_session_state,
    Settle: resting.settle,
    PutDream: resting.put_dream,
    PutGrant: granting.put_grant,
    RevokeGrant: granting.revoke_grant,
    PutPublication: federating.put_publication,
    EndPublication: federating.end_publication,
    PutSubscription: federating.put_subscription,
    EndSubscription: federating.end_subscription,
    Adopt: federating.adopt,
    EndCopy: federating.end_copy,
}


def apply(batch: Batch, changes: Sequence[Change]) -> tuple[int, ...]:
    """Write every change in order; returns the numbers of their journal lines."""
    numbers: list[int | None] = []
    moves: list[tuple[Update, tuple[str, ...]]] = []
    for change in changes:
        names = moving.names_of(change)
        if names is not None and isinstance(change, Update):
            moves.append((change, names))
            continue
        numbers += moving.move(batch, moves)
        moves.clear()
        numbers.append(_writer(change)(batch, change))
    numbers += moving.move(batch, moves)
    if batch.changed:
        federating.take_back(batch, batch.changed)
    if batch.takes or batch.told:
        federating.for_others(batch, _erase)
    if batch.takes or any(isinstance(change, Forget) for change in changes):
        # A deleted word stays in the pages of the full-text index until they are merged.
        batch.traces.scrub(batch.connection)
    return tuple(number for number in numbers if number is not None)


def _erase(batch: Batch, id: str, reason: str) -> None:
    try:
        forget.erase(batch, batch.stored(id), reason)
    except NotFoundError:
        with suppress(NotFoundError):
            removing.erase(batch, Forget(id=id, reason=reason))


def _writer(change: Change) -> Callable[[Batch, Any], int | None]:
    writer = _WRITERS.get(type(change))
    if writer is None:
        raise InvalidInputError(
            field="change",
            got=type(change).__name__,
            allowed=", ".join(sorted(kind.__name__ for kind in _WRITERS)),
        )
    return writer

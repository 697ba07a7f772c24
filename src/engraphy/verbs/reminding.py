"""The verb about what waits to be told."""

from typing import Unpack

from engraphy.engine import reminding, scoping
from engraphy.model.reminding import Reminder
from engraphy.verbs.base import Reading, Verbs

_MOST_ROWS = 10_000


class Reminding(Verbs):
    """Prospective memory: what the user asked to be reminded of."""

    def reminders(
        self, *, told: bool = False, limit: int = 50, **scope: Unpack[Reading]
    ) -> list[Reminder]:
        """What the user asked to be reminded of and was not yet, the next to be due first, then
        what waits for a topic; with `told` also what they were reminded of. Listing tells nothing.

        "Remind me to renew the passport on 3 March", "remind me when we talk about the deploy to
        check the migrations" make one, said or remembered; so does `remember(text, remind_at=...)`
        or `remind_when="words of a topic"`. Once it is due, `context` carries it, once. Put one off
        with `update(id, remind_at=...)`; it is done with `report(id)`, `update(id,
        remind_at=None)`, or `forget(id)`.
        """
        view = self._view(scope)
        count = scoping.positive("limit", limit, _MOST_ROWS)
        return reminding.listed(self._engine, view, count, done=scoping.flag("told", told))

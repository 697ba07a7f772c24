"""Reminders that wait: looked up for a prompt and for a listing, told once, moved (D-76)."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.model import Draft, Held, Hit, Listing, Memory, Origin, Slot, Update, View
from engraphy.model.reminding import PENDING, REMINDED, Reminder
from engraphy.read import reminding as reading
from engraphy.text.cues import cue_of, pending
from engraphy.text.reminding import moves
from engraphy.write.reminding import may_remind, same_matter, told

_PAGE = 200
_WHY = "reminded"


def waiting(engine: Engine, view: View, tag: str = PENDING) -> Iterator[Memory]:
    """The reminders that a view sees, those that were asked for first before the others."""
    listing = Listing(tag=tag, origin=Origin.USER, order="oldest", limit=_PAGE)
    while rows := engine.store.page(view, listing):
        yield from (row for row in rows if may_remind(row))
        if len(rows) < _PAGE:
            return
        listing = replace(listing, after=rows[-1].id)


def due(engine: Engine, prompt: str, view: View) -> list[Hit]:
    """The reminders that are to be told with a prompt, the longest due first; those that wait for
    the topic behind them. None where nothing could be written: it would be told every time."""
    if engine.store.read_only:
        return []
    knobs, found = engine.profile.form.remind, list[reading.Due]()
    said = reading.prompt_of(prompt, view.now)
    for row in waiting(engine, view):
        if (one := reading.due(row, said, knobs)) is not None:
            found.append(one)
    found.sort(key=lambda one: (-one.why.get("due", 0.0), -one.why.get("overdue_days", 0.0)))
    return [Hit(memory=one.memory, score=1.0, why=one.why, confidence=1.0) for one in found]


def telling(engine: Engine, told_ones: Sequence[Memory], now: int) -> list[Update]:
    """The changes that make reminders told ones."""
    knobs = engine.profile.form.remind
    return [
        Update(memory=told(row, now, knobs), expected=row, reason=_WHY)
        for row in told_ones
        if pending(row)
    ]


def listed(engine: Engine, view: View, limit: int, *, done: bool) -> list[Reminder]:
    """The reminders that wait, the next to be due first and then those that wait for a topic;
    with `done` also those that were told, the last told first."""
    rows = [*waiting(engine, view), *(waiting(engine, view, REMINDED) if done else ())]
    found = [one for row in rows if (one := reading.standing(row, view.now)) is not None]
    found.sort(key=_place)
    return found[:limit]


def _place(one: Reminder) -> tuple[bool, bool, int, str]:
    over = one.status in {"told", "over"}
    moment = -(one.told_at or 0) if over else one.at or 0
    return (over, not over and one.at is None, moment, one.memory.id)


def moved(engine: Engine, view: View, draft: Draft) -> list[Held]:
    """The waiting reminders whose place a request takes: of the same thing to do, behind exactly
    the same walls, where it says so, or is for the same moment or topic in other words."""
    new = draft.memory
    if not pending(new):
        return []
    says_so, cue = moves(new.content), cue_of(new)
    slot = Slot(subject="user", attribute="reminder", value=new.title or new.content[:80])
    return [
        Held(fact=None, slot=slot, source=row)
        for row in waiting(engine, view)
        if replace(row.scope, session=new.scope.session) == new.scope
        and (says_so or cue_of(row) == cue)
        and row.content != new.content
        and same_matter(row, new)
    ]

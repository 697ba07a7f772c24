"""An opened memory for hooks: the same verbs, and a mark in the store for each event it did."""

import os
import threading
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engraphy.engine.context import Call, delivered
from engraphy.engine.forgotten import is_swept
from engraphy.engine.parts import Earlier, Engine
from engraphy.engine.receipts import anew
from engraphy.engine.session_rows import exact
from engraphy.hooks import cards
from engraphy.hooks.event import Event
from engraphy.memory import Memory
from engraphy.model import (
    Change,
    MICROSECONDS_PER_DAY,
    PutSessionState,
    ReceiptLine,
    Scope,
    SessionState,
    View,
)
from engraphy.opening import open_engine
from engraphy.profile import Layer, Profile
from engraphy.providing import attribute
from engraphy.settings import is_server

_KEPT_DAYS = 3
_MARK = "hook.{id}"
_STANDS = ("policy", "correction", "preference", "decision", "architecture", "workflow", "pitfall")


class Over(Memory):
    """The verbs over an engine that is open already."""

    def __init__(self, engine: Engine) -> None:
        super(Memory, self).__init__(engine)


class Marking:
    """A store that writes a mark together with the next changes: what is killed afterwards is known
    to be done, what is killed before was not."""

    def __init__(self, store: Any) -> None:
        self._store = store
        # Beside what is worked off, other threads answer: their changes are not the event's.
        self._own = threading.local()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def beside(self, mark: Change | None) -> None:
        """Write this mark with the next changes; None for no mark."""
        self._own.mark = mark

    def apply(self, tenant: Any, changes: Sequence[Change], **told: Any) -> tuple[int, ...]:
        """Write the changes, and the mark with them."""
        mark: Change | None = getattr(self._own, "mark", None)
        more = (*changes, mark) if mark is not None and changes else tuple(changes)
        numbers: tuple[int, ...] = self._store.apply(tenant, more, **told)
        self._own.mark = None
        return numbers


class Opened:
    """A memory as hooks use it: `memory`, and `starts`, which is asked where there is no prompt."""

    def __init__(self, quota: int = 12) -> None:
        engine = open_engine(actor="hook")
        self._marking = Marking(engine.store)
        self._engine = replace(engine, store=self._marking)
        self.memory = Over(replace(self._engine, profile=_at_prompt(engine.profile)))
        self.starts = Over(replace(self._engine, profile=_at_start(engine.profile, quota)))

    def close(self) -> None:
        """Close the store."""
        self.memory.close()

    @property
    def budget(self) -> int:
        """The profile's tokens of a block."""
        return self._engine.profile.inject.budget

    def anew(self, session: str, project: str | None) -> None:
        """A conversation lost what it was given: it may be given it again."""
        if session:
            engine = self._engine
            change = anew(engine, replace(self._walls(project), session=session), engine.clock())
            engine.store.apply(engine.tenant, [change], now=engine.clock(), actor=engine.actor)

    def deliver(self, event: Event, project: str | None) -> None:
        """Count what a glance put into a prompt as given to its conversation."""
        engine, knobs = self._engine, self._engine.profile.inject
        view = View(scope=self._walls(project), now=engine.clock())
        call = Call(
            prompt="",
            view=view,
            budget=knobs.budget,
            knobs=knobs,
            conversation=event.session or None,
        )
        lines = [
            ReceiptLine(
                memory_id=known,
                version=version,
                tokens=tokens,
                layer="glance",
                style="full",
                score=share,
                confidence=share,
            )
            for known, version, tokens, share in event.output or ()
        ]
        delivered(engine, call, lines)

    def earlier(self, event: Event) -> Memory:
        """The memory as what was told before now comes into it: without what was forgotten
        since."""
        return Over(replace(self._engine, earlier=Earlier(event.at, waited=True)))

    def is_forgotten(self, event: Event, project: str | None) -> bool:
        """Whether all of an event's place was forgotten after it happened."""
        engine, scope = self._engine, replace(self._walls(project), session=event.session or None)
        return is_swept(engine, scope, event.at, engine.clock())

    def leave_card(self, home: str, folder: str, project: str | None) -> None:
        """Leave what a glance needs to know of this memory and this folder; a glance looks into
        files only."""
        if is_server(self.memory.path):
            return
        engine = self._engine
        schema = attribute("engraphy.stores.sqlite.migrations", "newest")()
        told = cards.about(os.path.abspath(self.memory.path), schema, engine.tenant, engine.profile)
        cards.left(home, folder, project, told)

    def is_done(self, id: str, project: str | None) -> bool:
        """Whether an event was worked off already."""
        engine = self._engine
        view = exact(self._walls(project), engine.clock())
        return engine.store.session_state(view, _MARK.format(id=id)) is not None

    def mark(self, id: str, project: str | None) -> None:
        """Say with the next changes that an event is worked off."""
        self._marking.beside(self._done(id, project))

    def end(self, id: str, project: str | None) -> None:
        """Say that an event is worked off, where no changes said it."""
        self._marking.beside(None)
        if not self.is_done(id, project):
            engine = self._engine
            changes = [self._done(id, project)]
            engine.store.apply(engine.tenant, changes, now=engine.clock(), actor=engine.actor)

    def _done(self, id: str, project: str | None) -> Change:
        now = self._engine.clock()
        state = SessionState(
            scope=self._walls(project),
            name=_MARK.format(id=id),
            value="1",
            updated_at=now,
            expires_at=now + _KEPT_DAYS * MICROSECONDS_PER_DAY,
        )
        return PutSessionState(state=state)

    def _walls(self, project: str | None) -> Scope:
        return Scope(tenant=self._engine.tenant, project=project)


def _at_prompt(profile: Profile) -> Profile:
    """The profile with what always stands told once in so many turns: an agent keeps what it was
    given before."""
    layers = [
        msgspec.structs.replace(one, repeats=one.repeats and one.source != "standing")
        for one in profile.inject.layers
    ]
    inject = msgspec.structs.replace(profile.inject, layers=layers)
    return msgspec.structs.replace(profile, inject=inject)


def _at_start(profile: Profile, quota: int) -> Profile:
    """The profile with what is told when a session begins: what always stands, and what the user
    said of how things are done here; given again whatever the conversation was given before."""
    layers = [one for one in profile.inject.layers if one.source != "relevant"]
    usual = profile.inject.layers[0]
    told = msgspec.structs.replace(
        usual,
        name="here",
        source="standing",
        kinds=list(_STANDS),
        min_priority="normal",
        quota=quota,
        scales={},
        score="hit",
        min_score=0.0,
        order="priority",
        shown="ranked",
        repeats=True,
    )
    made: list[Layer] = [*layers, told]
    inject = msgspec.structs.replace(profile.inject, gate="relevant", layers=made)
    return msgspec.structs.replace(profile, inject=inject)

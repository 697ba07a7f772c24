"""Personal data on the way in (D-71): what the profile's `pii` says of it is done before anything
is written, whichever verb brings it.

Texts are screened where they come in, so that nothing is read out of them, or asked of a model,
that may not stay. Behind that the store is screened as well: it looks at changes, of which there
are few kinds, and not at verbs, of which there are many.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from engraphy.engine.embedding import document_vectors
from engraphy.engine.parts import Engine
from engraphy.errors import PersonalDataError
from engraphy.model import (
    Change,
    Draft,
    Fact,
    Insert,
    Memory,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutSessionState,
    PutVersion,
    Tenant,
    Update,
)
from engraphy.ports import Store
from engraphy.profile.pii import PiiPolicy
from engraphy.record import Record
from engraphy.text.secrets import redact
from engraphy.write.form import embedded
from engraphy.write.given import versioned
from engraphy.write.intake import Intake, admitted
from engraphy.write.personal import Seen, flagged, listed, most, seen, taken_out

_TEXTS = ("content", "title", "subtitle", "context", "category")
_LISTS = ("tags", "concepts", "entities", "files_read", "files_modified")
_BY_ITSELF = "dream"
"""Who writes in maintenance: what it makes of stored texts is never refused."""


def screened(engine: Engine, intake: Intake) -> Intake:
    """A text that came in, without the personal data that may not stay. Raises
    PersonalDataError."""
    if engine.personal is None:
        return intake
    found = _seen(engine, intake.text)
    _check(found)
    return Intake(found.text, (*intake.steps, *found.steps))


def taken_in(engine: Engine, content: object) -> str:
    """A text as it may take the place of another. Raises PersonalDataError, and what `admitted`
    raises."""
    text, _ = redact(admitted(content, engine.profile.write.max_content_chars))
    return screened(engine, Intake(text, ())).text


def marked(engine: Engine, draft: Draft) -> Draft:
    """A draft tagged with what personal data it holds, and private at least."""
    if engine.personal is None:
        return draft
    memory = draft.memory
    found = [_seen(engine, text) for text in _texts(memory)]
    return replace(draft, memory=flagged(memory, _kinds(found, "flag")))


def stated(engine: Engine, fact: Fact, *, refuses: bool = True) -> Fact:
    """A fact as it may be written. By itself it cannot be made private: what would be flagged is
    taken out of it. Raises PersonalDataError."""
    alone = fact.source_id is None
    subject, predicate, value = (
        _told(engine, one, refuses=refuses, flags=not alone)
        for one in (fact.subject, fact.predicate, fact.object)
    )
    return replace(fact, subject=subject, predicate=predicate, object=value)


def behind_screen(engine: Engine) -> Engine:
    """The engine over a store that personal data comes into only as the profile says."""
    if engine.personal is None:
        return engine
    return replace(engine, store=cast("Store", Screened(engine.store, engine)))


def of_tenant(engine: Engine, tenant: Tenant) -> Engine:
    """The engine over the same store for another tenant, with the embedder whose vectors answer
    there. Raises EmbedderMismatchError."""
    if tenant == engine.tenant or engine.serving is None:
        return replace(engine, tenant=tenant)
    there, store = engine.serving(tenant), engine.store
    made = replace(
        engine, tenant=tenant, embedder=there.embedder, embedder_spec=there.embedder_spec
    )
    if isinstance(store, Screened):
        made = replace(made, store=cast("Store", Screened(store.store, made)))
    return made


class Screened(Record, frozen=True):
    """A store that treats personal data as the profile says; everything else of it is the
    store's."""

    store: Store
    engine: Engine

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def apply(
        self, tenant: Tenant, changes: Sequence[Change], *, actor: str, **told: Any
    ) -> tuple[int, ...]:
        """Write the changes, or raise PersonalDataError and write none."""
        by_itself = actor.startswith(_BY_ITSELF) or told.get("op") == "undo"
        safe = [self._safe(change, refuses=not by_itself) for change in changes]
        return self.store.apply(tenant, safe, actor=actor, **told)

    def _safe(self, change: Change, *, refuses: bool) -> Change:
        if isinstance(change, Insert | Update):
            return self._row(change, refuses=refuses)
        if isinstance(change, PutFact):
            return replace(change, fact=stated(self.engine, change.fact, refuses=refuses))
        if isinstance(change, PutEpisode):
            lesson = _told(self.engine, change.episode.lesson, refuses=refuses)
            return replace(change, episode=replace(change.episode, lesson=lesson))
        if isinstance(change, PutProcedure):
            told = change.procedure
            name, trigger, *steps = (
                _told(self.engine, one, refuses=refuses)
                for one in (told.name, told.trigger, *told.steps)
            )
            made = replace(told, name=name, trigger=trigger, steps=tuple(steps))
            return replace(change, procedure=made)
        if isinstance(change, PutVersion):
            text = _told(self.engine, change.version.content, refuses=refuses)
            title = _told(self.engine, change.version.title, refuses=refuses)
            return replace(change, version=replace(change.version, content=text, title=title))
        if isinstance(change, PutSessionState):
            value = self._value(change.state.value)
            return replace(change, state=replace(change.state, value=value))
        return change

    def _row(self, change: Insert | Update, *, refuses: bool) -> Insert | Update:
        memory, before = change.memory, change.expected if isinstance(change, Update) else None
        held = set() if before is None else set(_texts(before))
        new = [text for text in _texts(memory) if text not in held]
        found = [_seen(self.engine, text) for text in new]
        if refuses:
            for one in found:
                _check(one)
        cleared = {text: one.text for text, one in zip(new, found, strict=True) if one.counts}
        memory = flagged(_with(memory, cleared), _kinds(found, "flag"))
        gone = taken_out(_texts(memory)) - taken_out(held)
        if before is not None:
            memory = versioned(before, memory)
        made = replace(change, memory=memory, reason=_reason(change.reason, found, gone))
        if memory.content != change.memory.content or memory.context != change.memory.context:
            [vector] = document_vectors(self.engine, [embedded(memory)])
            made = replace(made, vector=vector)
        return made

    def _value(self, value: str) -> str:
        """The state of a session, with every text in it; it is kept without what would be refused,
        so that no session is stopped by it."""
        try:
            told = json.loads(value)
        except ValueError:
            return value
        safe = _walked(told, lambda text: _seen(self.engine, text, every=True).text)
        return value if safe == told else json.dumps(safe, ensure_ascii=False)


def _walked(value: Any, change: Any) -> Any:
    """A JSON value with every text of several words, or with an @, changed."""
    if isinstance(value, str):
        return change(value) if " " in value or "@" in value else value
    if isinstance(value, list):
        return [_walked(one, change) for one in value]
    if isinstance(value, dict):
        return {key: _walked(one, change) for key, one in value.items()}
    return value


def _seen(engine: Engine, text: str, *, every: bool = False) -> Seen:
    """What is found in a text; with `every`, all that is looked for is taken out."""
    knobs = engine.profile.pii
    if engine.personal is None or not text:
        return Seen(text, {})
    if every:
        kinds: dict[Any, PiiPolicy] = {
            kind: "redact" if policy != "off" else "off" for kind, policy in knobs.each()
        }
        knobs = type(knobs)(policy="off", kinds=kinds, regions=knobs.regions)
    return seen(text, engine.personal(text), knobs)


def _told(engine: Engine, text: str, *, refuses: bool, flags: bool = True) -> str:
    found = _seen(engine, text, every=not flags)
    if refuses:
        _check(_seen(engine, text))
    return found.text


def _check(found: Seen) -> None:
    if refused := found.kinds("refuse"):
        raise PersonalDataError(found=listed(refused))


def _texts(memory: Memory) -> Iterator[str]:
    """Every text of a memory but its walls, its speaker and its ids, which are names."""
    yield from (text for name in _TEXTS if (text := getattr(memory, name)))
    for name in _LISTS:
        yield from getattr(memory, name)
    yield from (text for pair in memory.metadata for text in pair)


def _with(memory: Memory, cleared: dict[str, str]) -> Memory:
    if not cleared:
        return memory
    told: dict[str, Any] = {
        name: cleared.get(getattr(memory, name), getattr(memory, name)) for name in _TEXTS
    }
    for name in _LISTS:
        told[name] = tuple(cleared.get(one, one) for one in getattr(memory, name))
    kept = {cleared.get(k, k): cleared.get(value, value) for k, value in memory.metadata}
    told["metadata"] = tuple(kept.items())
    return replace(memory, **told)


def _kinds(found: Sequence[Seen], policy: PiiPolicy) -> set[str]:
    return {kind for one in found for kind in one.kinds(policy)}


def _reason(reason: str, found: Sequence[Seen], gone: Counter[str]) -> str:
    """The reason of a line of the journal, with kinds and numbers of what was found."""
    flags = most(one.kinds("flag") for one in found)
    told = [f"pii made private: {listed(flags)}"] if flags else []
    told += [f"pii taken out: {listed(gone)}"] if gone else []
    return "; ".join(filter(None, (reason, *told)))

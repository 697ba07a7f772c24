"""What comes from elsewhere, brought in: each thing once, however often and in whatever order it is
told, through the gates that hold for what is told here.

Nothing that stands already is strengthened or woken by a copy of it, and no language model is
asked. Every memory is one transaction with the mark that it was taken in, under an actor of the
run's own, by which the whole of it is undone at once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from msgspec import Struct, field

from engraphy.engine import scoping
from engraphy.engine.ceiling import vouching
from engraphy.engine.embedding import document_vectors
from engraphy.engine.naming import named
from engraphy.engine.parts import Earlier, Engine
from engraphy.engine.placing import placed
from engraphy.engine.prepared import Prepared
from engraphy.engine.remember import heard, written
from engraphy.engine.screening import screened
from engraphy.engine.standing import content_hash
from engraphy.engine.taken import AlreadyTakenError, Ledger
from engraphy.engine.tallying import ALREADY, Tally
from engraphy.errors import ContentTooLongError, EmptyContentError, InvalidInputError
from engraphy.model import (
    Action,
    DataSource,
    Entity,
    Memory,
    Message,
    Origin,
    Outcome,
    Role,
    Scope,
    WriteSource,
)
from engraphy.model.importing import Imported, Item
from engraphy.record import Record
from engraphy.text.clean import clean
from engraphy.text.cues import cue_of, pending
from engraphy.text.moments import microseconds
from engraphy.write.form import Source, embedded, explicit
from engraphy.write.given import given
from engraphy.write.intake import admitted, own_words, storable
from engraphy.write.quarantine import quarantined
from engraphy.write.reminding import done

ACTOR = "import {run}"
TAG = "from:{source}"
_AUTHORITY = frozenset({"origin", "trust", "pinned", "immutable"})
"""Fields by which a source would raise itself: only one that is vouched for has them."""
_TOGETHER = 64
"""So many messages of a conversation are read beside one another, for what pronouns mean."""


class Landing(Record, frozen=True, kw_only=True):
    """How things come in: from which source and place, into which walls where a caller names them
    (else where their source says), whether what was kept counts as the user's own word, and whether
    what was forgotten comes in again."""

    source: str
    place: str = ""
    trusted: bool = False
    forgotten: bool = False
    walls: tuple[tuple[str, str], ...] = ()


def bring(
    engine: Engine,
    items: Iterable[Item],
    landing: Landing,
    *,
    dry_run: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Imported:
    """Bring things in; with `dry_run` into a copy of the store, which is thrown away."""
    if landing.trusted:
        vouching(engine)
    engine = replace(engine, model=None)
    if not dry_run:
        return _brought(engine, items, landing, progress)
    with engine.store.scratch() as copy:
        told = _brought(replace(engine, store=copy), items, landing, progress)
    return replace(told, dry_run=True, run="")


def _brought(
    engine: Engine,
    items: Iterable[Item],
    landing: Landing,
    progress: Callable[[int], None] | None,
) -> Imported:
    walls = scoping.scope(engine.tenant, dict(landing.walls), engine.profile.sessions)
    ledger = Ledger(
        engine=engine,
        walls=replace(walls, session=None, conversation=None),
        source=landing.source,
        place=landing.place,
    )
    coming = _Coming(engine, landing, ledger)
    for talk in _talks(items):
        for item, known in coming.with_names(talk):
            coming.take(item, known)
            if progress is not None:
                progress(1)
    ledger.end()
    return coming.tally.shown(landing.source, ledger.run)


def _talks(items: Iterable[Item]) -> Iterator[list[Item]]:
    """The things in their order, a few messages of one conversation together."""
    talk: list[Item] = []
    for item in items:
        together = item.role is not None and bool(talk) and _talk(item) == _talk(talk[-1])
        if talk and (not together or len(talk) >= _TOGETHER):
            yield talk
            talk = []
        talk.append(item)
    if talk:
        yield talk


def _talk(item: Item) -> tuple[object, ...]:
    return (item.role is None, item.user, item.agent, item.project, item.session)


def _over(memory: Memory, now: int) -> Memory:
    """A request to be reminded whose moment is not ahead is what was asked once: nobody is told
    today what another agent was to tell back then."""
    cue = cue_of(memory)
    if cue is None or not pending(memory) or (cue.at is not None and cue.at > now):
        return memory
    return done(memory, cue)


class _Coming(Struct):
    """An import under way."""

    engine: Engine
    landing: Landing
    ledger: Ledger
    tally: Tally = field(default_factory=Tally)

    def with_names(self, talk: Sequence[Item]) -> Iterator[tuple[Item, tuple[Entity, ...]]]:
        """Each thing with what was named before it in the same conversation."""
        try:
            scope = self._scope(talk[0])
        except InvalidInputError:
            yield from ((item, ()) for item in talk)
            return
        said = [Message(role=one.role or Role.USER, content=one.content) for one in talk]
        found = named(self.engine, said, scope)
        yield from zip(talk, (known for _, known in found), strict=True)

    def take(self, item: Item, known: tuple[Entity, ...]) -> None:
        """Bring one thing in, unless it was; what cannot be one of ours is left out and counted."""
        self.tally.read += 1
        try:
            scope = self._scope(item)
            if self.ledger.has(item.id):
                self.tally.counts["already"] += 1
                return
            actor = ACTOR.format(run=self.ledger.began())
            engine = replace(self.engine, actor=actor, earlier=self._earlier(item))
            for outcome in self._outcomes(engine, item, self._source(item, scope, known)):
                self.tally.told(outcome)
        except ContentTooLongError:
            self.tally.skipped["length"] += 1
            return
        except InvalidInputError as error:
            self.tally.skipped[f"invalid: {error.details.get('field', 'content')}"] += 1
            return
        self.ledger.note(item.id)

    def _earlier(self, item: Item) -> Earlier | None:
        """What has no moment was said before anything was forgotten."""
        if self.landing.forgotten:
            return None
        return Earlier(0 if item.at is None else microseconds(item.at))

    def _outcomes(self, engine: Engine, item: Item, source: Source) -> Iterator[Outcome]:
        def finish(engine: Engine, prepared: Prepared) -> Outcome:
            memory = self._marked(_over(prepared.draft.memory, source.now), item)
            part = f"{item.id}\0{content_hash(memory.content)}"
            if self.ledger.has_part(part):
                return Outcome(action=Action.SKIPPED, reason=ALREADY)
            draft = quarantined(replace(prepared.draft, memory=memory))
            beside = self.ledger.part(item.id, part)
            try:
                return written(engine, replace(prepared, draft=draft, beside=beside, once=True))
            except AlreadyTakenError:
                return Outcome(action=Action.SKIPPED, reason=ALREADY)

        if item.role is None:
            return iter([finish(engine, self._kept(engine, item, source))])
        name = source.speaker or None
        message = Message(role=item.role, content=clean(item.content), name=name)
        return heard(engine, message, source, finish)

    def _kept(self, engine: Engine, item: Item, source: Source) -> Prepared:
        """What another memory keeps, as a draft: no gate asks whether it is worth it, and it counts
        as an import's word unless whoever brings it vouches for it (P-10)."""
        profile = engine.profile
        words = own_words(admitted(item.content, profile.write.max_content_chars))
        intake = screened(engine, words)
        if not intake.text:
            raise EmptyContentError
        fields = dict(item.fields)
        if not self.landing.trusted:
            own = {name: value for name, value in fields.items() if name not in _AUTHORITY}
            fields = {**own, "origin": Origin.IMPORT.value}
        wanted = placed(engine, source.scope, given(fields))
        draft = explicit(intake.text, source, wanted, profile.form, intake.steps)
        [vector] = document_vectors(engine, [embedded(draft.memory)])
        weighed = isinstance(wanted.importance, float | int)
        return Prepared(draft=draft, vector=vector, given_importance=weighed, wanted=wanted)

    def _source(self, item: Item, scope: Scope, known: tuple[Entity, ...]) -> Source:
        """Whose words they are and when they were said; a future told by a skewed clock is now,
        and what was over before that held until it was over."""
        now = self.engine.clock()
        at = now if item.at is None else min(microseconds(item.at), now)
        if (ends := item.fields.get("valid_until")) is not None:
            at = min(at, microseconds(ends, field="valid_until") - 1)
        return Source(
            scope=scope,
            role=item.role or Role.USER,
            at=at,
            now=now,
            speaker=storable(item.name) if item.name else "",
            known=known,
            most=self.engine.most,
        )

    def _marked(self, memory: Memory, item: Item) -> Memory:
        """A draft's memory with where it comes from: by its tag, session and metadata."""
        told = {"source": self.landing.source, "source_id": storable(item.id)}
        tag = TAG.format(source=self.landing.source)
        return replace(
            memory,
            write_source=WriteSource.IMPORT,
            data_source=DataSource.IMPORT if item.role is None else memory.data_source,
            tags=tuple(dict.fromkeys((*memory.tags, tag))),
            metadata=tuple(sorted({**dict(memory.metadata), **told}.items())),
        )

    def _scope(self, item: Item) -> Scope:
        """Where a thing comes to stand. Raises InvalidInputError."""
        said = {key: getattr(item, key) or None for key in scoping.KEYS}
        engine = self.engine
        return scoping.scope(
            engine.tenant, said | dict(self.landing.walls), engine.profile.sessions
        )

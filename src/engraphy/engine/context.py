"""Memories for a prompt: what always stands, the hot tier, what answers; packed, delivered, and
told in a receipt."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from engraphy.engine import receipts, reminding, replaying, working
from engraphy.engine.explaining import narrowed
from engraphy.engine.parts import Engine
from engraphy.engine.recall import recall
from engraphy.engine.reinforcing import count, reinforcement
from engraphy.errors import ConflictError
from engraphy.formulas import elapsed_days, is_hot
from engraphy.model import (
    Change,
    Context,
    Hit,
    Kind,
    LeftOut,
    Listing,
    Memory,
    Origin,
    PRIORITY_RANK,
    Priority,
    Receipt,
    ReceiptLine,
    Scope,
    State,
    Tier,
    View,
    WriteSource,
)
from engraphy.profile import Hot, Inject, Layer
from engraphy.read.inject import Turn, block
from engraphy.read.query import unneeded
from engraphy.record import Record
from engraphy.text.fold import fold_text
from engraphy.text.tokens import TOKENIZER

_STANDING_ROWS = 200
_ATTEMPTS = 64

Later = Callable[[Callable[[], object]], object]
"""Takes over what keeps a block, for who sends it off first."""


class Call(Record, frozen=True, kw_only=True):
    """What a caller asks for: a prompt, who sees what, the most tokens, the last messages, the
    conversation the block goes into, and the profile's knobs with what the call says otherwise.

    `shown`: the memories (and their versions) that earlier blocks still show, where the caller
    knows that better than the conversation's own record. `key`: under which the block is kept, to
    be put at the same place again.
    """

    prompt: str
    view: View
    budget: int
    knobs: Inject
    recent: Sequence[str] = ()
    conversation: str | None = None
    shown: Mapping[str, int] | None = None
    key: str | None = None

    @property
    def into(self) -> Scope:
        """The walls and the conversation that the block goes into."""
        return replace(self.view.scope, session=self.conversation or self.view.scope.session)


class _Composed(Record, frozen=True, kw_only=True):
    """A block, what its conversation was given before, and what is to be kept beside it."""

    block: Context
    given: receipts.Given
    changes: tuple[Change, ...] = ()
    told: tuple[Change, ...] = ()
    """What makes the reminders in it told ones."""


def context(engine: Engine, call: Call, later: Later | None = None) -> Context:
    """The block of memories for a prompt, at most `budget` tokens by the stated tokenizer;
    counted as delivered, with its receipt kept: by `later` where it takes that over. What it
    reminds of is told once, before it is given: where another process was faster, the block is
    made anew."""
    made = _composed(engine, call)
    if later is not None and not made.told:
        later(partial(_deliver, engine, call, made))
        return made.block
    for _ in range(_ATTEMPTS):
        if _deliver(engine, call, made):
            break
        made = _composed(engine, call)
    return made.block


def imagined(engine: Engine, call: Call) -> Context:
    """The block that there would be; nothing is counted and nothing kept."""
    return _composed(engine, call).block


def delivered(engine: Engine, call: Call, given: Sequence[ReceiptLine]) -> Context:
    """Count as delivered what somebody injected who had no time to open the store, and keep its
    receipt. What may not be seen any more is left out."""
    rows = {row.id: row for row in engine.store.get(call.view, [one.memory_id for one in given])}
    lines = tuple(one for one in given if one.memory_id in rows)
    receipt = Receipt(
        query=call.prompt,
        budget=call.budget,
        tokens=sum(one.tokens for one in lines),
        tokenizer=TOKENIZER,
        lines=lines,
        at=call.view.now,
        format=call.knobs.format,
    )
    hits = tuple(
        Hit(memory=rows[one.memory_id], score=one.score, why=one.why, confidence=one.confidence)
        for one in lines
    )
    made = _signed(
        engine, call, Context(text="", tokens=receipt.tokens, hits=hits, receipt=receipt)
    )
    if lines:
        before = receipts.given(engine, call.into, call.view.now)
        _deliver(engine, call, _Composed(block=made, given=before))
    return made


def _composed(engine: Engine, call: Call) -> _Composed:
    """The block; reads only."""
    with engine.store.at_once():
        return _put_together(engine, call)


def _put_together(engine: Engine, call: Call) -> _Composed:
    view, knobs = call.view, call.knobs
    before = receipts.given(engine, call.into, view.now)
    turn = Turn(
        prompt=call.prompt,
        budget=call.budget,
        now=view.now,
        recent=call.recent,
        given=_shown(call, before),
        sensitivities=view.sensitivities,
    )
    reason = unneeded(call.prompt) if knobs.gate != "off" else None
    left = [] if reason is None else [LeftOut(stage="gate", detail=reason)]
    # Who only greets is still told what is due.
    kept = {"all": {"reminders"}, "relevant": {"reminders", "standing", "hot"}}
    open_to = kept[knobs.gate] if left else {layer.source for layer in knobs.layers}
    changes: list[Change] = []
    sources = [
        _source(engine, call, layer, changes) if layer.source in open_to else []
        for layer in knobs.layers
    ]
    made = narrowed(_signed(engine, call, block(turn, sources, knobs, left)), view)
    reminded = [
        hit.memory
        for hit, line in zip(made.hits, made.receipt.lines, strict=True)
        if line.layer in _reminding(knobs)
    ]
    told = reminding.telling(engine, reminded, view.now)
    return _Composed(block=made, given=before, changes=tuple(changes), told=tuple(told))


def _shown(call: Call, before: receipts.Given) -> Mapping[str, int]:
    if call.shown is not None:
        return call.shown
    return {one: version for _, one, version in before.items}


def _reminding(knobs: Inject) -> set[str]:
    return {layer.name for layer in knobs.layers if layer.source == "reminders"}


def _signed(engine: Engine, call: Call, made: Context) -> Context:
    receipt = replace(made.receipt, id=engine.new_id(call.view.now), session=call.into.session)
    return replace(made, receipt=receipt)


def _source(engine: Engine, call: Call, layer: Layer, changes: list[Change]) -> list[Hit]:
    """The hits a layer chooses from; `changes` takes what is to be kept of the choice."""
    if layer.source == "standing":
        return _standing(engine, call, layer)
    if layer.source == "hot":
        return _hot(engine, call, layer, changes)
    if layer.source == "reminders":
        return reminding.due(engine, call.prompt, call.view)
    kinds = frozenset(Kind(kind) for kind in layer.kinds)
    view = replace(call.view, kinds=kinds)
    if not view.closed_session:
        # The conversation is where the question is asked, and no filter on what is found.
        view = replace(view, scope=call.into)
    # What is archived is never injected by itself (B-10).
    asleep = frozenset({State.DORMANT})
    depth, gated = call.knobs.depth, call.knobs.gate != "off"
    # Where the prompt's own gate is shut nobody comes here.
    return recall(engine, call.prompt, view, depth, touch=False, asleep=asleep, needed=gated)


def _standing(engine: Engine, call: Call, layer: Layer) -> list[Hit]:
    """What is injected whatever the prompt says: the kinds of a standing layer, and of them only
    what the user said, so that no tool, page, agent or third person speaks in every prompt
    (P-10)."""
    kinds = frozenset(Kind(kind) for kind in layer.kinds)
    least = PRIORITY_RANK[Priority(layer.min_priority)]
    listing = Listing(
        kinds=kinds,
        least_priority=Priority(layer.min_priority),
        origin=Origin.USER,
        order="importance",
        limit=_STANDING_ROWS,
    )
    together = engine.store.page(call.view, listing)
    found: list[Memory] = []
    for priority, rank in PRIORITY_RANK.items():
        if rank >= least and len(found) < layer.quota:
            rows = [row for row in together if row.priority is priority]
            if len(together) == _STANDING_ROWS:
                # More than one page of all: those of this priority may have been cut off.
                own = replace(listing, least_priority=None, priority=priority)
                rows = engine.store.page(call.view, own)
            found += (row for row in rows if _users_own(row, call.view.scope.user))
    return [_always(row, "standing") for row in found]


def _users_own(memory: Memory, user: str | None) -> bool:
    """Whether it was given to be remembered, or said by the user: not by another person whose
    words were observed."""
    said = fold_text(memory.speaker)
    return memory.write_source is WriteSource.MANUAL or said in {"", "user", fold_text(user or "")}


def _hot(engine: Engine, call: Call, layer: Layer, changes: list[Change]) -> list[Hit]:
    """The hot tier (D-30), of what the user said (P-10); chosen anew when the choice is too old."""
    view, knobs = call.view, engine.profile.hot
    chosen = receipts.hot_ids(engine, view)
    if chosen is None:
        listing = Listing(
            kinds=frozenset(Kind(kind) for kind in layer.kinds),
            origin=Origin.USER,
            tier=Tier.SEMANTIC,
            least_access=knobs.access_from,
            least_utility=knobs.utility_from,
            order="utility",
            limit=_STANDING_ROWS,
        )
        rows = engine.store.page(view, listing)
        chosen = [row.id for row in rows if _is_hot(row, knobs, view.now)][: layer.quota]
        changes += receipts.keep_hot(engine, view, chosen)
    return [_always(row, "hot") for row in engine.store.get(view, chosen)]


def _is_hot(memory: Memory, knobs: Hot, now: int) -> bool:
    created = memory.recorded_at
    used = created if knobs.clock == "created" else memory.last_accessed_at or created
    return is_hot(
        utility=memory.utility,
        access_count=memory.access_count,
        idle_days=elapsed_days(now=now, then=used),
        utility_from=knobs.utility_from,
        access_from=knobs.access_from,
        idle_below=knobs.idle_days,
    )


def _always(memory: Memory, source: str) -> Hit:
    return Hit(memory=memory, score=memory.importance, why={source: 1.0}, confidence=1.0)


def _deliver(engine: Engine, call: Call, made: _Composed) -> bool:
    """Count the delivery and keep the receipt, in one transaction; the block is worth more than
    both, so a full or locked disk still gives it. False where a reminder in it was told or changed
    by somebody else meanwhile."""
    if engine.store.read_only:
        return True
    delivered = [hit.memory for hit in made.block.hits]
    touched = reinforcement(engine, delivered, call.view, f"context: {len(delivered)} injected")
    for _ in range(_ATTEMPTS):
        kept = receipts.kept(engine, call.into, made.block, made.given)
        held = working.noted(engine, call.into, delivered, call.view.now)
        again = replaying.keeping(engine, call.into, call.key, made.block) if call.key else ()
        changes = [*made.told, *touched, *made.changes, *kept, *held, *again]
        if not changes:
            return True
        try:
            count(engine, changes, call.view)
        except ConflictError:
            if made.told:
                return False
            continue
        return True
    return True

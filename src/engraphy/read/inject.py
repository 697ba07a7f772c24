"""From hits to a block for a prompt: layers, styles, an exact budget, a fence, a receipt.

Layers are filled in their order, item by item: one that does not fit is skipped and the next is
tried. The fence and the heading count; by the stated tokenizer the budget is never exceeded.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import field

from engraphy.formulas import injection_style
from engraphy.model import (
    Context,
    DataSource,
    Hit,
    LeftOut,
    Memory,
    Receipt,
    ReceiptLine,
    Sensitivity,
)
from engraphy.profile import Inject, Layer
from engraphy.read.layers import offer
from engraphy.read.reminding import told_as
from engraphy.read.render import Frame, PLACEMENTS, frame, item
from engraphy.record import Record
from engraphy.text.aims import is_task
from engraphy.text.everyday import share_everyday
from engraphy.text.intents import speakers_named
from engraphy.text.similarity import lexical_similarity
from engraphy.text.tokens import Measure, TOKENIZER, measure, tokens_together

_ALREADY_SAID = 0.9
_TIMES = 4
_SEVERAL = 2
_PERSON = "entity://person/"
_READ = 20_000
"""Characters of a prompt in which a name is looked for."""


_TOLD_BY = frozenset({"relevance.text", "x aim"})
"""Parts of a score of which one is there where a hit shares a word with the prompt, or bears on
what the prompt wants done."""
_HARDLY = 0.005
"""Of a part of a score: less of a word is only lent by what was said beside it."""
_BEARS = frozenset({"relevance.x speaker", "x aim"})
"""The same where the prompt names who said it, or it bears on what the prompt wants done."""


class Turn(Record, frozen=True, kw_only=True):
    """What a block is made for.

    `recent`: the last messages, oldest first; `given`: ids and versions of what this conversation
    was given in its last turns; `now` in microseconds UTC.
    """

    prompt: str
    budget: int
    now: int
    recent: Sequence[str] = ()
    given: Mapping[str, int] = field(default_factory=dict)
    sensitivities: frozenset[Sensitivity] = frozenset({Sensitivity.PUBLIC})


class Item(Record, frozen=True, kw_only=True):
    """One memory of the block: as what it was taken, and how it reads."""

    hit: Hit
    layer: str
    style: str
    text: str
    cost: Measure


def block(
    turn: Turn,
    sources: Sequence[Sequence[Hit]],
    knobs: Inject,
    left: Sequence[LeftOut] = (),
) -> Context:
    """The block of a prompt from the hits of each layer's source, in the order of
    `knobs.layers`; empty when nothing is worth it. `left`: what was left out before."""
    around = frame(knobs)
    packing = _Packing(turn, knobs, around)
    for layer, hits in zip(knobs.layers, sources, strict=True):
        packing.fill(layer, hits)
    body = around.between.join(one.text for one in packing.items)
    receipt = Receipt(
        query=turn.prompt,
        budget=turn.budget,
        tokens=packing.tokens if packing.items else 0,
        tokenizer=TOKENIZER,
        lines=tuple(map(_line, packing.items)),
        skipped=(*left, *packing.left()),
        at=turn.now,
        format=knobs.format,
    )
    return Context(
        text=f"{around.opening}{body}{around.closing}" if packing.items else "",
        tokens=receipt.tokens,
        hits=tuple(one.hit for one in packing.items),
        receipt=receipt,
        placement=PLACEMENTS[knobs.format],
    )


@lru_cache(maxsize=64)
def _around(text: str) -> Measure:
    """What stands around the items costs the same in every block."""
    return measure(text)


def _line(one: Item) -> ReceiptLine:
    return ReceiptLine(
        memory_id=one.hit.memory.id,
        version=one.hit.memory.version,
        tokens=tokens_together([one.cost]),
        layer=one.layer,
        style=one.style,
        score=one.hit.score,
        confidence=one.hit.confidence,
        why=one.hit.why,
    )


class _Packing:
    """The items taken so far, what they cost, and what was left out with its reason."""

    def __init__(self, turn: Turn, knobs: Inject, around: Frame) -> None:
        self.items: list[Item] = []
        self._turn, self._knobs = turn, knobs
        self._recent = turn.recent[-knobs.lookback :] if knobs.lookback else ()
        self._dropped: list[LeftOut] = []
        self._unnamed = False
        self._wordless = knobs.wordless_from
        if knobs.task_from > knobs.wordless_from and is_task(turn.prompt):
            self._wordless = knobs.task_from
        self._between = _around(around.between)
        self._total = [_around(around.opening), _around(around.closing)]

    @property
    def tokens(self) -> int:
        """What the block costs, with everything around the items."""
        return tokens_together(self._total)

    def fill(self, layer: Layer, hits: Sequence[Hit]) -> None:
        """Take of a layer's hits until its places are full; what a temporal scale leaves free the
        others fill, in their order (A-17)."""
        offered = offer(hits, layer, self._knobs, self._turn.now)
        self._dropped += offered.left
        self._unnamed = layer.source == "relevant" and unnamed(hits, self._turn.prompt)
        begin, waiting = len(self.items), list[list[Hit]]()
        for places, group in offered.groups:
            rest = iter(group)
            self._take(layer, rest, min(places, layer.quota - len(self.items) + begin))
            waiting.append(list(rest))
        for hits_left in waiting:
            rest = iter(hits_left)
            self._take(layer, rest, layer.quota - len(self.items) + begin)
            self._dropped += [_beyond(hit, layer) for hit in rest]
        if layer.shown == "oldest":
            self.items[begin:] = sorted(self.items[begin:], key=_age)

    def left(self) -> Iterator[LeftOut]:
        """What was left out, each memory once: for the first reason that says more than that a
        layer is for others."""
        taken = {one.hit.memory.id for one in self.items}
        reasons: dict[str, LeftOut] = {}
        for one in self._dropped:
            held = reasons.get(one.memory_id)
            if one.memory_id not in taken and (held is None or held.stage == "layer"):
                reasons[one.memory_id] = one
        yield from reasons.values()

    def _take(self, layer: Layer, hits: Iterator[Hit], places: int) -> None:
        """Take the next hits that are fit for the block until so many have been taken."""
        while places > 0 and (hit := next(hits, None)) is not None:
            if any(one.hit.memory.id == hit.memory.id for one in self.items):
                continue
            made = self._made(layer, hit)
            if isinstance(made, LeftOut):
                self._dropped.append(made)
                continue
            self._total += [made.cost, self._between] if self.items else [made.cost]
            self.items.append(made)
            places -= 1

    def _made(self, layer: Layer, hit: Hit) -> Item | LeftOut:
        held = hit.memory
        if (reason := self._refused(layer, hit)) is not None:
            return reason
        if layer.source == "relevant" and (doubt := self._doubted(hit)):
            return LeftOut(stage="confidence", detail=doubt, memory_id=held.id)
        if self._unnamed and hit.confidence < self._knobs.unnamed_from:
            detail = (
                "the prompt names nobody of whom the memories tell, and it answers "
                f"{hit.confidence:.2f} of it, below {self._knobs.unnamed_from:g}"
            )
            return LeftOut(stage="confidence", detail=detail, memory_id=held.id)
        style = "full" if layer.source != "relevant" else _style(hit, self._knobs)
        if style == "skipped":
            sure = hit.score if self._knobs.style_by == "score" else hit.confidence
            detail = f"low confidence {sure:.2f}, below {self._knobs.abbreviated_from:g}"
            return LeftOut(stage="confidence", detail=detail, memory_id=held.id)
        due = told_as(held, self._turn.now) if layer.source == "reminders" else ""
        text = item(
            held,
            style,
            self._turn.prompt,
            self._knobs,
            older=bool(hit.newer),
            due=due,
            ended=hit.outcome,
        )
        if any(one.text == text for one in self.items):
            return LeftOut(stage="repeated", detail="the same line is in it", memory_id=held.id)
        cost = measure(text)
        more = [cost, self._between] if self.items else [cost]
        total = tokens_together([*self._total, *more])
        if total > self._turn.budget:
            detail = f"with it the block has {total} tokens; the budget is {self._turn.budget}"
            return LeftOut(stage="budget", detail=detail, memory_id=held.id)
        return Item(hit=hit, layer=layer.name, style=style, text=text, cost=cost)

    def _doubted(self, hit: Hit) -> str:
        """Why a hit answers too little of the prompt; empty where it answers enough."""
        knobs, apart = self._knobs, all(hit.why.get(one, 0.0) < _HARDLY for one in _TOLD_BY)
        told = f"low confidence: it answers {hit.confidence:.2f} of the prompt"
        if hit.confidence < knobs.answered_from:
            return f"{told}, below {knobs.answered_from:g}"
        if apart and hit.confidence < self._wordless:
            return f"{told} and shares no word with it, below {self._wordless:g}"
        weak = hit.confidence < knobs.everyday_from and _BEARS.isdisjoint(hit.why)
        if weak and share_everyday(self._turn.prompt, hit.memory.content):
            return f"{told} and shares only everyday words, below {knobs.everyday_from:g}"
        return ""

    def _refused(self, layer: Layer, hit: Hit) -> LeftOut | None:
        held = hit.memory
        if held.sensitivity not in self._turn.sensitivities:
            detail = f"it is {held.sensitivity.value}, which was not asked for"
            return LeftOut(stage="sensitivity", detail=detail, memory_id=held.id)
        if not layer.repeats and self._turn.given.get(held.id) == held.version:
            detail = "this conversation was given it in its last turns"
            return LeftOut(stage="given", detail=detail, memory_id=held.id)
        if layer.source != "reminders" and any(_said(held.content, one) for one in self._recent):
            detail = "it is in the last messages"
            return LeftOut(stage="recent", detail=detail, memory_id=held.id)
        return None


def unnamed(hits: Sequence[Hit], prompt: str) -> bool:
    """Whether several persons speak in what was found, and the prompt names none of them nor
    anyone they tell of: who asks "when does my card expire?" is none of them."""
    speaking = {one.memory.speaker for one in hits if _persons_word(one.memory)}
    if len(speaking) < _SEVERAL:
        return False
    told = {uri for one in hits for uri in one.memory.entities if uri.startswith(_PERSON)}
    persons = [uri.removeprefix(_PERSON).replace("-", " ") for uri in sorted(told)]
    return not speakers_named(prompt[:_READ], (*sorted(speaking), *persons))


def _persons_word(memory: Memory) -> bool:
    return bool(memory.speaker) and memory.data_source is DataSource.USER_MESSAGE


def _beyond(hit: Hit, layer: Layer) -> LeftOut:
    detail = f"the {layer.quota} places of {layer.name} are taken by what comes before it"
    return LeftOut(stage="quota", detail=detail, memory_id=hit.memory.id)


def _age(one: Item) -> tuple[int, str]:
    return (one.hit.memory.valid_from, one.hit.memory.id)


def _style(hit: Hit, knobs: Inject) -> str:
    return injection_style(
        confidence=hit.score if knobs.style_by == "score" else hit.confidence,
        full_from=knobs.full_from,
        abbreviated_from=knobs.abbreviated_from,
    )


def _said(content: str, message: str) -> bool:
    if content in message:
        return True
    # A message many times as long says much else: it is not compared word by word.
    alike = len(message) <= _TIMES * len(content)
    return alike and lexical_similarity(content, message) >= _ALREADY_SAID

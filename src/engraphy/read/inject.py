"""From hits to a block for a prompt: layers, styles, an exact budget, a fence, a receipt.

Items of a layer are packed one by one; one that does not fit is skipped and the next is tried.
The header and the fence count; the budget is never exceeded by the stated tokenizer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engraphy.formulas import injection_style
from engraphy.model import Context, Hit, Memory, PRIORITY_RANK, Priority, Receipt, ReceiptLine, Step
from engraphy.profile import Inject, Layer
from engraphy.text.fence import FENCE, HEADING, escape
from engraphy.text.moments import moment
from engraphy.text.similarity import lexical_similarity
from engraphy.text.tokens import TOKENIZER, estimate_tokens, truncate_to_tokens

OPENING = f"<{FENCE}>\n{HEADING}\n"
CLOSING = f"</{FENCE}>"
_ALREADY_SAID = 0.9
_TIMES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullet:
    """One line of the block."""

    hit: Hit
    layer: str
    style: str
    text: str
    tokens: int


def block(
    query: str,
    sources: Mapping[str, Sequence[Hit]],
    recent: Sequence[str],
    budget: int,
    knobs: Inject,
) -> Context:
    """The block of a prompt from each layer source's hits; empty when nothing is worth it.

    `recent`: the last messages; what they say already is left out (C-11).
    """
    skipped: list[Step] = []
    bullets = _packed(sources, recent, budget, knobs, skipped)
    text = OPENING + "".join(f"{b.text}\n" for b in bullets) + CLOSING if bullets else ""
    tokens = estimate_tokens(text) if text else 0
    lines = tuple(
        ReceiptLine(
            memory_id=b.hit.memory.id,
            tokens=b.tokens,
            layer=b.layer,
            style=b.style,
            score=b.hit.score,
        )
        for b in bullets
    )
    receipt = Receipt(
        query=query,
        budget=budget,
        tokens=tokens,
        tokenizer=TOKENIZER,
        lines=lines,
        skipped=tuple(skipped),
    )
    return Context(text=text, tokens=tokens, hits=tuple(b.hit for b in bullets), receipt=receipt)


def _packed(
    sources: Mapping[str, Sequence[Hit]],
    recent: Sequence[str],
    budget: int,
    knobs: Inject,
    skipped: list[Step],
) -> list[Bullet]:
    taken: dict[str, Bullet] = {}
    body = ""
    for layer in knobs.layers:
        room = layer.quota
        for hit in _layer(sources.get(layer.source, ()), layer):
            if room == 0:
                break
            if hit.memory.id in taken:
                continue
            bullet = _bullet(hit, layer, recent, knobs, skipped)
            if bullet is None:
                continue
            longer = f"{body}{bullet.text}\n"
            if estimate_tokens(OPENING + longer + CLOSING) > budget:
                skipped.append(Step(stage="budget", detail=f"{hit.memory.id} does not fit"))
                continue
            taken[hit.memory.id], body, room = bullet, longer, room - 1
    return list(taken.values())


def _layer(hits: Iterable[Hit], layer: Layer) -> Iterator[Hit]:
    least = PRIORITY_RANK[Priority(layer.min_priority)]
    fitting = [
        hit
        for hit in hits
        if (not layer.kinds or hit.memory.kind.value in layer.kinds)
        and PRIORITY_RANK[hit.memory.priority] >= least
    ]
    if layer.order == "priority":
        fitting.sort(key=lambda hit: (-PRIORITY_RANK[hit.memory.priority], -hit.score))
    return iter(fitting)


def _bullet(
    hit: Hit, layer: Layer, recent: Sequence[str], knobs: Inject, skipped: list[Step]
) -> Bullet | None:
    held = hit.memory.id
    if any(_said(hit.memory.content, message) for message in recent):
        skipped.append(Step(stage="recent", detail=f"{held} is in the last messages"))
        return None
    style = "full" if layer.source == "standing" else _style(hit, knobs)
    if style == "skipped":
        detail = f"{held} has low confidence {hit.confidence:.2f}"
        skipped.append(Step(stage="confidence", detail=detail))
        return None
    text = _line(hit.memory, style, knobs)
    return Bullet(hit=hit, layer=layer.name, style=style, text=text, tokens=estimate_tokens(text))


def _style(hit: Hit, knobs: Inject) -> str:
    return injection_style(
        confidence=hit.confidence,
        full_from=knobs.full_from,
        abbreviated_from=knobs.abbreviated_from,
    )


def _line(memory: Memory, style: str, knobs: Inject) -> str:
    """One bullet: kind, day and speaker, then the escaped text."""
    content = escape(memory.content)
    if style == "abbreviated":
        content = truncate_to_tokens(content, knobs.abbreviated_tokens)
    speaker = f", {escape(memory.speaker)}" if memory.speaker else ""
    day = moment(memory.valid_from).date().isoformat()
    return f"- [{memory.kind.value}, {day}{speaker}] {content}"


def _said(content: str, message: str) -> bool:
    if content in message:
        return True
    # A message many times as long says much else: it is not compared word by word.
    alike = len(message) <= _TIMES * len(content)
    return alike and lexical_similarity(content, message) >= _ALREADY_SAID

"""How a receipt is kept: nothing in it twice, as each turn of a conversation keeps one."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from engraphy.model import LeftOut, Receipt, ReceiptLine

_FORM = 1


class _Line(msgspec.Struct, array_like=True, frozen=True):
    memory_id: str
    version: int
    tokens: int
    layer: str
    style: str
    score: float
    confidence: float
    why: tuple[float | None, ...]
    """For each of the brief's names; None where the score has no such part."""


class _Left(msgspec.Struct, array_like=True, frozen=True):
    """What was left out one after the other for the same reason."""

    stage: str
    detail: str
    memory_ids: tuple[str, ...]


class _Brief(msgspec.Struct, array_like=True, frozen=True):
    form: int
    id: str
    at: int
    session: str | None
    format: str
    budget: int
    tokens: int
    tokenizer: str
    more: int
    names: tuple[str, ...]
    lines: tuple[_Line, ...]
    left: tuple[_Left, ...]


def brief(receipt: Receipt) -> object:
    """A receipt as it is encoded: without the prompt, and without any text of a memory."""
    names = tuple(dict.fromkeys(name for line in receipt.lines for name in line.why))
    return _Brief(
        form=_FORM,
        id=receipt.id,
        at=receipt.at,
        session=receipt.session,
        format=receipt.format,
        budget=receipt.budget,
        tokens=receipt.tokens,
        tokenizer=receipt.tokenizer,
        more=receipt.more,
        names=names,
        lines=tuple(_line(line, names) for line in receipt.lines),
        left=tuple(_left(receipt.skipped)),
    )


def read(value: str) -> Receipt:
    """The receipt of an encoded brief, or as receipts were kept before there were briefs."""
    if value.startswith("{"):
        return msgspec.json.decode(value, type=Receipt)
    held = msgspec.json.decode(value, type=_Brief)
    return Receipt(
        query="",
        budget=held.budget,
        tokens=held.tokens,
        tokenizer=held.tokenizer,
        lines=tuple(_told(line, held.names) for line in held.lines),
        skipped=tuple(
            LeftOut(stage=one.stage, detail=one.detail, memory_id=known)
            for one in held.left
            for known in one.memory_ids
        ),
        id=held.id,
        at=held.at,
        session=held.session,
        format=held.format,
        more=held.more,
    )


def _line(line: ReceiptLine, names: Sequence[str]) -> _Line:
    return _Line(
        memory_id=line.memory_id,
        version=line.version,
        tokens=line.tokens,
        layer=line.layer,
        style=line.style,
        score=line.score,
        confidence=line.confidence,
        why=tuple(map(line.why.get, names)),
    )


def _told(line: _Line, names: Sequence[str]) -> ReceiptLine:
    parts = zip(names, line.why, strict=True)
    return ReceiptLine(
        memory_id=line.memory_id,
        version=line.version,
        tokens=line.tokens,
        layer=line.layer,
        style=line.style,
        score=line.score,
        confidence=line.confidence,
        why={name: part for name, part in parts if part is not None},
    )


def _left(skipped: Sequence[LeftOut]) -> Iterator[_Left]:
    for (stage, detail), group in groupby(skipped, lambda one: (one.stage, one.detail)):
        yield _Left(stage, detail, tuple(one.memory_id for one in group))

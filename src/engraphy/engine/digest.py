"""What an operation was given and what came of it, in counts: no text of a memory or a caller."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from engraphy.model import (
    Context,
    DreamReport,
    Explanation,
    Forgotten,
    Hit,
    Injection,
    Memory,
    Outcome,
    Transfer,
)

_TEXTS = {"content": "text", "query": "question", "prompt": "prompt", "subject": "subject"}
_MANY = ("messages", "ids", "tags", "kind", "kinds")
_NUMBERS = ("limit", "budget")
_PLURALS = {"memory": "memories"}


class Record(NamedTuple):
    """A memory that an operation handled: its id, its text, and its score where it was searched."""

    id: str
    content: str
    score: float | None = None


class Digest(NamedTuple):
    """What came of an operation: in words, how many memories or rows, how well they answered on
    average in [0, 1], and which memories (their texts only for who asked for texts)."""

    output: str
    rows: int | None = None
    relevance: float | None = None
    records: tuple[Record, ...] = ()


def told_input(given: Mapping[str, object]) -> str:
    """Arguments in words: how long texts are, how many things there are, which flags are set."""
    return ", ".join(word for key, value in given.items() if (word := _word(key, value)))


def _word(key: str, value: object) -> str:
    if value is True:
        return key.replace("_", " ")
    if key in _TEXTS and isinstance(value, str):
        return f"{_TEXTS[key]} of {counted(len(value.split()), 'word')}"
    if key in _NUMBERS and isinstance(value, int):
        return f"{key} {value}"
    if key in _MANY and isinstance(value, Sequence) and not isinstance(value, str):
        return counted(len(value), key.removesuffix("s"))
    return "1 id" if key == "id" and value else ""


def counted(count: int, noun: str) -> str:
    """`1 hit`, `2 hits`."""
    return f"{count} {noun if count == 1 else _PLURALS.get(noun, f'{noun}s')}"


def digest(result: object) -> Digest:
    """What came of an operation, by what it gave back."""
    if isinstance(result, list | tuple):
        return _of_rows(result)
    known = _KNOWN.get(type(result))
    if known is not None:
        return known(result)
    if isinstance(result, int) and not isinstance(result, bool):
        return Digest(str(result), result)
    return Digest("" if result is None else type(result).__name__)


def _of_rows(rows: Sequence[object]) -> Digest:
    if not rows:
        return Digest("nothing", 0)
    first = rows[0]
    if isinstance(first, Outcome):
        return _outcomes([one for one in rows if isinstance(one, Outcome)])
    if isinstance(first, Hit):
        return _hits([one for one in rows if isinstance(one, Hit)])
    if isinstance(first, Memory):
        records = tuple(_record(one) for one in rows if isinstance(one, Memory))
        return Digest(counted(len(rows), "memory"), len(rows), records=records)
    return Digest(counted(len(rows), "row"), len(rows))


def _outcomes(rows: Sequence[Outcome]) -> Digest:
    actions = Counter(one.action.value for one in rows)
    output = ", ".join(f"{count} {action}" for action, count in actions.most_common())
    kept = tuple(_record(one.memory) for one in rows if one.memory is not None)
    return Digest(output, len(rows), records=kept)


def _hits(hits: Sequence[Hit]) -> Digest:
    records = tuple(Record(one.memory.id, one.memory.content, one.score) for one in hits)
    if not hits:
        return Digest("nothing", 0)
    mean = sum(one.score for one in hits) / len(hits)
    return Digest(counted(len(hits), "hit"), len(hits), round(mean, 4), records)


def _record(memory: Memory) -> Record:
    return Record(memory.id, memory.content)


def _context(found: Context) -> Digest:
    injected = _hits(found.hits)
    return injected._replace(output=f"{injected.output}, {counted(found.tokens, 'token')}")


def _forgotten(done: Forgotten) -> Digest:
    if done.confirm is not None:
        return Digest(f"{len(done.ids)} to be confirmed", 0)
    return Digest(
        f"{done.erased} erased", done.erased, records=tuple(Record(i, "") for i in done.ids)
    )


def _dreamt(report: DreamReport) -> Digest:
    what = f"{counted(report.changed, 'change')} by {counted(len(report.steps), 'step')}"
    return Digest(what if report.due else "not due", report.changed)


def _moved(done: Transfer) -> Digest:
    return Digest(counted(done.memories, "memory"), done.memories)


_KNOWN: Mapping[type, Callable[..., Digest]] = {
    Outcome: lambda one: _outcomes([one]),
    Memory: lambda one: Digest("1 memory", 1, records=(_record(one),)),
    Explanation: lambda one: _hits(one.hits),
    Context: _context,
    Injection: lambda one: _context(one.context),
    Forgotten: _forgotten,
    DreamReport: _dreamt,
    Transfer: _moved,
}

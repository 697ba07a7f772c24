"""Filling a memory with a case and asking it: everything through the public face."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engraphy.benchmarks import metrics
from engraphy.benchmarks.cases import Case, Question, Suite, Turn
from engraphy.memory import Memory
from engraphy.model import Hit, Outcome

_DEPTH = 50
_TURN_KS = (1, 5, 10)
_SESSION_KS = (1, 5, 10)
_USER = "u"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How the memories of a run are opened."""

    profile: str = "default"
    embedder: object = None


def run(
    suite: Suite, opening: Opening, progress: Callable[[str], None] | None = None
) -> dict[str, Any]:
    """Every case in a fresh store; one JSON object with metrics, intervals and per-question rows.

    `latency_ms` is wall time of `recall`, embedding of the query included.
    """
    rows: list[dict[str, Any]] = []
    groups: dict[str, dict[str, float]] = {}
    ingested: dict[str, dict[str, int]] = {}
    embedder = ""
    for case in suite.cases:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "bench.db"
            with Memory(file, profile=opening.profile, embedder=opening.embedder) as memory:
                embedder = memory.embedder_id
                held, ingested[case.id] = fill(memory, case.turns)
                if progress is not None:
                    progress(f"{case.id}: {ingested[case.id]}")
                found = [_asked(memory, case, held, question) for question in case.questions]
        rows += found
        groups[case.id] = _means(found)
    return {
        "benchmark": suite.name,
        "data_sha256": suite.data_sha256,
        "data": suite.known or "not a known file",
        "engine": "sqlite",
        "embedder": embedder,
        "profile": opening.profile,
        "questions": len(rows),
        "dropped_questions": suite.dropped,
        "metrics": _means(rows),
        "intervals_95": _intervals(rows),
        "definitions": metrics.DEFINITIONS,
        "groups": groups,
        "categories": _by_category(rows),
        "ingested": ingested,
        "latency_ms": _latency([row["ms"] for row in rows]),
        "rows": rows,
    }


def fill(memory: Memory, turns: Sequence[Turn]) -> tuple[dict[str, list[Turn]], dict[str, int]]:
    """Observe the turns; which turns each memory stands for, and how often each action came."""
    held: dict[str, list[Turn]] = {}
    counts: dict[str, int] = {}
    for turn in turns:
        for outcome in _told(memory, turn):
            action = outcome.action.value
            counts[action] = counts.get(action, 0) + 1
            if outcome.memory is not None:
                held.setdefault(outcome.memory.id, []).append(turn)
    return held, counts


def _told(memory: Memory, turn: Turn) -> list[Outcome]:
    message: dict[str, object] = {"role": turn.role, "content": turn.content}
    if turn.speaker is not None:
        message["name"] = turn.speaker
    return memory.observe([message], user=_USER, session=turn.session, at=turn.at)


def _asked(
    memory: Memory, case: Case, held: dict[str, list[Turn]], question: Question
) -> dict[str, Any]:
    start = time.perf_counter()
    hits = memory.recall(question.text, user=_USER, limit=_DEPTH, touch=False)
    spent = (time.perf_counter() - start) * 1_000
    turns = list(_ranked(hits, held))
    sources = list(dict.fromkeys(turn.source for turn in turns))
    sessions = list(dict.fromkeys(turn.session for turn in turns))
    gold_sessions = question.gold_sessions or frozenset(
        turn.session for turn in case.turns if turn.source in question.gold
    )
    row: dict[str, Any] = {
        "id": question.id,
        "case": case.id,
        "category": question.category,
        "query": question.text,
        "gold": sorted(question.gold),
        "top": sources[:10],
        "ms": spent,
    }
    if question.gold:
        row |= _values("turn", sources, question.gold, _TURN_KS)
    row |= _values("session", sessions, gold_sessions, _SESSION_KS)
    if question.stale:
        row |= _staleness(sources, question)
    return row


def _ranked(hits: Sequence[Hit], held: dict[str, list[Turn]]) -> Iterator[Turn]:
    for hit in hits:
        yield from held.get(hit.memory.id, ())


def _values(
    unit: str, ranked: Sequence[str], gold: frozenset[str], ks: Sequence[int]
) -> dict[str, float]:
    values = {f"{unit}.mrr": metrics.reciprocal(ranked, gold)}
    for k in ks:
        values[f"{unit}.hit@{k}"] = metrics.hit(ranked, gold, k)
        values[f"{unit}.rec@{k}"] = metrics.recall(ranked, gold, k)
        values[f"{unit}.all@{k}"] = metrics.complete(ranked, gold, k)
    return values


def _staleness(ranked: Sequence[str], question: Question) -> dict[str, float]:
    """Whether the updated statement stands above the stale one, and whether the stale one is
    still delivered."""
    last = len(ranked)
    places = {one: place for place, one in enumerate(ranked)}
    new = min((places.get(one, last) for one in question.updated), default=last)
    old = min((places.get(one, last) for one in question.stale), default=last)
    return {"update.above_stale": float(new < old), "stale@10": float(old < 10)}


def _names(rows: Sequence[dict[str, Any]]) -> list[str]:
    found = {key for row in rows for key in row if "@" in key or "." in key}
    return sorted(found)


def _means(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    return metrics.grouped(rows, _names(rows), metrics.mean)


def _intervals(rows: Sequence[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    return {
        name: metrics.interval([row[name] for row in rows if name in row]) for name in _names(rows)
    }


def _by_category(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    names = sorted({row["category"] for row in rows})
    return {
        name: {
            **_means([row for row in rows if row["category"] == name]),
            "questions": float(sum(row["category"] == name for row in rows)),
        }
        for name in names
    }


def _latency(values: Sequence[float]) -> dict[str, float]:
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    return {name: metrics.percentile(values, share) for name, share in shares.items()}


def as_rows(suite: Suite) -> list[dict[str, Any]]:
    """A suite's cases as plain rows (to look at what was loaded)."""
    return [asdict(case) for case in suite.cases]

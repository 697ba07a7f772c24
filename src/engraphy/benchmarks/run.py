"""Filling a memory with a case and asking it: everything through the public face."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engraphy.benchmarks import metrics, report
from engraphy.benchmarks.cases import Case, Question, Suite, Turn
from engraphy.errors import InvalidInputError
from engraphy.memory import Memory
from engraphy.model import Hit, Outcome

DEPTH = 50
_TURN_KS = (1, 5, 10)
_SESSION_KS = (1, 5, 10)
_USER = "u"
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How the memories of a run are opened, and whether rows carry the texts of the data."""

    profile: str = "default"
    overrides: Mapping[str, object] | None = None
    """Knobs of the profile's shape that this run sets otherwise."""
    embedder: object = None
    reranker: object = None
    texts: bool = False
    database: str | None = None
    """An empty database of PostgreSQL, whose tenants are the cases; None for a file each."""

    def opened(self, case: str, folder: str) -> Memory:
        """The empty memory of a case. Raises InvalidInputError where it is not empty."""
        memory = Memory(
            self.database or Path(folder) / "bench.db",
            tenant=f"bench {case}",
            profile=self.profile,
            embedder=self.embedder,
            reranker=self.reranker,
            overrides=self.overrides,
        )
        if memory.walls():
            memory.close()
            wanted = "a database that no benchmark has filled yet"
            raise InvalidInputError(field="database", got="one that is filled", allowed=wanted)
        return memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A case in its memory, and which turns each memory stands for."""

    case: Case
    memory: Memory
    held: dict[str, list[Turn]]


def run(suite: Suite, opening: Opening, progress: Progress | None = None) -> dict[str, Any]:
    """Every case in a fresh store; one JSON object with metrics, intervals and per-question rows.

    `latency_ms` is wall time of `recall`, embedding of the query included. Raises
    InvalidInputError where no question has gold that stands in the data.
    """
    if not any(case.questions for case in suite.cases):
        wanted = "data with at least one question whose evidence is in it"
        raise InvalidInputError(field="data", got="data without questions", allowed=wanted)
    rows: list[dict[str, Any]] = []
    ingested: dict[str, dict[str, int]] = {}
    embedder = ""
    for case in suite.cases:
        with TemporaryDirectory() as folder, opening.opened(case.id, folder) as memory:
            embedder = memory.embedder_id
            held, ingested[case.id] = fill(memory, case.turns)
            if progress is not None:
                progress(f"{case.id}: {ingested[case.id]}")
            filled = Filled(case=case, memory=memory, held=held)
            rows += [asked(filled, one, texts=opening.texts) for one in case.questions]
    return {
        "benchmark": suite.name,
        "data_sha256": suite.data_sha256,
        "data": suite.known or "not a known file",
        "engine": "postgres" if opening.database else "sqlite",
        "embedder": embedder,
        "profile": opening.profile,
        "questions": len(rows),
        "dropped_questions": suite.dropped,
        "metrics": report.means(rows),
        "intervals_95": report.intervals(rows),
        "definitions": metrics.DEFINITIONS,
        "groups": report.by(rows, "case") | untuned(suite, rows),
        "categories": report.by(rows, "category"),
        "ingested": ingested,
        "latency_ms": report.latency([row["ms"] for row in rows]),
        "rows": rows,
    }


def untuned(suite: Suite, rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """The cases that nothing was tuned on, together, where the suite says which were."""
    if not suite.tuned:
        return {}
    rest = [row | {"part": "not tuned on"} for row in rows if row["case"] not in suite.tuned]
    return report.by(rest, "part")


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


def asked(filled: Filled, question: Question, *, texts: bool = False) -> dict[str, Any]:
    """A question's row: its gold, the top ten, every figure, wall time in ms; no text of the data
    unless `texts`."""
    start = time.perf_counter()
    hits = filled.memory.recall(question.text, user=_USER, limit=DEPTH, touch=False)
    spent = (time.perf_counter() - start) * 1_000
    turns = list(_ranked(hits, filled.held))
    marked = _marked(hits, filled.held, question) if question.stale else frozenset()
    return row(filled.case, question, turns, marked, milliseconds=spent, texts=texts)


def row(
    case: Case,
    question: Question,
    turns: Sequence[Turn],
    marked: frozenset[str] = frozenset(),
    *,
    milliseconds: float,
    texts: bool = False,
) -> dict[str, Any]:
    """The row of a question for which `turns` came back, best first; `marked`: sources that came
    with a mark of what is newer."""
    sources = list(dict.fromkeys(turn.source for turn in turns))
    sessions = list(dict.fromkeys(turn.session for turn in turns))
    gold_sessions = question.gold_sessions or frozenset(
        turn.session for turn in case.turns if turn.source in question.gold
    )
    found: dict[str, Any] = {
        "id": question.id,
        "case": case.id,
        "category": question.category,
        "gold": sorted(question.gold or gold_sessions),
        "top": (sources if question.gold else sessions)[:10],
        "ms": milliseconds,
    }
    if texts:
        found["query"] = question.text
    if question.gold:
        found |= _values("turn", sources, question.gold, _TURN_KS)
    found |= _values("session", sessions, gold_sessions, _SESSION_KS)
    if question.stale:
        found |= _staleness(sources, question, marked)
    return found


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


def _marked(hits: Sequence[Hit], held: dict[str, list[Turn]], question: Question) -> frozenset[str]:
    """The sources whose best hit is marked with a newer memory that holds the new value."""
    new = {one for one, turns in held.items() if any(t.source in question.updated for t in turns)}
    told: dict[str, bool] = {}
    for hit in hits:
        for turn in held.get(hit.memory.id, ()):
            told.setdefault(turn.source, not new.isdisjoint(hit.newer))
    return frozenset(source for source, marked in told.items() if marked)


def _staleness(
    ranked: Sequence[str], question: Question, marked: frozenset[str]
) -> dict[str, float]:
    """Whether the updated statement stands above the stale one, whether the stale one is still
    delivered, and whether it is delivered without a mark."""
    places = {one: float(place) for place, one in enumerate(ranked)}
    new = min((places.get(one, inf) for one in question.updated), default=inf)
    old = min((places.get(one, inf) for one in question.stale), default=inf)
    bare = min((places.get(one, inf) for one in question.stale - marked), default=inf)
    return {
        "update.above_stale": float(new < old),
        "stale@10": float(old < 10),
        "unmarked.stale@10": float(bare < 10),
    }

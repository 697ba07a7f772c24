"""What somebody prefers, where they ask for advice: PrefEval (Zhao et al. 2025), its explicit form.

Needs a folder with `prefeval` and `locomo`. Each user of the benchmark has three preferences of
every topic and sixty other statements (turns of LoCoMo, drawn with a seed), and asks the question
of each preference, in which it is not named.
"""

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engraphy.benchmarks import locomo, metrics, report
from engraphy.benchmarks.data import known, read, shaped_as
from engraphy.benchmarks.run import Opening, Progress
from engraphy.benchmarks.write_part import halves
from engraphy.memory import Memory

DEFINITIONS = {
    "on.hit@k": "share of questions whose preference is among the k best hits",
    "on.hit@block": "share of questions whose preference is in the block of `context`",
    "halves": "topics at even places (by file name) are for tuning, those at odd for reporting",
}
_SEED = 100
_EACH = 3
_OTHERS = 60
_LONG = 40
_KS = (1, 5, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """A preference and the question that it bears on."""

    id: str
    topic: str
    half: str
    preference: str
    question: str


def run(path: str, opening: Opening, progress: Progress | None = None) -> dict[str, Any]:
    """Every user's questions; one JSON object as every benchmark's. Raises UnreadableFileError."""
    topics, digest = _topics(str(Path(path) / "prefeval"))
    suite = locomo.load(str(Path(path) / "locomo"))
    turns = [turn.content for case in suite.cases for turn in case.turns]
    others = [text for text in turns if len(text) > _LONG]
    rows: list[dict[str, Any]] = []
    embedder = ""
    for number in range(min(map(len, topics)) // _EACH):
        pairs = [one for topic in topics for one in topic[number * _EACH : (number + 1) * _EACH]]
        name = f"user-{number}"
        with TemporaryDirectory() as folder, opening.opened(name, folder) as memory:
            embedder = memory.embedder_id
            rows += _asked(memory, name, pairs, _said(pairs, others, number))
        if progress is not None:
            progress(f"{name}: {len(pairs)} preferences")
    return {
        "benchmark": "advice",
        "data_sha256": f"{digest} {suite.data_sha256}",
        "data": known(digest) or "not a known file",
        "engine": "sqlite",
        "embedder": embedder,
        "profile": opening.profile,
        "questions": len(rows),
        "metrics": report.means(rows),
        "intervals_95": report.intervals(rows),
        "definitions": DEFINITIONS,
        "groups": report.by(rows, "part"),
        "categories": report.by(rows, "category"),
        "tokens": metrics.mean([row["tokens"] for row in rows]),
        "latency_ms": report.latency([row["ms"] for row in rows]),
        "rows": rows,
    }


def _topics(path: str) -> tuple[list[list[_Pair]], str]:
    found, digest = read(path)
    with shaped_as("PrefEval", path):
        return [
            [
                _Pair(
                    id=f"{name}:{number}",
                    topic=name.partition(".")[0],
                    half=halves(place),
                    preference=str(pair["preference"]),
                    question=str(pair["question"]),
                )
                for number, pair in enumerate(pairs)
            ]
            for place, (name, pairs) in enumerate(found)
        ], digest


def _said(pairs: Sequence[_Pair], others: Sequence[str], number: int) -> list[str]:
    chance = random.Random(_SEED + number)
    said = [one.preference for one in pairs]
    said += chance.sample(others, min(_OTHERS, len(others)))
    chance.shuffle(said)
    return said


def _asked(
    memory: Memory, user: str, pairs: Sequence[_Pair], said: Sequence[str]
) -> Iterator[dict[str, Any]]:
    kept = {text: memory.remember(text, user=user).memory for text in said}
    for one in pairs:
        held = kept[one.preference]
        wanted = held.id if held is not None else None
        start = time.perf_counter()
        hits = memory.recall(one.question, user=user, limit=max(_KS), touch=False)
        spent = (time.perf_counter() - start) * 1_000
        block = memory.context(one.question, user=user)
        found = [hit.memory.id for hit in hits]
        row = {"id": one.id, "case": user, "category": one.topic, "part": one.half, "ms": spent}
        row |= {f"on.hit@{k}": float(wanted in found[:k]) for k in _KS}
        inside = wanted in {hit.memory.id for hit in block.hits}
        yield row | {"on.hit@block": float(inside), "tokens": block.tokens}

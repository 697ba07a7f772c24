"""What goes into a prompt: nothing where it is about something else, the evidence where it asks.

Needs a folder with `locomo` and `clinc`: each dialogue is a memory, which is asked its own
questions and 300 CLINC prompts (of the test split, drawn with one seed) that have nothing to do
with it.
"""

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engraphy.benchmarks import locomo, metrics, report
from engraphy.benchmarks.cases import Case, Question, Turn
from engraphy.benchmarks.data import read, shaped_as
from engraphy.benchmarks.run import Opening, Progress, fill
from engraphy.memory import Memory
from engraphy.model import Hit
from engraphy.text.tokens import estimate_tokens

PROMPTS = 300
DEFINITIONS = {
    "off.nothing": "share of prompts about something else for which nothing is injected",
    "on.hit@5": "share of questions with any gold turn in the five best of the block",
    "on.hit@block": "share of questions with any gold turn in the block",
    "free.hit@5": "the same of the five best hits without any cut-off",
    "block.overrun": "share of blocks that cost more than their budget or than they say",
}
_SEED = 7
_USER = "u"
_FIVE = 5
_FREE: dict[str, object] = {
    "score": {"min_score": 0.0, "min_share_of_best": 0.0, "min_confidence": 0.0}
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ground:
    """One dialogue, the file of its memory, and which turns each memory stands for."""

    case: Case
    file: Path
    opening: Opening
    held: dict[str, list[Turn]]

    def memory(self, overrides: dict[str, object] | None = None) -> Memory:
        return Memory(
            self.file,
            profile=self.opening.profile,
            embedder=self.opening.embedder,
            overrides=overrides,
        )

    def hit(self, hits: Sequence[Hit], question: Question) -> float:
        found = (turn.source for hit in hits for turn in self.held.get(hit.memory.id, ()))
        return float(not question.gold.isdisjoint(found))


def run(path: str, opening: Opening, progress: Progress | None = None) -> dict[str, Any]:
    """Every dialogue's questions and the foreign prompts; one JSON object as every benchmark's.

    Adversarial questions, which have no answer, are left out. `kept` is the share of hit@5 that
    the cut-offs leave, `tokens` what the blocks of the questions cost. `latency_ms` is wall time
    of `context`, receipt included. Raises UnreadableFileError.
    """
    suite = locomo.load(str(Path(path) / "locomo"))
    prompts, digest = _prompts(str(Path(path) / "clinc"))
    rows: list[dict[str, Any]] = []
    embedder = ""
    for case in suite.cases:
        with TemporaryDirectory() as folder:
            ground = _Ground(case=case, file=Path(folder) / "bench.db", opening=opening, held={})
            with ground.memory() as memory:
                embedder = memory.embedder_id
                held, counts = fill(memory, case.turns)
            if progress is not None:
                progress(f"{case.id}: {counts}")
            rows += _measured(replace(ground, held=held), prompts)
    untuned = [row | {"part": "not tuned on"} for row in rows if row["case"] not in suite.tuned]
    costs = [row["tokens"] for row in rows if row["category"] != "off-topic"]
    return {
        "benchmark": "injection",
        "data_sha256": f"{suite.data_sha256} {digest}",
        "data": suite.known or "not a known file",
        "engine": "sqlite",
        "embedder": embedder,
        "profile": opening.profile,
        "questions": len(rows),
        "metrics": report.means(rows),
        "intervals_95": report.intervals(rows),
        "definitions": DEFINITIONS,
        "kept": {name: _kept(some) for name, some in (("all", rows), ("not tuned on", untuned))},
        "tokens": {
            "mean": metrics.mean(costs),
            "p95": metrics.percentile(costs, 0.95),
            "most": max(costs, default=0),
        },
        "groups": report.by(rows, "case") | report.by(untuned, "part"),
        "categories": report.by(rows, "category"),
        "latency_ms": report.latency([row["ms"] for row in rows]),
        "rows": rows,
    }


def _prompts(path: str) -> tuple[list[str], str]:
    found, digest = read(path, ("data_full.json.gz",))
    with shaped_as("CLINC150", path):
        texts = [str(text) for text, _ in found[0][1]["test"]]
    return random.Random(_SEED).sample(texts, min(PROMPTS, len(texts))), digest


def _measured(ground: _Ground, prompts: Sequence[str]) -> Iterator[dict[str, Any]]:
    asked = [one for one in ground.case.questions if one.category != "adversarial"]
    with ground.memory(_FREE) as memory:
        free = [memory.recall(one.text, user=_USER, limit=_FIVE, touch=False) for one in asked]
    with ground.memory() as memory:
        for number, prompt in enumerate(prompts):
            hits, row = _injected(memory, prompt)
            row |= {"id": f"{ground.case.id}:clinc:{number}", "category": "off-topic"}
            yield row | {"case": ground.case.id, "off.nothing": float(not hits)}
        for one, loose in zip(asked, free, strict=True):
            hits, row = _injected(memory, one.text)
            best = sorted(hits, key=lambda hit: -hit.score)[:_FIVE]
            row |= {"id": one.id, "category": one.category, "case": ground.case.id}
            yield row | {
                "on.hit@5": ground.hit(best, one),
                "on.hit@block": ground.hit(hits, one),
                "free.hit@5": ground.hit(loose, one),
            }


def _injected(memory: Memory, prompt: str) -> tuple[tuple[Hit, ...], dict[str, Any]]:
    start = time.perf_counter()
    block = memory.context(prompt, user=_USER)
    spent = (time.perf_counter() - start) * 1_000
    honest = estimate_tokens(block.text) == block.tokens <= block.receipt.budget
    row = {"ms": spent, "tokens": block.tokens, "block.overrun": float(not honest)}
    return block.hits, row


def _kept(rows: Sequence[dict[str, Any]]) -> float:
    means = report.means(rows)
    return means["on.hit@5"] / means["free.hit@5"] if means.get("free.hit@5") else 0.0

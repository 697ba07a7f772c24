"""PrecisionMemBench (Flynt 2026): the right belief and only that one, of 35; 77 single cases.

Needs the folder with beliefs.seed.json and retrieval.cases.json. The 12 session cases are not run.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engraphy.benchmarks import report
from engraphy.benchmarks.precision_data import Fixtures, RetrievalCase, load
from engraphy.benchmarks.precision_rules import DEFINITIONS, failures, pass_type, share
from engraphy.benchmarks.precision_store import Beliefs, Replay, Tiers
from engraphy.benchmarks.run import Opening, Progress
from engraphy.memory import Memory

TYPES = ("active", "structural", "trivially_empty")
_BY_NAME: Mapping[str, object] = {"score": {"names": "asked"}}


def run(path: str, opening: Opening, progress: Progress | None = None) -> dict[str, Any]:
    """All cases asked of one store; one JSON object as every benchmark's, with passes by type.

    `by_name`: the same where a belief has to be named in the question (`score.names = "asked"`),
    as the benchmark's own rules expect of an alias. `latency_ms` is wall time of building a whole
    context (two listings and a recall per scope). Raises UnreadableFileError.
    """
    fixtures = load(path)
    found = _measured(fixtures, opening, progress)
    by_name = _measured(fixtures, replace(opening, overrides=_BY_NAME), progress)
    named = {name: by_name[name] for name in ("metrics", "intervals_95", "passes", "rows")}
    return found | {"by_name": named}


def _measured(fixtures: Fixtures, opening: Opening, progress: Progress | None) -> dict[str, Any]:
    clock = Replay()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "bench.db"
        with Memory(
            file,
            profile=opening.profile,
            embedder=opening.embedder,
            clock=clock,
            overrides=opening.overrides,
        ) as memory:
            beliefs = Beliefs(memory)
            counts = beliefs.seed(fixtures.beliefs, clock)
            if progress is not None:
                progress(f"{len(fixtures.beliefs)} beliefs: {counts}")
            embedder = memory.embedder_id
            rows = [_asked(beliefs, case, texts=opening.texts) for case in fixtures.cases]
    return {
        "benchmark": "precision",
        "data_sha256": fixtures.data_sha256,
        "data": fixtures.known or "not a known file",
        "engine": "sqlite",
        "embedder": embedder,
        "profile": opening.profile,
        "questions": len(rows),
        "metrics": report.means(rows),
        "intervals_95": report.intervals(rows),
        "definitions": DEFINITIONS,
        "passes": _passes(rows),
        "groups": {},
        "categories": report.by(rows, "category"),
        "ingested": counts,
        "latency_ms": report.latency([row["ms"] for row in rows]),
        "rows": rows,
    }


def _asked(beliefs: Beliefs, case: RetrievalCase, *, texts: bool) -> dict[str, Any]:
    start = time.perf_counter()
    tiers = beliefs.ask(case)
    spent = (time.perf_counter() - start) * 1_000
    wrong = failures(case.expect, tiers)
    row: dict[str, Any] = {
        "id": case.id,
        "category": case.category,
        "type": pass_type(case, tiers),
        "pinned": list(tiers.pinned),
        "relevant": list(tiers.relevant),
        "questions": list(tiers.questions),
        "failures": wrong,
        "ms": spent,
        "case.pass": float(not wrong),
        **_shares(case.expect, tiers),
    }
    return row | {"query": case.query} if texts else row


def _shares(expect: Mapping[str, Mapping[str, Any]], tiers: Tiers) -> dict[str, float]:
    found = share(expect, tiers)
    return {name: value for name, value in found.items() if value is not None}


def _passes(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Passes and cases of each type, and of all."""
    counted = {name: [row["case.pass"] for row in rows if row["type"] == name] for name in TYPES}
    counted["all"] = [row["case.pass"] for row in rows]
    return {
        name: {"passed": int(sum(values)), "of": len(values)} for name, values in counted.items()
    }

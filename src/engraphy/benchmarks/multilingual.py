"""Whether the words of any language find what was said in it, with and without an embedder.

All statements of all languages lie in one memory. Questions with words of the statement, in other
inflections and spellings, are told apart from those that ask for it in other words.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engraphy.benchmarks.multilingual_data import Asking, asked, told
from engraphy.benchmarks.run import Opening
from engraphy.benchmarks.write_figures import share
from engraphy.memory import Memory

TARGET = 0.95
_DEPTH = 10
_K = 5
_USER = "u"
_STAY: Mapping[str, object] = {"judge": {"supersede": False}, "search": {"gate": False}}
"""Nothing that was said takes another's place, and one word is a question: words are measured."""

Row = dict[str, Any]


def run(
    opening: Opening, embedders: Sequence[object], progress: Callable[[str], None]
) -> dict[str, Any]:
    """One JSON object: for each embedder (None: the default; "none": none) hit@1 and hit@5 with
    Wilson's intervals and MRR of `keywords`, `paraphrase` and `unseen` (keywords in languages that
    the analyser was not made for), over all and by language, and the rows of what was missed."""
    runs = [_run(opening, embedder, progress) for embedder in embedders]
    return {
        "benchmark": "multilingual",
        "profile": opening.profile,
        "memories": len(told()),
        "questions": len(asked()),
        "languages": len({one.language for one in asked()}),
        "target": {"keywords": {"hit@5": TARGET}},
        "runs": runs,
    }


def _run(opening: Opening, embedder: object, progress: Callable[[str], None]) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "bench.db"
        with Memory(
            file,
            profile=opening.profile,
            embedder=embedder,
            overrides={**_STAY, **(opening.overrides or {})},
        ) as memory:
            done = [memory.remember(text, user=_USER) for text in told()]
            ingested = dict(Counter(outcome.action.value for outcome in done))
            progress(f"{memory.embedder_id}: {ingested}")
            rows = [_row(memory, one) for one in asked()]
            return {"embedder": memory.embedder_id, "ingested": ingested, **_figures(rows)}


def _row(memory: Memory, asking: Asking) -> Row:
    hits = memory.recall(asking.text, user=_USER, limit=_DEPTH, touch=False)
    found = [hit.memory.content for hit in hits]
    place = found.index(asking.gold) + 1 if asking.gold in found else inf
    return {**asdict(asking), "place": place}


def _figures(rows: Sequence[Row]) -> dict[str, Any]:
    groups = {
        "keywords": [row for row in rows if row["kind"] == "keywords" and not row["unseen"]],
        "paraphrase": [row for row in rows if row["kind"] == "paraphrase"],
        "unseen": [row for row in rows if row["unseen"]],
    }
    return {
        **{name: _group(of) for name, of in groups.items()},
        "missed": [_told(row) for row in rows if row["place"] > _K],
    }


def _group(rows: Sequence[Row]) -> dict[str, Any]:
    languages = dict.fromkeys(row["language"] for row in rows)
    return {
        "all": _shares(rows),
        "written": _shares([row for row in rows if not row["made"]]),
        "made": _shares([row for row in rows if row["made"]]),
        "languages": {
            name: _shares([row for row in rows if row["language"] == name]) for name in languages
        },
    }


def _told(row: Row) -> Row:
    return {**row, "place": None if row["place"] == inf else row["place"]}


def _shares(rows: Sequence[Row]) -> dict[str, Any]:
    ranks = [row["place"] for row in rows]
    found = {k: share(sum(rank <= k for rank in ranks), len(ranks)) for k in (1, _K)}
    return {
        "n": len(rows),
        "mrr": sum(1 / rank for rank in ranks) / len(ranks) if ranks else None,
        **{f"hit@{k}": asdict(figure) for k, figure in found.items()},
    }

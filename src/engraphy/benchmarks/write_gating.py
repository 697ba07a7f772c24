"""What gating costs: turn rec@10 of LoCoMo and BEAM with the profile's gates, and without any.

Both memories are filled in the same run and asked the same questions: a sample of the questions
(see the definitions), so that the whole takes about a minute. Without gates every turn is stored
(what is said twice is still held once).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engraphy.benchmarks import beam, locomo, metrics
from engraphy.benchmarks.cases import Case, Suite
from engraphy.benchmarks.run import run
from engraphy.benchmarks.write_figures import Bar, Figure, Group, Row
from engraphy.benchmarks.write_part import Ground, Part, wrong

OFF: dict[str, object] = {
    "trivial": False,
    "questions": False,
    "errands": False,
    "filters": False,
    "min_density": 0,
    "agent_min_density": 0,
    "capture_only": False,
    "threshold": 0.0,
}
"""The section `gate` of a profile with everything let through."""
_STEP = 2
_CHATS = 3
_FIGURE = "turn.rec@10"
_DEFINITIONS = {
    "rec@10": "mean share of a question's evidence turns in the top 10, as in `bench locomo` and "
    "`bench beam`",
    "gates": "the profile as it is",
    "no gates": "the same with every gate of its section `gate` open: every turn is stored",
    "lost_points": "100 x (no gates - gates), mean of the differences question by question",
    "sample": f"LoCoMo: every {_STEP}nd question of the dialogues not tuned on; "
    f"BEAM: the first {_CHATS} chats",
}
_BARS = (
    Bar(group="locomo", figure="lost_points", limit=1.0, at_least=False),
    Bar(group="beam", figure="lost_points", limit=1.0, at_least=False),
)


def measure(ground: Ground) -> Part:
    """Raises UnreadableFileError."""
    dialogues = locomo.load(str(ground.folder("locomo")))
    chats = beam.load(str(ground.folder("beam")))
    suites = (
        replace(dialogues, cases=tuple(map(_thinned, _untuned(dialogues)))),
        replace(chats, cases=chats.cases[:_CHATS]),
    )
    groups: list[Group] = []
    rows: list[Row] = []
    for suite in suites:
        gated = run(suite, ground.opening)
        open_ = run(suite, replace(ground.opening, overrides={"gate": OFF}))
        groups.append(_compared(suite, gated, open_))
        rows += _lost(ground, suite, gated["rows"], open_["rows"])
    data = {suite.name: suite.data_sha256 for suite in suites}
    return Part(groups=groups, bars=_BARS, definitions=_DEFINITIONS, wrong=rows, data=data)


def _untuned(suite: Suite) -> list[Case]:
    return [case for case in suite.cases if case.id not in suite.tuned]


def _thinned(case: Case) -> Case:
    return replace(case, questions=case.questions[::_STEP])


def _compared(suite: Suite, gated: dict[str, Any], open_: dict[str, Any]) -> Group:
    pairs = list(zip(gated["rows"], open_["rows"], strict=True))
    lost = [100 * (after[_FIGURE] - before[_FIGURE]) for before, after in pairs]
    low, high = metrics.interval(lost)
    figures = {
        "gates": _mean(gated["rows"]),
        "no gates": _mean(open_["rows"]),
        "lost_points": Figure(value=metrics.mean(lost), low=low, high=high, n=len(lost)),
    }
    counts = {
        "cases": len(pairs),
        "skipped": _skipped(gated),
        "skipped without gates": _skipped(open_),
    }
    return Group(name=suite.name, counts=counts, figures=figures)


def _mean(rows: Sequence[Row]) -> Figure:
    values = [row[_FIGURE] for row in rows]
    low, high = metrics.interval(values)
    return Figure(value=metrics.mean(values), low=low, high=high, n=len(values))


def _skipped(result: dict[str, Any]) -> int:
    return sum(counts.get("skipped", 0) for counts in result["ingested"].values())


def _lost(ground: Ground, suite: Suite, gated: Sequence[Row], open_: Sequence[Row]) -> list[Row]:
    return [
        wrong(ground, f"{suite.name}:{before['id']}", "evidence found only without the gates")
        for before, after in zip(gated, open_, strict=True)
        if before[_FIGURE] < after[_FIGURE]
    ]

"""A stated preference is known as one: PrefEval (Zhao et al. 2025), its explicit form."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from engraphy.benchmarks.data import read, shaped_as
from engraphy.benchmarks.precision_store import Replay
from engraphy.benchmarks.write_figures import Bar, Figure, Group, Row, scored, share
from engraphy.benchmarks.write_part import Ground, Part, halves, wrong
from engraphy.benchmarks.write_story import Story
from engraphy.benchmarks.write_trivial import clinc, tally
from engraphy.memory import Memory
from engraphy.model import Kind, Outcome

_SEED = 20261128
_OTHERS = 500
_DEFINITIONS = {
    "positive": "a preference of PrefEval, told alone by a user of its own",
    "negative": "the question of the same row, told alone by a user of its own",
    "known": "a memory of kind preference was kept of it",
    "kept": "share of the preferences of which anything was kept",
    "others": f"share of {_OTHERS} out-of-scope texts of CLINC's test split (chosen with a seed) "
    "of which a preference was kept; outside precision, as nobody labelled them",
    "halves": "topics at even places (by file name) are for tuning, those at odd for reporting",
}
_BARS = (
    Bar(group="reporting", figure="precision", limit=0.93),
    Bar(group="reporting", figure="recall", limit=0.93),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    id: str
    text: str
    positive: bool


def measure(ground: Ground) -> Part:
    """Both halves apart. Raises UnreadableFileError."""
    topics, digest = _load(ground)
    data = {"prefeval": digest}
    rows: list[Row] = []
    groups: list[Group] = []
    with ground.memory() as (memory, clock):
        others: dict[str, Figure] = {}
        if ground.folder("clinc") is not None:
            others["others"], data["clinc"] = _others(ground, memory, clock)
        for half in ("reporting", "tuning"):
            said = [
                one for place, topic in enumerate(topics) if halves(place) == half for one in topic
            ]
            group, missed = _half(ground, memory, clock, half, said)
            groups.append(group)
            rows += missed
    if others:
        groups.append(
            Group(name="other texts", counts={"texts": others["others"].n}, figures=others)
        )
    return Part(groups=groups, bars=_BARS, definitions=_DEFINITIONS, wrong=rows, data=data)


def _load(ground: Ground) -> tuple[list[list[_Said]], str]:
    path = str(ground.folder("prefeval"))
    found, digest = read(path)
    with shaped_as("PrefEval", path):
        return [
            [
                _Said(id=f"{name}:{number}:{field}", text=str(pair[field]), positive=positive)
                for number, pair in enumerate(pairs)
                for field, positive in (("preference", True), ("question", False))
            ]
            for name, pairs in found
        ], digest


def _half(
    ground: Ground, memory: Memory, clock: Replay, half: str, said: Sequence[_Said]
) -> tuple[Group, list[Row]]:
    tallies = []
    rows: list[Row] = []
    kept = 0
    for one in said:
        outcomes = Story(memory=memory, clock=clock, user=one.id).tell(one.text)
        known = preferred(outcomes)
        tallies.append(tally(found=known, positive=one.positive))
        kept += one.positive and any(found.memory is not None for found in outcomes)
        if known != one.positive:
            rows.append(wrong(ground, f"{half}:{one.id}", _kinds(outcomes), text=one.text))
    positives = sum(one.positive for one in said)
    return scored(half, tallies, kept=share(kept, positives)), rows


def preferred(outcomes: Sequence[Outcome]) -> bool:
    """Whether a preference was kept."""
    kinds = (one.memory.kind for one in outcomes if one.memory is not None)
    return any(kind is Kind.PREFERENCE for kind in kinds)


def _kinds(outcomes: Sequence[Outcome]) -> str:
    return ", ".join(
        one.reason if one.memory is None else f"kept as {one.memory.kind.value}" for one in outcomes
    )


def _others(ground: Ground, memory: Memory, clock: Replay) -> tuple[Figure, str]:
    splits, digest = clinc(ground)
    texts = [text for text, _ in splits["oos_test"]]
    chosen = random.Random(_SEED).sample(texts, min(_OTHERS, len(texts)))
    stories = (Story(memory=memory, clock=clock, user=f"other-{n}") for n in range(len(chosen)))
    false = sum(preferred(one.tell(text)) for one, text in zip(stories, chosen, strict=True))
    return share(false, len(chosen)), digest

"""Two statements, one after the other: what says the same is held once, what says another thing is
neither merged nor superseded. Measured on SICK (Marelli et al. 2014)."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engraphy.benchmarks.data import read_text, shaped_as
from engraphy.benchmarks.write_figures import Bar, Group, Row, share
from engraphy.benchmarks.write_part import Ground, Part, wrong
from engraphy.benchmarks.write_story import Story, kept, told_of
from engraphy.model import Outcome

SEED = 20261128
_SAMPLE = 400
_FILE = "SICK_train.txt"
_SICK = {
    "pair": f"two sentences told one after the other by a user of its own; {_SAMPLE} pairs of each "
    "label, chosen with a seed",
    "merged": "the first was kept, and the second left no memory of its own",
    "superseded": "the first holds no longer as it was told",
    "seed": str(SEED),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two texts by id; `label`: how the second stands to the first."""

    id: str
    first: str
    second: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A pair after it was told; `kept`: of its first statement something was."""

    pair: Pair
    kept: bool
    merged: bool
    superseded: bool
    outcomes: Sequence[Outcome]


def measure(ground: Ground) -> Part:
    """Contradictions, entailments and neutral pairs apart. Raises UnreadableFileError."""
    pairs, digest = _load(ground.folder("sick") or Path())
    groups: list[Group] = []
    rows: list[Row] = []
    for label in ("contradiction", "entailment", "neutral"):
        chosen = [one for one in pairs if one.label == label]
        drawn = random.Random(SEED).sample(chosen, min(_SAMPLE, len(chosen)))
        seen = list(told(ground, drawn))
        groups.append(_rates(label, seen))
        rows += [row(ground, one) for one in seen if _bad(one)]
    bars = (
        Bar(group="contradiction", figure="merged", limit=0.0, at_least=False),
        Bar(group="entailment", figure="superseded", limit=0.03, at_least=False),
        Bar(group="neutral", figure="superseded", limit=0.03, at_least=False),
    )
    return Part(groups=groups, bars=bars, definitions=_SICK, wrong=rows, data={"sick": digest})


def _rates(label: str, seen: Sequence[Seen]) -> Group:
    merged, gone = sum(one.merged for one in seen), sum(one.superseded for one in seen)
    counts = {
        "cases": len(seen),
        "first kept": sum(one.kept for one in seen),
        "merged": merged,
        "superseded": gone,
    }
    figures = {"merged": share(merged, len(seen)), "superseded": share(gone, len(seen))}
    return Group(name=label, counts=counts, figures=figures)


def _bad(one: Seen) -> bool:
    if one.pair.label == "contradiction":
        return one.merged
    return one.superseded or (one.merged and one.pair.label == "neutral")


def told(ground: Ground, pairs: Iterable[Pair]) -> Iterator[Seen]:
    """Each pair told by a user of its own, and what became of its two statements."""
    with ground.memory() as (memory, clock):
        for pair in pairs:
            story = Story(memory=memory, clock=clock, user=pair.id)
            story.state(pair.first)
            before = story.ended()
            outcomes = story.tell(pair.second)
            held = bool(story.held[0])
            yield Seen(
                pair=pair,
                kept=held,
                merged=held and kept(outcomes) <= story.held[0],
                superseded=bool(story.superseded(before)),
                outcomes=outcomes,
            )


def row(ground: Ground, one: Seen) -> Row:
    """What went wrong with a pair."""
    done = "merged" if one.merged else "superseded" if one.superseded else "held apart"
    why = f"{one.pair.label}: {done}; {', '.join(o.action.value for o in one.outcomes)}"
    texts = {"first": one.pair.first, "second": one.pair.second, "told": told_of(one.outcomes)}
    return wrong(ground, one.pair.id, why, **texts)


def _load(folder: Path) -> tuple[list[Pair], str]:
    text, digest = read_text(str(folder / _FILE))
    with shaped_as("SICK", str(folder)):
        head, *lines = text.splitlines()
        if not head.startswith("pair_ID"):
            raise ValueError("no line of column names")
        split = [line.split("\t") for line in lines if line.strip()]
        return [
            Pair(id=row[0], first=row[1], second=row[2], label=row[4].strip().lower())
            for row in split
        ], digest

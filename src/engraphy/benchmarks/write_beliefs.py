"""PrecisionMemBench's superseded beliefs (Flynt 2026): told in order, does the new one supersede?

The data write a superseded belief as history ("Previously used A. Replaced by B."); so beside what
the words alone do, the benchmark's own cases about supersession count, whose beliefs are told with
the end of their validity.
"""

from pathlib import Path

from engraphy.benchmarks import precision
from engraphy.benchmarks.precision_data import Belief, load
from engraphy.benchmarks.write_figures import Bar, Group, Row, Tally, scored, share
from engraphy.benchmarks.write_part import Ground, Part, wrong
from engraphy.benchmarks.write_story import Story

_CATEGORY = "Supersession"
_DEFINITIONS = {
    "by words": "the beliefs of each user told with `observe` in the order they were formed; "
    "positive pair: a belief and the one that superseded it; every other pair must not supersede",
    "false_supersede": "share of the pairs that must not supersede that did",
    "cases": "share of the benchmark's cases about chains of supersession that pass, beliefs told "
    "with the end of their validity (see `bench precision`)",
}
_BARS = (Bar(group="by words", figure="false_supersede", limit=0.03, at_least=False),)


def measure(ground: Ground) -> Part:
    """Raises UnreadableFileError."""
    path = str(ground.folder("precisionmembench") or Path())
    fixtures = load(path)
    rows: list[Row] = []
    tallies: list[Tally] = []
    for user in sorted({belief.user for belief in fixtures.beliefs}):
        own = [belief for belief in fixtures.beliefs if belief.user == user]
        tallies += _words(ground, user, sorted(own, key=lambda one: one.created_at), rows)
    false, right = sum(one.fp for one in tallies), sum(one.tn for one in tallies)
    asked = precision.run(path, ground.opening)["rows"]
    cases = [row for row in asked if row["category"].startswith(_CATEGORY)]
    passed = sum(int(row["case.pass"]) for row in cases)
    rows += [
        wrong(ground, row["id"], "; ".join(row["failures"])) for row in cases if row["failures"]
    ]
    return Part(
        groups=[
            scored("by words", tallies, false_supersede=share(false, false + right)),
            Group(
                name="cases",
                counts={"cases": len(cases), "passed": passed},
                figures={"passed": share(passed, len(cases))},
            ),
        ],
        bars=_BARS,
        definitions=_DEFINITIONS,
        wrong=rows,
        data={"precisionmembench": fixtures.data_sha256},
    )


def _words(ground: Ground, user: str, beliefs: list[Belief], rows: list[Row]) -> list[Tally]:
    """One tally per belief told: the earlier ones that it should, and did, supersede."""
    tallies = []
    with ground.memory() as (memory, clock):
        story = Story(memory=memory, clock=clock, user=user)
        for place, belief in enumerate(beliefs):
            wanted = {
                at for at, one in enumerate(beliefs[:place]) if one.superseded_by == belief.id
            }
            before = story.ended()
            story.state(belief.content, belief.created_at)
            gone = story.superseded(before) - {place}
            tp, fp, fn = len(gone & wanted), len(gone - wanted), len(wanted - gone)
            tallies.append(Tally(tp=tp, fp=fp, fn=fn, tn=place - len(wanted) - fp))
            if fp or fn:
                rows.append(wrong(ground, belief.id, f"{fn} missed, {fp} wrongly superseded"))
    return tallies

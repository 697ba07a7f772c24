"""CRI: one persona over 289 days, 2,862 messages. Is what the ground truth calls noise dropped and
what it calls signal kept; do changed statements supersede the old ones?"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engraphy.benchmarks.data import read, shaped_as
from engraphy.benchmarks.write_figures import Bar, Group, Row, scored, share
from engraphy.benchmarks.write_part import Ground, Part, wrong
from engraphy.benchmarks.write_story import Story, kept, told_of
from engraphy.benchmarks.write_trivial import tally
from engraphy.memory import Memory
from engraphy.model import Action, Outcome
from engraphy.text.moments import microseconds

_USER = "persona"
_FILES = ("conversations.jsonl", "ground_truth.json")
_DEFINITIONS = {
    "noise": "the 20 noise examples and the 20 signal examples, each asked about alone "
    "(`why_not`): positive is noise, found where nothing would be kept of it",
    "signal_kept": "share of the signal examples of which something would be kept",
    "conflicts": "share of the 8 conflicting pairs whose earlier message holds no longer as it was "
    "told after all messages were observed in order",
    "changes": "share of the 7 changes of which a key message superseded something earlier",
    "superseded": "memories that any of the messages superseded, of all that were kept: nobody "
    "labelled them, so this is no error rate",
}
_BARS: tuple[Bar, ...] = ()


def measure(ground: Ground) -> Part:
    """Raises UnreadableFileError."""
    found, digest = read(str(ground.folder("cri") or Path()), _FILES)
    files = dict(found)
    rows: list[Row] = []
    with shaped_as("CRI", "cri"), ground.memory() as (memory, clock):
        truth = files["ground_truth.json"]
        groups = [_noise(ground, memory, truth, rows)]
        story = Story(memory=memory, clock=clock, user=_USER)
        told = {row["message_id"]: list(_said(story, row)) for row in files["conversations.jsonl"]}
        groups.append(_changes(ground, story, told, truth, rows))
    return Part(
        groups=groups, bars=_BARS, definitions=_DEFINITIONS, wrong=rows, data={"cri": digest}
    )


def _noise(ground: Ground, memory: Memory, truth: dict[str, Any], rows: list[Row]) -> Group:
    tallies = []
    lost = 0
    for name, positive in (("noise_examples", True), ("signal_examples", False)):
        for place, example in enumerate(truth[name]):
            outcomes = memory.why_not([{"role": "user", "content": example["text"]}], user=_USER)
            dropped = all(one.action is Action.SKIPPED for one in outcomes)
            tallies.append(tally(found=dropped, positive=positive))
            lost += dropped and not positive
            if dropped != positive:
                why = told_of(outcomes)
                rows.append(wrong(ground, f"{name}:{place}", why, text=example["text"]))
    signals = len(truth["signal_examples"])
    return scored("noise", tallies, signal_kept=share(signals - lost, signals))


def _said(story: Story, row: dict[str, Any]) -> Iterator[Outcome]:
    yield from story.tell(row["content"], microseconds(row["timestamp"]), row["role"])


def _changes(
    ground: Ground,
    story: Story,
    told: dict[int, list[Outcome]],
    truth: dict[str, Any],
    rows: list[Row],
) -> Group:
    gone = story.ended().both()
    conflicts = [bool(kept(told[_first(one)]) & gone) for one in truth["conflicts"]]
    changes = [any(map(_replaced, _key(told, one))) for one in truth["changes"]]
    for one, found in zip(truth["conflicts"], conflicts, strict=True):
        if not found:
            rows.append(wrong(ground, one["conflict_id"], f"not superseded: {one['topic']}"))
    for place, (one, found) in enumerate(zip(truth["changes"], changes, strict=True)):
        if not found:
            rows.append(wrong(ground, f"change:{place}", f"supersedes nothing: {one['fact']}"))
    every = frozenset().union(*(kept(outcomes) for outcomes in told.values()))
    return Group(
        name="changes",
        counts={"cases": len(conflicts) + len(changes), "messages": len(told)},
        figures={
            "conflicts": share(sum(conflicts), len(conflicts)),
            "changes": share(sum(changes), len(changes)),
            "superseded": share(len(gone & every), len(every)),
        },
    )


def _first(conflict: dict[str, Any]) -> int:
    return int(min(conflict["introduced_at_messages"]))


def _key(told: dict[int, list[Outcome]], change: dict[str, Any]) -> Sequence[Outcome]:
    return [one for message in change["key_messages"] for one in told[message]]


def _replaced(outcome: Outcome) -> bool:
    return outcome.action is Action.SUPERSEDED

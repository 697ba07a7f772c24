"""A change told after other things were said: what it has nothing to do with stays as it was.

The cases by hand, each in a user of its own who says six things of other families between the
case's statements and its new message, minutes before it: the first statement of each, drawn by
seed. So small a store compares all it holds, and what was said last may be taken for what is meant.
"""

import random
from collections.abc import Sequence

from engraphy.benchmarks.precision_store import Replay
from engraphy.benchmarks.slot_cases import SlotCase
from engraphy.benchmarks.slot_hand import hand
from engraphy.benchmarks.write_figures import Group, Row, share
from engraphy.benchmarks.write_part import Ground, MINUTE, Part, wrong
from engraphy.benchmarks.write_story import Story, told_of
from engraphy.memory import Memory

CROWD = 6
_SEED = 41
_DEFINITIONS = {
    "foreign_ended": "share of the cases whose new message ended a statement of another family",
    "own_ended": "share of the statements that a new message supersedes which it ended",
    "seed": f"{_SEED}, {CROWD} statements of other families in each case",
}


def measure(ground: Ground, crowd: int = CROWD) -> Part:
    """All of them, by language."""
    groups: list[Group] = []
    rows: list[Row] = []
    with ground.memory() as (memory, clock):
        for language in ("en", "tr"):
            cases = [one for one in hand() if one.language == language]
            draw = random.Random(_SEED)
            foreign = wanted = found = 0
            for case in cases:
                others = [one for one in cases if one.family != case.family]
                beside = draw.sample(others, min(crowd, len(others)))
                ended, why = _told(memory, clock, case, beside)
                own = {place for place in ended if place < len(case.old)}
                foreign += len(ended) > len(own)
                wanted += len(case.supersedes)
                found += len(own & set(case.supersedes))
                if len(ended) > len(own):
                    texts = [_place(case, beside, place) for place in sorted(ended - own)]
                    told = {"ended": " | ".join(texts), "new": case.new.text, "done": why}
                    rows.append(wrong(ground, case.id, f"{language}, {case.family}", **told))
            figures = {
                "foreign_ended": share(foreign, len(cases)),
                "own_ended": share(found, wanted),
            }
            groups.append(Group(name=language, figures=figures))
    return Part(groups=groups, bars=(), definitions=_DEFINITIONS, wrong=rows)


def _told(
    memory: Memory, clock: Replay, case: SlotCase, beside: Sequence[SlotCase]
) -> tuple[frozenset[int], str]:
    """Which statements ended with the new message, by their place: the case's own, then the
    others'; and what was done with it."""
    story = Story(memory=memory, clock=clock, user=case.id)
    crowd = Story(memory=memory, clock=clock, user=case.id)
    for message in case.old:
        story.state(message.text, message.at)
    for one in beside:
        crowd.state(one.old[0].text)
    before = story.ended()
    outcomes = story.tell(case.new.text, case.new.at)
    clock.at += MINUTE
    foreign = frozenset(len(case.old) + place for place in crowd.superseded(before))
    return story.superseded(before) | foreign, told_of(outcomes)


def _place(case: SlotCase, beside: Sequence[SlotCase], place: int) -> str:
    return beside[place - len(case.old)].old[0].text

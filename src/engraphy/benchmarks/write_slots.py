"""Values that change, and what only looks like it: the generated cases and the hand-written ones.

Each case in a user of its own: the old messages, then the new one, then the question, now and as of
an earlier moment.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engraphy.benchmarks.precision_store import Replay
from engraphy.benchmarks.slot_cases import SEED, SlotCase, says
from engraphy.benchmarks.write_figures import Bar, Figure, Group, Row, Tally, scored, share
from engraphy.benchmarks.write_part import Ground, MINUTE, Part, wrong
from engraphy.benchmarks.write_story import Story, told_of
from engraphy.memory import Memory

_TOP = 5
_DEFINITIONS = {
    "pair": "a case's new message and one of its old ones; positive where the case says that the "
    "new one supersedes it",
    "superseded": "a memory of the old message is in state superseded after the new one, or (a "
    "long memory, or one that says more) a fact read out of it has ended",
    "false_supersede": "share of the pairs that must not supersede that did",
    "stale_top5": "share of the cases that supersede where one of the five best answers holds a "
    "stale value and not the current one",
    "current_top5": "share of the cases with a question where one of the five best answers holds "
    "the current value",
    "as_of": "share of the cases with an earlier value where, asked as of the moment that the case "
    "names, else of the last old message, one of the five best answers holds the earlier value and "
    "none the new one alone",
    "relations": "the same by what the new message is to the old ones; `en` and `tr` apart",
    "seed": f"{SEED} (generated)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """A case after it was told and asked; None where a question does not apply."""

    case: SlotCase
    tally: Tally
    stale: bool | None
    current: bool | None
    as_of: bool | None
    why: str


def measured(ground: Ground, cases: Sequence[SlotCase], bars: Sequence[Bar] = ()) -> Part:
    """All cases told and asked; each language, then each of its relations."""
    with ground.memory() as (memory, clock):
        seen = [_told(memory, clock, case) for case in cases]
    languages = sorted({one.case.language for one in seen})
    groups = []
    for language in languages:
        own = [one for one in seen if one.case.language == language]
        groups.append(_group(language, own))
        for relation in sorted({one.case.relation for one in own}):
            part = [one for one in own if one.case.relation == relation]
            groups.append(_group(f"{language}: {relation}", part))
    rows = [row for one in seen if (row := _row(ground, one)) is not None]
    return Part(groups=groups, bars=bars, definitions=_DEFINITIONS, wrong=rows)


def _told(memory: Memory, clock: Replay, case: SlotCase) -> _Seen:
    story = Story(memory=memory, clock=clock, user=case.id)
    for message in case.old:
        story.state(message.text, message.at)
    before, last = story.ended(), clock.at
    outcomes = story.tell(case.new.text, case.new.at)
    gone, wanted = story.superseded(before), frozenset(case.supersedes)
    tp, fp, fn = len(gone & wanted), len(gone - wanted), len(wanted - gone)
    tally = Tally(tp=tp, fp=fp, fn=fn, tn=len(case.old) - len(wanted) - fp)
    clock.at += MINUTE
    now = _answers(memory, case, None)
    then = _answers(memory, case, last if case.as_of is None else case.as_of)
    change = bool(wanted) and bool(case.stale)
    return _Seen(
        case=case,
        tally=tally,
        stale=any(_stale(case, text) for text in now) if change else None,
        current=any(says(text, case.current) for text in now) if case.current else None,
        as_of=_held_then(case, then) if case.formerly else None,
        why=f"{len(gone)} superseded, {len(wanted)} should be; {told_of(outcomes)}",
    )


def _answers(memory: Memory, case: SlotCase, as_of: int | None) -> list[str]:
    """The texts of the five best answers."""
    hits = memory.recall(case.question, limit=_TOP, as_of=as_of, touch=False, user=case.id)
    return [hit.memory.content for hit in hits]


def _stale(case: SlotCase, text: str) -> bool:
    return says(text, case.stale) and not says(text, case.current)


def _held_then(case: SlotCase, texts: Sequence[str]) -> bool:
    new = any(says(text, case.current) and not says(text, case.formerly) for text in texts)
    return any(says(text, case.formerly) for text in texts) and not new


def _group(name: str, seen: Sequence[_Seen]) -> Group:
    tallies = [one.tally for one in seen]
    false, right = sum(one.fp for one in tallies), sum(one.tn for one in tallies)
    return scored(
        name,
        tallies,
        false_supersede=share(false, false + right),
        stale_top5=_of(one.stale for one in seen),
        current_top5=_of(one.current for one in seen),
        as_of=_of(one.as_of for one in seen),
    )


def _of(values: Iterable[bool | None]) -> Figure:
    asked = [value for value in values if value is not None]
    return share(sum(asked), len(asked))


def _row(ground: Ground, one: _Seen) -> Row | None:
    """What went wrong with a case."""
    faults = {
        "missed": one.tally.fn > 0,
        "wrongly superseded": one.tally.fp > 0,
        "stale served": one.stale is True,
        "current not served": one.current is False,
        "as of then wrong": one.as_of is False,
    }
    if not any(faults.values()):
        return None
    told = ", ".join(name for name, at_fault in faults.items() if at_fault)
    case = one.case
    old = " | ".join(message.text for message in case.old)
    texts = {"old": old, "new": case.new.text, "question": case.question, "done": one.why}
    why = f"{case.language}, {case.family}, {case.relation}: {told}"
    return wrong(ground, case.id, why, **texts)

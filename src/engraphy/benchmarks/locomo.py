"""LoCoMo (Maharana et al. 2024): long dialogues of two speakers, gold = evidence turns.

Categories: 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 adversarial.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from engraphy.benchmarks.cases import Case, Question, Suite, Turn
from engraphy.benchmarks.data import known, listed, read_one, shaped_as
from engraphy.text.moments import microseconds

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_MINUTE = 60_000_000
_TUNED = frozenset({"conv-26", "conv-30"})
_DATE = "%I:%M %p on %d %B, %Y"
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


def load(path: str) -> Suite:
    """The dialogues of a LoCoMo file as cases. Gold ids are normalised ("D8:6; D9:17" is two),
    unknown ones dropped; a question without any is counted in `dropped`.

    Raises UnreadableFileError.
    """
    dialogues, digest = read_one(path)
    with shaped_as("LoCoMo", path):
        cases = tuple(map(_case, listed(dialogues)))
        asked = sum(len(dialogue["qa"]) for dialogue in dialogues)
    return Suite(
        name="locomo",
        data_sha256=digest,
        known=known(digest),
        cases=cases,
        dropped=asked - sum(len(case.questions) for case in cases),
        tuned=_TUNED,
    )


def _case(dialogue: dict[str, Any]) -> Case:
    turns = tuple(_turns(dialogue["conversation"]))
    asked = tuple(_questions(dialogue, {turn.source for turn in turns}))
    return Case(id=dialogue["sample_id"], turns=turns, questions=asked)


def _turns(conversation: dict[str, Any]) -> Iterator[Turn]:
    number = 1
    while f"session_{number}_date_time" in conversation:
        stamp = conversation[f"session_{number}_date_time"]
        start = microseconds(datetime.strptime(stamp, _DATE).replace(tzinfo=UTC))
        for place, turn in enumerate(conversation.get(f"session_{number}", ())):
            yield Turn(
                source=turn["dia_id"],
                session=f"session_{number}",
                role="user",
                content=_content(turn),
                at=start + place * _MINUTE,
                speaker=turn["speaker"],
            )
        number += 1


def _content(turn: dict[str, Any]) -> str:
    """The words of a turn; a shared picture is told by its caption, as a viewer sees it."""
    caption = turn.get("blip_caption")
    return f"{turn['text']} [image: {caption}]" if caption else str(turn["text"])


def _questions(dialogue: dict[str, Any], sources: set[str]) -> Iterator[Question]:
    for number, row in enumerate(dialogue["qa"]):
        if gold := frozenset(_named(row["evidence"]) & sources):
            yield Question(
                id=f"{dialogue['sample_id']}:{number}",
                text=row["question"],
                category=CATEGORIES[row["category"]],
                gold=gold,
            )


def _named(evidence: list[str]) -> set[str]:
    """The turns that evidence names, however it is written ("D:11:26", "D30:05")."""
    found = (pair for text in evidence for pair in _EVIDENCE.findall(text))
    return {f"D{int(session)}:{int(turn)}" for session, turn in found}

"""LongMemEval (Wu et al. 2024): questions over many chat sessions, gold = whole sessions.

The sessions are pooled: every question is asked of one memory that holds them all.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from engraphy.benchmarks.cases import Case, Question, Suite, Turn
from engraphy.benchmarks.data import known, read
from engraphy.text.moments import microseconds

_SPEAKER = re.compile(r"^(user|assistant): ", re.MULTILINE)
_DAY = 86_400_000_000
_MINUTE = 60_000_000
_START = microseconds(datetime(2023, 1, 1, tzinfo=UTC))


def load(path: str) -> Suite:
    """The slice's queries and documents as one pooled case.

    The documents carry no dates, so sessions get consecutive days in the file's order; their
    order is not evidence in any question of the slice.
    """
    [(_, data)], digest = read(path)
    turns = tuple(turn for n, row in enumerate(data["documents"]) for turn in _turns(row, n))
    return Suite(
        name="longmemeval",
        data_sha256=digest,
        known=known(digest),
        cases=(Case(id="pooled", turns=turns, questions=tuple(map(_question, data["queries"]))),),
    )


def _turns(row: dict[str, Any], number: int) -> Iterator[Turn]:
    parts = _SPEAKER.split(row["text"])
    start = _START + number * _DAY
    for place, (role, content) in enumerate(zip(parts[1::2], parts[2::2], strict=True)):
        if content.strip():
            yield Turn(
                source=f"{row['id']}#{place}",
                session=row["id"],
                role=role,
                content=content.strip(),
                at=start + place * _MINUTE,
            )


def _question(row: dict[str, Any]) -> Question:
    return Question(
        id=row["id"],
        text=row["query"],
        category=row["question_type"],
        gold=frozenset(),
        gold_sessions=frozenset(row["gold"]),
    )

"""LongMemEval (Wu et al. 2024): questions over many chat sessions, gold = whole sessions.

Two formats: the published files (one haystack per question: a case each, abstention questions
dropped), and slices of queries over documents, pooled: every question is asked of one memory that
holds them all.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from engraphy.benchmarks.cases import Case, Question, Suite, Turn
from engraphy.benchmarks.data import known, read_one, shaped_as
from engraphy.text.moments import microseconds

_SPEAKER = re.compile(r"^(user|assistant): ", re.MULTILINE)
_DAY = 86_400_000_000
_MINUTE = 60_000_000
_START = microseconds(datetime(2023, 1, 1, tzinfo=UTC))
_DATE = "%Y/%m/%d (%a) %H:%M"
_ABSTENTION = "_abs"


def load(path: str) -> Suite:
    """The questions of a file in either format.

    The documents of a slice carry no dates, so its sessions get consecutive days in the file's
    order; their order is not evidence in any of its questions. Raises UnreadableFileError.
    """
    data, digest = read_one(path)
    with shaped_as("LongMemEval", path):
        cases = tuple(_haystacks(data)) if isinstance(data, list) else (_pooled(data),)
    return Suite(
        name="longmemeval",
        data_sha256=digest,
        known=known(digest),
        cases=cases,
        dropped=len(data) - len(cases) if isinstance(data, list) else 0,
    )


def _haystacks(rows: list[dict[str, Any]]) -> Iterator[Case]:
    for row in rows:
        if row["question_id"].endswith(_ABSTENTION):
            continue
        told = zip(
            row["haystack_session_ids"],
            row["haystack_dates"],
            row["haystack_sessions"],
            strict=True,
        )
        turns = tuple(turn for session in sorted(told, key=_when) for turn in _said(*session))
        yield Case(id=row["question_id"], turns=turns, questions=(_asked(row),))


def _when(session: tuple[str, str, Any]) -> int:
    return microseconds(datetime.strptime(session[1], _DATE).replace(tzinfo=UTC))


def _said(id: str, date: str, messages: list[dict[str, Any]]) -> Iterator[Turn]:
    start = _when((id, date, messages))
    for place, message in enumerate(messages):
        if message["content"].strip():
            yield Turn(
                source=f"{id}#{place}",
                session=id,
                role=message["role"],
                content=message["content"].strip(),
                at=start + place * _MINUTE,
            )


def _asked(row: dict[str, Any]) -> Question:
    told = zip(row["haystack_session_ids"], row["haystack_sessions"], strict=True)
    gold = (
        f"{session}#{place}"
        for session, messages in told
        for place, message in enumerate(messages)
        if message.get("has_answer")
    )
    return Question(
        id=row["question_id"],
        text=row["question"],
        category=row["question_type"],
        gold=frozenset(gold),
        gold_sessions=frozenset(row["answer_session_ids"]),
    )


def _pooled(data: dict[str, Any]) -> Case:
    turns = tuple(turn for n, row in enumerate(data["documents"]) for turn in _turns(row, n))
    return Case(id="pooled", turns=turns, questions=tuple(map(_question, data["queries"])))


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

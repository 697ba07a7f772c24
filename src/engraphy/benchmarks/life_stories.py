"""The stories that `engraphy bench life` replays: LoCoMo's dialogues, BEAM's chats, CRI's persona.

A story is a case with the dates of its turns, and the values that change in it. CRI has no
questions with evidence of its own; they are made of its ground truth: of each change and each
conflict what holds now, of each signal example its fact.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from engraphy.benchmarks import beam, locomo
from engraphy.benchmarks.cases import Case, Question, Suite, Turn
from engraphy.benchmarks.data import known, read, shaped_as
from engraphy.errors import InvalidInputError
from engraphy.text.moments import microseconds

CORPORA = ("locomo", "beam", "cri")
_CRI_FILES = ("conversations.jsonl", "ground_truth.json")
_MARK = 60
"""Characters of a signal example that must begin a message for it to be its evidence."""


class Shift(NamedTuple):
    """A value that changed: the sources that told the old one, and the new one."""

    old: frozenset[str]
    new: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One memory's life. `tuned`: the product's numbers were tuned on it."""

    corpus: str
    case: Case
    tuned: bool
    shifts: tuple[Shift, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The stories of a run, and what files they came from."""

    stories: tuple[Story, ...]
    sha256: Mapping[str, str]

    @property
    def known(self) -> dict[str, str]:
        """What the files are."""
        return {name: known(one) or "not a known file" for name, one in self.sha256.items()}


def shelf(data: Path, only: Sequence[str] = ()) -> Shelf:
    """The stories under a folder with one folder per data set; `only`: corpora or cases by name.

    Raises UnreadableFileError, and InvalidInputError where nothing is left.
    """
    there = [name for name in CORPORA if (data / name).exists()]
    suites = [_LOADERS[name](str(data / name)) for name in there]
    stories = tuple(
        _story(suite, case)
        for suite in suites
        for case in suite.cases
        if _wanted(suite, case, only)
    )
    if not stories:
        cases = [case.id for suite in suites for case in suite.cases]
        allowed = ", ".join([*there, *cases]) or f"a folder with any of {', '.join(CORPORA)}"
        raise InvalidInputError(field="only", got=list(only) or str(data), allowed=allowed)
    used = {story.corpus for story in stories}
    return Shelf(
        stories=stories,
        sha256={suite.name: suite.data_sha256 for suite in suites if suite.name in used},
    )


def _wanted(suite: Suite, case: Case, only: Sequence[str]) -> bool:
    return not only or suite.name in only or case.id in only


def _story(suite: Suite, case: Case) -> Story:
    shifts = [Shift(one.stale, one.updated) for one in case.questions if one.stale and one.updated]
    return Story(
        corpus=suite.name,
        case=case,
        tuned=case.id in suite.tuned,
        shifts=tuple(dict.fromkeys(shifts)),
    )


def cri(path: str) -> Suite:
    """CRI's persona as one case. Raises UnreadableFileError."""
    found, digest = read(path, _CRI_FILES)
    files = dict(found)
    with shaped_as("CRI", path):
        turns = tuple(map(_turn, files["conversations.jsonl"]))
        asked = tuple(_questions(files["ground_truth.json"], turns))
        case = Case(id="persona-1", turns=turns, questions=asked)
    return Suite(name="cri", data_sha256=digest, known=known(digest), cases=(case,))


def _turn(row: dict[str, Any]) -> Turn:
    return Turn(
        source=str(row["message_id"]),
        session=row["session_id"],
        role=row["role"],
        content=row["content"],
        at=microseconds(row["timestamp"]),
    )


def _questions(truth: dict[str, Any], turns: Sequence[Turn]) -> Iterator[Question]:
    told = {turn.source for turn in turns}
    for place, (change, before) in enumerate(_chained(truth["changes"])):
        yield Question(
            id=f"change:{place}",
            text=f"What is my {change['query_topic']}?",
            category="change",
            gold=_ids(change["key_messages"]) & told,
            updated=_ids(change["key_messages"]) & told,
            stale=frozenset() if before is None else _ids(before["key_messages"]) & told,
        )
    for row in truth["conflicts"]:
        first, last = min(row["introduced_at_messages"]), max(row["introduced_at_messages"])
        yield Question(
            id=row["conflict_id"],
            text=f"What do I say about {row['topic']}?",
            category="conflict",
            gold=_ids([last]) & told,
            updated=_ids([last]) & told,
            stale=_ids([first]) & told,
        )
    for place, row in enumerate(truth["signal_examples"]):
        if gold := _said(row["text"], turns):
            yield Question(
                id=f"signal:{place}", text=row["target_fact"], category="signal", gold=gold
            )


def _chained(
    changes: Sequence[dict[str, Any]],
) -> Iterator[tuple[dict[str, Any], dict[str, Any] | None]]:
    """Each change of a fact with the one before it, whose key messages tell the old value."""
    last: dict[str, dict[str, Any]] = {}
    for change in changes:
        yield change, last.get(change["fact"])
        last[change["fact"]] = change


def _said(text: str, turns: Sequence[Turn]) -> frozenset[str]:
    mark = text[:_MARK].casefold()
    found = (one.source for one in turns if one.role == "user" and mark in one.content.casefold())
    return frozenset(list(found)[:1])


def _ids(numbers: Sequence[int]) -> frozenset[str]:
    return frozenset(map(str, numbers))


_LOADERS = {"locomo": locomo.load, "beam": beam.load, "cri": cri}

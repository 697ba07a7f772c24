"""What a case of the slot set is made of: a value that was held, a message, what holds after it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

Language = Literal["en", "tr"]
Relation = Literal[
    "change",
    "addition",
    "other_subject",
    "other_time",
    "question",
    "hypothetical",
    "negated_question",
    "numeric_near_miss",
    "restatement",
    "retraction",
    "quoted",
    "correction",
]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
SUPERSEDING: frozenset[Relation] = frozenset({"change", "correction", "retraction"})
"""The relations after which a held statement holds no longer; after the others every one does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotMessage:
    """What the user said; `at`: microseconds UTC, or None: a minute after what was said before."""

    text: str
    at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotCase:
    """A short history, a new message, and what must hold after it.

    Of the statements `old`, those at `supersedes` must be superseded and no other may be. Asked
    `question` afterwards, a memory is right that `says` one of `current` (none is asked for where
    it is empty: the value was taken back), and stale that says one of `stale` and none of
    `current`. Asked as of `as_of` (microseconds UTC; None: the moment of the last of `old`), a
    memory that says one of `formerly` must be served; nothing is asked where that is empty.
    """

    id: str
    language: Language
    family: str
    relation: Relation
    old: tuple[SlotMessage, ...]
    new: SlotMessage
    supersedes: tuple[int, ...]
    question: str
    current: tuple[str, ...]
    stale: tuple[str, ...] = ()
    formerly: tuple[str, ...] = ()
    as_of: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicatePair:
    """Two statements told one after the other; `same`: they are one, and must be held once.

    `kind` says what was changed: "case", "numeral", ... where they are the same, "number", "name",
    "negation", ... where they are not.
    """

    id: str
    language: Language
    kind: str
    a: str
    b: str
    same: bool


def says(text: str, strings: Iterable[str]) -> bool:
    """Whether one of the strings stands in the text, whatever its case: from the start of a word,
    and not as the beginning of a longer number. A suffix may follow, as it does in Turkish."""
    folded = text.casefold()
    return any(_pattern(one.casefold()).search(folded) for one in strings)


def _pattern(folded: str) -> re.Pattern[str]:
    end = r"(?!\d)" if folded[-1:].isdigit() else ""
    return re.compile(rf"(?<!\w){re.escape(folded)}{end}")
